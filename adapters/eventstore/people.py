"""The directory of people: identities under the person's own key, found by a message authentication code."""

import unicodedata
from collections.abc import Sequence
from uuid import UUID, uuid4

from eventsourcing.postgres import PostgresDatastore
from psycopg import Rollback

from adapters.eventstore.form import fields
from adapters.eventstore.keyring import Keyring
from adapters.eventstore.keys import Marking, MasterKey, OwnerKind
from adapters.eventstore.rows import SQL, persistent, wrapped_owner_key
from adapters.eventstore.seal import BrokenSealError, seal, unseal
from adapters.eventstore.threads import Threads
from domain.errors import PartError


class PostgresPeople:
    """Implements ``People``. Identities that differ in Unicode composition only are one."""

    def __init__(
        self, threads: Threads, datastore: PostgresDatastore, keyring: Keyring, master: MasterKey, marking: Marking
    ) -> None:
        self._threads = threads
        self._datastore = datastore
        self._keyring = keyring
        self._master = master
        self._marking = marking

    async def register(self, identity: str) -> UUID:
        """See ``People``."""
        return await self._threads.run(self._register, _normalised(identity))

    async def find(self, identity: str) -> UUID | None:
        """See ``People``."""
        return await self._threads.run(self._find, _normalised(identity))

    async def names(self, people: Sequence[UUID]) -> dict[UUID, str]:
        """See ``People``."""
        return await self._threads.run(self._names, list(people))

    def _register(self, identity: str) -> UUID:
        while True:
            known = self._find(identity)
            if known is not None:
                return known
            self._insert(identity)

    @persistent
    def _insert(self, identity: str) -> None:
        """Insert a person with a new key, unless another process has been faster."""
        person = uuid4()
        with self._datastore.get_connection() as connection, connection.transaction(), connection.cursor() as cursor:
            key = self._keyring.insert(cursor, OwnerKind.PERSON, person)
            if key is None:
                raise Rollback
            row = {
                "person": person,
                "key_id": key.key_id,
                "mac": self._marking.identity_mac(identity),
                "identity": seal(key.identity_key(), identity.encode(), _associated(person)),
            }
            cursor.execute(SQL["insert_person"], row)
            if cursor.rowcount == 0:
                raise Rollback

    @persistent
    def _find(self, identity: str) -> UUID | None:
        with self._datastore.cursor() as cursor:
            cursor.execute(SQL["find_person"], {"mac": self._marking.identity_mac(identity)})
            row = cursor.fetchone()
            return None if row is None else row["person"]

    @persistent
    def _names(self, people: list[UUID]) -> dict[UUID, str]:
        with self._datastore.cursor() as cursor:
            cursor.execute(SQL["identities"], {"people": people})
            rows = cursor.fetchall()
        names = {}
        for row in rows:
            key = self._master.opened(wrapped_owner_key(row)).identity_key()
            try:
                names[row["person"]] = unseal(key, row["identity"], _associated(row["person"])).decode()
            except BrokenSealError as error:
                raise PartError("person_damaged", person=row["person"]) from error
        return names


def _associated(person: UUID) -> bytes:
    return fields(b"fundstelle identity 1", person.bytes)


def _normalised(identity: str) -> str:
    return unicodedata.normalize("NFC", identity)
