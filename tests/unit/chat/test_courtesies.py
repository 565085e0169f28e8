"""Which messages are nothing but polite."""

import pytest

from bot.chat.commands import Courtesy, Wanted
from bot.chat.courtesies import KINDS, courtesy
from bot.text import LANGUAGES, texts


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Hallo", Wanted(Courtesy("greeting"), "de")),
        ("  GRÜSS GOTT!! ", Wanted(Courtesy("greeting"), "de")),
        ("Hello \N{WAVING HAND SIGN}", Wanted(Courtesy("greeting"), "en")),
        ("hi", Wanted(Courtesy("greeting"))),
        ("Vielen  Dank.", Wanted(Courtesy("thanks"), "de")),
        ("thank\u00a0you", Wanted(Courtesy("thanks"), "en")),
        ("dan\u200bke", Wanted(Courtesy("thanks"), "de")),
    ],
)
def test_a_whole_message_is_a_courtesy(text: str, wanted: Wanted) -> None:
    """In any case, with any signs around it; its language is that of the list that has it."""
    assert courtesy(text) == wanted


@pytest.mark.parametrize(
    "text",
    ["Hallo, wie lang ist die Frist?", "Danke, und bei Kfz?", "Wer war Hallo?", "", "!", "👍"],
)
def test_whatever_says_more_is_none(text: str) -> None:
    """It may be a question."""
    assert courtesy(text) is None


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", KINDS)
def test_each_one_in_the_list_is_found(kind: str, language: str) -> None:
    """As it is written there."""
    listed = texts(language)(f"rooms.words_of_{kind}").split(",")
    found = [courtesy(one) for one in listed]
    assert [one.command for one in found if one is not None] == [Courtesy(kind)] * len(listed)
