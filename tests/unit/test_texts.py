"""The words people read are there in both languages, and all of them are used."""

import ast
import errno
import os
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from string import Formatter

import pytest

from bot.cli.main import build_parser
from bot.text import LANGUAGES, Texts, texts

CHECKOUT = Path(__file__).parents[2]
ERRORS = {"InputError", "PartError"}


@cache
def modules() -> tuple[ast.Module, ...]:
    folders = ("bot", "domain", "adapters", "projections")
    files = (file for folder in folders for file in (CHECKOUT / folder).rglob("*.py"))
    return tuple(ast.parse(file.read_text(encoding="utf-8")) for file in files)


def raised() -> Iterator[tuple[str, set[str]]]:
    """Key and names of the values of each error that the source makes."""
    for module in modules():
        for node in ast.walk(module):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ERRORS and node.args:
                key = node.args[0]
                if isinstance(key, ast.Constant) and isinstance(key.value, str):
                    yield key.value, {word.arg for word in node.keywords if word.arg}


def literals() -> set[str]:
    """Every string of the source, f-strings as patterns."""
    found = set()
    for module in modules():
        for node in ast.walk(module):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found.add(re.escape(node.value))
            elif isinstance(node, ast.JoinedStr):
                parts = (re.escape(p.value) if isinstance(p, ast.Constant) else r"[\w-]+" for p in node.values)
                found.add("".join(str(part) for part in parts))
    return found


class Recorder(Texts):
    """Texts that remember which of them were asked for."""

    def __init__(self, language: str) -> None:
        super().__init__(language, texts(language)._entries)
        self.asked: set[str] = set()

    def __call__(self, key: str, /, **values: object) -> str:
        self.asked.add(key)
        return super().__call__(key, **values)


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def test_both_languages_have_the_same_keys_and_placeholders() -> None:
    """A text in one language has a counterpart in the other, with the same values."""
    german, english = (texts(language)._entries for language in LANGUAGES)
    assert german.keys() == english.keys()
    assert {key for key in german if placeholders(german[key]) != placeholders(english[key])} == set()
    assert not [key for key, text in german.items() if not text.strip() or not english[key].strip()]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_error_has_a_text(language: str) -> None:
    """Each error that the source raises has a text, and gives it the values it needs."""
    entries = texts(language)._entries
    missing = {key for key, _ in raised() if f"errors.{key}" not in entries}
    assert missing == set()
    lacking = {key for key, values in raised() if placeholders(entries[f"errors.{key}"]) - values}
    assert lacking == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_view_has_a_name(language: str) -> None:
    """`doctor` says of each view how far it has come."""
    views = {"lexical", "subwords"} | {
        str(statement.value.value)
        for file in (CHECKOUT / "projections").glob("*.py")
        for kind in ast.parse(file.read_text(encoding="utf-8")).body
        if isinstance(kind, ast.ClassDef) and kind.name.endswith("Projection")
        for statement in kind.body
        if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Constant)
        if [getattr(target, "id", "") for target in statement.targets] == ["name"]
    }
    assert len(views) > 7
    assert {view for view in views if f"fact.{view}" not in texts(language)._entries} == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_command_and_option_has_a_text(language: str) -> None:
    """The parser of all commands can be made in both languages."""
    build_parser(Recorder(language))


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("How long is the notice period?", "en"),
        ("Wie lang ist die Kündigungsfrist?", "de"),
        ("§ 5 BUrlG", "en"),
        ("", "en"),
    ],
)
def test_an_answer_comes_in_the_language_of_its_question(question: str, language: str) -> None:
    """What tells none is answered in the person's own; a language that was asked for goes before."""
    assert texts("en").answering(question).language == language
    assert {texts(one, is_chosen=True).answering(question).language for one in LANGUAGES} == set(LANGUAGES)
    assert texts("de").answering("How long is it?") is texts("en")


def test_every_text_is_used() -> None:
    """No text lies there that nobody can ever read."""
    asked = Recorder("de")
    build_parser(asked)
    patterns = literals()
    plain = {pattern for pattern in patterns if r"[\w-]+" not in pattern}
    open_ended = re.compile("|".join(pattern for pattern in patterns if r"[\w-]+" in pattern and r"\." in pattern))

    def used(key: str) -> bool:
        bare = key.removeprefix("errors.")
        return key in asked.asked or {re.escape(key), re.escape(bare)} & plain or bool(open_ended.fullmatch(key))

    assert {key for key in texts("de")._entries if not used(key)} == set()


@pytest.mark.parametrize(("language", "said"), [("de", "die Berechtigung fehlt"), ("en", "permission is missing")])
def test_what_the_system_says_is_told_in_the_language(language: str, said: str) -> None:
    """Python has it in English; what nobody has foreseen stays as it is."""
    words = texts(language)

    told = words("errors.file_unreadable", file="a.md", reason=os.strerror(errno.EACCES))

    assert f": {said}. " in told
    assert "Stale file handle" in words("errors.file_unreadable", file="a.md", reason=os.strerror(errno.ESTALE))
