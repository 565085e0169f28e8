"""Commands in rooms: of members, and of administrators; every part in memory."""

from dataclasses import replace
from datetime import date
from types import SimpleNamespace
from typing import Any, cast

import pytest

from domain.asking.outcome import FeedbackGiven
from domain.errors import AccessError
from domain.recording import Actor
from tests.asking_world import TODAY
from tests.chat_world import ANNA, BERT, CARA, FRIST, QUESTION, ROOM, US, ChatWorld, answers
from tests.unit.chat.reading import read

VALID_ON = date(2024, 6, 1)


async def test_commands_in_a_thread_are_about_its_answer(chat: ChatWorld) -> None:
    """Of everybody in the room, since they have read it; elsewhere about the asker's last one there."""
    asked = await chat.ask()
    for command, sender, thread in (("!quelle S1", BERT, asked.event), ("!warum", ANNA, None), ("!lauf", BERT, None)):
        await chat.ask(command, sender, mentions_us=False, thread=thread)

    source, why, run = chat.ours()[1:]
    assert FRIST in source.text
    assert "0,35" in why.text
    assert "noch keine Antwort" in run.text


async def test_what_was_raised_since_is_not_shown_again_in_the_room(chat: ChatWorld) -> None:
    """Though whoever asks may still see it, not everybody who reads along may."""
    asked = await chat.ask()
    entry = chat.world.entries[0]
    entry.version = replace(entry.version, level="confidential")
    await chat.ask("!quelle S1", mentions_us=False, thread=asked.event)

    assert FRIST[:20] not in chat.last().text


async def test_a_run_of_somebody_else_is_opened_in_its_own_room_only(chat: ChatWorld) -> None:
    """By its id as well: elsewhere it looks like one that does not exist."""
    await chat.ask()
    run = chat.last().run
    chat.server.open("!zweit", US, ANNA, BERT)
    await chat.world.handler.bind("a", "!zweit", "internal", Actor(chat.world.anna))

    await chat.ask(f"!lauf {run}", BERT, mentions_us=False)
    await chat.ask(f"!lauf {run}", BERT, "!zweit", mentions_us=False)

    assert str(run) in chat.last().text
    assert str(run) not in chat.last("!zweit").text


async def test_a_slip_gets_a_line(chat: ChatWorld) -> None:
    """The nearest command, or its form."""
    await chat.ask("!qelle S1", mentions_us=False)
    await chat.ask("!stand gestern Was galt?", mentions_us=False)
    await chat.ask("!help", mentions_us=False)

    meant, form, manual = (one.text for one in chat.ours())
    assert "!quelle" in meant
    assert "!stand 31.12.2025 [gültig 01.06.2024] FRAGE" in form
    assert "!question" in manual


async def test_a_question_about_the_past_and_what_was_known(chat: ChatWorld) -> None:
    """Both look at the knowledge of the day, up to what the room may see."""
    await chat.ask(f"!stand {TODAY:%d.%m.%Y} {QUESTION}", mentions_us=False)
    await chat.ask("!gewusst", BERT, mentions_us=False)

    assert chat.asked()[0].at is not None
    assert "Titel handbuch" in chat.last().text


async def test_a_question_about_what_was_in_force_on_a_day(chat: ChatWorld) -> None:
    """By what is known today, or by what was known then; a day that there is not is told, and nothing is asked."""
    await chat.ask(f"!stand gültig 01.06.2024 {QUESTION}", mentions_us=False)
    await chat.ask(f"!stand {TODAY:%d.%m.%Y} gültig 01.06.2024 {QUESTION}", mentions_us=False)
    assert [(one.at is None, one.valid_on) for one in chat.asked()] == [(True, VALID_ON), (False, VALID_ON)]

    await chat.ask(f"!stand gültig 31.02.2024 {QUESTION}", mentions_us=False)
    assert "2024-02-31" in chat.last().text
    assert len(chat.asked()) == 2
    await chat.ask("!gewusst gültig 01.06.2024", BERT, mentions_us=False)
    assert "gültig am 01.06.2024" in chat.last().text


async def test_an_edit_that_names_another_day_is_answered_anew(chat: ChatWorld) -> None:
    """Though the words of the question stay, in either direction."""
    asked = await chat.ask(f"!stand gültig 01.06.2024 {QUESTION}", mentions_us=False)
    await chat.hear(chat.server.edit(asked, QUESTION))
    await chat.hear(chat.server.edit(asked, QUESTION))
    await chat.hear(chat.server.edit(asked, f"!stand gültig 01.06.2024 {QUESTION}"))
    assert [one.valid_on for one in chat.asked()] == [VALID_ON, TODAY.date(), VALID_ON]


