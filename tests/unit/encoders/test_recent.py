"""A vector is made once as long as it is remembered, and no text is kept for that."""

import gc

import numpy as np
from numpy.typing import NDArray

from adapters.encoders.recent import RecentVectors


class Maker:
    def __init__(self) -> None:
        self.made: list[int] = []

    def make(self, text: str) -> NDArray[np.float32]:
        self.made.append(len(text))
        return np.array([[len(text), 0.1], [9, 9]], np.float32)[0]


def test_what_is_wanted_again_is_not_made_again() -> None:
    """To the last bit, whoever has wanted it before."""
    maker = Maker()
    recent = RecentVectors(maker.make, 2)
    assert recent.of("ab") == recent.of("a" + "b") == (2.0, float(np.float32(0.1)))
    assert maker.made == [2]


def test_what_nobody_wanted_for_longest_goes_first() -> None:
    """The memory has a bound."""
    maker = Maker()
    recent = RecentVectors(maker.make, 2)
    for text in ("a", "bb", "a", "ccc", "a", "bb"):
        recent.of(text)
    assert maker.made == [1, 2, 3, 2]


def test_no_text_is_kept() -> None:
    """What was erased is not to be found in it, not even broken text."""
    recent = RecentVectors(Maker().make, 9)
    recent.of("geheim \ud800")
    held: list[object] = [recent]
    seen: set[int] = set()
    while held:
        one = held.pop()
        if id(one) in seen or isinstance(one, type) or callable(one):
            continue
        seen.add(id(one))
        assert not (isinstance(one, str) and "geheim" in one)
        held += gc.get_referents(one)
