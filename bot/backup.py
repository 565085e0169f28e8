"""Backups: the data as one file, and the keys apart from it.

The data is what was recorded, all of it encrypted; views are not in it, since they are built again on restore. The keys
are the master key and every key that it wraps. They are as old as the backup, but need not stay so: data of any day
goes together with the keys of any later day, and then gives back what has not been erased since. So of the keys only
the newest copy is kept, and older data tells nobody what has been erased.
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
from adapters.eventstore.tables import KEYS as KEY_TABLES
from adapters.postgres.database import open_database
from adapters.postgres.discarding import discard, empty
from adapters.postgres.dump import count_events, dump, dump_rows, is_empty, restore, restore_keys, snapshot
from adapters.postgres.endpoint import Endpoint, Role
from bot.audits import audited
from bot.config import CONFIG_NAME, Settings, load
from bot.installation import being_restored, initialise, master_key, must_be_initialised, open_with_keys, postgres_url
from bot.wiring import open_app
from domain.errors import InputError, PartError
from projections.tables import VIEWS

DUMP: Final = "database.dump"
KEYS: Final = "keys"
KEYS_DUMP: Final = "keys.dump"
KEYS_SUMMARY: Final = "keys.json"
SUMMARY: Final = "backup.json"
_FORMAT: Final = 2
_WITH_KEYS_INSIDE: Final = 1
"""The format before: wrapped keys among the data, so such a backup gives back what has been erased since."""

_SECRETS: Final = ("keys", "secrets", CONFIG_NAME)
_PLACE_MARK: Final = "provisioned"


@dataclass(frozen=True, slots=True)
class Part:
    """The data of a backup, or its keys.

    Attributes:
        events: how many events there were.
        database: name of the database that it came from.
        sha256: digest of the dump.
        key: fingerprint of the master key at that time.
        store: names the installation; empty in the format before.
    """

    folder: Path
    events: int
    database: str
    sha256: str
    key: str | None
    store: str
    format: int = _FORMAT


@dataclass(frozen=True, slots=True)
class Restored:
    """What was put back.

    Attributes:
        events: how many there are.
        erased: how many of them have been erased since the backup.
        problems: what is wrong with the journal that they make; 0 where it is intact.
    """

    events: int
    erased: int
    problems: int


async def back_up(settings: Settings, folder: Path) -> Part:
    """Write a backup into a new or empty folder; one that fails leaves the folder empty.

    Raises:
        InputError: ``backup_exists`` or ``backup_folder``, or the data folder is not initialised.
        PartError: the database does not answer, or ``dump_failed``.
    """
    must_be_initialised(settings.data)
    _make_empty(folder)
    async with await asyncio.to_thread(open_database, settings.data, postgres_url(settings)) as database:
        await database.must_be_current()
        recording = await open_with_keys(database, settings.data)
        await recording.close()
        return await asyncio.to_thread(_write, settings, database.endpoint(Role.OWNER), folder, recording.store)


def _write(settings: Settings, place: Endpoint, folder: Path, store: str) -> Part:
    try:
        return _written(settings, place, folder, store)
    except BaseException:
        # Nobody looks after keys in a backup that is none, and after an erasure they would still open older data.
        empty(folder)
        raise


def _written(settings: Settings, place: Endpoint, folder: Path, store: str) -> Part:
    keys = folder / KEYS
    keys.mkdir(mode=0o700)
    with snapshot(place) as (name, events):
        dump(place, folder / DUMP, name, (*VIEWS, *KEY_TABLES))
        dump_rows(place, keys / KEYS_DUMP, name, KEY_TABLES)
        for secret in _SECRETS:
            _copy_private(settings.data / secret, keys / secret)
        key = load_master_key(master_key(settings.data)).fingerprint()
    # Written last: a folder without it is a backup that did not come to its end.
    _summarise(keys / KEYS_SUMMARY, Part(keys, events, place.dbname, _digest(keys / KEYS_DUMP), key, store))
    made = Part(folder, events, place.dbname, _digest(folder / DUMP), key, store)
    _summarise(folder / SUMMARY, made)
    return made


def _summarise(file: Path, part: Part) -> None:
    summary = {
        "format": part.format,
        "created_at": datetime.now(UTC).isoformat(),
        "events": part.events,
        "database": part.database,
        "sha256": part.sha256,
        "key": part.key,
        "store": part.store,
    }
    write_new(file, json.dumps(summary, indent=2).encode() + b"\n")


async def put_back(settings: Settings, folder: Path) -> Restored:
    """Set an empty data folder up from a backup; what cannot be put back leaves the folder as it was.

    Of a journal that is not intact all is put back that there is: it may be the only copy.

    Raises:
        InputError: ``backup_missing``, ``backup_damaged``, ``backup_keys``, ``backup_keys_older``, ``backup_config``,
            ``backup_target`` or ``backup_database``.
        PartError: the database does not answer, ``dump_failed`` or ``backup_incomplete``.
    """
    backup = _read(folder, SUMMARY, DUMP)
    _must_have_keys(backup)
    _must_be_the_place(settings, folder / KEYS / CONFIG_NAME)
    existed = settings.data.exists()
    _must_be_new(settings.data)
    try:
        erased = await _set_up(settings, backup)
    except BaseException:
        discard(settings.data)
        if not existed:
            settings.data.rmdir()
        raise
    async with open_app(settings) as app:
        # Against itself alone: a checkpoint that somebody has published since may well be ahead of older data.
        problems = (await audited(app, (), ())).findings.counts.total()
        for projection in app.projections:
            try:
                await app.views.rebuild(projection.name)
            except PartError:
                # What is damaged can keep a view from being built. The events are there all the same.
                if not problems:
                    raise
    return Restored(backup.events, erased, problems)


async def _set_up(settings: Settings, backup: Part) -> int:
    with being_restored(settings.data):
        for name in _SECRETS:
            _copy_private(backup.folder / KEYS / name, settings.data / name)
        async with await asyncio.to_thread(open_database, settings.data, postgres_url(settings)) as database:
            erased = await asyncio.to_thread(_load, backup, database.endpoint(Role.OWNER))
    await initialise(settings)
    return erased


def _load(backup: Part, place: Endpoint) -> int:
    if place.dbname != backup.database:
        raise InputError("backup_database", found=place.dbname, needed=backup.database)
    if not is_empty(place):
        raise InputError("backup_target", folder=place.dbname)
    restore(place, backup.folder / DUMP)
    found = count_events(place)
    if found != backup.events:
        raise PartError("backup_incomplete", found=found, needed=backup.events)
    if backup.format == _WITH_KEYS_INSIDE:
        return 0
    return restore_keys(place, backup.folder / KEYS / KEYS_DUMP)


def _read(folder: Path, summary_name: str, dump_name: str) -> Part:
    try:
        summary = json.loads((folder / summary_name).read_bytes())
        events, database, digest = int(summary["events"]), str(summary["database"]), str(summary["sha256"])
        key, store, form = summary.get("key"), str(summary.get("store", "")), summary.get("format")
        found = _digest(folder / dump_name)
    except OSError as error:
        raise InputError("backup_missing", folder=folder) from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError("backup_damaged", folder=folder) from error
    if form not in {_FORMAT, _WITH_KEYS_INSIDE} or found != digest:
        raise InputError("backup_damaged", folder=folder)
    return Part(folder, events, database, digest, key, store, form)


def _must_have_keys(backup: Part) -> None:
    """Refuse keys that are not those of this installation, or older than the data."""
    folder = backup.folder / KEYS
    try:
        found = load_master_key(master_key(folder)).fingerprint()
        keys = backup if backup.format == _WITH_KEYS_INSIDE else _read(folder, KEYS_SUMMARY, KEYS_DUMP)
    except (PartError, InputError) as error:
        raise InputError("backup_keys", keys=folder) from error
    if keys.key not in {None, found} or keys.store != backup.store:
        raise InputError("backup_keys", keys=folder)
    if keys.events < backup.events:
        raise InputError("backup_keys_older", keys=folder)


def _must_be_the_place(settings: Settings, config: Path) -> None:
    """Refuse the embedded database where the configuration that is put back names another for whatever comes then."""
    if settings.postgres_url is not None or not config.is_file():
        return
    if load(settings.data, config, settings.language).postgres_url is not None:
        raise InputError("backup_config", config=config)


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