async def test_nobody_is_refused_an_answer_to_a_greeting(chat: ChatWorld) -> None:
    """Nor to thanks, nor to a mention without a word: each gets one line, and nothing is asked."""
    for text, told in (
        ("Hallo!", "Guten Tag."),
        ("good morning", "Hello."),
        ("Danke 👍", "Gern."),
        ("Thank you!", "You are welcome."),
        ("", "So fragen Sie"),
        ("\u200b ?! 👍", "So fragen Sie"),
    ):
        await chat.ask(text)
        assert chat.last().text.startswith(told), text
    assert chat.asked() == []
    assert all(one.content.is_notice for one in chat.ours() if one.content is not None)

    await chat.ask("Danke", mentions_us=False)
    await chat.ask(f"Hallo! {QUESTION}")
    assert len(chat.ours()) == 7
    assert len(chat.asked()) == 1


async def test_four_eyes_are_two_identities_of_the_platform(chat: ChatWorld) -> None:
    """Who has proposed cannot agree, from no room; another one who oversees can, by the beginning of the id."""
    await chat.world.handler.give_role("a", "bert", "administrator", Actor(chat.world.anna))
    await chat.ask("!schwelle relevance 0,2 Bericht vom Mai", mentions_us=False)
    (proposal,) = (await chat.world.handler.find("a")).proposals
    assert f"!freigabe {proposal.change}" in chat.last().text
    assert "policy" not in chat.last().text

    await chat.ask(f"!freigabe {proposal.change}", mentions_us=False)
    assert "zurückziehen" in chat.last().text
    assert (await chat.world.handler.find("a")).thresholds == {}
    await chat.ask("!offen", BERT, mentions_us=False)
    assert str(proposal.change) in chat.last().text
    await chat.ask(f"!freigabe {str(proposal.change)[:8]}", BERT, mentions_us=False)

    assert (await chat.world.handler.find("a")).thresholds["relevance"].value == 0.2
    await chat.ask(f"!freigabe {str(proposal.change)[:8]}", BERT, mentions_us=False)
    assert "Schon vorher zugestimmt" in chat.last().text


@pytest.mark.parametrize(
    "command",
    [
        "!mandat a internal",
        "!mitglied @cara:x public",
        "!mitglied @bert:x entfernen",
        "!schwelle coverage 0,9 weil",
        "!rolle @bert:x aufsicht",
        "!mandat a weg",
    ],
)
async def test_a_command_that_was_carried_out_before_says_that_it_is_so(chat: ChatWorld, command: str) -> None:
    """Given twice, or dealt with once more since the process died between the change and the word about it."""
    await chat.ask(command, mentions_us=False)
    before = chat.world.events()
    await chat.ask(command, mentions_us=False)

    assert "bereits so" in chat.last().text
    assert chat.world.events() == before


async def test_what_administrators_do_is_for_administrators(chat: ChatWorld) -> None:
    """A member changes nothing; what waits is shown to the administrator alone where members read along."""
    for command in ("!mandat a secret", "!mitglied @cara:x internal", "!schwelle coverage 0,9 weil", "!offen"):
        await chat.ask(command, BERT, mentions_us=False)
        assert "verwalten" in chat.last().text, command
    await chat.ask("!mitglied @cara:x internal", mentions_us=False)
    await chat.ask("!mitglied @cara:x public", mentions_us=False)
    await chat.ask("!offen", mentions_us=False)

    mandate = await chat.world.handler.find("a")
    cara = await chat.world.people.find(CARA)
    assert cara is not None
    assert mandate.members[cara].clearance == "public"
    assert mandate.channels[ROOM] == "internal"
    assert "direkten Gespräch" in chat.last().text
    assert len(chat.ours(f"!direct {ANNA}")) == 1


async def test_what_waits_is_not_told_in_a_direct_room_that_is_not_protected(chat: ChatWorld) -> None:
    """Whoever asks there is led to the one that is."""
    chat.server.open("!protected", US, ANNA, is_direct=True)
    chat.server.open("!unprotected", US, ANNA, is_direct=True, is_closed=False)
    await chat.world.handler.bind("a", "!unprotected", "internal", Actor(chat.world.anna))
    await chat.ask("!offen", room="!unprotected", mentions_us=False)

    (told,), (shown,) = chat.ours("!unprotected"), chat.ours("!protected")
    assert told.text == "Dieses Gespräch ist nicht geschützt. Sie finden es in unserem verschlüsselten Gespräch."
    assert "keine Änderung" in shown.text
    assert told.content is not None
    assert f'href="https://chat.example/!protected/{shown.event}"' in told.content.html


