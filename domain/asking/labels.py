"""What a draft cites: ``[S1]``, ``[S1, S2]``, and what stands in the place of a label and is none.

The known form is exactly that. Whatever else looks like a label is kept apart as malformed and never guessed at:
``[S1 Abs 1]``, ``[S0]``, ``[Quelle 2]``, ``[1]``, ``(S1)``, ``【S1】``, look-alike letters, a label never
closed, an anchor that nobody but the store may write.
"""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

LONGEST: Final = 80
"""Code points of what stands in brackets, beyond which it is text and no label."""

OPENING: Final = "[［【〔〖⟦〚"
CLOSING: Final = "]］】〕〗⟧〛"
ROUND: Final = str.maketrans({**dict.fromkeys(OPENING, "("), **dict.fromkeys(CLOSING, ")")})
"""Turns brackets in which a label may stand into such in which none of ours does."""

_OPENS: Final = re.escape(OPENING)
_CLOSES: Final = re.escape(CLOSING)
_BRACKETED: Final = re.compile(
    rf"(?P<open>[{_OPENS}]{{1,3}})(?P<inner>[^{_OPENS}{_CLOSES}(){{}}<>\n]{{1,{LONGEST}}})(?P<close>[{_CLOSES}]{{1,3}})"
    r"|(?P<other>[({<][Ss]\d{1,9}(?:\s?[,;]\s?[Ss]\d{1,9}){0,8}[)}>])"
    rf"|(?P<unclosed>[{_OPENS}][Ss]\d{{1,9}}\b)"
)
_KNOWN: Final = re.compile(r"S[1-9][0-9]{0,2}")
_PARTS: Final = re.compile(r"\s*(?:[,;&]|\b(?:und|and)\b)\s*")
_SEPARATORS: Final = re.compile(r"[\s,;]+")
_ALIKE: Final = re.compile(
    r"\W*(?:"
    r"s\s*[-.–]?\s*\d.*"
    r"|[^\W\d_]\s?\d{1,3}"
    r"|\^?\d{1,2}(?:\s*[-–]\s*\d{1,2})?"
    r"|(?:quellen?|sources?|passagen?|passages?|belege?|fundstellen?|anker|anchors?|ausschnitt|excerpts?|texte?|stelle"
    r"|label|ref|references?|dokument|documents?|doc|kontext|context)\b.{0,20}\d.*"
    r"|s\s*[nx?]+|\?+"
    r"|.*@\s?\d+\s?:\s?\d+.*"
    r")\W*",
    re.IGNORECASE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Mark:
    """A place in a text that cites, or seems to; ``start`` and ``end`` count code points."""

    start: int
    end: int
    labels: tuple[str, ...]
    malformed: tuple[str, ...]


def marks(text: str) -> tuple[Mark, ...]:
    """Return the places that cite, in order; other brackets, such as ``[…]``, are text."""
    found = (_mark(one) for one in _BRACKETED.finditer(text))
    return tuple(one for one in found if one)


def unlike_labels(text: str) -> str:
    """Return the words of a document with round brackets around what looks like a label: an answer has ours alone."""
    for mark in reversed(marks(text)):
        place = text[mark.start : mark.end].translate(ROUND)
        text = text[: mark.start] + place + text[mark.end :]
    return text


def listed(entries: Iterable[object]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the labels of a structured reply and what is malformed among them; here nothing else may stand."""
    labels: list[str] = []
    malformed: list[str] = []
    for entry in entries:
        whole = entry if isinstance(entry, str) else repr(entry)
        words = "".join(filter(str.isprintable, whole[: 2 * LONGEST])).strip()
        shown = words if words.startswith("[") else f"[{words}]"
        places = marks(shown)
        cited = "".join(shown[one.start : one.end] for one in places)
        if _SEPARATORS.sub("", cited) != _SEPARATORS.sub("", shown):
            malformed.append(shown)
        labels += (label for place in places for label in place.labels)
        malformed += (label for place in places for label in place.malformed)
    return once(labels), once(malformed)


def once(labels: Iterable[str]) -> tuple[str, ...]:
    """Return each label once, in order."""
    return tuple(dict.fromkeys(labels))


def _mark(found: re.Match[str]) -> Mark | None:
    inner = found["inner"]
    if inner is None:
        return Mark(*found.span(), (), (found[0],))
    parts = [part for part in _PARTS.split(inner.strip()) if part]
    known = [bool(_KNOWN.fullmatch(part)) for part in parts]
    if not any(known) and not any(_is_alike(part) for part in parts):
        return None
    if (found["open"], found["close"]) != ("[", "]"):
        return Mark(*found.span(), (), (found[0],))
    labels = once(part for part, fits in zip(parts, known, strict=True) if fits)
    others = once(f"[{part}]" for part, fits in zip(parts, known, strict=True) if not fits)
    return Mark(*found.span(), labels, others)


def _is_alike(part: str) -> bool:
    return bool(_ALIKE.fullmatch(unicodedata.normalize("NFKC", part)))
