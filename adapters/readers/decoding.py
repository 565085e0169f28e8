"""Bytes to text without mojibake: by what is certain first, then by what reads as German, else not at all.

Order: byte order mark, UTF-8 (strict), UTF-16 without a mark, the charset that the file declares, the single-byte
encodings of German systems, and for other languages charset-normalizer. Two readings that are about equally
plausible are an error: an honest one is better than a wrong letter in a quote.
"""

import codecs
import re
from collections import Counter
from itertools import islice
from typing import Final

from charset_normalizer import from_bytes

from adapters.readers.errors import broken, encoding

_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_SINGLE_BYTE: Final = ("cp1252", "iso8859-15", "mac_roman", "cp850")
_LATIN_1: Final = frozenset({"iso8859-1", "latin-1", "latin1", "iso-8859-1", "us-ascii", "ascii"})
_WESTERN: Final = frozenset({*_SINGLE_BYTE, "windows-1252", "iso-8859-15", "macintosh"})
_C1_CONTROLS: Final = re.compile("[\x80-\x9f]")
_CONTROLS: Final = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
_FOREIGN: Final = re.compile(r"(.?)([^\x00-\x7f])(?=(.?))", re.DOTALL)

# Plausibility of a letter outside ASCII by its neighbours, per occurrence.
_CERTAIN, _LIKELY, _POSSIBLE, _UNLIKELY, _IMPOSSIBLE = 2.0, 1.0, 0.2, -2.0, -5.0
_SAMPLE: Final = 20_000
_LEAST: Final = 0.3
_LEAD: Final = 0.5


def decode(name: str, content: bytes, declared: str | None = None) -> str:
    """Return the text of ``content`` without byte order mark.

    Args:
        name: for the error.
        content: the bytes.
        declared: charset that the file or its envelope names; trusted only as far as the text is plausible in it.

    Raises:
        InputError: ``file_broken`` for binary content, ``file_encoding`` if the encoding cannot be told.
    """
    text = _marked(name, content)
    if text is None:
        text = _strict(content, "utf-8")
    if text is None or "\x00" in text:
        text = _unmarked_utf16(content) if b"\x00" in content else text
    if text is None and b"\x00" not in content:
        text = _declared(content, declared) or _single_byte(content) or _other_language(content)
    if text is None:
        raise broken(name) if _looks_binary(content) else encoding(name)
    if len(_CONTROLS.findall(text)) > len(text) // 1000:
        raise broken(name)
    return text


def _strict(content: bytes, codec: str) -> str | None:
    try:
        return content.decode(codec)
    except (UnicodeDecodeError, LookupError):
        return None


def _marked(name: str, content: bytes) -> str | None:
    for mark, codec in _MARKS:
        if content.startswith(mark):
            text = _strict(content[len(mark) :], codec)
            if text is None:
                raise broken(name)
            return text
    return None


def _unmarked_utf16(content: bytes) -> str | None:
    if len(content) % 2:
        return None
    even, odd = content[::2].count(0), content[1::2].count(0)
    half = len(content) // 2
    if odd > 0.4 * half and even < 0.01 * half:
        return _strict(content, "utf-16-le")
    if even > 0.4 * half and odd < 0.01 * half:
        return _strict(content, "utf-16-be")
    return None


def _declared(content: bytes, declared: str | None) -> str | None:
    if declared is None:
        return None
    label = declared.strip().lower()
    # Browsers and mail programs that say Latin-1 write Windows-1252 (WHATWG Encoding, section 4.2).
    codec = "cp1252" if label in _LATIN_1 else label
    text = _strict(content, codec)
    if text is None or _C1_CONTROLS.search(text):
        return None
    return text if codec not in _WESTERN or _plausibility(text) > 0 else None


def _single_byte(content: bytes) -> str | None:
    readings = {text for codec in _SINGLE_BYTE if (text := _strict(content, codec)) is not None}
    ranked = sorted(((_plausibility(text), text) for text in readings), reverse=True)
    if not ranked or ranked[0][0] < _LEAST:
        return None
    best, text = ranked[0]
    for weight, other in ranked[1:]:
        share = _share_of_differences(text, other)
        if best - weight < _LEAD * share:
            return None
    return text


def _share_of_differences(text: str, other: str) -> float:
    """Return how many of the sampled letters outside ASCII the two readings (of equal length) differ in."""
    places = [found.start(2) for found in islice(_FOREIGN.finditer(text), _SAMPLE)]
    return sum(text[place] != other[place : place + 1] for place in places) / max(len(places), 1)


def _plausibility(text: str) -> float:
    """Return how well the letters outside ASCII sit in German words, per letter."""
    counts: Counter[tuple[str, str, str]] = Counter()
    for found in islice(_FOREIGN.finditer(text), _SAMPLE):
        counts[found[1], found[2], found[3]] += 1
    total = sum(counts.values())
    return sum(_weight(*place) * count for place, count in counts.items()) / total if total else 0.0


def _weight(before: str, letter: str, after: str) -> float:
    inside, beside = before.isalpha() and after.isalpha(), before.isalpha() or after.isalpha()
    if letter in "äöüß":
        weight = _UNLIKELY if after.isupper() else _CERTAIN if beside else _POSSIBLE
    elif letter in "ÄÖÜẞ":
        weight = _UNLIKELY if before.islower() else _CERTAIN if beside else _POSSIBLE
    elif letter in "²³×±½¼¾":
        weight = _UNLIKELY if after.isalpha() or (before.isalpha() and letter not in "²³") else _LIKELY
    elif letter in "§€–—„“”‚‘’´…°·•«»©®™µ\u00a0\u00ad":
        weight = _LIKELY if not inside or letter in "–’´\u00ad" else _UNLIKELY
    elif letter in "éèêëáàâçñôóîïíúùûåøæœÉ":
        weight = _POSSIBLE if beside else _UNLIKELY
    elif letter.isalpha():
        weight = _UNLIKELY if before.islower() and letter.isupper() else -_LIKELY
    else:
        weight = _IMPOSSIBLE if "\x80" <= letter <= "\x9f" else _UNLIKELY
    return weight


def _other_language(content: bytes) -> str | None:
    best = from_bytes(content[:100_000], threshold=0.1).best()
    if best is None or best.chaos > 0.02 or best.coherence < 0.6 or best.encoding.startswith("utf"):
        return None
    return _strict(content, best.encoding)


def _looks_binary(content: bytes) -> bool:
    controls = sum(content.count(bytes((code,))) for code in (*range(9), *range(14, 27), *range(28, 32)))
    return controls > len(content) // 200
