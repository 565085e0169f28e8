"""What the tables of an account say about people, and how far its rooms are."""

from datetime import UTC, datetime

from adapters.chat.inbox import PostgresInbox
from adapters.chat.posts import PostgresPosts
from adapters.eventstore.keys import MasterKey
from adapters.eventstore.recording import open_recording
from adapters.eventstore.shredding import shred_person
from adapters.postgres import roles
from adapters.postgres.database import Database
from adapters.postgres.endpoint import Role
from bot.matrix.shapes import instant
from domain.inbox import Noted

SENT = datetime(2026, 11, 30, 12, tzinfo=UTC)


async def test_an_erased_person_is_no_longer_named(database: Database) -> None:
    """No identity stands in the tables; what an erased person had asked is of nobody, and others are answered."""
    recording = await open_recording(database, MasterKey(bytes(32)))
    inbox = PostgresInbox(database, recording.people, "matrix @bot:example.org")
    anna, bob = (Noted(f"${name}", "!r", f"@{name}:example.org", SENT, "Said") for name in ("anna", "bob"))
    await inbox.take_in("s1", [anna, bob])
    async with database.connection(Role.OWNER) as connection:
        rows = await (await connection.execute("SELECT chat_inbox::text FROM chat_inbox")).fetchall()
    assert len(rows) == 2
    assert "@" not in "".join(row for (row,) in rows).replace("matrix @bot", "")
    person = await recording.people.find(anna.sender)
    assert person is not None
    shred_person(database.endpoint(Role.OWNER), person, [])
    assert await inbox.pending() == (bob,)
    assert await inbox.take_in("s2", [anna]) == ()
    await recording.close()


async def test_what_a_clock_far_ahead_has_sent_is_found_again(database: Database) -> None:
    """Whatever instant another server claims, and wherever the database thinks that it is; else nobody is answered."""
    with roles.connect(database.admin) as there:
        there.execute(f"ALTER DATABASE {database.admin.dbname} SET timezone TO 'Pacific/Kiritimati'")
    recording = await open_recording(database, MasterKey(bytes(32)))
    inbox = PostgresInbox(database, recording.people, "matrix @bot:example.org")
    latest, earliest = (Noted(f"${n}", "!r", "@anna:x", instant(n), "Said") for n in (2**62, -(2**62)))
    await inbox.take_in("s1", [latest, earliest])
    async with database.connection(Role.WRITER) as connection:
        (zone,) = await (await connection.execute("SHOW timezone")).fetchone() or ("",)
    assert zone == "Pacific/Kiritimati"
    assert await inbox.pending() == (latest, earliest)
    await recording.close()


async def test_a_room_never_falls_back(database: Database) -> None:
    """How far it is with the checkpoints only grows, and each account counts for itself."""
    posts = PostgresPosts(database, "matrix @bot:example.org")
    assert await posts.posted("!r") is None
    await posts.post("!r", 3)
    await posts.post("!r", 2)
    assert await posts.posted("!r") == 3
    assert await PostgresPosts(database, "matrix @other:example.org").posted("!r") is None
