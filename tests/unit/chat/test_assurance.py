"""Only that changes something of which it is certain who has written it; every part in memory."""

from dataclasses import replace
from types import UnionType
from typing import get_args

import pytest

from bot.chat.commands import Changing, Pending
from bot.chat.grammar import ADMINISTERING, NAMES, parse
from bot.chat.incoming import Edited
from tests.chat_platform import Death
from tests.chat_world import ANNA, BERT, CARA, QUESTION, ROOM, ChatWorld, answers

CHANGING = {
    "mandate": "!mandat a public",
    "level": "!stufe handbuch internal",
    "approve": "!freigabe 00000000-0000-0000-0000-000000000000",
    "threshold": "!schwelle coverage 0,9 weil",
    "member": f"!mitglied {CARA} internal",
    "role": f"!rolle {BERT} verwaltung",
}
"""By their names."""

OTHERS = (f"!mitglied {BERT} entfernen", "!mandat a weg")


def test_every_command_of_administrators_but_one_changes_something() -> None:
    """A new one is a change until somebody has thought about it."""
    assert CHANGING.keys() | {"pending"} == set(ADMINISTERING)
    assert isinstance(Changing, UnionType)
    kinds = {type(wanted.command) for text in (*CHANGING.values(), *OTHERS) if (wanted := parse(text)) is not None}
    assert kinds == set(get_args(Changing))
    assert Pending not in kinds
    assert all(name in NAMES for name in CHANGING)


@pytest.mark.parametrize("command", [*CHANGING.values(), *OTHERS])
async def test_a_change_of_which_it_is_not_certain_who_wrote_it_is_refused(chat: ChatWorld, command: str) -> None:
    """It is said what to do, where the command was; nothing is recorded."""
    before = chat.world.events()
    said = await chat.ask(command, mentions_us=False, is_assured=False)

    (told,) = chat.ours()
    assert "bestätigten Sitzung" in told.text
    assert "Befehlszeile" in told.text
    assert told.thread == said.event
    assert chat.world.events() == before


async def test_looking_and_asking_need_no_certainty(chat: ChatWorld) -> None:
    """Both show nothing to whoever has forged them: the answer goes to the room, as it is."""
    await chat.ask("!gewusst", mentions_us=False, is_assured=False)
    assert "Titel handbuch" in chat.last().text
    await chat.ask("!offen", mentions_us=False, is_assured=False)
    assert "direkten Gespräch" in chat.last().text
    await chat.ask(is_assured=False)
    assert len(answers(chat.ours())) == 1


async def test_who_has_chosen_the_word_of_the_platform_is_taken_at_it(chat: ChatWorld) -> None:
    """Where nothing is encrypted, an installation may be run so."""
    chat.desk = replace(chat.desk, wants_assurance=False)
    chat.service = type(chat.service)(chat.desk, chat.guests)
    await chat.ask(CHANGING["member"], mentions_us=False, is_assured=False)

    assert await chat.world.people.find(CARA) in (await chat.world.handler.find("a")).members


async def test_after_a_crash_the_certainty_is_found_out_anew(chat: ChatWorld) -> None:
    """What was certain when it came in, and is not any more when it is worked on, changes nothing."""
    said = chat.server.say(ROOM, ANNA, CHANGING["member"], mentions_us=True)
    before = chat.world.events()
    chat.steps.dies_at = chat.steps.taken + 2
    with pytest.raises(Death):
        await chat.hear(said)
    assert [one.event for one in await chat.inbox.pending()] == [said.event]
    chat.steps.dies_at = None
    chat.server.rooms[ROOM].messages[said.event].is_assured = False
    chat.start()
    await chat.service.begin()
    await chat.service.settle()

    assert "bestätigten Sitzung" in chat.last().text
    assert chat.world.events() == before


async def test_an_edit_that_does_not_count_makes_no_question_of_what_was_no_question(chat: ChatWorld) -> None:
    """What somebody has said to others is not taken for a question since another one pretends that it was edited."""
    said = chat.server.say(ROOM, ANNA, "Wie war dein Urlaub, Bert?")
    await chat.hear(said)
    forged = Edited("$forged", ROOM, ANNA, said.sent_at, said.event, QUESTION, mentions_us=True)
    await chat.hear(forged)

    assert chat.ours() == []
    assert chat.asked() == []
