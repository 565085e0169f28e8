"""What counts as a question."""

import pytest

from domain.asking.policies import QUESTION_LENGTH
from domain.asking.question import read_question
from domain.errors import InputError


def test_a_question_comes_out_in_nfc_on_one_line() -> None:
    """Decomposed umlauts, line breaks, soft hyphens and zero-width characters do not make another question."""
    assert read_question("  Welche Ku\u0308ndi\u00adgungs\u200bfrist\r\n\tgilt? ") == "Welche Kündigungsfrist gilt?"


@pytest.mark.parametrize(
    "unseen", ["\u202e", "\u202a", "\u2066", "\u2069", "\u061c", "\u2061", "\u206f", "\u180e", "\U000e0041"]
)
def test_what_turns_the_order_or_cannot_be_seen_is_left_out(unseen: str) -> None:
    """Else a word that was copied with it would be found nowhere, and whoever reads the question sees another one."""
    assert read_question(f"{unseen}Welche Kün{unseen}digungsfrist{unseen} gilt?") == "Welche Kündigungsfrist gilt?"


@pytest.mark.parametrize("text", ["", "   ", "\n\t", "?!… –", "\u00ad\u200b", "👍"])
def test_without_letter_and_digit_it_is_no_question(text: str) -> None:
    """Nothing, blanks, punctuation and emoji alone are refused."""
    with pytest.raises(InputError) as error:
        read_question(text)
    assert error.value.key == "question_empty"


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("Frist\x00?", "question_control"),
        ("Frist\x1b[31m?", "question_control"),
        ("Frist \x85?", "question_control"),
        ("Frist \ud800?", "question_encoding"),
        ("a" * (QUESTION_LENGTH + 1), "question_long"),
        ("Frist? " * 20_000, "question_long"),
    ],
)
def test_what_is_no_text_for_a_question_says_why(text: str, key: str) -> None:
    """Control characters, lone surrogates and whole documents have errors of their own."""
    with pytest.raises(InputError) as error:
        read_question(text)
    assert error.value.key == key


def test_the_longest_question_is_taken() -> None:
    """The limit itself is allowed."""
    assert len(read_question("a" * QUESTION_LENGTH)) == QUESTION_LENGTH


def test_the_error_does_not_repeat_the_text() -> None:
    """Values of errors go to logs, so no question stands in them."""
    with pytest.raises(InputError) as error:
        read_question("geheim " * 2_000)
    assert "geheim" not in str(error.value)
