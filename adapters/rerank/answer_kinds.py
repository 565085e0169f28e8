"""What kind of answer a question wants, and whether a sentence gives one of that kind."""

import re
from typing import Final

_NUMERAL: Final = (
    r"(?:\d+|ein(?:e[nmrs]?)?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|zwanzig|dreißig|hundert)"
)
_UNIT: Final = r"(?:Sekunden?|Minuten?|Stunden?|(?:Werk|Kalender|Arbeits)?[Tt]age?[ns]?|Wochen?|Monat(?:e[ns]?|s)?|"
_DURATION: Final = rf"{_NUMERAL}\w*\s+{_UNIT}Quartale?n?|(?:Kalender|Geschäfts)?[Jj]ahre?[ns]?)|\bunverzüglich|[Dd]auer"
_AMOUNT: Final = (
    r"\d\s*(?:€|Euro|EUR|Millionen|Prozent|vom Hundert|%)|Millionen|Prozent|Hundertstel|Zehntel|Hälfte|Drittel"
)
_TIME: Final = (
    r"\b(?:spätestens|frühestens|unverzüglich|binnen|innerhalb|vor Ablauf|nach Ablauf|sobald|bis zum|Zeitpunkt|"
    r"jährlich|vierteljährlich|monatlich|am \d|Beginn|beginnt|endet|Ende)\b|\b(?:1[89]|20)\d\d\b|" + _DURATION
)
_COUNT: Final = rf"\b{_NUMERAL}\b"
_ACTOR: Final = (
    r"\b[A-ZÄÖÜ]\w*(?:behörde|anstalt|gericht|amt|ministerium|rat|vorstand|nehmer|geber|treuhänder|versammlung)\w*\b|"
    r"\b(?:Vorstand|Aufsichtsrat|Gericht|Person|Versicherer|Schuldner|Gläubiger|Mieter|Vermieter|Unternehmer)\w*\b"
)
_MODAL: Final = r"\b(?:kann|können|darf|dürfen|muss|müssen|soll|sollen|hat|haben|ist|sind)\b"
_MEANING: Final = r"\bim Sinne\b|\bist,? wer\b|\bsind\b|\bgilt\b|\bgelten\b|\b[Aa]ls\b"

_ASKED: Final = {
    "duration": re.compile(r"\b[Ww]ie ?lange?\b|[Ff]rist\b|[Dd]auer\b|[Ii]nnerhalb welche[rn]|\b[Bb]innen welcher"),
    "amount": re.compile(
        r"\b[Ww]ie ?(?:hoch|viel|teuer)\b|[Hh]öhe\b|[Bb]etrag|[Pp]rozent|[Ss]umme|[Ss]atz\b|[Ss]chwelle"
    ),
    "count": re.compile(r"\b[Ww]ie ?viele?\b|[Aa]nzahl|\b[Aa]b wann\b|\b[Aa]b welche[rmn]|[Mm]indestens|[Hh]öchstens"),
    "time": re.compile(r"\b[Ww]ann\b|\b[Ww]ie (?:oft|schnell|bald)\b|[Zz]eitpunkt|[Tt]ermin"),
    "actor": re.compile(r"\b[Ww](?:er|en|em)\b|\b[Ww]elches? (?:Behörde|Gericht|Organ|Stelle|Personen)"),
    "modal": re.compile(r"^(?:[Dd]arf|[Dd]ürfen|[Kk]ann|[Kk]önnen|[Mm]uss|[Mm]üssen|[Ii]st|[Ss]ind|[Hh]at|[Gg]ilt)\b"),
    "meaning": re.compile(r"\b[Ww]as (?:ist|sind|bedeutet|versteht)\b|[Dd]efini|[Bb]egriff"),
}
_GIVEN: Final = {
    "duration": re.compile(_DURATION),
    "amount": re.compile(_AMOUNT),
    "count": re.compile(_COUNT),
    "time": re.compile(_TIME),
    "actor": re.compile(_ACTOR),
    "modal": re.compile(_MODAL),
    "meaning": re.compile(_MEANING),
}


def asked(question: str) -> frozenset[str]:
    """Return the kinds of answer that ``question`` asks for, often none."""
    return frozenset(kind for kind, pattern in _ASKED.items() if pattern.search(question))


def given(sentence: str) -> frozenset[str]:
    """Return the kinds of answer that ``sentence`` could be."""
    return frozenset(kind for kind, pattern in _GIVEN.items() if pattern.search(sentence))
