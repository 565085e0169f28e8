"""Parts that are silent, refusals, faults of ours, rooms that go, keys that are late; every part in memory."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from bot.chat.incoming import Batch, Incoming, Invited, Removed, Said, Unreadable, Upgraded
from bot.chat.outgoing import Content
from bot.chat.ports import DeclinedError
from bot.chat.service import MOST_REFUSALS
from domain.asking.source_changes import SUPERSEDED, SourceChangeNotified
from domain.errors import PartError
from domain.recording import Actor
from tests.asking_world import TODAY
from tests.chat_world import ANNA, BERT, QUESTION, ROOM, US, ChatWorld, answers


async def test_a_part_that_is_silent_is_waited_for(chat: ChatWorld) -> None:
    """The question stays open, is told so once, and is answered when the part is back."""
    chat.world.failing.add("views")

    async def repaired(seconds: float) -> None:
        chat.slept.append(seconds)
        if len(chat.slept) == 4:
            chat.world.failing.clear()

    chat.desk = replace(chat.desk, sleep=repaired)
    chat.service = type(chat.service)(chat.desk, chat.guests)
    await chat.ask()

    assert chat.slept == [1, 2, 4, 8]
    assert sum("vorgemerkt" in one.text for one in chat.ours()) == 1
    assert len(answers(chat.ours())) == 1


async def test_a_platform_that_is_silent_loses_nothing(chat: ChatWorld) -> None:
    """Neither what comes in nor what is to be said."""
    chat.steps.silent |= {"platform": 3, "inbox": 2}
    await chat.ask()

    assert len(answers(chat.ours())) == len(chat.asked()) == 1


async def test_a_fault_of_ours_ends_no_conversation(chat: ChatWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is said, and the next question is answered."""

    async def broken(*_arguments: object, **_more: object) -> None:
        raise RuntimeError

    with monkeypatch.context() as patch:
        patch.setattr("bot.chat.messages.answer", broken)
        await chat.ask()
    await chat.ask()

    assert "Unvorhergesehenes" in chat.ours()[0].text
    assert len(answers(chat.ours())) == 1
    assert await chat.inbox.pending() == ()


@pytest.mark.parametrize("says_nothing", [False, True])
async def test_what_the_platform_declines_for_good_holds_up_no_room(
    chat: ChatWorld, monkeypatch: pytest.MonkeyPatch, *, says_nothing: bool
) -> None:
    """After a few attempts it is given up, with a word where one can be said; the next question is answered."""
    send, attempts = chat.platform.send, 0

    async def declined(room: str, content: Content, **more: Any) -> str:
        nonlocal attempts
        if content.is_notice and not says_nothing:
            return await send(room, content, **more)
        attempts += 1
        raise DeclinedError("matrix_refused", code="M_BAD_JSON")

    with monkeypatch.context() as patch:
        patch.setattr(chat.platform, "send", declined)
        async with asyncio.timeout(30):
            await chat.ask()
    told = [one.text for one in chat.ours()]
    assert [("Unvorhergesehenes" in one) for one in told] == ([] if says_nothing else [True])
    assert attempts == MOST_REFUSALS + says_nothing
    await chat.ask()

    assert len(answers(chat.ours())) == 1
    assert await chat.inbox.pending() == ()
    assert not chat.service._refusals


@pytest.mark.parametrize("error", [PartError("matrix_unreachable"), DeclinedError("matrix_refused")])
async def test_what_may_pass_is_tried_for_as_long_as_it_takes(
    chat: ChatWorld, monkeypatch: pytest.MonkeyPatch, error: PartError
) -> None:
    """Silence, and what an administrator of the server may change."""
    send, left = chat.platform.send, 3 * MOST_REFUSALS
    if isinstance(error, DeclinedError):
        error.is_final = False

    async def at_last(*arguments: Any, **more: Any) -> str:
        nonlocal left
        left -= 1
        if left > 0:
            raise error
        return await send(*arguments, **more)

    monkeypatch.setattr(chat.platform, "send", at_last)
    await chat.ask()

    assert len(answers(chat.ours())) == len(chat.asked()) == 1


