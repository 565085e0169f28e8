"""What a question is about besides its words: a place abroad, a year, somebody's own affairs, the state of today.

Statutes rarely answer such questions, and a passage that has their other words reads as if it did.
"""

import re
from typing import Final

_PLACES: Final = (
    r"österreich|austria",
    r"schweiz|swiss|switzerland",
    r"liechtenstein",
    r"frankreich|französisch|france|french",
    r"itali|italy",
    r"spani|spain|spanish",
    r"portug",
    r"niederl|holland|holländ|netherlands|dutch",
    r"belgi|belgium",
    r"luxemburg|luxembourg",
    r"dänemark|dänisch|denmark|danish",
    r"schwed|swed",
    r"norweg|norway",
    r"finnland|finnisch|finland",
    r"polen|polnisch|poland|polish",
    r"tschech|czech",
    r"ungar|hungar",
    r"griech|greece|greek",
    r"kroati|croatia",
    r"rumän|romania",
    r"bulgar",
    r"türk|turk",
    r"russ(?:land|isch|ia)",
    r"england|englisch\w* recht|großbritann|britisch|vereinigte\w* königreich|united kingdom|british|\buk\b",
    r"schottland|schottisch|scotland|scottish",
    r"irland|irisch|ireland|irish",
    r"\busa\b|amerika|united states|delaware|kaliforni|california|new york",
    r"kanad|canad",
    r"japan",
    r"china|chines",
    r"indien|indisch\w* recht|\bindia",
)
PLACES: Final = tuple(re.compile(rf"\b(?:{spellings})", re.IGNORECASE) for spellings in _PLACES)
"""Countries whose law people ask for, with how they are written: German neighbours and trading partners."""

_YEAR: Final = re.compile(r"\b(?:19|20)\d\d\b")
_PERSON: Final = re.compile(
    r"\b(?:Herrn?|Frau|Firma)\s+[A-ZÄÖÜ][a-zäöüß]+|\b(?:Nummer|Nr\.)\s+[A-Z0-9][A-Z0-9-]{3,}|&\s\w+\s(?:GmbH|AG|KG|OHG)\b"
)
_TODAY: Final = re.compile(r"\b(?:derzeit\w*|zurzeit|im Moment|aktuell\w*|momentan\w*|gerade|heute|currently)\b")
_OWN: Final = re.compile(r"\b(?:ich|mein\w*|mir|mich|wir|uns\w*|my|i)\b", re.IGNORECASE)


def places(question: str) -> tuple[re.Pattern[str], ...]:
    """Return the places abroad that ``question`` names, each as the pattern of its spellings."""
    return tuple(place for place in PLACES if place.search(question))


def years(question: str) -> frozenset[str]:
    """Return the years that ``question`` names."""
    return frozenset(_YEAR.findall(question))


def names_somebody(question: str) -> bool:
    """Say whether ``question`` is about a person, a firm or a contract by name."""
    return _PERSON.search(question) is not None


def asks_of_today(question: str) -> bool:
    """Say whether ``question`` asks how something stands at the moment."""
    return _TODAY.search(question) is not None


def asks_for_oneself(question: str) -> bool:
    """Say whether somebody asks for themselves."""
    return _OWN.search(question) is not None
