"""Commands as people write them, and nothing else taken for one."""

from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.chat.commands import (
    Admit,
    AssignLevel,
    Bind,
    Command,
    Decide,
    GiveRole,
    Help,
    Incomplete,
    Known,
    OpenSource,
    Pending,
    Question,
    Remove,
    SetThreshold,
    ShowRun,
    Unbind,
    Unknown,
    Wanted,
    Why,
)
from bot.chat.grammar import NAMES, parse
from tests.examples import examples

RUN = UUID("7f3a0000-0000-4000-8000-000000000001")


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("!frage Wie lang ist die Frist?", Question("Wie lang ist die Frist?")),
        ("!question\nHow long is it?", Question("How long is it?")),
        ("!FRAGE Was gilt?", Question("Was gilt?")),
        ("!frage: Was gilt?", Question("Was gilt?")),
        ("!quelle S1", OpenSource("S1")),
        ("!quelle [s02]", OpenSource("S2")),
        ("!source 3", OpenSource("S3")),
        ("!stand 01.01.2026 Was galt?", Question("Was galt?", "2026-01-01")),
        ("!stand 1.2.2026\nWas galt?", Question("Was galt?", "2026-02-01")),
        ("!at 2026-01-31T12:00+01:00 What held?", Question("What held?", "2026-01-31T12:00+01:00")),
        ("!stand 1.1.2025 gültig 1.6.2024 Was galt?", Question("Was galt?", "2025-01-01", "2024-06-01")),
        ("!stand 01.01.2025, gültig am 01.06.2024: Was galt?", Question("Was galt?", "2025-01-01", "2024-06-01")),
        ("!stand gültig 01.06.2024 Was galt?", Question("Was galt?", None, "2024-06-01")),
        ("!at 2025-01-01 valid on 2024-06-01 What held?", Question("What held?", "2025-01-01", "2024-06-01")),
        ("!stand 1.1.2025 gültig war was?", Question("gültig war was?", "2025-01-01")),
        ("!gewusst 31.12.2025", Known("2025-12-31")),
        ("!gewusst 31.12.2025 gültig 01.06.2024", Known("2025-12-31", "2024-06-01")),
        ("!known valid 2024-06-01", Known(None, "2024-06-01")),
        ("!known", Known(None)),
        ("!warum", Why()),
        ("!warum?", Why()),
        ("!why", Why()),
        ("!lauf", ShowRun(None)),
        (f"!run {RUN}", ShowRun(RUN)),
        ("!hilfe", Help()),
        ("!mandat bestand internal", Bind("bestand", "internal")),
        ("!mandate bestand", Bind("bestand", None)),
        ("!stufe Handbuch Bestand internal", AssignLevel("Handbuch Bestand", "internal")),
        ("!stufe Handbuch\ninternal", AssignLevel("Handbuch", "internal")),
        ("!freigabe 7f3a", Decide("7f3a", agrees=True, because="")),
        ("!approve 7f3a no too low", Decide("7f3a", agrees=False, because="too low")),
        ("!freigabe 7f3a\nnein", Decide("7f3a", agrees=False, because="")),
        ("!freigabe 7f3a nein, zu\nniedrig", Decide("7f3a", agrees=False, because="zu niedrig")),
        ("!schwelle Relevanz 0,4 Bericht vom Mai", SetThreshold("relevance", "0,4", "Bericht vom Mai")),
        ("!threshold coverage 0.9 stricter", SetThreshold("coverage", "0.9", "stricter")),
        ("!threshold coverage\n0.9\nstricter:\n- May", SetThreshold("coverage", "0.9", "stricter: - May")),
        ("!mitglied @anna:example.org internal", Admit("@anna:example.org", "internal")),
        ("!mitglied @anna:example.org weg", Remove("@anna:example.org")),
        ("!mandat bestand weg", Unbind("bestand")),
        ("!mandate bestand Remove", Unbind("bestand")),
        ("!rolle @anna:example.org Verwaltung", GiveRole("@anna:example.org", "administrator")),
        ("!role @anna:example.org compliance", GiveRole("@anna:example.org", "compliance")),
        ("!offen", Pending()),
        ("!pending", Pending()),
    ],
)
def test_a_command_is_read_into_a_value(text: str, command: Command) -> None:
    """German and English, in any case, with days as either writes them."""
    wanted = parse(text)
    assert wanted is not None
    assert wanted.command == command


