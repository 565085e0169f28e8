"""In which of the two languages somebody writes, by the small words that hardly a sentence does without.

Undecided is German: the corpus is, and a German question without such words ("Kündigungsfrist Hausrat?") is common.
"""

import re
from typing import Final

from domain.asking.drafts import Language

_WORD: Final = re.compile(r"[^\W\d_]+")
_ONLY_GERMAN: Final = re.compile(r"[äöüßÄÖÜ]")
_GERMAN: Final = frozenset(
    _WORD.findall(
        "aber als am auch auf aus bei bis das dass dem den der des die dies diese dieser dieses durch ein "
        "eine einem einen einer eines es für gegen gelten gibt gilt haben hat hoch ich ihr im ist ja kann "
        "kein keine können lange mein mit muss müssen nach nicht noch nur oder ohne sein sich sie sind soll "
        "sowie um und unter vom von vor wann war warum welche welchem welchen welcher welches wem wen wenn "
        "wer werden wie wieviel wird wo worin wozu wurde wurden hatte hatten sei war waren zu zum zur zwischen über"
    )
)
_ENGLISH: Final = frozenset(
    _WORD.findall(
        "a about after all also and any are as at be been before by can did do does for from had has have how "
        "if into is it its long many may much must no not of on only or per shall should than that the their "
        "there these they this to under until were what when where whether which while who whom whose why "
        "will with within without would you your"
    )
)


def language_of(text: str) -> Language:
    """Return the language of a text: that of most of its small words, German when neither has more."""
    return told_language(text) or "de"


def told_language(text: str) -> Language | None:
    """Return the language that the small words of a text tell, ``None`` when neither has more."""
    words = [word.casefold() for word in _WORD.findall(text)]
    german = sum(word in _GERMAN for word in words) + bool(_ONLY_GERMAN.search(text))
    english = sum(word in _ENGLISH for word in words)
    if english == german:
        return None
    return "en" if english > german else "de"
