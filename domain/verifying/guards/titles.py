"""Titles: "Herr Berger" is not "Frau Berger"."""

from collections.abc import Iterator
from typing import Final

from domain.verifying.alignment import Alignment
from domain.verifying.passage import Passage
from domain.verifying.sentence import Sentence
from domain.verifying.values import Finding, Outcome

_TITLES: Final = {"herr": "m", "herrn": "m", "mr": "m", "frau": "f", "mrs": "f", "ms": "f", "miss": "f"}
_BETWEEN: Final = frozenset({".", "dr", "prof", "professor", "professorin"})
NAMES: Final = 2
"""Names behind a title, at most: a first and a last one."""


def check(alignment: Alignment, passage: Passage) -> Iterator[Finding]:
    """Yield the names that the claim gives another title than the evidence does."""
    claimed = _titled(alignment.claim)
    if not claimed:
        return
    told: dict[str, set[str]] = {}
    for sentence in (passage.heading, *(unit.sentence for unit in passage.singles)):
        for name, title in _titled(sentence):
            told.setdefault(name, set()).add(title)
    for name, title in claimed:
        if name in told and title not in told[name]:
            yield Finding("title", Outcome.CONTRADICTS, name, "", 1.0)


def _titled(sentence: Sentence) -> list[tuple[str, str]]:
    """Return each name that stands behind a title, with whom the title is for."""
    found = []
    for at, token in enumerate(sentence.tokens):
        title = _TITLES.get(token.low)
        if title is None or not token.is_capital:
            continue
        names = 0
        for following in sentence.tokens[at + 1 :]:
            if following.low in _BETWEEN and not names:
                continue
            if not following.is_capital or names == NAMES:
                break
            names += 1
            found.append((following.low, title))
    return found