async def test_who_is_put_out_is_not_answered(chat: ChatWorld) -> None:
    """Before or while we think: nothing is said, and nothing stays open."""
    said = chat.server.say(ROOM, ANNA, QUESTION, mentions_us=True)

    def kicked(_room: str) -> None:
        if chat.asked():
            chat.server.rooms[ROOM].members.discard(US)

    chat.platform.before_reading = kicked
    await chat.hear(said, Removed(ROOM, BERT))
    await chat.ask()

    assert chat.ours() == []
    assert len(chat.asked()) == 1
    assert await chat.inbox.pending() == ()


async def test_invitations_are_followed_only_of_guests(chat: ChatWorld) -> None:
    """Others are declined, and whoever looks after us is told once a day."""
    chat.start(tell=[ANNA])
    chat.server.open("!gut", ANNA)
    chat.server.open("!fremd", "@wer:y")
    await chat.hear(Invited("!gut", ANNA), Invited("!fremd", "@wer:y"), Invited("!fremd", "@wer:y"), is_baseline=True)

    assert US in chat.server.rooms["!gut"].members
    assert chat.platform.left == ["!fremd", "!fremd"]
    assert len(chat.ours(f"!direct {ANNA}")) == 1


async def test_an_invitation_that_cannot_be_followed_keeps_nobody_waiting(chat: ChatWorld) -> None:
    """After a few attempts that fail, what was said besides it is answered."""
    chat.start()

    async def gone(_room: str) -> None:
        raise PartError("matrix_unreachable")

    chat.platform.join = gone
    said = chat.server.say(ROOM, ANNA, QUESTION, mentions_us=True)
    await chat.hear(Invited("!weg", ANNA), said)

    assert len(answers(chat.ours())) == 1


