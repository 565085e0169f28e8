"""What goes into a backup: every table is known to be a record, a view, or to hold keys."""

from psycopg.sql import SQL, Identifier

from adapters.eventstore.tables import KEYS
from adapters.postgres.database import Database
from adapters.postgres.endpoint import Role
from projections.tables import OF_A_MANDATE, VIEWS

RECORDS = {
    "chat_accounts",  # how far an account has read: a mark of the platform's own
    "chat_inbox",  # ids of events and rooms, and pseudonyms; no word of a message
    "chat_posts",  # how many checkpoints a room has had
    "live_encoders",  # names of models, nothing of a document
    "migrations",
    "people_told",  # pseudonyms, and how far each has been told of changed sources
    "stored_events",
    "journal_entries",
    "journal_clock",
    "journal_blocks",  # hashes of hashes of ciphertexts
    "stream_names",
    "blobs",
}
"""Tables that a backup must hold. All that is private in them is encrypted: say why before you add one."""

_TABLES = "SELECT relname FROM pg_class WHERE relnamespace = 'fundstelle'::regnamespace AND relkind IN ('r', 'p')"
_CLOSED = """SELECT relname, EXISTS (SELECT FROM pg_policies
        WHERE tablename = relname AND roles = ARRAY[current_user]
          AND cmd = 'SELECT' AND qual LIKE '%fundstelle.backup%')
    FROM pg_class WHERE relnamespace = 'fundstelle'::regnamespace AND relforcerowsecurity"""
_OF_A_MANDATE = """SELECT relname FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
    WHERE relnamespace = 'fundstelle'::regnamespace AND relkind IN ('r', 'p') AND attname = 'mandate'"""


async def test_every_table_is_a_record_or_a_view_or_holds_keys(database: Database) -> None:
    """A new table is named in one of the three lists, or it would be lost by a backup, or disclosed."""
    async with database.connection(Role.OWNER) as connection:
        rows = await (await connection.execute(_TABLES)).fetchall()
    assert {name for (name,) in rows} == RECORDS | set(VIEWS) | set(KEYS)
    assert len(RECORDS | set(VIEWS) | set(KEYS)) == len(RECORDS) + len(VIEWS) + len(KEYS)


async def test_whoever_backs_up_reads_every_record(database: Database) -> None:
    """A table that is closed to its owner opens itself to a backup, or its rows would be missing from it unnoticed."""
    async with database.connection(Role.OWNER) as connection:
        rows = await (await connection.execute(_CLOSED)).fetchall()
    assert {name for name, opens in rows if opens} == {name for name, _ in rows} - set(VIEWS)


async def test_every_view_of_a_mandate_is_erased_with_it(database: Database) -> None:
    """A new view is named where an erasure looks, or what it holds of a mandate would outlive it."""
    async with database.connection(Role.OWNER) as connection:
        rows = await (await connection.execute(_OF_A_MANDATE)).fetchall()
    encoded = {"passage_vectors", "passage_weights"}  # a partition for each mandate, which is dropped
    assert {name for (name,) in rows} & set(VIEWS) == set(OF_A_MANDATE) | encoded
    for table in OF_A_MANDATE:
        async with database.connection(Role.PROJECTOR) as connection:
            await connection.execute(SQL("DELETE FROM {} WHERE mandate IS NULL").format(Identifier(table)))
