"""Which answer a command or a sign is about; every part in memory."""

from uuid import UUID

import pytest

from bot.chat.incoming import Said
from domain.asking.outcome import FeedbackGiven
from domain.asking.source_changes import SUPERSEDED, SourceChangeNotified
from domain.recording import Actor
from tests.asking_world import TODAY
from tests.chat_world import ANNA, BERT, CARA, FRIST, QUESTION, ROOM, US, ChatWorld, answers

RIDE = "Die Fahrt nach Bonn kostet zehn Euro."
ASKED_FOR_RIDE = "Was kostet die Fahrt nach Bonn?"


@pytest.fixture
async def rides(chat: ChatWorld) -> ChatWorld:
    """Return a conversation in which there are two things to ask for."""
    await chat.world.add("a", "fahrten", RIDE)
    return chat


async def test_the_last_answer_in_a_thread_is_meant(rides: ChatWorld) -> None:
    """Where a thread has several; a reply to one of them means that one, and what is said beside them hides none."""
    first = await rides.ask()
    await rides.ask(ASKED_FOR_RIDE, thread=first.event)
    answered = answers(rides.ours())

    await rides.ask("!quelle S1", BERT, mentions_us=False, thread=first.event)
    assert RIDE in rides.last().text
    await rides.ask("!lauf", mentions_us=False, thread=first.event)
    assert str(answered[1].run) in rides.last().text
    for message in (answered[0].event, first.event):
        await rides.ask("!quelle S1", mentions_us=False, thread=first.event, replies_to=message)
        assert FRIST in rides.last().text


async def test_a_thread_that_no_question_began_has_its_own_answer(rides: ChatWorld) -> None:
    """Neither is another answer shown in its place, nor is it said that there is none."""
    await rides.ask()
    chatter = rides.server.say(ROOM, ANNA, "Wer fährt mit?")
    await rides.ask(ASKED_FOR_RIDE, BERT, thread=chatter.event)

    for sender in (ANNA, BERT):
        await rides.ask("!quelle S1", sender, mentions_us=False, thread=chatter.event)
        assert RIDE in rides.last().text


async def test_a_question_that_was_edited_has_the_source_of_its_last_answer(rides: ChatWorld) -> None:
    """Though the message is the same."""
    asked = await rides.ask()
    assert isinstance(asked, Said)
    await rides.hear(rides.server.edit(asked, ASKED_FOR_RIDE))
    await rides.ask("!quelle S1", mentions_us=False, thread=asked.event)
    assert RIDE in rides.last().text


async def test_nobody_elses_answer_is_meant_outside_of_its_thread(chat: ChatWorld) -> None:
    """Not even by those who may look at all of them."""
    await chat.ask(sender=BERT)
    await chat.ask("!quelle S1", mentions_us=False)
    assert "noch keine Antwort für Sie" in chat.last().text


@pytest.mark.parametrize("is_unreadable", [False, True])
async def test_an_answer_that_was_taken_back_is_opened_by_nobody_else(chat: ChatWorld, *, is_unreadable: bool) -> None:
    """Neither in its thread nor by the id of its run; one whose key we have lost still stands there."""
    asked = await chat.ask()
    answer = chat.last()
    if is_unreadable:
        answer.is_locked = True
    else:
        await chat.hear(chat.server.redact(ROOM, asked.event, ANNA))
    for command in ("!quelle S1", f"!lauf {answer.run}"):
        await chat.ask(command, BERT, mentions_us=False, thread=asked.event)
    source, run = chat.ours()[-2:]
    assert (FRIST in source.text, str(answer.run) in run.text) == (is_unreadable, is_unreadable)

    await chat.ask(f"!lauf {answer.run}", mentions_us=False, thread=asked.event)
    assert str(answer.run) in chat.last().text


@pytest.mark.parametrize("change", ["stranger", "clearance", "open", "unbound"])
@pytest.mark.parametrize("command", ["!quelle S1", "!warum", "!lauf", "!gewusst"])
async def test_whoever_may_not_read_it_now_is_shown_nothing_of_it(chat: ChatWorld, command: str, change: str) -> None:
    """Though they were not there, or might read it, when it was answered: neither words, nor values, nor titles."""
    asked = await chat.ask()
    match change:
        case "stranger":
            chat.server.rooms[ROOM].members.add(CARA)
        case "clearance":
            await chat.world.handler.clear("a", "bert", "public", Actor(chat.world.anna))
        case "open":
            chat.server.rooms[ROOM].is_closed = False
        case _:
            await chat.world.handler.unbind(ROOM, Actor(chat.world.anna))
    before = len(chat.ours())
    await chat.ask(command, mentions_us=False, thread=asked.event)

    (told,) = chat.ours()[before:]
    assert not [one for one in (FRIST[:20], "Titel handbuch", "0,35", str(chat.ours()[0].run)) if one in told.text]


