"""Step 0: is the text a question at all?"""

import re
import unicodedata
from typing import Final

from domain.asking.policies import QUESTION_LENGTH
from domain.errors import InputError

_LINE_BREAKS: Final = {"\n", "\r", "\t"}
_UNSEEN: Final = re.compile(r"[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e007f]")
"""Soft hyphens, zero-width characters, marks of direction: a word that holds one would be found nowhere."""


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
    question = " ".join(unicodedata.normalize("NFC", _UNSEEN.sub("", text)).split())
    if not any(character.isalnum() for character in question):
        raise InputError("question_empty")
    return question
