"""Who else is in a room counts for what is said there, up to the last moment; every part in memory."""

import pytest

from domain.asking.outcome import AnswerRefused
from domain.recording import Actor
from tests.chat_world import ANNA, CARA, FRIST, ROOM, US, ChatWorld, answers


async def while_answering(chat: ChatWorld, change: str) -> None:
    """Let the room change once the question has been asked."""
    state = chat.server.rooms[ROOM]

    def changed(room: str) -> None:
        if room == ROOM and chat.asked():
            if change == "open":
                state.is_encrypted = False
            else:
                state.members.add(change)

    chat.platform.before_reading = changed
    await chat.ask()


@pytest.mark.parametrize("change", [CARA, "open"])
async def test_who_comes_in_while_we_think_does_not_read_the_answer(chat: ChatWorld, change: str) -> None:
    """It goes to the asker alone, and the thread says so; nothing of it stands there."""
    await while_answering(chat, change)

    (told,) = chat.ours()
    assert told.run is None
    assert "direkten Gespräch" in told.text
    assert FRIST[:20] not in told.text
    alone = chat.ours(f"!direct {ANNA}")
    assert [FRIST.removesuffix(".") in one.text for one in alone] == [False, True]
    assert alone[0].content is not None
    assert f'href="https://chat.example/{ROOM}/{told.thread}"' in alone[0].content.html


@pytest.mark.parametrize("change", [CARA, "open"])
async def test_who_comes_in_at_the_very_last_moment_does_not_read_it_either(chat: ChatWorld, change: str) -> None:
    """Between the look at the room and the word: nothing of the answer stands there."""
    state = chat.server.rooms[ROOM]

    def changed(room: str) -> None:
        if room == ROOM and chat.asked():
            if change == "open":
                state.is_encrypted = False
            else:
                state.members.add(change)

    chat.platform.before_speaking = changed
    await chat.ask()
    (told,) = chat.ours()
    assert told.run is None
    assert "direkten Gespräch" in told.text
    alone = chat.ours(f"!direct {ANNA}")
    assert [FRIST.removesuffix(".") in one.text for one in alone] == [False, True]


async def test_where_even_the_asker_alone_may_not_see_it_the_answer_is_withheld(chat: ChatWorld) -> None:
    """In a direct room that is not encrypted no more is shown than in any other."""
    chat.server.open("!allein", US, ANNA, is_direct=True, is_encrypted=False)
    await while_answering(chat, "open")

    (told,) = chat.ours()
    assert "zeige ich sie nicht" in told.text
    assert chat.ours("!allein") == []


async def test_a_member_with_less_clearance_lowers_what_is_asked(chat: ChatWorld) -> None:
    """Before: what they may not see is not searched. Nobody is told of it."""
    await chat.world.handler.clear("a", "bert", "public", Actor(chat.world.anna))
    await chat.ask()

    assert [one.levels for one in chat.asked()] == [("public",)]
    assert [type(one) for one in chat.recorded(AnswerRefused)] == [AnswerRefused]
    assert FRIST[:20] not in chat.last().text


async def test_with_a_stranger_in_the_room_nothing_is_asked(chat: ChatWorld) -> None:
    """Invited is as good as joined; it is said, and nothing is recorded."""
    chat.server.rooms[ROOM].members.add(CARA)
    await chat.ask()

    assert "nicht zugelassen" in chat.last().text
    assert chat.asked() == []


async def test_in_an_open_room_only_the_lowest_level_is_shown_and_that_is_said_once(chat: ChatWorld) -> None:
    """Once a day, not under each answer."""
    chat.server.rooms[ROOM].is_closed = False
    await chat.ask()
    await chat.ask()

    assert [one.levels for one in chat.asked()] == [("public",), ("public",)]
    assert sum("bis zur Stufe „public“" in one.text for one in chat.ours()) == 1


async def test_what_open_rooms_may_not_show_goes_to_confirmed_devices_only(chat: ChatWorld) -> None:
    """Up to the lowest level every device of a member gets the key."""
    await chat.ask()
    await chat.world.handler.bind("a", ROOM, "public", Actor(chat.world.anna))
    await chat.ask()

    assert [one.only_trusted for one in answers(chat.ours())] == [True, False]
