"""Changes the master key: the next one is durable before anything is wrapped by it, the old one goes when all is."""

import asyncio
import os
from dataclasses import dataclass
from pathlib import Path

from adapters.eventstore.keys import NEXT_VARIABLE, VARIABLE, MasterKey
from adapters.eventstore.master_files import advance, load_next_master_key, make_master_key, next_file
from adapters.eventstore.rotation import rotate
from adapters.postgres.database import Database
from adapters.postgres.endpoint import Role
from bot.config import Settings
from bot.installation import master_key, must_be_private, private_master_key
from domain.errors import InputError, PartError


@dataclass(frozen=True, slots=True)
class Rotated:
    """What a change of the master key has come to.

    Attributes:
        keys: how many keys of mandates and people were wrapped anew, ``None`` where the key was in use already.
        place: where the new key lies; ``in_file``: whether that is a file.
    """

    keys: int | None
    fingerprint: str
    place: str
    in_file: bool


async def rotate_master_key(settings: Settings, database: Database) -> Rotated:
    """Let another master key take over: a random one, or where the environment holds it, the next one from there.

    Raises:
        InputError: ``master_key_next`` when the environment holds the key and no next one, ``master_key_same`` when
            both are the same; ``master_key_next_file`` or ``master_key_open`` for what lies in the place of the next.
        PartError: the database does not answer, or ``master_key``.
    """
    file = master_key(settings.data)
    old, owner = private_master_key(settings.data), database.endpoint(Role.OWNER)
    if VARIABLE in os.environ:
        if NEXT_VARIABLE not in os.environ:
            raise InputError("master_key_next")
        new = load_next_master_key()
        if new.fingerprint() == old.fingerprint():
            raise InputError("master_key_same", key=new.fingerprint())
        return Rotated(
            await asyncio.to_thread(rotate, owner, old, new), new.fingerprint(), NEXT_VARIABLE, in_file=False
        )
    new = _made(next_file(file))
    count = await asyncio.to_thread(rotate, owner, old, new)
    advance(file, new)
    return Rotated(count, new.fingerprint(), str(file), in_file=True)


def _made(file: Path) -> MasterKey:
    """Return the next key, one that a command before has left behind if there is one."""
    try:
        new = make_master_key(file)
    except PartError as error:
        if file.exists():
            raise InputError("master_key_next_file", file=file) from error
        raise
    must_be_private(file)
    return new
