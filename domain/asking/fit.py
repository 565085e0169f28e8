"""How well a sentence fits a question by its words: does it keep to what is asked, and has it the kind of answer?

Measured on questions about statutes, these two choose the right sentence out of the selected passages more often
than the reranker alone, whose scores grow with every further word that a long sentence holds.
"""

import re
from typing import Final

from domain.asking.words import content_words, named_in

_NUMBER: Final = (
    r"(?:\d[\d.,]*|(?:eine[nmr]?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|zwanzig|dreißig|vierzig|fünfzig"
    r"|sechzig|siebzig|achtzig|neunzig|hundert|tausend|one|two|three|four|five|six|seven|eight|nine|ten)\w*)"
)
_TIME: Final = re.compile(
    rf"\b{_NUMBER}\s+(?:\w+\s)?\w*(?:tag|woche|monat|jahr|stunde|minute|day|week|month|year|hour)"
    r"|unverzüglich|zeitpunkt|immediately|promptly|\b\d{1,2}\.\s?(?:\d{1,2}\.|[A-ZÄÖÜ]\w+)",
    re.IGNORECASE,
)
_AMOUNT: Final = re.compile(
    rf"\d|\b{_NUMBER}\s*(?:euro|€|prozent|%|percent|\w*(?:gehälter|fache|hundertstel|zehntel|hälfte|personen|mitglieder))",
    re.IGNORECASE,
)
_ASKS_TIME: Final = re.compile(
    r"\b(?:wann|wie (?:lange?|schnell)|binnen|when|how (?:long|soon))\b|\w*frist\b", re.IGNORECASE
)
_ASKS_AMOUNT: Final = re.compile(
    r"\b(?:wie (?:hoch|viele?)|ab welche\w*|bis zu welche\w*|höchstens|mindestens|how (?:much|many|high))\b"
    r"|\w*(?:höhe|betrag|summe|anteil|quote|niveau)\b",
    re.IGNORECASE,
)
_ASKS_MEANING: Final = re.compile(
    r"^\W*(?:was (?:ist|sind|bedeutet|bedeuten|heißt|versteht)|what (?:is|are|does))\b"
    r"|\bdefinier(?:t|en)\b|\bdefined?\b",
    re.IGNORECASE,
)
_MEANING: Final = re.compile(
    r"^(?:\S+\s+){1,4}?(?:ist|sind|bezeichnet|bezeichnen|bedeutet|bedeuten|heißt|umfasst|is|are|means?)\b"
    r"|\bim sinne\b|^als\b.*\b(?:gilt|gelten)\b",
    re.IGNORECASE,
)


def focus(question: str, sentence: str) -> float:
    """Return how far the words of a sentence are those of the question, both ways, in [0, 1] (the F-measure).

    A sentence that names everything asked among much else scores less than one that keeps to it.
    """
    asked, said = content_words(question), content_words(sentence)
    if not asked or not said:
        return 0.0
    recall = len(named_in(asked, sentence)) / len(asked)
    precision = len(named_in(said, question)) / len(said)
    return 2 * recall * precision / (recall + precision) if recall + precision else 0.0


def has_what_is_asked(question: str, sentence: str) -> bool:
    """Say whether a sentence holds a time or an amount, or says what something is, where that is asked for."""
    if _ASKS_MEANING.search(question):
        return _MEANING.search(sentence) is not None
    if _ASKS_TIME.search(question):
        return _TIME.search(sentence) is not None
    if _ASKS_AMOUNT.search(question):
        return _AMOUNT.search(sentence) is not None or _TIME.search(sentence) is not None
    return True
