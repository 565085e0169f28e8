"""Numbers as written: digits under the rules of a language, and number words, cardinal and ordinal."""

import re
from functools import lru_cache
from typing import Final

_GERMAN_GROUPED: Final = re.compile(r"\d{1,3}(?:[ .']\d{3})+(?:,\d+)?\Z")
_ENGLISH_GROUPED: Final = re.compile(r"\d{1,3}(?:[ ,']\d{3})+(?:\.\d+)?\Z")

_UNITS: Final = {
    "null": 0, "ein": 1, "eins": 1, "zwei": 2, "zwo": 2, "drei": 3, "vier": 4, "funf": 5, "sechs": 6, "sieben": 7,
    "acht": 8, "neun": 9, "zehn": 10, "elf": 11, "zwolf": 12, "dreizehn": 13, "vierzehn": 14, "funfzehn": 15,
    "sechzehn": 16, "siebzehn": 17, "achtzehn": 18, "neunzehn": 19,
}  # fmt: skip
_TENS: Final = {
    "zwanzig": 20, "dreissig": 30, "vierzig": 40, "funfzig": 50, "sechzig": 60, "siebzig": 70, "achtzig": 80,
    "neunzig": 90,
}  # fmt: skip
_GERMAN: Final = re.compile(
    rf"(?:(?P<thousands>\w*?)tausend(?:und)?)?(?:(?P<hundreds>{'|'.join(_UNITS)})?hundert(?:und)?)?"
    rf"(?:(?P<unit>{'|'.join(sorted(_UNITS, key=len, reverse=True))})und(?P<tens>{'|'.join(_TENS)})"
    rf"|(?P<ten>{'|'.join(_TENS)})|(?P<small>{'|'.join(sorted(_UNITS, key=len, reverse=True))}))?\Z"
)
_GERMAN_INFLECTED: Final = {"zweier": 2, "dreier": 3, "zweien": 2, "dreien": 3, "beide": 2, "beiden": 2, "beider": 2}
_HALVES: Final = {"anderthalb": 1.5, "eineinhalb": 1.5}

_ENGLISH: Final = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16,
    "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60,
    "seventy": 70, "eighty": 80, "ninety": 90, "both": 2,
}  # fmt: skip
_ENGLISH_ORDINALS: Final = {
    "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9, "tenth": 10,
    "eleventh": 11, "twelfth": 12, "thirteenth": 13, "fourteenth": 14, "fifteenth": 15, "sixteenth": 16,
    "eighteenth": 18, "twentieth": 20, "thirtieth": 30,
}  # fmt: skip
_GERMAN_ORDINALS: Final = {"zweit": 2, "dritt": 3, "siebt": 7, "acht": 8}
_ORDINAL_ENDING: Final = re.compile(r"(?P<stem>\w+?)(?:st|t)e[nrsm]?\Z")
_GERMAN_HALF: Final = re.compile(r"(?P<whole>\w+?)einhalb\Z")


def number(digits: str, language: str) -> float:
    """Return the value of a number in digits: "1.500" is 1500 in German and 1.5 in English.

    Digits that no rule of the language groups ("2.700.2") are read as one run of digits.
    """
    grouped, groups, decimal = (
        (_GERMAN_GROUPED, r"[ .']", ",") if language == "de" else (_ENGLISH_GROUPED, r"[ ,']", ".")
    )
    plain = re.sub(groups, "", digits) if grouped.match(digits) else re.sub(r"[ ']", "", digits)
    plain = plain.replace(decimal, ".").replace(",", ".")
    return float(plain) if plain.count(".") <= 1 else float(re.sub(r"\D", "", plain))


@lru_cache(20_000)
def cardinal(word: str, language: str) -> float | None:
    """Return the value of a number word in folded lower case, ``None`` if it is none."""
    if language == "en":
        return _english(word)
    if word in _HALVES:
        return _HALVES[word]
    if word in _GERMAN_INFLECTED:
        return _GERMAN_INFLECTED[word]
    half = _GERMAN_HALF.match(word)
    if half:
        whole = cardinal(half["whole"], language)
        return None if whole is None else whole + 0.5
    return _german(word)


@lru_cache(20_000)
def ordinal(word: str, language: str) -> int | None:
    """Return the value of an ordinal number word from the second on ("first" says more than a number)."""
    if language == "en":
        return _ENGLISH_ORDINALS.get(word)
    found = _ORDINAL_ENDING.match(word)
    if found is None:
        return None
    for stem, value in _GERMAN_ORDINALS.items():
        if re.fullmatch(rf"{stem}e[nrsm]?", word):
            return value
    counted = _german(found["stem"])
    return int(counted) if counted is not None and counted > 1 else None


def _german(word: str) -> float | None:
    found = _GERMAN.match(word)
    if not word or found is None:
        return None
    if not any(found.groups()) and word not in {"hundert", "tausend"}:
        return None
    thousands = found["thousands"]
    total = 0.0
    if "tausend" in word:
        head = 1.0 if not thousands else _german(thousands)
        if head is None:
            return None
        total += head * 1000
    if "hundert" in word.rpartition("tausend")[2]:
        total += _UNITS[found["hundreds"]] * 100 if found["hundreds"] else 100
    if found["tens"]:
        return total + _TENS[found["tens"]] + _UNITS[found["unit"]]
    return total + (_TENS[found["ten"]] if found["ten"] else _UNITS[found["small"]] if found["small"] else 0)


def _english(word: str) -> float | None:
    if word in _ENGLISH:
        return _ENGLISH[word]
    tens, _, unit = word.partition("-")
    if unit and _ENGLISH.get(tens, 0) >= 20 and 0 < _ENGLISH.get(unit, 0) < 10:
        return _ENGLISH[tens] + _ENGLISH[unit]
    return None
