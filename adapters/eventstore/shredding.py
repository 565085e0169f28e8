"""Deletes keys, under the role of the owner: the roles that the program works with all day cannot.

One transaction takes the key of a mandate or person, the data keys that it wraps, and what would let names be
confirmed; before its commit all can be read, after it nothing. What is left of the rows in files goes in
``adapters/postgres/scrubbing.py``.
"""

from collections.abc import Sequence
from typing import Final
from uuid import UUID

from adapters.eventstore.keys import OwnerKind
from adapters.postgres.endpoint import Endpoint
from adapters.postgres.failures import translated
from adapters.postgres.roles import AnyConnection, connect
from adapters.postgres.sql import statements

_SQL: Final = statements("adapters.eventstore", "shredding.sql")

Place = tuple[UUID, int]
"""Stream and version of an event."""


def shred_person(owner: Endpoint, person: UUID, elsewhere: Sequence[Place]) -> list[UUID]:
    """Delete the key and the identity of a person, and the keys of events under other keys that repeat their words.

    Returns:
        The streams with events under that key: all that there are, since after it there come no more.

    Raises:
        PartError: the database does not answer.
    """
    with connect(owner) as connection, translated(), connection.transaction():
        values = {"kind": OwnerKind.PERSON.value, "owner": person}
        connection.execute(_SQL["shred"], values)
        gone = connection.execute(_SQL["event_keys_told"], values).fetchall()
        _shred_events(connection, elsewhere)
    return [UUID(str(stream)) for (stream,) in gone]


def shred_mandate(owner: Endpoint, mandate: UUID, elsewhere: Sequence[Place]) -> None:
    """Delete the key of a mandate, the keys of questions in it, its texts and names, and the keys of what quotes it.

    Raises:
        PartError: the database does not answer.
    """
    with connect(owner) as connection, translated(), connection.transaction():
        values = {"kind": OwnerKind.MANDATE.value, "owner": mandate}
        connection.execute(_SQL["shred"], values)
        connection.execute(_SQL["event_keys"], values)
        connection.execute(_SQL["scope"], {"scope": str(mandate)})
        for name in ("events_of_mandate", "blob_keys", "blobs", "names"):
            connection.execute(_SQL[name], {"mandate": mandate})
        _shred_events(connection, elsewhere)


def shred_records(owner: Endpoint, mandate: UUID, events: Sequence[Place], texts: Sequence[str]) -> None:
    """Delete the keys of single events, of whatever mandate, and of texts of one.

    Args:
        owner: the database, as the role that owns the tables.
        mandate: whose the texts are.
        events: streams and versions.
        texts: addresses of texts, hexadecimal.

    Raises:
        PartError: the database does not answer.
    """
    with connect(owner) as connection, translated(), connection.transaction():
        _shred_events(connection, events)
        connection.execute(_SQL["scope"], {"scope": str(mandate)})
        row = {"mandate": mandate, "addresses": [bytes.fromhex(text) for text in texts]}
        connection.execute(_SQL["some_blob_keys"], row)


def _shred_events(connection: AnyConnection, events: Sequence[Place]) -> None:
    connection.execute(_SQL["some_event_keys"], ([stream for stream, _ in events], [version for _, version in events]))