@pytest.fixture
async def alone(chat: ChatWorld) -> str:
    """Return the direct room of Anna, who is in several mandates, with an answer to what she has asked in the room."""
    state = chat.server.rooms[ROOM]
    chat.platform.before_reading = lambda _: state.members.update({CARA} if chat.asked() else ())
    await chat.ask()
    chat.platform.before_reading = None
    return f"!direct {ANNA}"


async def test_an_answer_that_was_moved_can_be_opened_where_it_stands(chat: ChatWorld, alone: str) -> None:
    """By a reply to it, in a thread of it, or by itself; in the room that it was moved from it is not shown."""
    (answer,) = [one for one in answers(chat.ours(alone)) if FRIST[:20] in one.text]
    for place in ({"replies_to": answer.event}, {"thread": answer.event}, {}):
        await chat.ask("!quelle S1", room=alone, mentions_us=False, **place)
        assert FRIST in chat.last(alone).text, place
    await chat.ask("!lauf", room=alone, mentions_us=False)
    assert str(answer.run) in chat.last(alone).text

    chat.server.rooms[ROOM].members.discard(CARA)
    await chat.ask("!quelle S1", mentions_us=False, thread=chat.ours()[0].thread)
    assert FRIST in chat.last().text


async def test_a_direct_room_tells_nothing_of_a_mandate_that_one_is_not_in(chat: ChatWorld, alone: str) -> None:
    """A run of another mandate looks like none."""
    told = []
    for run in (chat.world.mandates["b"], UUID(int=1)):
        chat.start()
        await chat.ask(f"!lauf {run}", room=alone, mentions_us=False)
        told.append(chat.last(alone).text)
        chat.platform.transactions.clear()
    assert told[0] == told[1]
    assert "mehreren Mandaten" in told[0]


async def test_that_a_source_has_changed_is_told_under_an_answer_that_was_moved(chat: ChatWorld, alone: str) -> None:
    """Once, over restarts, and not in the room that it was moved from; what nobody was shown is told of nowhere."""
    chat.server.rooms[ROOM].members.discard(CARA)
    (answer,) = answers(chat.ours(alone))
    assert answer.run is not None
    store, mandate, actor = chat.world.store, chat.world.mandates["a"], Actor(chat.world.anna)
    recorded = await store.read(answer.run)
    unseen = chat.desk.run_of("$unseen")
    await store.append(mandate, unseen, 0, [recorded[0].event], actor, subject=actor.person)
    told = SourceChangeNotified(
        99, TODAY, chat.world.entries[0].version.ordinal, ("S1",), SUPERSEDED, None, holds=False
    )
    for run, version in ((answer.run, len(recorded)), (unseen, 1)):
        await store.append(mandate, run, version, [told], actor)
    for _ in range(2):
        await chat.service.look_for_news()
        await chat.service.settle()
        chat.start()
        await chat.service.begin()

    assert [one.thread for one in chat.ours(alone)] == [None, None, answer.event]
    assert "[S1]" in chat.last(alone).text
    assert len(chat.ours()) == 1


async def test_an_answer_that_was_moved_is_rated_where_it_stands(chat: ChatWorld, alone: str) -> None:
    """A sign under it counts, and is taken back; one under anything else there counts for nothing."""
    lead, answer = chat.ours(alone)
    other = chat.server.say(alone, BERT, "Danke")
    for target in (lead.event, other.event):
        await chat.hear(chat.server.react(alone, target, ANNA))
    assert chat.recorded(FeedbackGiven) == []

    sign = chat.server.react(alone, answer.event, ANNA)
    await chat.hear(sign)
    await chat.hear(chat.server.redact(alone, sign.event, ANNA))
    given = [one for one in chat.recorded(FeedbackGiven) if isinstance(one, FeedbackGiven)]
    assert [(one.is_helpful, one.is_taken_back) for one in given] == [(True, False), (True, True)]


async def test_what_others_show_as_an_answer_is_none(chat: ChatWorld) -> None:
    """Whoever writes the id of a run into a message of their own has not answered."""
    await chat.ask()
    run = chat.last().run
    chat.server.open("!direct", US, ANNA, is_direct=True)
    forged = chat.server.say("!direct", ANNA, QUESTION)
    content = chat.last().content
    assert content is not None
    chat.server.rooms["!direct"].messages[forged.event].content = content
    assert await chat.desk.shown_by("!direct", forged.event) is None
    assert await chat.desk.shown_by(ROOM, chat.last().event) == run
