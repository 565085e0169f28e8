"""Step 0: is the text a question at all?"""

import unicodedata
from typing import Final

from domain.asking.policies import QUESTION_LENGTH
from domain.errors import InputError

_LINE_BREAKS: Final = {"\n", "\r", "\t"}
_FORMATTING: Final = {"\u00ad", "\u200b", "\u200c", "\u200d", "\u200e", "\u200f", "\u2060", "\ufeff"}


def read_question(text: str) -> str:
    """Return the question in NFC on one line, without invisible formatting.

    Raises:
        InputError: ``question_encoding`` (lone surrogates), ``question_long``, ``question_control``,
            ``question_empty`` (no letter and no digit).
    """
    if any(0xD800 <= ord(character) <= 0xDFFF for character in text):
        raise InputError("question_encoding")
    if len(text) > QUESTION_LENGTH:
        raise InputError("question_long", characters=len(text), limit=QUESTION_LENGTH)
    if any(unicodedata.category(character) == "Cc" and character not in _LINE_BREAKS for character in text):
        raise InputError("question_control")
    visible = "".join(character for character in text if character not in _FORMATTING)
    question = " ".join(unicodedata.normalize("NFC", visible).split())
    if not any(character.isalnum() for character in question):
        raise InputError("question_empty")
    return question
