"""Texts as tokens: words, numbers and marks, typography folded, places kept."""

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

_FOLDED: Final = str.maketrans(
    {
        "\u00a0": " ",
        "\u202f": " ",
        "\u2009": " ",
        "\u2007": " ",
        "\u00ad": None,
        "\u200b": None,
        "„": '"',
        "“": '"',
        "”": '"',
        "»": '"',
        "«": '"',
        "’": "'",
        "‘": "'",
        "‚": "'",
        "–": "–",
        "—": "–",
        "−": "-",
        "‑": "-",
        "‐": "-",
    }
)
_BASE: Final = str.maketrans(
    {"ä": "a", "ö": "o", "ü": "u", "ß": "ss", "é": "e", "è": "e", "á": "a", "à": "a", "ç": "c"}
)

NUMBER: Final = r"(?<![\d.,])(?:\d{1,3}(?:[ .,']\d{3})+(?!\d)(?:[.,]\d+)?|\d+(?:[.,]\d+)?)"
_TOKEN: Final = re.compile(
    rf"(?P<number>{NUMBER})|(?P<word>[^\W\d_]+(?:['-](?=[^\W\d_])[^\W\d_]+)*-?)|(?P<mark>[^\s\w]|_)"
)


@dataclass(frozen=True, slots=True)
class Token:
    """A token: ``text`` as written, ``low`` for comparing, where it stands, and its kind (word, number, mark)."""

    text: str
    low: str
    start: int
    end: int
    kind: str

    @property
    def is_capital(self) -> bool:
        """Say whether it begins with a capital letter."""
        return self.text[:1].isupper()


def fold(text: str) -> str:
    """Return ``text`` in NFC with one form for each kind of blank, quote and dash, and without soft hyphens."""
    return unicodedata.normalize("NFC", text).translate(_FOLDED)


@lru_cache(50_000)
def base(word: str) -> str:
    """Return a word in lower case without umlauts; ``ß`` is ``ss``, as in the old spelling of "muß"."""
    return word.lower().translate(_BASE)


def word_set(text: str) -> frozenset[str]:
    """Return the words of ``text``, folded as they are compared."""
    return frozenset(base(word) for word in text.split())


def tokens(folded: str) -> tuple[Token, ...]:
    """Return the tokens of a folded text in order."""
    return tuple(
        Token(found[0], base(found[0]), found.start(), found.end(), found.lastgroup or "mark")
        for found in _TOKEN.finditer(folded)
    )
