"""Encrypted events whose key has not come yet. They outlive a restart; what is kept of them is ciphertext."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from bot.matrix.files import read_json, write_json
from bot.matrix.shapes import rows, table, text

FILE: Final = "waiting.json"
_MOST: Final = 500
"""Events that wait; whoever floods us pushes out their own."""


class Waiting:
    """Events that wait for their key.

    Args:
        file: where they are kept.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        kept = rows(read_json(file).get("waiting"))
        self._events = {self._name(one): (text(one.get("room")), table(one.get("event"))) for one in kept}
        self._is_changed = False

    @staticmethod
    def _name(one: Mapping[str, Any]) -> str:
        return text(table(one.get("event")).get("event_id"))

    def __iter__(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield room and event, oldest first."""
        return iter(list(self._events.values()))

    def add(self, room: str, event: Mapping[str, Any]) -> None:
        """Let an event wait."""
        name = text(event.get("event_id"))
        if name not in self._events:
            self._events[name] = (room, dict(event))
            self._is_changed = True
        if len(self._events) > _MOST:
            self._drop_one()

    def _drop_one(self) -> None:
        """Let the oldest event of whoever has most of them wait no longer."""
        senders = {name: text(event.get("sender")) for name, (_, event) in self._events.items()}
        ((loudest, _),) = Counter(senders.values()).most_common(1)
        del self._events[next(name for name, sender in senders.items() if sender == loudest)]

    def remove(self, names: Iterable[str]) -> None:
        """Let events wait no longer."""
        for name in names:
            self._is_changed |= self._events.pop(name, None) is not None

    def forget(self, person: str) -> None:
        """Let nothing of a person wait any longer."""
        self.remove([name for name, (_, event) in self._events.items() if event.get("sender") == person])
        self.save()

    def save(self) -> None:
        """Write down what waits, if that has changed."""
        if self._is_changed:
            kept = [{"room": room, "event": event} for room, event in self._events.values()]
            write_json(self._file, {"waiting": kept})
            self._is_changed = False
