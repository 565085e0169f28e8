"""The table of keys of mandates and people."""

from uuid import UUID, uuid4

from eventsourcing.postgres import PostgresDatastore
from psycopg import Cursor
from psycopg.rows import DictRow

from adapters.eventstore.keys import Marking, MasterKey, OwnerKey, OwnerKind
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
            while (found := self._find(cursor, OwnerKind.MANDATE, mandate)) is None:
                cursor.execute(SQL["mandate_has_events"], {"mandate": mandate})
                # Another process may have made a key meanwhile, and even used it; then its key is the one.
                if one(cursor)["found"] and self._find(cursor, OwnerKind.MANDATE, mandate) is None:
                    raise AccessError
                self.insert(cursor, OwnerKind.MANDATE, mandate)
        return found

    @persistent
    def marking(self) -> Marking:
        """Try the master key on the keys that are there, and return those that mark names, texts and identities.

        Raises:
            PartError: ``master_key`` when it does not fit.
        """
        with self._datastore.cursor() as cursor:
            cursor.execute(SQL["any_owner_key"])
            row = cursor.fetchone()
            if row is not None:
                self._master.opened(wrapped_owner_key(row))
            marking = self._master.first_marking()
            made = {"master": self._master.fingerprint(), "marking": self._master.wrap_marking(marking)}
            cursor.execute(SQL["insert_store_keys"], made)
            cursor.execute(SQL["store_keys"])
            kept = one(cursor)
        self._master.must_be(kept["master"])
        return self._master.open_marking(kept["marking"])

    def insert(self, cursor: Cursor[DictRow], kind: OwnerKind, owner: UUID) -> OwnerKey | None:
        """Insert a new key and return it, ``None`` where the owner has one or the master key is just being changed.

        Raises:
            PartError: ``master_key`` when it was changed and the new one cannot be found.
        """
        cursor.execute(SQL["store_keys"])
        self._master.must_be(one(cursor)["master"])
        key = self._master.new_owner_key(kind, owner, uuid4())
        row = {"key_id": key.key_id, "kind": key.kind.value, "owner": key.owner, "wrapped": key.wrapped}
        cursor.execute(SQL["insert_owner_key"], {**row, "master": self._master.fingerprint()})
        return self._master.opened(key) if cursor.rowcount else None

    def _find(self, cursor: Cursor[DictRow], kind: OwnerKind, owner: UUID) -> OwnerKey | None:
        cursor.execute(SQL["find_owner_key"], {"kind": kind.value, "owner": owner})
        row = cursor.fetchone()
        return None if row is None else self._master.opened(wrapped_owner_key(row))
