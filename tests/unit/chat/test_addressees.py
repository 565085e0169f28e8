"""Who is answered, how often, and who is not; every part in memory."""

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.chat.incoming import Said
from domain.recording import Actor
from tests.chat_platform import Message
from tests.chat_world import ANNA, BERT, CARA, FRIST, QUESTION, ROOM, US, ChatWorld


@pytest.mark.parametrize("is_alone", [False, True])
async def test_whoever_has_no_confirmed_device_is_told_why_there_is_no_answer(
    chat: ChatWorld, *, is_alone: bool
) -> None:
    """In the thread, once, where they can read it; also when the answer would go to them alone."""
    chat.platform.unconfirmed.add(ANNA)
    if is_alone:
        chat.platform.before_reading = lambda _: chat.server.rooms[ROOM].members.update({CARA} if chat.asked() else ())
    await chat.ask()

    (told,) = chat.ours()
    assert "bestätigte Geräte" in told.text
    assert (told.run, told.only_trusted, FRIST[:20] in told.text) == (None, False, False)
    assert f"!direct {ANNA}" not in chat.server.rooms or chat.ours(f"!direct {ANNA}") == []
    assert await chat.inbox.pending() == ()


async def test_a_stranger_gets_one_sentence_a_day(chat: ChatWorld) -> None:
    """However often they ask; and nothing is recorded about what they asked."""
    chat.server.rooms[ROOM].members.add(CARA)
    for _ in range(3):
        await chat.ask(sender=CARA)

    assert len(chat.ours()) == 1
    assert chat.asked() == []


async def test_an_unbound_room_gets_one_sentence_a_day(chat: ChatWorld) -> None:
    """Which says how it is bound; a direct room of a member of one mandate needs no binding."""
    chat.server.open("!neu", US, ANNA, BERT)
    await chat.ask(room="!neu")
    await chat.ask(room="!neu")
    (told,) = chat.ours("!neu")
    assert "!mandat" in told.text

    chat.server.open("!bert", US, BERT, is_direct=True)
    await chat.ask(sender=BERT, room="!bert", mentions_us=False)
    assert "mehreren Mandaten" in chat.last("!bert").text
    await chat.world.handler.remove("a", "bert", Actor(chat.world.anna))
    await chat.ask(sender=BERT, room="!bert", mentions_us=False)
    assert len(chat.asked()) == 1


async def test_two_programs_do_not_talk_to_each_other_for_ever(chat: ChatWorld) -> None:
    """Neither answers what the other says, be it an answer, a notice, or a sentence to a stranger."""
    other = ChatWorld()
    other.server, other.platform.server = chat.server, chat.server
    await other.open()
    other.platform._account = "@zwei:x"
    chat.server.open(ROOM, US, "@zwei:x", ANNA, BERT)
    for name in (US, "@zwei:x"):
        for one in (chat, other):
            one.world.people._identities[name] = one.world.bert
    await chat.hear(chat.server.say(ROOM, "@zwei:x", QUESTION, mentions_us=True))

    for _ in range(5):
        for hearing, speaking in ((other, US), (chat, "@zwei:x")):
            await hearing.hear(*[heard(one) for one in chat.server.said_by(speaking, ROOM) if one.content is not None])

    assert [one.sender for one in chat.server.rooms[ROOM].messages.values()] == ["@zwei:x", US]


def heard(message: Message) -> Said:
    """Return a message of a program as another one hears it that is mentioned in it."""
    assert message.content is not None
    return Said(
        message.event,
        ROOM,
        message.sender,
        message.sent_at,
        message.text,
        mentions_us=True,
        thread=message.thread,
        is_notice=message.content.is_notice,
        run=message.run,
    )


async def test_a_question_without_end_is_told_its_limit(chat: ChatWorld) -> None:
    """33 kB are no question; the run is never begun."""
    await chat.ask("Frist? " * 4_800)

    assert chat.last().content is not None
    assert chat.last().text
    assert chat.asked() == []


@pytest.mark.parametrize("hours", [-1, 1])
async def test_a_clock_that_is_set_keeps_nobody_unheard(chat: ChatWorld, hours: int) -> None:
    """A room of several people is a direct one by now: that is found out after a while, and the clock is not asked."""
    passed = [0.0]
    chat.desk = replace(chat.desk, elapsed=lambda: passed[0])
    chat.service = type(chat.service)(chat.desk, chat.guests)
    room = chat.server.open("!drei", US, ANNA, BERT)
    await chat.ask(room="!drei", mentions_us=False)
    assert chat.asked() == []

    room.members.remove(BERT)
    room.is_direct = True
    chat.world.clock.now += timedelta(hours=hours)
    passed[0] += 61
    await chat.ask(room="!drei", mentions_us=False)
    assert len(chat.ours("!drei")) == 1
