"""Vectors that were made of late, kept by a hash of their text: nothing that was said stays in memory for it."""

import hashlib
from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray


class RecentVectors:
    """Remembers what ``make`` has made; may be asked from several threads.

    Args:
        make: makes the vector of a text, the same each time.
        most: vectors that are kept; the one that was not wanted for longest goes first.
    """

    def __init__(self, make: Callable[[str], "NDArray[float32]"], most: int) -> None:
        self._make = make
        self._most = most
        self._kept: OrderedDict[bytes, Any] = OrderedDict()
        self._lock = Lock()

    def of(self, text: str) -> tuple[float, ...]:
        """Return the vector of a text."""
        key = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
        with self._lock:
            found = self._kept.get(key)
            if found is not None:
                self._kept.move_to_end(key)
        if found is None:
            # A copy, since what is made may be a part of something larger.
            found = self._make(text).copy()
            with self._lock:
                self._kept[key] = found
                while len(self._kept) > self._most:
                    self._kept.popitem(last=False)
        return tuple(found.tolist())
