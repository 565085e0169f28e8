"""Deletes: keys, what views and indexes hold, and what is left of it in files. Implements ``Shredder``."""

import asyncio
import logging
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path
from typing import Final
from uuid import UUID

from adapters.eventstore import shredding
from adapters.postgres.database import Database
from adapters.postgres.endpoint import Endpoint, Role
from adapters.postgres.scrubbing import alone, scrub, scrub_server
from domain.errors import FundstelleError
from domain.journal.erasures import PERSON, Erasures
from projections.erasing import Forget, forget_mandate, forget_person, forget_records, partitions
from projections.projection import Projection
from projections.tables import OF_A_MANDATE

_LOG: Final = logging.getLogger(__name__)

_BESIDE: Final = ("lexical", "subwords")
_OF_RECORDS: Final = ("event_keys", "blob_keys")
_OF_A_PERSON: Final = ("keyring", "people", "event_keys")
_OF_A_MANDATE: Final = ("keyring", "stream_names", "event_keys", "blob_keys", *OF_A_MANDATE)
"""Tables to be written anew: they hold words, names or codes of names in the clear, or keys under keys that live on.
What lay under a key that is gone may stay in its file."""


class InstallationShredder:
    """Deletes in one installation.

    Args:
        database: where keys and views are.
        indexes: returns what removes a mandate from the indexes beside it; loads their engines.
        rebuild: builds a view anew.
        ours: whether the server is the embedded one.
    """

    def __init__(
        self,
        database: Database,
        indexes: Callable[[], Sequence[Forget]],
        rebuild: Callable[[str], Awaitable[None]],
        *,
        ours: bool,
    ) -> None:
        self._database = database
        self._rebuild = rebuild
        self._indexes = indexes
        self._ours = ours

    @asynccontextmanager
    async def alone(self, *, patient: bool) -> AsyncIterator[bool]:
        """See ``Shredder``."""
        with ExitStack() as stack:
            yield await asyncio.to_thread(stack.enter_context, alone(self._owner, patient=patient))

    async def person(self, person: UUID, written: Sequence[tuple[UUID, int]]) -> Sequence[UUID]:
        """See ``Shredder``."""
        return await asyncio.to_thread(shredding.shred_person, self._owner, person, written)

    async def mandate(self, mandate: UUID, quoting: Sequence[tuple[UUID, int]]) -> None:
        """See ``Shredder``."""
        await asyncio.to_thread(shredding.shred_mandate, self._owner, mandate, quoting)

    async def runs(self, person: UUID) -> None:
        """See ``Shredder``."""
        await forget_person(self._database, person)

    async def views(self, mandate: UUID) -> None:
        """See ``Shredder``."""
        await forget_mandate(self._database, mandate, self._indexes())

    async def records(self, mandate: UUID, events: Sequence[tuple[UUID, int]], texts: Sequence[str]) -> None:
        """See ``RecordShredder``."""
        await asyncio.to_thread(shredding.shred_records, self._owner, mandate, events, texts)

    async def record_views(self, mandate: UUID, runs: Sequence[UUID], ordinals: Sequence[int]) -> None:
        """See ``RecordShredder``."""
        await forget_records(self._database, mandate, runs, ordinals, self._indexes() if ordinals else ())
        if ordinals:
            # What is left of a document answers for other days now; and an index keeps words until it is made anew.
            for name in ("knowledge", *_BESIDE):
                await self._rebuild(name)
        await asyncio.to_thread(scrub, self._owner, (*_OF_RECORDS, *(OF_A_MANDATE if ordinals else ())))
        if ordinals:
            for table in await partitions(self._database, mandate):
                await asyncio.to_thread(scrub, self._owner, [table])
        await asyncio.to_thread(scrub_server, self._database.admin, ours=self._ours)

    async def remains(self, kind: str) -> None:
        """See ``Shredder``."""
        tables = _OF_A_PERSON if kind == PERSON else _OF_A_MANDATE
        await asyncio.to_thread(scrub, self._owner, tables)
        await asyncio.to_thread(scrub_server, self._database.admin, ours=self._ours)

    @property
    def _owner(self) -> Endpoint:
        return self._database.endpoint(Role.OWNER)


def indexes_among(projections: Sequence[Projection]) -> list[Forget]:
    """Return what removes a mandate from each index that lies beside the database."""
    from projections.lexical import PartitionProjection  # noqa: PLC0415 - the engine is loaded only to search

    return [one.forget for one in projections if isinstance(one, PartitionProjection)]


def folders_under(index: Path) -> Forget:
    """Return what removes the folders of a mandate under ``index``; another engine may keep its words by now."""

    def remove(mandate: UUID) -> None:
        for folder in index.glob(f"*/*/{mandate}"):
            shutil.rmtree(folder)

    async def forget(mandate: UUID) -> None:
        await asyncio.to_thread(remove, mandate)

    return forget


async def finish_erasing(erasures: Erasures) -> None:
    """Bring to its end what somebody who was killed has left; what does not work now is tried by the next command."""
    try:
        await erasures.finish()
    except FundstelleError as error:
        _LOG.warning("an erasure is not complete: %s", error.key)
