"""Take a person's Matrix id out of what our device keeps, once they are to be erased.

Whoever still shares an encrypted room with us comes back with the next message there, since nothing can be encrypted
to them without.
"""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

from bot.matrix.files import read_json, write_json
from bot.matrix.pins import Pins
from bot.matrix.shapes import rows, table
from bot.matrix.waiting import FILE
from domain.errors import PartError

_OF_DEVICES: Final = ("keys", "devicetruststate")
"""Tables of matrix-nio's store that hold more of a device; they name it by its row in ``devicekeys``."""


def forget(folder: Path, pins: Pins, person: str) -> bool:
    """Remove a person from the folder of our device and from the pins, and return whether they were there.

    Args:
        folder: ``DATA/matrix``; nobody answers from it meanwhile.
        pins: master keys as they were first seen.
        person: Matrix id.

    Raises:
        PartError: ``matrix_store``, ``matrix_trust``.
    """
    found = [pins.forget(person), _from_waiting(folder / FILE, person)]
    try:
        found += [_from_store(file, person) for file in sorted(folder.glob("*.db"))]
    except sqlite3.Error as error:
        raise PartError("matrix_store", folder=folder, reason=type(error).__name__) from error
    return any(found)


def _from_waiting(file: Path, person: str) -> bool:
    kept = rows(read_json(file).get("waiting"))
    others = [one for one in kept if table(one.get("event")).get("sender") != person]
    if len(others) < len(kept):
        write_json(file, {"waiting": others})
    return len(others) < len(kept)


def _from_store(file: Path, person: str) -> bool:
    with closing(sqlite3.connect(file, timeout=10)) as store:
        # What is deleted is written over, also in the log beside the file.
        store.execute("PRAGMA secure_delete = ON")
        with store:
            for name in _OF_DEVICES:
                store.execute(
                    f"DELETE FROM {name} WHERE device_id IN (SELECT id FROM devicekeys WHERE user_id = ?)",  # noqa: S608 - a name of ours
                    (person,),
                )
            deleted = store.execute("DELETE FROM devicekeys WHERE user_id = ?", (person,)).rowcount
        store.execute("VACUUM")
        store.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return deleted > 0
