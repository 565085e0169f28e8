"""What is said beside answers: one friendly sentence each, in both languages, and nothing of a document in it."""

import re
from collections.abc import Callable

import pytest

from bot.chat import notices
from bot.chat.commands import GiveRole, SetThreshold
from bot.chat.grammar import parse
from bot.chat.outgoing import Content
from bot.progress import STAGES
from bot.text import LANGUAGES, Texts, texts
from domain.errors import AccessError, InputError
from domain.mandates.policies import THRESHOLDS
from tests.unit.chat.reading import plain_words, read

DE = texts("de")
ROOM, ANNA = "!abc:example.org", "@anna:example.org"
SAID: dict[str, Callable[[Texts], Content]] = {
    "pointer": notices.pointer,
    "unbound": notices.unbound,
    "unknown": lambda texts: notices.unknown(texts, ANNA),
    "several": notices.several,
    "wordless": notices.wordless,
    "greeting": lambda texts: notices.courtesy(texts, "greeting"),
    "thanks": lambda texts: notices.courtesy(texts, "thanks"),
    "in_direct_room": notices.in_direct_room,
    "in_protected_room": lambda texts: notices.in_protected_room(texts, "https://matrix.to/#/!a/$b"),
    "unreachable": notices.unreachable,
    "hasty_minute": lambda texts: notices.hasty(texts, "minute"),
    "hasty_hour": lambda texts: notices.hasty(texts, "hour"),
    "fault": notices.fault,
    "not_admitted": notices.not_admitted,
    "capped": lambda texts: notices.capped(texts, "public"),
    "withheld_members": notices.withheld,
    "withheld_room": lambda texts: notices.withheld(texts, notices.ROOM),
    "moved_members": notices.moved,
    "moved_room": lambda texts: notices.moved(texts, notices.ROOM),
    "unreadable": notices.unreadable,
    "invitation_refused": lambda texts: notices.invitation_refused(texts, ROOM, ANNA),
    "upgraded": lambda texts: notices.upgraded(texts, ROOM, "!new:example.org"),
    "removed": lambda texts: notices.removed(texts, ROOM, ANNA),
    "device_new": lambda texts: notices.device_new(texts, "ABCDEF"),
    "parked": notices.parked,
    "part_silent": lambda texts: notices.part_silent(texts, "bm25"),
    "refused": lambda texts: notices.refused(AccessError(), texts),
    "command_unknown": lambda texts: notices.command_unknown(texts, "!fraeg", "!hilfe"),
    "command_meant": lambda texts: notices.command_unknown(texts, "!fraeg", "!hilfe", "!frage"),
    "command_form": lambda texts: notices.command_form(texts, "!stand DATUM FRAGE"),
    "not_administrator": notices.not_administrator,
    "unassured": notices.unassured,
    "master_key_changed": lambda texts: notices.master_key_changed(texts, ANNA),
    "no_source": lambda texts: notices.no_source(texts, ["S1", "S2"]),
    "no_sources": lambda texts: notices.no_source(texts, []),
    "no_run": notices.no_run,
    "no_document": notices.no_document,
    "nothing_yet": notices.nothing_yet,
    **{f"progress_{step}": lambda texts, step=step: notices.progress(step, texts) for step in STAGES},
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", SAID)
def test_a_notice_is_short_and_notifies_nobody(name: str, language: str) -> None:
    """It is one paragraph that no other program answers, and its two forms say the same."""
    content = SAID[name](texts(language))
    assert (content.is_notice, content.mentions, content.run) == (True, (), None)
    assert read(content).text.split() == plain_words(content)
    assert "\n" not in content.plain
    assert len(content.plain) < 300
    assert "`" not in content.plain


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_error_names_what_helps_in_a_room(language: str) -> None:
    """Its reader has no command line; the values are the same, so nothing is lost."""
    entries = texts(language)._entries
    own = [key.removeprefix("refused.") for key in entries if key.startswith("refused.")]
    named = ("mandate", "change", "user", "clearance", "text", "instant", "role", "name", "value", "known")
    values = dict.fromkeys(("characters", "limit", *named), "7")
    told = [notices.refused(InputError(key, **values), texts(language)).plain for key in own]
    assert all(f"errors.{key}" in texts(language) for key in own)
    assert not [one for one in told if "fundstelle" in one or "--" in one or "`" in one]
    assert "fundstelle" in texts(language)("errors.question_long", **values)
    assert "fundstelle" not in notices.refused(InputError("question_long", **values), texts(language)).plain


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("error", "command", "reads"),
    [
        (
            "role_unknown",
            "!rolle @a:x {}",
            [GiveRole("@a:x", role) for role in ("administrator", "compliance", "member")],
        ),
        ("policy_unknown", "!schwelle {} 0,4 weil", [SetThreshold(name, "0,4", "weil") for name in THRESHOLDS]),
    ],
)
def test_what_an_error_lists_can_be_typed(error: str, command: str, reads: list[object], language: str) -> None:
    """Under the names of the language; and nothing is missing in the list."""
    told = notices.refused(InputError(error, role="x", name="x", known=""), texts(language)).plain
    listed = re.findall(r"\w+", told.partition(": ")[2])
    found = [wanted.command for one in listed if (wanted := parse(command.format(one))) is not None]
    assert sorted(map(str, found)) == sorted(map(str, reads))


def test_what_is_to_be_typed_stands_there_exactly() -> None:
    """A command and a room's id are code: they can be copied, and no client makes a link of them."""
    told = notices.upgraded(DE, "!old:example.org", ROOM).html
    assert f"<code>{ROOM}</code>" in told
    assert "<code>!mandat MANDAT STUFE</code>" in told


@pytest.mark.parametrize("odd", ["<b>x</b>", "`</code>`", "@room\n\n- x", "\u202eabc", "a" * 5_000])
def test_a_foreign_name_makes_nothing_of_a_notice(odd: str) -> None:
    """Names of rooms, people and commands are whatever somebody wrote."""
    for content in (notices.removed(DE, odd, odd), notices.command_unknown(DE, odd, "!hilfe")):
        assert set(read(content).tags) <= {"p", "code"}
        assert "\n" not in content.plain
        assert "\u202e" not in content.plain
        assert len(content.plain) < 1_000


def test_the_pointer_links_to_the_answer_where_there_is_an_address() -> None:
    """Only a whole address is one."""
    assert read(notices.pointer(DE, "https://matrix.to/#/!abc/$xyz")).links == ["https://matrix.to/#/!abc/$xyz"]
    assert read(notices.pointer(DE, "http://matrix.to/")).links == []
