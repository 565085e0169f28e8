"""How much one person may ask in one room: people are never held up, and programs do not talk to us for ever."""

from datetime import timedelta

import pytest

from bot.chat.conversation import SAID
from bot.chat.pace import HASTY, HOUR, MINUTE, MOST, SECONDS, Pace
from bot.chat.ports import Noted
from domain.recording import Actor
from tests.chat_platform import BEGINNING
from tests.chat_world import ANNA, BERT, QUESTION, ROOM, US, ChatWorld


def _said(number: int, seconds: float = 0.0, *, room: str = ROOM, sender: str = ANNA) -> Noted:
    return Noted(f"${number}", room, sender, BEGINNING + timedelta(seconds=seconds), SAID)


def _kinds(pace: Pace, count: int, every: float, *, first: int = 0, **more: str) -> list[str | None]:
    """Return what becomes of messages that come at a pace, as they come."""
    found = (pace.take(_said(n, n * every, **more), n * every) for n in range(first, first + count))
    return [None if one is None else one.kind for one in found]


def test_what_is_too_much_is_said_once() -> None:
    """The messages up to the bound are dealt with, the next one is told so, and the rest of the minute is silence."""
    most = MOST[MINUTE]
    assert _kinds(Pace(), most + 9, 0.1) == [*[SAID] * most, HASTY, *[None] * 8]


def test_the_next_minute_is_a_new_one() -> None:
    """Nobody stays unheard."""
    pace = Pace()
    _kinds(pace, 50, 0.1)
    assert _kinds(pace, 3, 1.0, first=61) == [SAID] * 3


def test_a_slow_loop_ends_as_well() -> None:
    """Six a minute, for ever: after the hour's bound it is told so, and whoever repeats us has nothing to repeat."""
    most = MOST[HOUR]
    assert _kinds(Pace(), most + 9, 10.0) == [*[SAID] * most, HASTY, *[None] * 8]


def test_what_was_asked_over_hours_while_we_were_away_is_answered() -> None:
    """It comes in at once, and counts by when it was asked."""
    pace = Pace()
    found = [pace.take(_said(number, number * 60.0), 0.0) for number in range(90)]
    assert all(one is not None and one.kind == SAID for one in found)


@pytest.mark.parametrize("name", [MINUTE, HOUR])
def test_a_server_whose_clock_stands_still_silences_nobody_for_ever(name: str) -> None:
    """Our own sense of time ends the span."""
    pace = Pace({HOUR: 3, MINUTE: 3})
    assert [pace.take(_said(number), 0.0) is None for number in range(5)] == [False, False, False, False, True]
    later = pace.take(_said(9), SECONDS[name] + 1)
    assert (later is not None and later.kind == SAID) == (name == HOUR)


def test_each_person_and_each_room_counts_alone() -> None:
    """So nobody learns from it what somebody asks elsewhere, and nobody silences others."""
    pace = Pace()
    _kinds(pace, 50, 0.1)
    assert _kinds(pace, 1, 0.1, sender=BERT) == _kinds(pace, 1, 0.1, room="!other:x") == [SAID]


def test_the_same_message_again_comes_to_the_same() -> None:
    """A batch that could not be noted comes once more."""
    pace = Pace()
    once = _kinds(pace, 30, 0.1)
    assert _kinds(pace, 30, 0.1) == once


def test_nobody_is_remembered_for_ever() -> None:
    """Whose hour is over is forgotten."""
    pace = Pace()
    for number in range(3_000):
        pace.take(_said(number, room=f"!{number}"), number * 10.0)
    assert len(pace._spans) < 1_500


async def test_a_program_that_repeats_us_does_not_talk_to_us_for_ever(chat: ChatWorld) -> None:
    """In a direct room its every message is a question: it gets as many answers as people do, one hint, and silence."""
    chat.server.open("!echo", US, BERT, is_direct=True)
    await chat.world.handler.bind("a", "!echo", "internal", Actor(chat.world.anna))
    await chat.ask(sender=BERT, room="!echo", mentions_us=False)
    repeated = 0
    while len(ours := chat.ours("!echo")) > repeated:
        words = ours[repeated].text
        repeated += 1
        assert repeated < 100
        await chat.ask(words, sender=BERT, room="!echo", mentions_us=False)

    assert len(ours) == MOST[MINUTE] + 1
    assert f"Mehr als {MOST[MINUTE]} Nachrichten" in ours[-1].text
    chat.server.count += 60
    await chat.ask(QUESTION, sender=BERT, room="!echo", mentions_us=False)
    assert len(chat.ours("!echo")) == len(ours) + 1
