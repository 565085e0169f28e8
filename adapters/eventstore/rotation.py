"""Another master key: every key of the keyring is wrapped anew, and no event is touched.

All rows change in one transaction that nobody can insert a key beside. Before it both keys are in their places; after
it the old one is taken away. A death in between leaves a database that says which of the two fits.
"""

from typing import Final

from psycopg.rows import dict_row

from adapters.eventstore.keys import MasterKey
from adapters.eventstore.rows import wrapped_owner_key
from adapters.postgres.endpoint import Endpoint
from adapters.postgres.failures import translated
from adapters.postgres.roles import AnyConnection, connect
from adapters.postgres.sql import statements

_SQL: Final = statements("adapters.eventstore", "rotation.sql")


def rotate(owner: Endpoint, old: MasterKey, new: MasterKey) -> int | None:
    """Wrap all keys by ``new`` and return how many there are; ``None`` when that was done already.

    Args:
        owner: the database, as the role that owns the tables: nobody else may change a key.
        old: the master key so far.
        new: the next one, which is in its place already.

    Raises:
        PartError: the database does not answer, or ``master_key`` when ``old`` does not fit.
    """
    with connect(owner) as connection, translated():
        connection.execute(_SQL["alone"])
        with connection.transaction():
            count = _wrap_again(connection, old, new)
        # Rows that were wrapped by the old key are not to lie about for whoever finds that key.
        connection.execute(_SQL["forget_keyring"])
        connection.execute(_SQL["forget_store_keys"])
    return count


def _wrap_again(connection: AnyConnection, old: MasterKey, new: MasterKey) -> int | None:
    connection.execute(_SQL["lock"])
    with connection.cursor(row_factory=dict_row) as cursor:
        (store,) = cursor.execute(_SQL["store_keys"]).fetchall()
        if store["master"] == new.fingerprint():
            return None
        old.must_be(store["master"])
        rows = [new.wrapped_again(wrapped_owner_key(row), old) for row in cursor.execute(_SQL["keyring"]).fetchall()]
        cursor.executemany(_SQL["wrap"], [(row.wrapped, row.key_id) for row in rows])
        marking = new.wrap_marking(old.open_marking(store["marking"]))
        cursor.execute(_SQL["take_over"], {"master": new.fingerprint(), "marking": marking})
    return len(rows)
