"""Ends an instance when the system asks for it: in good order the first time, at once the second."""

import asyncio
import logging
import signal
from typing import Final

from bot.serving.life import Life

_LOG: Final = logging.getLogger(__name__)
_ASKING: Final = (signal.SIGTERM, signal.SIGINT)


async def until_signalled(life: Life) -> None:
    """Run an instance until ``SIGTERM`` or ``SIGINT``.

    Raises:
        CancelledError: somebody has asked twice.
    """
    loop, running = asyncio.get_running_loop(), asyncio.create_task(life.run())
    asked = 0

    def end() -> None:
        nonlocal asked
        asked += 1
        if asked > 1:
            running.cancel()
            return
        _LOG.info("asked to stop; questions in work may end")
        life.stop()

    for one in _ASKING:
        loop.add_signal_handler(one, end)
    try:
        await running
    finally:
        for one in _ASKING:
            loop.remove_signal_handler(one)
