"""Rows and texts as they are stored, with the keys that open them: what an audit bundle is made of."""

from collections.abc import Sequence
from datetime import UTC, datetime
from hashlib import sha256
from typing import Final
from uuid import UUID

from eventsourcing.persistence import Notification
from eventsourcing.postgres import PostgresDatastore

from adapters.eventstore.blobs import BLOB, MAGIC, bound
from adapters.eventstore.codec import UnknownShapeError
from adapters.eventstore.form import Header, associated, seal_of
from adapters.eventstore.keys import MasterKey
from adapters.eventstore.mapper import Mapper
from adapters.eventstore.recorder import Companion, JournalRecorder
from adapters.eventstore.rows import SQL, has_hash, one, persistent, row_hash, stream_of, wrapped_owner_key
from adapters.eventstore.seal import BrokenSealError, unseal
from adapters.eventstore.store import EVENT
from adapters.eventstore.threads import Threads
from domain.errors import PartError
from domain.journal.bundles import Entry, SealedRow, SealedText
from domain.recording import Recorded

_NOTHING: Final = Companion(None, None, None)


class PostgresSealedStore:
    """Implements ``SealedStore``."""

    def __init__(
        self,
        threads: Threads,
        datastore: PostgresDatastore,
        recorder: JournalRecorder,
        *,
        master: MasterKey,
        mapper: Mapper,
    ) -> None:
        self._threads = threads
        self._datastore = datastore
        self._recorder = recorder
        self._master = master
        self._mapper = mapper

    async def span(
        self, mandate: UUID, up_to: int, since: datetime | None, until: datetime | None
    ) -> tuple[int, int] | None:
        """See ``SealedStore``."""
        return await self._threads.run(self._span, mandate, up_to, since, until)

    async def entries(self, mandate: UUID, first: int, last: int) -> Sequence[Entry]:
        """See ``SealedStore``."""
        return await self._threads.run(self._entries, mandate, first, last)

    async def rows(self, positions: Sequence[int]) -> Sequence[SealedRow]:
        """See ``SealedStore``."""
        return await self._threads.run(self._rows, list(positions)) if positions else ()

    async def text(self, mandate: UUID, address: str) -> SealedText | None:
        """See ``SealedStore``."""
        return await self._threads.run(self._text, mandate, address)

    @persistent
    def _span(
        self, mandate: UUID, up_to: int, since: datetime | None, until: datetime | None
    ) -> tuple[int, int] | None:
        with self._datastore.cursor() as cursor:
            cursor.execute(SQL["span"], {"mandate": mandate, "up_to": up_to, "since": since, "until": until})
            row = one(cursor)
        return None if row["first"] is None else (row["first"], row["last"])

    @persistent
    def _entries(self, mandate: UUID, first: int, last: int) -> Sequence[Entry]:
        with self._datastore.cursor() as cursor:
            cursor.execute(SQL["entries"], {"mandate": mandate, "first": first, "last": last})
            found = [
                Entry(row["position"], row["number"], bytes(row["hash"]), row["logged_at"].astimezone(UTC))
                for row in cursor.fetchall()
            ]
        if [entry.number for entry in found] != list(range(first, last + 1)):
            raise PartError("journal_damaged")
        return found

    @persistent
    def _rows(self, positions: list[int]) -> Sequence[SealedRow]:
        with self._datastore.cursor() as cursor:
            cursor.execute(SQL["rows"], {"positions": positions})
            found = [
                Notification(
                    row["originator_id"],
                    row["originator_version"],
                    row["topic"],
                    bytes(row["state"]),
                    row["notification_id"],
                )
                for row in cursor.fetchall()
            ]
        if [row.id for row in found] != positions:
            raise PartError("journal_damaged")
        companions = self._recorder.select_companions(found)
        return [self._opened(row, companions.get(row.id, _NOTHING)) for row in found]

    def _opened(self, row: Notification, companion: Companion) -> SealedRow:
        if not has_hash(row, companion.hash):
            raise PartError("event_damaged", position=row.id)
        try:
            header = Header.of(row.state)
            key = self._data_key(companion)
            event, actor = (None, None) if key is None else self._mapper.to_domain_event(row, header.mandate, key)
        except (BrokenSealError, ValueError) as error:
            raise PartError("event_damaged", position=row.id) from error
        except UnknownShapeError as error:
            raise PartError("event_unknown", position=row.id, topic=row.topic) from error
        stream, version = stream_of(row), row.originator_version
        recorded = Recorded(event, stream, version, header.mandate, actor, row.id, header.number, header.logged_at)
        bytes_bound = associated(header.mandate, stream, version, row.topic)
        plaintext = None if key is None else unseal(key, seal_of(row.state), bytes_bound)
        return SealedRow(recorded, row.topic, row.state, row_hash(row), key, plaintext)

    def _data_key(self, companion: Companion) -> bytes | None:
        if companion.wrapped is None or companion.owner_key is None:
            return None
        return self._master.opened(companion.owner_key).unwrap(companion.wrapped, EVENT)

    @persistent
    def _text(self, mandate: UUID, address: str) -> SealedText | None:
        where = {"mandate": mandate, "address": bytes.fromhex(address)}
        with self._datastore.transaction() as cursor:
            cursor.execute(SQL["set_scope"], {"scope": str(mandate)})
            cursor.execute(SQL["blob_key"], where)
            key = cursor.fetchone()
            cursor.execute(SQL["blob"], where)
            row = cursor.fetchone()
        if key is None or row is None:
            return None
        content = bytes(row["content"])
        try:
            data_key = self._master.opened(wrapped_owner_key(key)).unwrap(key["blob_key"], BLOB)
            plaintext = unseal(data_key, content.removeprefix(MAGIC), bound(mandate))
        except BrokenSealError as error:
            raise PartError("blob_damaged", address=address) from error
        if sha256(content).hexdigest() != address:
            raise PartError("blob_damaged", address=address)
        return SealedText(mandate, address, content, data_key, plaintext.decode())