async def test_what_was_decided_is_told_to_those_alone_who_oversee(chat: ChatWorld) -> None:
    """What waits and what was decided goes to the direct room where members read along, or anybody may later."""
    await chat.world.handler.give_role("a", "bert", "administrator", Actor(chat.world.anna))
    await chat.ask("!schwelle relevance 0,2 Bericht vom Mai", mentions_us=False)
    (proposal,) = (await chat.world.handler.find("a")).proposals
    chat.server.rooms[ROOM].is_closed = False
    await chat.ask("!offen", BERT, mentions_us=False)
    await chat.ask(f"!freigabe {proposal.change}", BERT, mentions_us=False)

    assert (await chat.world.handler.find("a")).thresholds["relevance"].value == 0.2
    assert all("direkten Gespräch" in one.text for one in chat.ours()[-2:])
    assert len(chat.ours(f"!direct {BERT}")) == 2

    await chat.ask(f"!freigabe {proposal.change}", BERT, f"!direct {BERT}", mentions_us=False)
    assert "Schon vorher zugestimmt" in chat.last(f"!direct {BERT}").text


async def test_nothing_of_another_room_can_be_reached_by_its_name(chat: ChatWorld) -> None:
    """Whoever may take back or rate in one room does not in another, whatever a server lets pass."""
    asked = await chat.ask()
    chat.server.open("!fremd", US, BERT, CARA)
    await chat.hear(
        chat.server.react("!fremd", chat.last().event, BERT), chat.server.redact("!fremd", asked.event, CARA)
    )

    assert chat.recorded(FeedbackGiven) == []
    assert len(chat.ours()) == 1


async def test_nobody_edits_what_somebody_else_has_said(chat: ChatWorld) -> None:
    """Neither is it answered, nor does it keep the writer's own edit from being answered."""
    said = chat.server.say(ROOM, ANNA, "Hallo!")
    await chat.hear(said, replace(chat.server.edit(said, QUESTION, sender=BERT), mentions_us=True))
    assert chat.ours() == []
    assert await chat.inbox.noted(said.event) is None

    await chat.hear(chat.server.edit(said, QUESTION, mentions_us=True))
    assert len(answers(chat.ours())) == 1


@pytest.mark.parametrize("sender", ["root", "3f0e3c1c-8f6a-4a4e-9f0e-6f7f0a4a1b11", " @anna:x", "@A\u030a:x"])
async def test_a_platform_speaks_for_its_own_people_alone(chat: ChatWorld, sender: str) -> None:
    """A server that names somebody of the operating system, or writes a name otherwise, means nobody."""
    known = {"root": chat.world.anna, sender.strip(): chat.world.anna, "@\u00c5:x": chat.world.anna}
    chat.world.people._identities |= known
    assert await chat.desk.person(sender) is None
    assert await chat.desk.person(ANNA) == chat.world.anna


@pytest.mark.parametrize("command", ["!mitglied {} internal", "!schwelle {} 1 weil", "!mandat a {}", "!freigabe {}"])
async def test_what_was_wrong_is_repeated_only_in_part(chat: ChatWorld, command: str) -> None:
    """A line stays a line, and is neither link nor mention."""
    await chat.ask(command.format("@room:x.org" + "x" * 30_000))
    content = chat.last().content
    assert content is not None
    assert len(content.plain) < 1_000
    assert "@room" not in read(content).unlinked


async def test_a_room_is_bound_from_within(chat: ChatWorld) -> None:
    """By an administrator of the mandate; without a level only the lowest one is shown."""
    chat.server.open("!neu", US, ANNA, BERT)
    await chat.ask("!mandat a", BERT, "!neu", mentions_us=False)
    await chat.ask("!mandat a", room="!neu", mentions_us=False)

    assert (await chat.world.handler.find("a")).channels["!neu"] == "public"
    assert "gehört jetzt zum Mandat „a“" in chat.last("!neu").text
    assert "!neu" not in chat.last("!neu").text


@pytest.mark.parametrize(("ceiling", "is_capped"), [("public", False), ("internal", True)])
async def test_who_binds_an_open_room_learns_at_once_what_it_shows(
    chat: ChatWorld, ceiling: str, *, is_capped: bool
) -> None:
    """Else the first answer would be that nothing was found, though it is there."""
    chat.server.open("!neu", US, ANNA, is_closed=False)
    await chat.ask(f"!mandat a {ceiling}", room="!neu", mentions_us=False)

    assert ("nicht verschlüsselt" in chat.last("!neu").text) is is_capped


async def test_a_room_is_let_go_from_within(chat: ChatWorld) -> None:
    """By an administrator of its mandate, who names it; then nothing is answered until it is bound again."""
    await chat.ask("!mandat a weg", BERT, mentions_us=False)
    assert (await chat.world.handler.find("a")).channels == {ROOM: "internal"}
    await chat.ask("!mandat a weg", mentions_us=False)
    assert (await chat.world.handler.find("a")).channels == {}
    assert "gehört nicht mehr zum Mandat „a“" in chat.last().text

    await chat.ask()
    assert "noch zu keinem Mandat" in chat.last().text
    await chat.ask("!mandat a internal", mentions_us=False)
    await chat.ask()
    assert len(answers(chat.ours())) == 1


