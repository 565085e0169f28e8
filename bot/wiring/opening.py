"""Opens the parts over a data folder and closes them again."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from adapters.postgres.database import open_database
from bot.config import Settings
from bot.erasing import finish_erasing
from bot.installation import must_be_initialised, open_with_keys, postgres_url
from bot.wiring.app import App


@asynccontextmanager
async def open_app(settings: Settings) -> AsyncIterator[App]:
    """Open the parts over an initialised data folder and close them again.

    Raises:
        InputError: ``not_initialised`` or ``newer_format``.
        PartError: a part does not answer.
    """
    must_be_initialised(settings.data)
    async with open_parts(settings) as app:
        await finish_erasing(app.erasures)
        yield app


@asynccontextmanager
async def open_parts(settings: Settings) -> AsyncIterator[App]:
    """Open the parts over a database of this program; one that is older or newer is told before it is read.

    Raises:
        InputError: the master key or the database may be read by others.
        PartError: a part does not answer, or the database is not current.
    """
    async with await asyncio.to_thread(open_database, settings.data, postgres_url(settings)) as database:
        await database.must_be_current()
        recording = await open_with_keys(database, settings.data)
        try:
            app = App(
                settings,
                database,
                recording.events,
                recording.people,
                recording.blobs,
                recording.sealed,
                recording.text_mac,
            )
            try:
                yield app
            finally:
                await app.close()
        finally:
            await recording.close()
