"""Backups: the database as one file, and the keys apart from it.

The file holds what was recorded, all of it encrypted, and none of the views made from it, which are not; they are
built again on restore. So ``DIR/database.dump`` without ``DIR/keys`` can be read by nobody, and the two may be kept in
different places.
"""

import asyncio
import hashlib
import json
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from adapters.durable import write_new
from adapters.eventstore.master_files import load_master_key
from adapters.postgres.database import open_database
from adapters.postgres.discarding import discard
from adapters.postgres.dump import count_events, dump, is_empty, restore, snapshot
from adapters.postgres.endpoint import Endpoint
from bot.config import CONFIG_NAME, Settings
from bot.installation import initialise, master_key, must_be_initialised, postgres_url
from bot.wiring import open_app
from domain.errors import InputError, PartError
from projections.tables import VIEWS

DUMP: Final = "database.dump"
KEYS: Final = "keys"
SUMMARY: Final = "backup.json"
_FORMAT: Final = 1
_SECRETS: Final = ("keys", "secrets", CONFIG_NAME)
_PLACE_MARK: Final = "provisioned"


@dataclass(frozen=True, slots=True)
class Backup:
    """What a backup holds.

    Attributes:
        events: how many events it holds.
        database: name of the database that it came from.
        sha256: digest of the dump.
        key: fingerprint of the master key that it was written under; ``None`` in backups of older versions.
    """

    folder: Path
    events: int
    database: str
    sha256: str
    key: str | None


async def back_up(settings: Settings, folder: Path) -> Backup:
    """Write a backup into a new or empty folder.

    Raises:
        InputError: ``backup_exists`` or ``backup_folder``, or the data folder is not initialised.
        PartError: the database does not answer, or ``dump_failed``.
    """
    must_be_initialised(settings.data)
    _make_empty(folder)
    async with await asyncio.to_thread(open_database, settings.data, postgres_url(settings)) as database:
        return await asyncio.to_thread(_write, settings, database.admin, folder)


def _write(settings: Settings, place: Endpoint, folder: Path) -> Backup:
    key = load_master_key(master_key(settings.data)).fingerprint()
    with snapshot(place) as (name, events):
        dump(place, folder / DUMP, name, VIEWS)
    (folder / KEYS).mkdir(mode=0o700)
    for name in _SECRETS:
        _copy_private(settings.data / name, folder / KEYS / name)
    made = Backup(folder, events, place.dbname, _digest(folder / DUMP), key)
    summary = {
        "format": _FORMAT,
        "created_at": datetime.now(UTC).isoformat(),
        "events": made.events,
        "database": made.database,
        "sha256": made.sha256,
        "key": made.key,
    }
    # Written last: a folder without it is a backup that did not come to its end.
    write_new(folder / SUMMARY, json.dumps(summary, indent=2).encode() + b"\n")
    return made


async def put_back(settings: Settings, folder: Path) -> Backup:
    """Set an empty data folder up from a backup; what fails leaves the folder as it was.

    Raises:
        InputError: ``backup_missing``, ``backup_damaged``, ``backup_keys``, ``backup_target``, ``backup_database``.
        PartError: the database does not answer, ``dump_failed`` or ``backup_incomplete``.
    """
    backup = _read(folder)
    _must_have_keys(backup)
    existed = settings.data.exists()
    _must_be_new(settings.data)
    try:
        await _set_up(settings, backup)
    except BaseException:
        discard(settings.data)
        if not existed:
            settings.data.rmdir()
        raise
    async with open_app(settings) as app:
        for projection in app.projections:
            await app.views.rebuild(projection.name)
    return backup


async def _set_up(settings: Settings, backup: Backup) -> None:
    for name in _SECRETS:
        _copy_private(backup.folder / KEYS / name, settings.data / name)
    async with await asyncio.to_thread(open_database, settings.data, postgres_url(settings)) as database:
        await asyncio.to_thread(_load, backup, database.admin)
    await initialise(settings)


def _load(backup: Backup, place: Endpoint) -> None:
    if place.dbname != backup.database:
        raise InputError("backup_database", found=place.dbname, needed=backup.database)
    if not is_empty(place):
        raise InputError("backup_target", folder=place.dbname)
    restore(place, backup.folder / DUMP)
    found = count_events(place)
    if found != backup.events:
        raise PartError("backup_incomplete", found=found, needed=backup.events)


def _read(folder: Path) -> Backup:
    try:
        summary = json.loads((folder / SUMMARY).read_bytes())
        key = summary.get("key")
        backup = Backup(folder, int(summary["events"]), str(summary["database"]), str(summary["sha256"]), key)
        digest = _digest(folder / DUMP)
    except OSError as error:
        raise InputError("backup_missing", folder=folder) from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError("backup_damaged", folder=folder) from error
    if summary.get("format") != _FORMAT or digest != backup.sha256:
        raise InputError("backup_damaged", folder=folder)
    return backup


def _must_have_keys(backup: Backup) -> None:
    keys = backup.folder / KEYS
    try:
        found = load_master_key(master_key(keys)).fingerprint()
    except PartError as error:
        raise InputError("backup_keys", keys=keys) from error
    if backup.key not in {None, found}:
        raise InputError("backup_keys", keys=keys)


def _make_empty(folder: Path) -> None:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        used = any(folder.iterdir())
    except OSError as error:
        raise InputError("backup_folder", folder=folder, reason=error.strerror) from error
    if used:
        raise InputError("backup_exists", folder=folder)


def _must_be_new(data: Path) -> None:
    try:
        data.mkdir(mode=0o700, parents=True, exist_ok=True)
        used = any(data.iterdir())
    except OSError as error:
        raise InputError("data_folder", folder=data, reason=error.strerror) from error
    if used:
        raise InputError("backup_target", folder=data)


def _copy_private(source: Path, target: Path) -> None:
    """Copy a file or a flat folder so that only its owner can read it."""
    if source.is_file():
        write_new(target, source.read_bytes())
    elif source.is_dir():
        target.mkdir(mode=0o700, exist_ok=True)
        for file in source.iterdir():
            # The mark tells where our roles have been made; a new database has none yet.
            if file.is_file() and file.name != _PLACE_MARK:
                write_new(target / file.name, file.read_bytes())


def _digest(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