async def test_the_room_of_another_mandate_is_not_let_go_by_naming_ones_own(chat: ChatWorld) -> None:
    """A slip in the name changes nothing."""
    await chat.ask("!mandat b weg", mentions_us=False)
    assert "verwalten" in chat.last().text
    assert (await chat.world.handler.find("a")).channels == {ROOM: "internal"}


async def test_a_role_is_given_by_administrators_to_members(chat: ChatWorld) -> None:
    """Not by whoever has it not, not to strangers, and never so that nobody administers any more."""
    for command, sender, told in (
        ("!rolle @bert:x verwaltung", BERT, "für Personen, die das Mandat verwalten"),
        ("!rolle @cara:x verwaltung", ANNA, "nicht zugelassen"),
        ("!rolle @bert:x chef", ANNA, "Möglich sind: verwaltung"),
        ("!rolle @anna:x mitglied", ANNA, "letzte Person"),
    ):
        await chat.ask(command, sender, mentions_us=False)
        assert told in chat.last().text, command
    await chat.ask("!rolle @bert:x verwaltung", mentions_us=False)

    assert (await chat.world.handler.find("a")).members[chat.world.bert].role == "administrator"
    assert "jetzt die Rolle „Verwaltung“" in chat.last().text


async def test_where_nothing_is_bound_members_are_shown_how_to(chat: ChatWorld) -> None:
    """Each time; a stranger learns nothing by asking for it."""
    chat.server.open("!neu", US, ANNA, BERT, CARA)
    await chat.ask("!hilfe", CARA, "!neu", mentions_us=False)
    (first,) = chat.ours("!neu")
    assert "gehört noch zu keinem Mandat" in first.text
    for command, told in (("!mandat", "!mandat MANDAT [STUFE|weg]"), ("!hilfe", "mit einem Mandat verbinden")):
        await chat.ask(command, room="!neu", mentions_us=False)
        assert told in chat.last("!neu").text


async def test_a_stranger_learns_what_to_ask_for_where_nobody_else_reads(chat: ChatWorld) -> None:
    """By which name to be admitted, once a day; and another reason is another sentence."""
    chat.server.open("!cara", US, CARA, is_direct=True)
    for _ in range(2):
        await chat.ask("Hallo?", CARA, "!cara", mentions_us=False)
    (told,) = chat.ours("!cara")
    assert f"Zulassung von {CARA}" in told.text

    chat.server.open("!neu", US, ANNA, CARA)
    await chat.ask(sender=CARA, room="!neu")
    await chat.ask("!mandat a", room="!neu", mentions_us=False)
    await chat.ask(sender=CARA, room="!neu")
    assert "nichts für alle in diesem Raum" in chat.last("!neu").text


async def test_a_person_who_was_chosen_from_a_list_is_taken_by_their_identity(chat: ChatWorld) -> None:
    """The name that stands in the text is nobody's, and what is written out as an identity is that one."""
    for text, by_id in (
        ("!mitglied Cara von Berg internal", f"!mitglied {CARA} internal"),
        (f"!mitglied {BERT} public", f"!mitglied {CARA} public"),
        ("!rolle Cara verwaltung", f"!rolle {CARA} verwaltung"),
        ("!hilfe", f"!mitglied {CARA} weg"),
        ("!mitglied Cara von Berg", f"!mandat {CARA} weg"),
    ):
        await chat.ask(text, by_id=by_id, mentions_us=False)

    mandate = await chat.world.handler.find("a")
    cara = await chat.world.people.find(CARA)
    assert cara is not None
    assert (mandate.members[cara].clearance, mandate.members[cara].role) == ("internal", "administrator")
    assert mandate.members[chat.world.bert].clearance == "public"


async def test_a_name_without_its_server_admits_nobody(chat: ChatWorld) -> None:
    """It could be somebody's at the machine of the installation."""
    await chat.ask("!mitglied cara internal", mentions_us=False)
    assert "@jana:example.org" in chat.last().text
    assert await chat.world.people.find("cara") is None


async def _nothing(*_: object) -> bool:
    raise AccessError


async def test_an_administrator_is_told_what_is_not_there(chat: ChatWorld) -> None:
    """A document with another name, and an answer that nobody has given."""
    chat.start()
    cast("Any", chat.desk.app).knowledge = SimpleNamespace(assign_level=_nothing)
    await chat.ask("!stufe nichts internal", mentions_us=False)
    assert "gibt es im Mandat nicht" in chat.last().text
    await chat.ask("!stufe nichts internal", BERT, mentions_us=False)
    assert "verwalten" in chat.last().text
    await chat.ask(f"!lauf {chat.world.anna}", mentions_us=False)
    assert "Diese Antwort gibt es nicht" in chat.last().text
