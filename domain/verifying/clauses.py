"""Sentences as clauses: what one verb governs.

No parser: marks, conjunctions and relative pronouns tell where a clause begins. A clause that is interrupted by
another one goes on behind it: "eine Frau, die schwanger ist, nicht beschäftigen".
"""

from collections.abc import Sequence
from typing import Final

from domain.verifying.tokens import Token, word_set

_MARKS: Final = frozenset(",;:()–")
_SUBORDINATE: Final = word_set(
    "dass daß wenn falls sofern soweit insoweit weil damit ob obwohl während nachdem bevor indem wobei"
    " wodurch womit sobald solange"
    " die der das den dem deren dessen denen welche welcher welches welchen wer wem wen was wo wofür worin"
    " woran um ohne"
    " that which who whom whose where when if unless because although provided including taking insbesondere"
    " namentlich einschliesslich"
)
_AND: Final = word_set("und oder sowie and or")
_CONTRAST: Final = word_set("aber sondern jedoch but whereas while hingegen dagegen")
_RESTARTS: Final = word_set("so dann es but then")
FINITE: Final = word_set(
    "ist sind war waren wird werden wurde wurden hat haben hatte hatten kann können darf dürfen muss müssen"
    " soll sollen"
    " nicht kein keine keinen is are was were has have had can may must shall will should cannot does do did not"
)
BRACKET: Final = 1_000
"""Clauses in brackets are numbered from here."""

_CONJUNCTIONS: Final = word_set(
    "where when if unless because although which who whom whose whether wenn falls sofern soweit weil"
)
_SUBJECTS: Final = word_set("der die das ein eine")
_PREPOSITIONS: Final = word_set("mit seit nicht statt laut zwischen gegen wegen neben")
_FEW: Final = 2
"""A piece between commas with no more words than this is an item of a series, no clause."""


def clauses(tokens: Sequence[Token]) -> list[int]:
    """Return for each token the number of its clause; what stands in brackets is a clause of its own."""
    depths, depth = [], 0
    for token in tokens:
        depth += token.text in {"(", "["}
        depths.append(depth)
        depth = max(0, depth - (token.text in {")", "]"}))
    outside = [token for token, inner in zip(tokens, depths, strict=True) if not inner]
    numbers = iter(_numbered(outside))
    bracket = BRACKET
    found = []
    for token, inner in zip(tokens, depths, strict=True):
        bracket += token.text in {"(", "["}
        found.append(bracket if inner else next(numbers))
    return found


def _numbered(tokens: Sequence[Token]) -> list[int]:
    numbers: list[int] = []
    outer: int | None = 0
    current, last, is_embedded = 0, 0, False
    for piece in pieces(tokens):
        words = [token for token in piece if token.kind != "mark"]
        first = words[0].low if words else ""
        second = words[1].low if len(words) > 1 else ""
        if not numbers:
            is_embedded = first in _SUBORDINATE and first not in _ARTICLES
            outer = None if is_embedded else 0
        elif first in _SUBORDINATE or second in _RELATIVE_SECOND:
            outer = current if not is_embedded else outer
            last += 1
            current, is_embedded = last, True
        elif is_embedded and outer is not None and first not in _CONTRAST | _RESTARTS | _AND:
            current, is_embedded = outer, False
        elif len(words) > _FEW or first in _CONTRAST | _RESTARTS or first in {"not", "nicht"}:
            last += 1
            current = last
            is_embedded = False
        numbers += [current] * len(piece)
    return numbers


_ARTICLES: Final = word_set("die der das den dem")
_RELATIVE_SECOND: Final = word_set("denen deren dessen which whom")


def pieces(tokens: Sequence[Token]) -> list[list[Token]]:
    """Return ``tokens`` cut at marks, before contrasting conjunctions and before an "und" that a verb follows."""
    cut: list[list[Token]] = [[]]
    for at, token in enumerate(tokens):
        if token.text in _MARKS:
            cut[-1].append(token)
            cut.append([])
            continue
        following = tokens[at + 1].low if at + 1 < len(tokens) else ""
        third = tokens[at + 2].low if at + 2 < len(tokens) else ""
        joins_verb = token.low in _AND and (following in FINITE or _is_verb(following, third))
        if cut[-1] and (token.low in _CONTRAST | _CONJUNCTIONS or joins_verb):
            cut.append([])
        cut[-1].append(token)
    return [piece for piece in cut if piece]


def _is_verb(following: str, third: str) -> bool:
    """Say whether a word behind "und" is a verb in front of its subject: "und stehen die Erträge"."""
    return third in _SUBJECTS and following.endswith(("t", "en")) and following not in _PREPOSITIONS
