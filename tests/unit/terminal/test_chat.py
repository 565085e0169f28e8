"""The conversation on its own: lines in, answers out, and nothing that ends it but its end."""

from pathlib import Path
from typing import Any, cast

import pytest

from bot.chat.commands import Question
from bot.chat.grammar import name_of
from bot.output import Output
from bot.terminal.chat import Chat
from bot.terminal.lines import Lines
from bot.text import texts
from domain.asking.cards import Cards, OpenCard
from domain.asking.values import Answer, Source
from domain.errors import InputError, PartError
from tests.unit.terminal.answers import answered, refused

asked: list[Question] = []


class Said:
    """Lines that have been said already."""

    is_terminal = False

    def __init__(self, *lines: str) -> None:
        self._lines = list(lines)

    async def next(self, _prompt: str) -> str | None:
        return self._lines.pop(0) if self._lines else None


class Surroundings:
    async def open(self, source: Source, _context: int) -> OpenCard:
        return OpenCard(source, "Davor. ", " Danach.")


async def ask(question: Question) -> Answer:
    text = question.text
    asked.append(question)
    if text == "Fehler":
        raise RuntimeError("geheim")
    if text == "Ausfall":
        raise PartError("database")
    if text == "Unmöglich":
        raise InputError("day", text="2026-13-30")
    return refused() if text.startswith("Unsinn") else answered()


async def talk(folder: Path, *lines: str, language: str = "de", as_json: bool = False) -> int:
    asked.clear()
    out = Output(as_json=as_json, texts=texts(language))
    chat = Chat(ask, cast("Cards", Surroundings()), out, folder)
    return await chat.talk(cast("Lines", Said(*lines)))


async def test_no_error_ends_the_conversation(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A part that is down and a fault of ours are told, the next question is answered, and no value is logged."""
    failures = await talk(tmp_path, "Fehler", "Ausfall", "Wie lang ist die Frist?")

    shown = capsys.readouterr()
    assert failures == 2
    assert "RuntimeError" in shown.err
    assert "Die Datenbank antwortet nicht" in shown.err
    assert "drei Monate [S1]." in shown.out
    assert "geheim" not in shown.err + (tmp_path / "log" / "faults.log").read_text(encoding="utf-8")


@pytest.mark.parametrize("line", ["!quelle 1", "!source S1", "[S1]", "S1", "!QUELLE 1"])
async def test_a_source_opens_by_command_and_by_label(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], line: str
) -> None:
    """In the language of the chat, in English, or just by its label."""
    await talk(tmp_path, "Wie lang ist die Frist?", line)

    assert "Davor. Die Frist beträgt drei Monate. Danach." in capsys.readouterr().out


async def test_why_follows_a_refusal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The refusal names the command, the command tells the values."""
    await talk(tmp_path, "Unsinn", "!warum")

    shown = capsys.readouterr().out
    assert "Mehr: !warum" in shown
    assert "Relevanz: 0,81, nötig 0,35" in shown


@pytest.mark.parametrize("end", ["!ende", "!end", "!Ende jetzt"])
async def test_the_end_is_the_end(tmp_path: Path, capsys: pytest.CaptureFixture[str], end: str) -> None:
    """What follows is not asked."""
    await talk(tmp_path, end, "Wie lang ist die Frist?")

    assert "[S1]" not in capsys.readouterr().out


@pytest.mark.parametrize("language", ["de", "en"])
async def test_help_names_every_command(tmp_path: Path, capsys: pytest.CaptureFixture[str], language: str) -> None:
    """Under the name that the language gives it."""
    await talk(tmp_path, "!help", language=language)

    shown = capsys.readouterr().out
    words = texts(language)
    names: list[Any] = [words(f"chat.{name}") for name in ("help", "why", "timings", "end")]
    names += [name_of(name, language) for name in ("source", "at")]
    assert all(name in shown for name in names)


@pytest.mark.parametrize(
    ("line", "words"), [("!nix", "!nix gibt es nicht"), ("!warum", "Noch wurde nichts"), ("!quelle", "Vorhanden: –")]
)
async def test_a_command_out_of_place_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], line: str, words: str
) -> None:
    """An unknown command, or one without an answer to speak of."""
    assert await talk(tmp_path, "", line) == 0

    assert words in capsys.readouterr().out


@pytest.mark.parametrize(
    ("line", "language", "words"),
    [
        ("Hallo!", "de", "Guten Tag."),
        ("Danke 👍", "de", "Gern."),
        ("good morning", "en", "Hello."),
        ("!qelle 1", "de", "Meinten Sie !quelle?"),
        ("!stand gestern Was galt?", "de", "!stand 31.12.2025 [gültig 01.06.2024] FRAGE"),
        ("!frage", "de", "!frage FRAGE"),
        ("!frage!", "de", "!frage! gibt es nicht"),
        ("!mitglied @anna:x internal", "de", "!mitglied gibt es nicht"),
        ("!mitglid @anna:x internal", "de", "!mitglid gibt es nicht"),
    ],
)
async def test_what_is_no_question_gets_a_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], line: str, language: str, words: str
) -> None:
    """As in a room: a greeting, a slip, a command without what it needs; nothing is asked."""
    assert await talk(tmp_path, line, language=language) == 0

    assert words in capsys.readouterr().out
    assert asked == []


async def test_a_program_gets_a_document_for_each_line_that_is_no_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also for a greeting: it waits for one."""
    await talk(tmp_path, "Hallo!", "!frage Was gilt?", "!hilfe", as_json=True)

    assert len(capsys.readouterr().out.splitlines()) == len(asked) == 2


async def test_questions_about_the_past_are_read_as_in_a_room(tmp_path: Path) -> None:
    """With both days, and under either name."""
    await talk(tmp_path, "!stand 1.1.2025 gültig 1.6.2024 Was galt?", "!question What holds?", "!\u200bfrage Was gilt?")

    assert asked == [Question("Was galt?", "2025-01-01", "2024-06-01"), Question("What holds?"), Question("Was gilt?")]


@pytest.mark.parametrize(("language", "end"), [("de", "!ende"), ("en", "!end")])
@pytest.mark.parametrize("line", ["/hilfe", "/ende", "/help", "/source S1", "/quelle 1", "exit", "QUIT"])
async def test_commands_of_other_programs_are_not_asked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], line: str, language: str, end: str
) -> None:
    """Whoever looks for the way out is shown it, and no question is recorded."""
    await talk(tmp_path, line, language=language)

    shown = capsys.readouterr().out
    assert end in shown
    assert "[S1]" not in shown


async def test_an_impossible_day_is_told_in_the_forms_that_a_line_may_have(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever has written day, month and year is not told to write the year first."""
    await talk(tmp_path, "Unmöglich")

    assert "31.12.2025 oder 2025-12-31" in capsys.readouterr().err
