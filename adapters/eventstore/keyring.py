"""The table of keys of mandates and people."""

from uuid import UUID, uuid4

from eventsourcing.postgres import PostgresDatastore
from psycopg import Cursor
from psycopg.rows import DictRow

from adapters.eventstore.keys import MasterKey, OwnerKey, OwnerKind, WrappedOwnerKey
from adapters.eventstore.rows import SQL, one, persistent, wrapped_owner_key
from domain.errors import AccessError


class Keyring:
    """Finds and makes keys; blocks, so call it inside the threads of the store."""

    def __init__(self, datastore: PostgresDatastore, master: MasterKey) -> None:
        self._datastore = datastore
        self._master = master

    @persistent
    def of_person(self, person: UUID) -> OwnerKey:
        """Return a registered person's key.

        Raises:
            AccessError: there is no such person, or their key has been shredded.
        """
        with self._datastore.cursor() as cursor:
            found = self._find(cursor, OwnerKind.PERSON, person)
        if found is None:
            raise AccessError
        return found

    @persistent
    def of_mandate(self, mandate: UUID) -> OwnerKey:
        """Return a mandate's key, made when the mandate has no events yet.

        Raises:
            AccessError: the mandate's key has been shredded.
        """
        with self._datastore.cursor() as cursor:
            found = self._find(cursor, OwnerKind.MANDATE, mandate)
            if found is not None:
                return found
            cursor.execute(SQL["mandate_has_events"], {"mandate": mandate})
            # Another process may have made a key meanwhile, and even used it; then its key is the one.
            if not one(cursor)["found"]:
                self.insert(cursor, self._master.new_owner_key(OwnerKind.MANDATE, mandate, uuid4()))
            made = self._find(cursor, OwnerKind.MANDATE, mandate)
        if made is None:
            raise AccessError
        return made

    @persistent
    def check(self) -> None:
        """Try the master key on the keys that are there.

        Raises:
            PartError: ``master_key`` when it does not fit.
        """
        with self._datastore.cursor() as cursor:
            cursor.execute(SQL["any_owner_key"])
            row = cursor.fetchone()
        if row is not None:
            self._master.opened(wrapped_owner_key(row))

    @staticmethod
    def insert(cursor: Cursor[DictRow], key: WrappedOwnerKey) -> None:
        """Insert a key unless its owner has one."""
        row = {"key_id": key.key_id, "kind": key.kind.value, "owner": key.owner, "wrapped": key.wrapped}
        cursor.execute(SQL["insert_owner_key"], row)

    def _find(self, cursor: Cursor[DictRow], kind: OwnerKind, owner: UUID) -> OwnerKey | None:
        cursor.execute(SQL["find_owner_key"], {"kind": kind.value, "owner": owner})
        row = cursor.fetchone()
        return None if row is None else self._master.opened(wrapped_owner_key(row))
