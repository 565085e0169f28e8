"""What a question names, by words: enough to tell whether a sentence adds something, not a language model."""

import re
from typing import Final

_WORD: Final = re.compile(r"[^\W_]+")
_SHORTEST: Final = 4
_COMMON: Final = frozenset(
    _WORD.findall(
        # German
        "aber alle allem allen aller alles also auch beim bitte dann darf dass dein deine denn deren "
        "dessen diese diesem diesen dieser dieses doch dort durch eine einem einen einer eines etwa euch "
        "bedeutet definiert versteht "
        "frage gegen geht gelten gilt gibt haben hätte hier ihnen ihre ihrem ihren ihrer immer jede jedem "
        "jeden jeder kann kein keine können lang lange machen mein meine mich muss müssen nach nicht noch "
        "oder ohne sein seine seit sich sind soll sollen sowie über unser unsere viel viele wann warum "
        "weil welche welchem welchen welcher welches wenn werden wieviel wird wirklich wodurch wofür "
        "wohin womit worin wozu wurde würde zwischen "
        # English
        "about also been being could does from have into long many much must shall should some such than "
        "that their them then there these they this those were what when where which while whom will with "
        "would your "
    )
)


def content_words(text: str) -> frozenset[str]:
    """Return the words of ``text`` that carry its matter, and every number."""
    words = (word.casefold() for word in _WORD.findall(text))
    return frozenset(word for word in words if word.isdigit() or (len(word) >= _SHORTEST and word not in _COMMON))


def named_in(asked: frozenset[str], text: str) -> frozenset[str]:
    """Return those of ``asked`` that ``text`` names, inflected or inside a compound."""
    words = {word.casefold() for word in _WORD.findall(text)}
    return frozenset(word for word in asked if any(_same(word, other) for other in words))


def _same(left: str, right: str) -> bool:
    if left == right:
        return True
    shorter, longer = sorted((left, right), key=len)
    if len(shorter) < _SHORTEST or not (shorter.isalpha() and longer.isalpha()):
        return False
    stem = shorter[: len(shorter) - _ending(shorter)]
    return longer.startswith(stem) or (len(shorter) > _SHORTEST and shorter in longer)


def _ending(word: str) -> int:
    """Return how many letters of an ending may differ; short words have none to spare."""
    return min(2, max(0, len(word) - _SHORTEST - 1))
