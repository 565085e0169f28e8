"""The master keys of people as we first saw them, kept in a file.

The first key is believed, since nothing is known that it could be held against. From then on it is the one that counts:
another one is noted beside it and means nothing until an administrator has confirmed it.
"""

import fcntl
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from adapters.durable import write_over
from bot.matrix.signatures import decode, part
from domain.errors import InputError, PartError

FILE: Final = "matrix-trust.json"


@dataclass(frozen=True, slots=True)
class Pin:
    """The master key of a person that counts, and another one that the server names by now, if any."""

    key: str
    other: str | None = None


@dataclass(frozen=True, slots=True)
class KeyChanged:
    """The server names another master key of a person than the one that counts; told once for each key."""

    person: str
    pinned: str
    found: str


class Pins:
    """The pins of an installation. Another program may confirm a key while we run.

    Args:
        folder: holds ``FILE``; open to its owner alone. ``DATA/keys``, so that a lost store of our device does not make
            us believe everybody anew.

    Raises:
        PartError: ``matrix_trust``, from every method: the file cannot be read or written, so nobody is believed.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._file = folder / FILE
        self._read_at: tuple[int, int] | None = None
        self._pins: dict[str, Pin] = {}

    def all(self) -> Mapping[str, Pin]:
        """Return everybody's pins."""
        try:
            found = self._file.stat()
            if self._read_at != (found.st_ino, found.st_mtime_ns):
                self._pins = _Written.of(self._file.read_bytes()).pins
                self._read_at = (found.st_ino, found.st_mtime_ns)
        except FileNotFoundError:
            self._pins, self._read_at = {}, None
        except (OSError, ValueError, RecursionError) as error:
            raise PartError("matrix_trust", file=self._file) from error
        return self._pins

    def note(self, seen: Mapping[str, str]) -> tuple[KeyChanged, ...]:
        """Take in the master keys of people as the server names them now, and return which have changed."""
        if all(self.all().get(person) == Pin(key) for person, key in seen.items()):
            return ()
        with self._changing() as pins:
            before = dict(pins)
            for person, key in seen.items():
                pin = pins.get(person, Pin(key))
                pins[person] = Pin(pin.key, None if key == pin.key else key)
        return tuple(
            KeyChanged(person, before[person].key, key)
            for person, key in seen.items()
            if person in before and key not in {before[person].key, before[person].other}
        )

    def confirm(self, person: str, key: str) -> None:
        """Let a key that the server names count from now on; an administrator has compared it with the person's.

        Raises:
            InputError: ``matrix_trust_key`` when the server does not name it.
        """
        with self._changing() as pins:
            pin = pins.get(person)
            if pin is None or key not in {pin.key, pin.other}:
                raise InputError("matrix_trust_key", person=person)
            pins[person] = Pin(key)

    def forget(self, person: str) -> bool:
        """Remove a person, and return whether they were there; whoever comes again is believed at first sight."""
        with self._changing() as pins:
            return pins.pop(person, None) is not None

    @contextmanager
    def _changing(self) -> Iterator[dict[str, Pin]]:
        """Let one program at a time change pins; they are written when the block ends well."""
        try:
            descriptor = os.open(self._folder, os.O_RDONLY | os.O_DIRECTORY)
        except OSError as error:
            raise PartError("matrix_trust", file=self._file) from error
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            pins = dict(self.all())
            yield pins
            if pins != self._pins:
                write_over(self._file, bytes(_Written(pins)))
        except OSError as error:
            raise PartError("matrix_trust", file=self._file) from error
        finally:
            os.close(descriptor)


@dataclass(frozen=True, slots=True)
class _Written:
    """The form that the file has."""

    pins: dict[str, Pin]

    @classmethod
    def of(cls, written: bytes) -> Self:
        found = part({"file": json.loads(written)}, "file").get("people")
        if not isinstance(found, dict):
            raise ValueError("no pins")  # noqa: TRY004 - read as all other damage
        return cls({person: _pin(told) for person, told in found.items()})

    def __bytes__(self) -> bytes:
        people = {
            person: {"key": pin.key} | ({"other": pin.other} if pin.other else {})
            for person, pin in sorted(self.pins.items())
        }
        return json.dumps({"people": people}, indent=1, ensure_ascii=False).encode() + b"\n"


def _pin(told: object) -> Pin:
    key, other = part({"pin": told}, "pin").get("key"), part({"pin": told}, "pin").get("other")
    if decode(key, 32) is None or (other is not None and decode(other, 32) is None):
        raise ValueError("no pin")
    return Pin(str(key), other if other is None else str(other))
