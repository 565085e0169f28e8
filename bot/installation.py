"""A data folder from the first start on: set up, brought up to date, or refused."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from psycopg.conninfo import make_conninfo

from adapters.durable import write_new
from adapters.eventstore.keys import MasterKey
from adapters.eventstore.master_files import advance, load_master_key, make_master_key
from adapters.eventstore.recording import Recording, open_recording
from adapters.postgres.database import Database, open_database
from adapters.postgres.layout import holds_other_things
from bot.config import Settings
from bot.files import read_regular
from domain.errors import InputError

FORMAT: Final = "1"
"""Version of the layout of a data folder."""

_MARK: Final = "format"
_RESTORING: Final = "restoring"
"""Stands in the place of the format while a backup is put back."""

_LONGEST_PASSWORD: Final = 10_000


async def initialise(settings: Settings) -> bool:
    """Set the data folder up: database, migrations, keys. Whether anything was to be done.

    Raises:
        InputError: the folder cannot be used, holds other things, or its key is open to others; ``restore_cut_off``.
        PartError: a part does not answer.
    """
    _must_be_whole(settings.data)
    fresh = not (settings.data / _MARK).exists()
    if fresh and holds_other_things(settings.data):
        raise InputError("folder_foreign", folder=settings.data)
    async with await asyncio.to_thread(open_database, settings.data, postgres_url(settings)) as database:
        migrated = await database.migrate()
        await database.check()
        # A key that has gone missing must come back from a backup; a new one would open nothing.
        if fresh:
            make_master_key(master_key(settings.data))
        await (await open_with_keys(database, settings.data)).close()
        (settings.data / _MARK).write_text(f"{FORMAT}\n", encoding="ascii")
    return fresh or migrated > 0


async def migrate_data(settings: Settings) -> int:
    """Apply the migrations that are missing and return how many there were."""
    must_be_initialised(settings.data)
    async with await asyncio.to_thread(open_database, settings.data, postgres_url(settings)) as database:
        return await database.migrate()


def must_be_initialised(data: Path) -> None:
    """Refuse a folder that ``fundstelle init`` has not finished, or that a newer program has written.

    Raises:
        InputError: ``not_initialised``, ``restore_cut_off``, ``newer_format`` or ``data_folder``.
    """
    _must_be_whole(data)
    try:
        found = (data / _MARK).read_text(encoding="ascii").strip()
    except FileNotFoundError:
        raise InputError("not_initialised", folder=data) from None
    except OSError as error:
        raise InputError("data_folder", folder=data, reason=error.strerror) from error
    if found != FORMAT:
        raise InputError("newer_format", folder=data, found=found, known=FORMAT)


@contextmanager
def being_restored(data: Path) -> Iterator[None]:
    """Mark a data folder into which a backup is put back: whoever is killed in the block leaves the mark behind."""
    write_new(data / _MARK, f"{_RESTORING}\n".encode())
    yield
    (data / _MARK).unlink()


def _must_be_whole(data: Path) -> None:
    """Refuse a folder that holds only a part of a backup: set up as it is, the rest would look as if it were erased."""
    with suppress(OSError, UnicodeDecodeError):
        if (data / _MARK).read_text(encoding="ascii").strip() == _RESTORING:
            raise InputError("restore_cut_off", folder=data)


def master_key(data: Path) -> Path:
    """Return where the master key lies."""
    return data / "keys" / "master.key"


def private_master_key(data: Path) -> MasterKey:
    """Return the master key of a data folder.

    Raises:
        InputError: ``master_key_open`` when others can read its file.
        PartError: ``master_key`` when it is missing or is no key.
    """
    file = master_key(data)
    key = load_master_key(file)
    must_be_private(file)
    return key


def must_be_private(file: Path) -> None:
    """Refuse a file with a master key that others can read.

    Raises:
        InputError: ``master_key_open``.
    """
    if file.exists() and file.stat().st_mode & 0o077:
        raise InputError("master_key_open", file=file)


async def open_with_keys(database: Database, data: Path) -> Recording:
    """Open the event store with the master key of a data folder; a change of it that was cut off comes to its end.

    Raises:
        InputError: as ``private_master_key``.
        PartError: the database does not answer, or ``master_key``.
    """
    master = private_master_key(data)
    recording = await open_recording(database, master)
    advance(master_key(data), master)
    return recording


def postgres_url(settings: Settings) -> str | None:
    """Return the address of the external PostgreSQL with its password, ``None`` for the embedded one.

    Raises:
        InputError: ``password_file`` when it cannot be read, ``database_url``.
    """
    if settings.postgres_url is None or settings.password_file is None:
        return settings.postgres_url
    try:
        password = read_regular(settings.password_file, _LONGEST_PASSWORD).decode("utf-8").strip()
    except (OSError, UnicodeDecodeError, InputError) as error:
        raise InputError("password_file", file=settings.password_file) from error
    try:
        return make_conninfo(settings.postgres_url, password=password)
    except Exception as error:
        raise InputError("database_url") from error
