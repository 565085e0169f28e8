"""Where in the sequence of a room key a message stood, so that the same ciphertext never passes for another message.

A homeserver can hand out what somebody has said once more, under another name, long after. What is acted on is
therefore remembered for good, beside the keys: without them there is nothing that could be handed out again.
"""

import hashlib
from collections import OrderedDict
from typing import Any, Final

_REMEMBERED: Final = 100_000
"""Positions of messages that are remembered while we run, whatever they say: about 15 MB."""


class Positions:
    """Which message stood where.

    Args:
        database: of the store of our device, as peewee has it.

    Raises:
        PartError: ``matrix_disk``, ``matrix_store``; from every method.
    """

    def __init__(self, database: Any) -> None:
        self._database = database
        self._told: OrderedDict[bytes, str] = OrderedDict()
        database.execute_sql(
            "CREATE TABLE IF NOT EXISTS positions (place BLOB PRIMARY KEY, event TEXT NOT NULL) WITHOUT ROWID"
        )

    def is_first(self, key: str, session: str, position: int, event: str) -> bool:
        """Say whether no other message than ``event`` stood there before.

        Args:
            key: of the device that the room key came from.
            session: name of the room key.
            position: in its sequence.
            event: the message.
        """
        place = hashlib.sha256(f"{key} {session} {position}".encode()).digest()
        kept = self._database.execute_sql("SELECT event FROM positions WHERE place = ?", (place,)).fetchone()
        if kept is not None:
            return bool(kept == (event,))
        before = self._told.setdefault(place, event)
        if len(self._told) > _REMEMBERED:
            self._told.popitem(last=False)
        return before == event

    def keep(self, event: str) -> None:
        """Remember for good where a message stood that was just opened."""
        place = next((place for place, one in reversed(self._told.items()) if one == event), None)
        if place is None:
            return
        self._database.execute_sql("INSERT OR IGNORE INTO positions VALUES (?, ?)", (place, event))
