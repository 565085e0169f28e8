"""The two sentences that a formulator is told to write word for word, so that they can be recognised.

The prompts state them, and people read the first one from the locale files; tests hold all three together.
"""

import re
from collections.abc import Mapping
from typing import Final

from domain.asking.drafts import Language

NOTHING_FOUND: Final[Mapping[Language, str]] = {
    "de": "Dazu habe ich nichts gefunden.",
    "en": "I found nothing about that.",
}
"""Instead of an answer, where no passage holds one."""

NOT_IN_THE_SOURCES: Final[Mapping[Language, str]] = {
    "de": "nicht aus den Quellen ersichtlich",
    "en": "not apparent from the sources",
}
"""Inside an answer, where one detail is missing."""

_LETTERS: Final = re.compile(r"[^\W_]+")
_WIKI: Final = ("Dazu habe ich im Wiki nichts gefunden.", "I have found nothing about that in the wiki.")
_PLAIN: Final = r"[^\d,;:.!?§%€$()–—\n]"
_ASKING: Final = "ob|wann|wie|welch(?:e[rmns]?)?|wer|wem|wen|wo|whether|when|how|which|who|whom|where|what"
_TAKES_FOR_GRANTED: Final = "dass|warum|wieso|weshalb|that|why"
_GAP: Final = re.compile(
    rf"(?!(?:{_TAKES_FOR_GRANTED})\b)(?:(?:{_ASKING})\b{_PLAIN}{{1,200}},?|{_PLAIN}{{1,120}})"
    rf"\s(?:ist|sind|is|are)\s(?:{'|'.join(NOT_IN_THE_SOURCES.values())})\W{{0,3}}",
    re.IGNORECASE,
)
_PRESCRIBED: Final = re.compile(rf"\s(?:ist|sind|is|are)\s(?:{'|'.join(NOT_IN_THE_SOURCES.values())})", re.IGNORECASE)
_WORD: Final = re.compile(r"\w+")
_DETAILS: Final = frozenset(
    _WORD.findall(
        "angabe angaben ausnahme ausnahmen bedingung bedingungen betrag datum dauer einzelheiten form frist "
        "gebühr grund höhe kosten name namen ort regelung stelle tag uhrzeit umfang voraussetzungen weitere "
        "weiteres zeitpunkt amount condition conditions costs date day deadline detail details duration exception "
        "exceptions extent fee form further length name names place reason rule size time"
    )
)
_FURTHER: Final = re.compile(
    r"\b(?:und|oder|aber|sondern|während|obwohl|doch|jedoch|weil|and|or|but|while|although|because)\b", re.IGNORECASE
)


def says_nothing_found(sentence: str) -> bool:
    """Say whether a sentence is the fixed one, in either language, whatever its quotation marks and full stop."""
    return _bare(sentence) in _NOTHING


def says_gap(sentence: str) -> bool:
    """Say whether a sentence names one thing that is not in the sources and states nothing besides.

    A figure, a second clause or a § could be a claim that hides behind the prescribed words, and who does not know why
    something is so says that it is.
    """
    return bool(_GAP.fullmatch(sentence)) and not _FURTHER.search(sentence)


def detail(gap: str) -> str:
    """Return the words of a gap that say what is missing, without those that any detail may be called by."""
    words = _WORD.findall(_PRESCRIBED.sub("", gap))
    return " ".join(one for one in words if one.casefold() not in _DETAILS)


def _bare(sentence: str) -> tuple[str, ...]:
    return tuple(_LETTERS.findall(sentence.casefold()))


_NOTHING: Final = frozenset(map(_bare, (*NOTHING_FOUND.values(), *_WIKI)))