INCOMPLETE = {
    "question": ["!frage"],
    "source": ["!quelle", "!quelle S", "!source one"],
    "at": [
        "!stand",
        "!stand gestern Was galt?",
        "!stand 1.1.2026",
        "!stand gültig 1.1.2026",
        "!stand gültig morgen Was gilt?",
    ],
    "known": ["!gewusst bald", "!gewusst gültig", "!gewusst 1.1.2026 Was galt?"],
    "run": ["!lauf 7"],
    "mandate": ["!mandat", "!mandat weg", "!mandat a b c"],
    "level": ["!stufe", "!stufe secret"],
    "approve": ["!freigabe", "!freigabe 7f3a vielleicht", "!freigabe 7f3a\nvielleicht"],
    "role": ["!rolle", "!rolle @anna:example.org", "!role @anna:example.org to administrator"],
    "threshold": ["!schwelle", "!schwelle relevance 0,4"],
    "member": ["!mitglied @anna:example.org", "!mitglied @anna:example.org geheim sofort"],
}


@pytest.mark.parametrize(("command", "text"), [(key, text) for key, texts in INCOMPLETE.items() for text in texts])
def test_what_lacks_something_says_which_command_it_is(command: str, text: str) -> None:
    """So that the hint can show its form."""
    wanted = parse(text)
    assert wanted is not None
    assert wanted.command == Incomplete(command)


def test_a_slip_is_told_what_it_may_mean() -> None:
    """Whoever asks us is told also what is less near; a command of another program is no slip."""
    assert parse("!qelle S1") == Wanted(Unknown("!qelle", "source", is_slip=True))
    assert parse("!hilf") == Wanted(Unknown("!hilf", "help", is_slip=True))
    assert parse("!fraeg Was gilt?") == Wanted(Unknown("!fraeg", "question", is_slip=True))
    assert parse("!abfrage") == Wanted(Unknown("!abfrage", "question"))
    assert parse("!würfel 2d6") == Wanted(Unknown("!würfel", None))


@pytest.mark.parametrize(
    "command",
    [
        "ping",
        "date",
        "meme",
        "cat",
        "leave",
        "score",
        "remember",
        "umfrage",
        "poll",
        "remind",
        "echo",
        "status",
    ],
)
def test_what_other_programs_are_asked_is_no_slip(command: str) -> None:
    """In a room with several programs nobody is answered by the wrong one."""
    wanted = parse(f"!{command}")
    assert wanted is not None
    assert isinstance(wanted.command, Unknown)
    assert not wanted.command.is_slip


@pytest.mark.parametrize(
    "text",
    [
        "> !schwelle relevance 0 weil",
        "„!mandat a“",
        "Was tut !frage?",
        "!",
        "!!",
        "! frage",
        "!1",
        "",
        "  ",
        "!frage!",
        "!frage?!",
        "!frage:Was",
    ],
)
def test_nothing_else_is_a_command(text: str) -> None:
    """Not what is quoted, not what stands behind other words."""
    assert parse(text) is None


def test_what_cannot_be_seen_makes_no_difference() -> None:
    """Zero-width and direction characters neither hide a command nor make one look like another."""
    assert parse("\u200b\u202e!fr\u200da\u00adge\u00a0Was gilt?") == parse("!frage Was gilt?")
    assert parse("!mita\u0308t x") == parse("!mität x")


def test_the_language_of_a_command_is_that_of_its_name() -> None:
    """So an English command has an English reply, whatever was set up."""
    assert [getattr(parse(one), "language", "") for one in ("!hilfe", "!help")] == ["de", "en"]


def test_each_name_is_one_of_one_command() -> None:
    """No German name is the English one of something else."""
    names = [name for pair in NAMES.values() for name in pair]
    assert len(names) == len(set(names))


@settings(max_examples=examples(200))
@given(
    st.text(max_size=80),
    st.sampled_from(["", "!", "!frage ", "!stand ", "!stand gültig 1.1.2026 ", "!mitglied ", "!freigabe ", "!quelle "]),
)
def test_no_text_stops_the_grammar(text: str, opening: str) -> None:
    """Whatever somebody writes is a command or none."""
    wanted = parse(opening + text)
    assert wanted is None or isinstance(wanted, Wanted)


@settings(max_examples=examples(100))
@given(st.text(max_size=40), st.sampled_from([name for pair in NAMES.values() for name in pair]))
def test_quoted_commands_are_none(text: str, name: str) -> None:
    """However a quote is marked."""
    assert parse(f"> !{name} {text}") is None
    assert parse(f"„!{name}“ {text}") is None