async def test_what_was_said_does_not_wait_for_rooms_far_away(chat: ChatWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever may invite us could else keep everybody waiting, by rooms whose servers are gone."""
    is_back, joined = asyncio.Event(), asyncio.Queue[str]()

    async def join(room: str) -> None:
        await is_back.wait()
        await joined.put(room)

    monkeypatch.setattr(chat.platform, "join", join)
    monkeypatch.setattr("bot.chat.service.MOVING_SECONDS", 0.01)
    asked = chat.server.say(ROOM, ANNA, QUESTION, mentions_us=True)
    await chat.hear(*(Invited(f"!fern{number}", ANNA) for number in range(50)), asked)
    assert (len(answers(chat.ours())), joined.empty()) == (1, True)

    is_back.set()
    async with asyncio.timeout(10):
        assert {await joined.get() for _ in range(50)} == {f"!fern{number}" for number in range(50)}


async def test_an_upgraded_room_is_told_and_its_binding_stays(chat: ChatWorld) -> None:
    """Nothing is answered in the successor until an administrator binds it."""
    chat.server.open("!neu", US, ANNA, BERT)
    await chat.hear(Upgraded(ROOM, BERT, "!neu"), Upgraded(ROOM, BERT, "!neu"))
    await chat.ask(room="!neu")

    assert len(chat.ours(f"!direct {ANNA}")) == 1
    assert chat.asked() == []
    assert ROOM in (await chat.world.handler.find("a")).channels


async def test_a_message_without_its_key_is_waited_for(chat: ChatWorld) -> None:
    """One that comes after all is answered; of others it is said once a day that they cannot be read."""
    said = chat.server.say(ROOM, ANNA, QUESTION, mentions_us=True)
    await chat.hear(Unreadable(said.event, ROOM, ANNA, said.sent_at), said)
    for _ in range(2):
        await chat.hear(chat.server.lock(ROOM, ANNA))

    assert len(answers(chat.ours())) == 1
    assert sum("entschlüsseln" in one.text for one in chat.ours()) == 1
    assert 60.0 in chat.slept


@pytest.mark.parametrize("becomes", ["redacted", "talk", "answered"])
async def test_of_a_message_that_was_not_waited_for_in_vain_nothing_is_said(chat: ChatWorld, becomes: str) -> None:
    """Taken back meanwhile, or read after all: as talk that is not for us, or as a question."""
    locked = chat.server.lock(ROOM, ANNA)
    kept = chat.server.rooms[ROOM].messages[locked.event]
    later: tuple[Incoming, ...] = ()
    if becomes == "redacted":
        later = (chat.server.redact(ROOM, locked.event, ANNA),)
    else:
        kept.is_locked, kept.text = False, QUESTION
        later = (Said(locked.event, ROOM, ANNA, locked.sent_at, QUESTION, mentions_us=becomes == "answered"),)
    await chat.hear(locked, *later)

    assert not any("entschlüsseln" in one.text for one in chat.ours())
    assert len(answers(chat.ours())) == (becomes == "answered")


async def test_many_messages_without_keys_hold_up_nobody(chat: ChatWorld) -> None:
    """Not all of them are waited for, and none of them keeps a question of somebody else waiting."""
    held = asyncio.Event()
    chat.desk = replace(chat.desk, sleep=lambda _seconds: held.wait())  # type: ignore[arg-type,return-value]
    chat.service = type(chat.service)(chat.desk, chat.guests)
    many = [Unreadable(f"$u{number}", ROOM, ANNA, TODAY) for number in range(100)]
    await chat.service.take(Batch("s1", tuple(many[:50])))
    await chat.service.take(Batch("s2", (*many[50:], chat.server.say(ROOM, BERT, QUESTION, mentions_us=True))))
    for _ in range(500):
        if answers(chat.ours()):
            break
        await asyncio.sleep(0.01)

    assert len(answers(chat.ours())) == 1
    assert chat.service.waiting <= 51
    await chat.service.close(0)


async def test_nothing_is_remembered_for_ever(chat: ChatWorld) -> None:
    """What was said yesterday, rooms without a word for a while, and keys that are waited for no longer go."""
    for number in range(3):
        room = f"!neu{number}"
        chat.server.open(room, US, ANNA, BERT)
        await chat.hear(chat.server.say(room, ANNA, "Guten Morgen."), chat.server.say(room, ANNA, "!frage Wie lange?"))
        await chat.hear(chat.server.lock(room, ANNA))
        chat.world.clock.now += timedelta(days=1)

    assert len(chat.ours()) + sum(len(chat.ours(f"!neu{number}")) for number in range(3)) == 6
    assert {one.rpartition(" ")[2] for one in chat.desk.said} == {"2026-12-02"}
    assert (len(chat.service._groups), len(chat.service._keyless)) == (1, 0)


async def test_what_is_not_done_when_we_stop_is_done_after_the_start(chat: ChatWorld) -> None:
    """It is said that it waits, and it is answered once."""
    hold = asyncio.Event()
    answering = chat.world.reranker.scores

    async def held(*arguments: object) -> list[float]:
        hold.set()
        await asyncio.sleep(60)
        return await answering(*arguments)  # type: ignore[arg-type]

    chat.world.reranker.scores = held  # type: ignore[method-assign]
    chat.start()
    said = chat.server.say(ROOM, ANNA, QUESTION, mentions_us=True)
    await chat.service.take(Batch("s1", (said,)))
    await hold.wait()
    await chat.service.close(0.01)
    assert "vorgemerkt" in chat.last().text

    chat.world.reranker.scores = answering  # type: ignore[method-assign]
    chat.start()
    await chat.service.begin()
    await chat.service.settle()

    assert len(answers(chat.ours())) == len(chat.asked()) == 1


@pytest.mark.parametrize("is_unconfirmed", [False, True])
async def test_a_changed_source_is_told_once_in_the_thread(chat: ChatWorld, *, is_unconfirmed: bool) -> None:
    """Also after a restart, which looks at all that was ever told; whoever asked is notified if they can read it."""
    asked = await chat.ask()
    run = chat.last().run
    assert isinstance(run, UUID)
    recorded = await chat.world.store.read(run)
    ordinal = chat.world.entries[0].version.ordinal
    chat.platform.unconfirmed |= {ANNA} if is_unconfirmed else set()
    told = SourceChangeNotified(99, TODAY, ordinal, ("S1",), SUPERSEDED, None, holds=False)
    await chat.world.store.append(chat.world.mandates["a"], run, len(recorded), [told], Actor(chat.world.anna))
    for _ in range(2):
        await chat.service.look_for_news()
        await chat.service.settle()
        chat.start()
        await chat.service.begin()

    (news,) = chat.ours()[1:]
    assert news.thread == asked.event
    assert "[S1]" in news.text
    assert news.content is not None
    assert news.content.mentions == (() if is_unconfirmed else (ANNA,))
