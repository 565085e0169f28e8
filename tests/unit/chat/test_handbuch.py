"""What people are told to type is understood, and what they are told to read is what they read."""

import re
from pathlib import Path

import pytest

from bot.chat.commands import Incomplete, Unknown
from bot.chat.grammar import NAMES, name_of, parse
from bot.chat.showing import help_on_commands
from bot.text import LANGUAGES, texts

DE = texts("de")
HANDBOOK = (Path(__file__).parents[3] / "docs" / "handbuch.md").read_text(encoding="utf-8")
TYPED = re.findall(r"(?m)^ {4}(!.*)$|`(![^`]*)`", HANDBOOK)
EXAMPLES = [block for block, _ in TYPED if block]
NAMED = [inline for _, inline in TYPED if inline]
WORDS = " ".join(HANDBOOK.replace("\n> ", " ").split())


@pytest.mark.parametrize("example", EXAMPLES)
def test_each_example_is_a_whole_command(example: str) -> None:
    """It can be typed as it stands."""
    wanted = parse(example)
    assert wanted is not None
    assert not isinstance(wanted.command, Incomplete | Unknown)


@pytest.mark.parametrize("named", NAMED)
def test_each_command_that_is_named_exists(named: str) -> None:
    """Also in a sentence, with what stands for a value."""
    wanted = parse(named)
    assert wanted is not None
    assert not isinstance(wanted.command, Unknown)


def test_the_handbook_names_every_command() -> None:
    """There is none that people do not hear of."""
    heard = {one.split()[0] for one in (*EXAMPLES, *NAMED)}
    assert {name_of(command, "de") for command in NAMES} - heard == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_help_names_every_command_as_it_is_called(language: str) -> None:
    """In the language of the help."""
    told = help_on_commands(texts(language), is_administrator=True).html
    heard = {one.split()[0] for one in re.findall(r"<code>([^<]*)</code>", told)}
    assert {name_of(command, language) for command in NAMES} == heard


@pytest.mark.parametrize(
    "sentence",
    [
        DE("answer.refused"),
        DE("answer.none_found"),
        DE("answer.note_verified"),
        DE("answer.note_verbatim"),
        DE("answer.note_partially_verified", dropped=1, claims=4),
        DE("answer.looking_back", day="01.01.2026", valid_on="01.01.2026"),
        DE("answer.ended_on", label="[S2]", day="01.07.2026"),
        DE("answer.unsupported"),
    ],
)
def test_the_handbook_quotes_what_people_read(sentence: str) -> None:
    """Word for word."""
    assert sentence in WORDS


def test_the_handbook_explains_why_an_answer_needs_a_confirmed_device() -> None:
    """By the beginning of what is said then."""
    assert DE("errors.unconfirmed").partition(",")[0] in WORDS
