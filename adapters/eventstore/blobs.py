"""Stored texts: encrypted, immutable, addressed by the hash of what is stored.

Stored content is ``46 53 42 01`` ("FSB" and the version of the form), then a seal (``seal.py``) of the UTF-8 text; its
associated data are the fields "FSB" 01 and mandate. The address is the SHA-256 of the whole content.
"""

from collections import OrderedDict
from hashlib import sha256
from threading import Lock
from typing import Final
from uuid import UUID

from eventsourcing.postgres import PostgresDatastore
from psycopg.rows import DictRow

from adapters.eventstore.form import fields
from adapters.eventstore.keyring import Keyring
from adapters.eventstore.keys import MasterKey
from adapters.eventstore.rows import SQL, one, persistent, wrapped_owner_key
from adapters.eventstore.seal import BrokenSealError, new_key, seal, unseal
from adapters.eventstore.threads import Threads
from domain.errors import InputError, PartError
from domain.recording import BlobRef

MAGIC: Final = b"FSB\x01"
"""What stored content begins with."""

BLOB: Final = b"blob"
"""Purpose of the keys that wrap data keys of texts."""

_CACHE_CHARACTERS: Final = 16_000_000


class PostgresBlobs:
    """Implements ``BlobStore``. Texts read lately are kept, yet each ``get`` asks whether the key is still there."""

    def __init__(self, threads: Threads, datastore: PostgresDatastore, keyring: Keyring, master: MasterKey) -> None:
        self._threads = threads
        self._datastore = datastore
        self._keyring = keyring
        self._master = master
        self._cache = TextCache(_CACHE_CHARACTERS)
        self._shredded = 0

    async def put(self, mandate: UUID, text: str) -> BlobRef:
        """See ``BlobStore``."""
        return await self._threads.run(self._put, mandate, text)

    async def get(self, mandate: UUID, ref: BlobRef) -> str:
        """See ``BlobStore``."""
        return await self._threads.run(self._get, mandate, ref)

    @persistent
    def _put(self, mandate: UUID, text: str) -> BlobRef:
        plaintext, data_key = text.encode(), new_key()
        content = MAGIC + seal(data_key, plaintext, bound(mandate))
        address = sha256(content).digest()
        owner = self._keyring.of_mandate(mandate)
        with self._datastore.transaction(commit=True) as cursor:
            cursor.execute(SQL["set_scope"], {"scope": str(mandate)})
            cursor.execute(SQL["insert_blob"], {"mandate": mandate, "address": address, "content": content})
            wrapped = owner.wrap(data_key, BLOB)
            row = {"mandate": mandate, "address": address, "key_id": owner.key_id, "wrapped": wrapped}
            cursor.execute(SQL["insert_blob_key"], row)
        return BlobRef(address.hex(), sha256(plaintext).hexdigest())

    @persistent
    def _get(self, mandate: UUID, ref: BlobRef) -> str:
        where = {"mandate": mandate, "address": bytes.fromhex(ref.address)}
        with self._datastore.transaction() as cursor:
            cursor.execute(SQL["set_scope"], {"scope": str(mandate)})
            cursor.execute(SQL["shredded"])
            self._forget_after(one(cursor)["shredded"])
            cursor.execute(SQL["blob_key"], where)
            key = cursor.fetchone()
            text = None if key is None else self._cache.get((mandate, ref))
            if text is not None:
                return text
            cursor.execute(SQL["blob"], where)
            row = cursor.fetchone()
            cursor.execute(SQL["is_shredded"], {"mandate": mandate})
            if cursor.fetchone() is not None:
                raise InputError("blob_erased", address=ref.address)
        if row is None or sha256(row["content"]).hexdigest() != ref.address:
            raise PartError("blob_damaged", address=ref.address)
        if key is None:
            raise InputError("blob_erased", address=ref.address)
        text = self._opened(mandate, key, row["content"], ref)
        self._cache.put((mandate, ref), text)
        return text

    def _forget_after(self, shredded: int) -> None:
        """Let go of all texts and keys when a key has been destroyed since the last look."""
        if shredded != self._shredded:
            self._shredded = shredded
            self._cache.clear()
            self._master.opened.cache_clear()

    def _opened(self, mandate: UUID, key: DictRow, content: bytes, ref: BlobRef) -> str:
        owner = self._master.opened(wrapped_owner_key(key))
        try:
            data_key = owner.unwrap(key["blob_key"], BLOB)
            plaintext = unseal(data_key, content.removeprefix(MAGIC), bound(mandate))
        except BrokenSealError as error:
            raise PartError("blob_damaged", address=ref.address) from error
        if sha256(plaintext).hexdigest() != ref.sha256:
            raise PartError("blob_damaged", address=ref.address)
        return plaintext.decode()


class TextCache:
    """The texts used last, up to a number of characters; safe between threads."""

    def __init__(self, characters: int) -> None:
        self._room = characters
        self._texts: OrderedDict[tuple[UUID, BlobRef], str] = OrderedDict()
        self._lock = Lock()

    def get(self, key: tuple[UUID, BlobRef]) -> str | None:
        """Return a text that is still there."""
        with self._lock:
            if key in self._texts:
                self._texts.move_to_end(key)
            return self._texts.get(key)

    def clear(self) -> None:
        """Let go of all texts."""
        with self._lock:
            self._room += sum(map(len, self._texts.values()))
            self._texts.clear()

    def put(self, key: tuple[UUID, BlobRef], text: str) -> None:
        """Keep a text, letting go of those that were not used for longest."""
        with self._lock:
            if key not in self._texts:
                self._texts[key] = text
                self._room -= len(text)
            while self._room < 0:
                _, gone = self._texts.popitem(last=False)
                self._room += len(gone)


def bound(mandate: UUID) -> bytes:
    """Return the associated data of a mandate's texts."""
    return fields(MAGIC, mandate.bytes)
