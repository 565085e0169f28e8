"""Takes people who were erased out of the files of our device, whoever has had them erased, and from where.

An erasure leaves no name that could be looked for. So once there was one, everybody goes whom nobody knows any more:
who is known in no mandate and shares an encrypted room with us comes back with the next message there.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from contextlib import asynccontextmanager
from typing import Final, Protocol

from bot.serving.logs import facts

_LOG: Final = logging.getLogger(__name__)

LOOK_SECONDS: Final = 30.0
"""How often it is looked for erasures: other processes carry them out."""


class Files(Protocol):
    """What our device keeps of others. Every method raises ``PartError`` when that cannot be read or written."""

    def people(self) -> frozenset[str]:
        """Return everybody who is named."""
        ...

    async def forget(self, people: Collection[str]) -> None:
        """Remove people."""
        ...


class Forgetting:
    """Looks after such files, as long as we answer from them.

    Args:
        erased: counts the people who have been erased since the beginning.
        is_known: says whether an identity is known to the installation.
        fault: is told of each error; it is tried again.
    """

    def __init__(
        self,
        erased: Callable[[], Awaitable[int]],
        is_known: Callable[[str], Awaitable[bool]],
        fault: Callable[[Exception], None],
    ) -> None:
        self._erased = erased
        self._is_known = is_known
        self._fault = fault

    @asynccontextmanager
    async def of(self, files: Files, account: str) -> AsyncIterator[None]:
        """Look after files until the block ends; ``account`` is ourselves, who stay."""
        task = asyncio.create_task(self._keep_forgetting(files, account))
        try:
            yield
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def _keep_forgetting(self, files: Files, account: str) -> None:
        # What was erased while nobody answered is not known any more: the first look is for all of it.
        done = 0
        while True:
            try:
                erased = await self._erased()
                if erased > done:
                    await self._forget(files, account)
                done = erased
            except Exception as error:  # noqa: BLE001 - answering goes on
                self._fault(error)
            await asyncio.sleep(LOOK_SECONDS)

    async def _forget(self, files: Files, account: str) -> None:
        named = files.people() - {account}
        unknown = [one for one in sorted(named) if not await self._is_known(one)]
        if unknown:
            await files.forget(unknown)
            _LOG.info("who is not known any more is out of the files of our device", extra=facts(count=len(unknown)))
