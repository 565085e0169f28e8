"""Take a person's Matrix id out of what our device keeps, once they are erased.

Whoever still shares an encrypted room with us comes back with the next message there, since nothing can be encrypted
to them without.
"""

import asyncio
import sqlite3
from collections.abc import Callable, Collection
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


class Kept:
    """Whom the files of our device name, while we answer from them.

    Args:
        folder: ``DATA/matrix``.
        pins: master keys as they were first seen.
        drop: lets what is in memory go of a person.
    """

    def __init__(self, folder: Path, pins: Pins, drop: Callable[[str], None]) -> None:
        self._folder = folder
        self._pins = pins
        self._drop = drop

    def people(self) -> frozenset[str]:
        """Return everybody in the files.

        Raises:
            PartError: ``matrix_store``, ``matrix_trust``.
        """
        waiting = (table(one.get("event")).get("sender") for one in rows(read_json(self._folder / FILE).get("waiting")))
        found = {*self._pins.all(), *(one for one in waiting if isinstance(one, str))}
        try:
            for file in self._folder.glob("*.db"):
                with closing(sqlite3.connect(file, timeout=10)) as store:
                    found |= {str(person) for (person,) in store.execute("SELECT DISTINCT user_id FROM devicekeys")}
        except sqlite3.Error as error:
            raise PartError("matrix_store", folder=self._folder, reason=type(error).__name__) from error
        return frozenset(found)

    async def forget(self, people: Collection[str]) -> None:
        """As ``forget``; what is in memory goes first, or it would be written again."""
        for person in people:
            self._drop(person)
        await asyncio.to_thread(forget, self._folder, self._pins, people)


def forget(folder: Path, pins: Pins, people: Collection[str]) -> bool:
    """Remove people from the folder of our device and from the pins, and return whether any of them were there.

    Args:
        folder: ``DATA/matrix``; nobody answers from it meanwhile, but through ``Kept``.
        pins: master keys as they were first seen.
        people: Matrix ids.

    Raises:
        PartError: ``matrix_store``, ``matrix_trust``.
    """
    found = [*[pins.forget(person) for person in people], _from_waiting(folder / FILE, people)]
    try:
        found += [_from_store(file, people) for file in sorted(folder.glob("*.db"))]
    except sqlite3.Error as error:
        raise PartError("matrix_store", folder=folder, reason=type(error).__name__) from error
    return any(found)


def _from_waiting(file: Path, people: Collection[str]) -> bool:
    kept = rows(read_json(file).get("waiting"))
    others = [one for one in kept if table(one.get("event")).get("sender") not in people]
    if len(others) < len(kept):
        write_json(file, {"waiting": others})
    return len(others) < len(kept)


def _from_store(file: Path, people: Collection[str]) -> bool:
    each = [(person,) for person in people]
    with closing(sqlite3.connect(file, timeout=10)) as store:
        # What is deleted is written over, also in the log beside the file.
        store.execute("PRAGMA secure_delete = ON")
        with store:
            for name in _OF_DEVICES:
                store.executemany(
                    f"DELETE FROM {name} WHERE device_id IN (SELECT id FROM devicekeys WHERE user_id = ?)",  # noqa: S608 - a name of ours
                    each,
                )
            deleted = store.executemany("DELETE FROM devicekeys WHERE user_id = ?", each).rowcount
        store.execute("VACUUM")
        store.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return deleted > 0
