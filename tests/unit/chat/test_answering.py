"""Questions in rooms, from message to reply, and what follows upon them; every part in memory."""

from dataclasses import replace
from typing import cast
from uuid import UUID

import pytest

from bot.chat import rendering
from bot.chat.incoming import Batch, Incoming, Reacted, Said
from bot.chat.outgoing import Content, part_of
from domain.asking.outcome import FeedbackGiven
from domain.asking.values import Answer
from domain.errors import AccessError
from tests.chat_platform import Death
from tests.chat_world import ANNA, BERT, CARA, FRIST, QUESTION, ROOM, US, ChatWorld, answers, dies


async def test_a_question_is_answered_in_its_thread_and_whoever_asked_is_told(chat: ChatWorld) -> None:
    """One message of ours, no notice, that mentions the asker alone; the run names the room."""
    asked = await chat.ask()

    (answer,) = chat.ours()
    assert FRIST.removesuffix(".") in answer.text
    assert answer.content is not None
    assert (answer.thread, answer.content.mentions, answer.content.is_notice) == (asked.event, (ANNA,), False)
    assert answer.run == chat.desk.run_of(asked.event)
    (run,) = chat.asked()
    assert (run.channel, run.levels, run.asker) == (ROOM, ("public", "internal"), chat.world.anna)
    assert await chat.inbox.pending() == ()


async def test_talk_that_is_not_for_us_is_left_alone(chat: ChatWorld) -> None:
    """A name of ours in a text, an answer of somebody else in the thread, our own echo."""
    asked = await chat.ask()
    (answer,) = chat.ours()
    echo = Said(answer.event, ROOM, US, asked.sent_at, answer.text, mentions_us=True, run=answer.run)
    await chat.hear(
        chat.server.say(ROOM, BERT, "Fundstelle: was meinst du?"),
        chat.server.say(ROOM, BERT, "Danke!", thread=asked.event, replies_to=answer.event),
        echo,
    )

    assert len(chat.ours()) == 1
    assert await chat.inbox.noted(asked.event) is not None
    assert await chat.inbox.noted(echo.event) is None


async def test_the_same_event_twice_is_answered_once(chat: ChatWorld) -> None:
    """In one batch, in a later one, and after a restart."""
    said = chat.server.say(ROOM, ANNA, QUESTION, mentions_us=True)
    await chat.hear(said, replace(said))
    await chat.hear(replace(said))
    chat.start()
    await chat.service.begin()
    await chat.hear(replace(said))

    assert len(chat.ours()) == len(chat.asked()) == 1


async def test_what_is_older_than_we_are_is_not_answered(chat: ChatWorld) -> None:
    """The first of an account is a baseline; only invitations in it still count."""
    await chat.hear(chat.server.say(ROOM, ANNA, QUESTION, mentions_us=True), is_baseline=True)

    assert chat.ours() == []
    assert await chat.inbox.token() == "s1"


@pytest.mark.parametrize("is_long_after", [False, True])
async def test_a_death_at_any_step_neither_loses_nor_doubles_an_answer(*, is_long_after: bool) -> None:
    """Whatever was under way, whether or not the platform still knows the transactions of before."""
    step = 1
    while await dies(await ChatWorld().open(), step, is_long_after=is_long_after):
        step += 1

    assert step > 20


async def test_an_edited_question_is_answered_anew_in_the_same_place(chat: ChatWorld) -> None:
    """Our answer is edited; the run of before stays, and the new one has an id of its own."""
    asked = chat.server.say(ROOM, ANNA, "Wie viele Beine hat ein Pferd?", mentions_us=True)
    await chat.hear(asked)
    before = chat.last().text
    await chat.hear(chat.server.edit(asked, QUESTION))

    (answer,) = chat.ours()
    assert (answer.edits, answer.text == before) == (1, False)
    assert FRIST.removesuffix(".") in answer.text
    assert [one.text for one in chat.asked()] == ["Wie viele Beine hat ein Pferd?", QUESTION]


async def test_an_edit_in_the_same_batch_is_not_overlooked(chat: ChatWorld) -> None:
    """The question is answered with its last text, and the edit does not lead to a second message."""
    said = chat.server.say(ROOM, ANNA, "Wie lang?", mentions_us=True)
    await chat.hear(said, chat.server.edit(said, QUESTION))

    assert len(answers(chat.ours())) == 1
    assert [one.text for one in chat.asked()] == [QUESTION]


@pytest.mark.parametrize("after", ["edited", "redacted", "moved"])
async def test_a_death_at_any_step_of_what_follows_does_it_once(after: str) -> None:
    """An edit, a question taken back, and an answer that goes to the asker alone."""
    step, has_died = 0, True
    while has_died:
        step += 1
        has_died = await dies_after(await ChatWorld().open(), step, after)

    assert step > 5


async def test_long_after_a_death_at_any_step_an_answer_goes_to_the_asker_alone_once() -> None:
    """Though the platform has forgotten which transactions there were."""
    step, has_died = 0, True
    while has_died:
        step += 1
        has_died = await dies_after(await ChatWorld().open(), step, "moved", is_long_after=True)

    assert step > 5


async def dies_after(chat: ChatWorld, step: int, after: str, *, is_long_after: bool = False) -> bool:
    """Let the process die at a step of something and start it again; false when it was done before."""
    first = chat.server.say(ROOM, ANNA, "Wie lang?", mentions_us=True)
    event: Incoming = first
    if after == "moved":
        chat.platform.before_reading = lambda _: chat.server.rooms[ROOM].members.update({CARA} if chat.asked() else ())
    else:
        await chat.hear(first)
        event = chat.server.edit(first, QUESTION)
        if after == "redacted":
            event = chat.server.redact(ROOM, first.event, ANNA)
    chat.steps.dies_at = chat.steps.taken + step
    has_died = False
    try:
        await chat.hear(event)
    except Death:
        has_died = True
        chat.steps.dies_at = None
        if is_long_after:
            chat.platform.transactions.clear()
        chat.start()
        await chat.service.begin()
        await chat.hear(event)

    assert await chat.inbox.pending() == ()
    if is_long_after:
        assert len(answers(chat.ours(f"!direct {ANNA}"))) == 1, step
        return has_died
    shown = [(one.edits, one.run is None) for one in chat.ours()]
    assert shown == {"edited": [(1, False)], "redacted": [], "moved": [(0, True)]}[after], step
    if after == "moved":
        alone = chat.ours(f"!direct {ANNA}")
        assert (len(alone), answers(alone)) == (2, alone[1:]), step
    return has_died


async def test_a_question_taken_back_takes_its_answer_along(chat: ChatWorld) -> None:
    """The run stays; one that is taken back before it was read is never asked."""
    asked = await chat.ask()
    await chat.hear(chat.server.redact(ROOM, asked.event, ANNA))
    assert chat.ours() == []
    assert len(chat.asked()) == 1

    said = chat.server.say(ROOM, ANNA, QUESTION, mentions_us=True)
    await chat.hear(said, chat.server.redact(ROOM, said.event, ANNA))
    assert chat.ours() == []
    assert len(chat.asked()) == 1


def in_two_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let each answer be too long for one message."""
    whole = rendering.answer

    def in_parts(answer: Answer, *arguments: object, **more: object) -> tuple[Content, ...]:
        (content,) = whole(answer, *arguments, **more)  # type: ignore[arg-type]
        return replace(content, run=part_of(answer.run)), content

    monkeypatch.setattr(rendering, "answer", in_parts)


async def test_a_question_taken_back_takes_an_answer_along_that_went_to_the_asker_alone(
    chat: ChatWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With all its parts, and what was said in the thread; the answers to other questions stay."""
    in_two_parts(monkeypatch)
    chat.platform.before_reading = lambda _: chat.server.rooms[ROOM].members.update({CARA} if chat.asked() else ())
    asked = await chat.ask()
    chat.server.rooms[ROOM].members.discard(CARA)
    chat.platform.before_reading = lambda _: chat.server.rooms[ROOM].members.update(
        {CARA} if len(chat.asked()) > 1 else ()
    )
    other = await chat.ask()
    assert len(answers(chat.ours(f"!direct {ANNA}"))) == 4
    await chat.hear(chat.server.redact(ROOM, asked.event, ANNA))

    assert [one.thread for one in chat.ours()] == [other.event]
    run = chat.desk.run_of(other.event)
    assert [one.run for one in answers(chat.ours(f"!direct {ANNA}"))] == [part_of(run), run]


@pytest.mark.parametrize("is_first_alone", [True, False])
async def test_a_question_taken_back_takes_the_answers_to_all_its_wordings_along(
    chat: ChatWorld, monkeypatch: pytest.MonkeyPatch, *, is_first_alone: bool
) -> None:
    """Those that went to the asker alone: an edit leaves the last one, and the end of the question none."""
    in_two_parts(monkeypatch)
    before = 0 if is_first_alone else 1
    chat.platform.before_reading = lambda _: chat.server.rooms[ROOM].members.update(
        {CARA} if len(chat.asked()) > before else ()
    )
    asked = await chat.ask("Wie lang?")
    for text in (QUESTION, "Wie lang ist die Frist?"):
        chat.server.rooms[ROOM].members.discard(CARA)
        before = len(chat.asked())
        edit = chat.server.edit(cast("Said", asked), text)
        await chat.hear(edit)
        run = chat.desk.run_of(edit.event)
        assert [one.run for one in answers(chat.ours(f"!direct {ANNA}"))] == [part_of(run), run]
        assert answers(chat.ours()) == []
    assert len(chat.asked()) == 3
    await chat.hear(chat.server.redact(ROOM, asked.event, ANNA))
    assert chat.ours() == chat.ours(f"!direct {ANNA}") == []


async def test_a_withheld_answer_opens_no_room_when_its_question_is_taken_back(
    chat: ChatWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There is nothing to take back, so nobody is asked in for that."""
    chat.platform.before_reading = lambda _: chat.server.rooms[ROOM].members.update({CARA} if chat.asked() else ())
    monkeypatch.setattr(chat.platform, "direct_room", _refused)
    asked = await chat.ask()
    await chat.hear(chat.server.redact(ROOM, asked.event, ANNA))

    assert chat.ours() == []
    assert f"!direct {ANNA}" not in chat.server.rooms


async def _refused(_person: str) -> str:
    raise AccessError


async def test_an_answer_in_parts_goes_as_a_whole(chat: ChatWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    """A shorter one in its place leaves no part of it behind, and neither does a question that is taken back."""
    whole = rendering.answer

    def in_parts(answer: Answer, *arguments: object, **more: object) -> tuple[Content, ...]:
        (content,) = whole(answer, *arguments, **more)  # type: ignore[arg-type]
        before = replace(content, run=part_of(answer.run))
        return (*[before] * (3 if answer.question == QUESTION else 1), content)

    monkeypatch.setattr(rendering, "answer", in_parts)
    asked = chat.server.say(ROOM, ANNA, QUESTION, mentions_us=True)
    await chat.hear(asked)
    assert len(chat.ours()) == 4
    await chat.hear(chat.server.edit(asked, "Wie lang ist die Frist?"))
    first, second = chat.ours()
    assert (first.edits, first.run) == (1, part_of(second.run or UUID(int=0)))
    await chat.hear(chat.server.redact(ROOM, asked.event, ANNA))
    assert chat.ours() == []

    inside = await chat.ask(thread="$thema")
    assert len(chat.ours()) == 4
    await chat.hear(chat.server.redact(ROOM, inside.event, ANNA))  # type: ignore[union-attr]
    assert chat.ours() == []


async def test_thumbs_are_feedback_and_may_be_taken_back(chat: ChatWorld) -> None:
    """Of members alone, each sign once."""
    await chat.ask()
    answer = chat.last().event
    up = chat.server.react(ROOM, answer, BERT, "👍🏽")
    await chat.hear(up, up, chat.server.react(ROOM, answer, CARA, "👎"), chat.server.react(ROOM, answer, BERT, "🎉"))
    await chat.hear(chat.server.redact(ROOM, up.event, BERT))

    assert chat.recorded(FeedbackGiven) == [
        FeedbackGiven(chat.world.bert, answer, up.event, is_helpful=True),
        FeedbackGiven(chat.world.bert, answer, up.event, is_helpful=True, is_taken_back=True),
    ]


async def test_a_thumb_that_is_faster_than_we_are_counts(chat: ChatWorld) -> None:
    """It came in when the answer stood there and was not yet noted; what is no answer gets no feedback."""
    other = chat.server.say(ROOM, BERT, "Danke")
    asked = chat.server.say(ROOM, ANNA, QUESTION, mentions_us=True)
    finish, signs = chat.inbox.inner.finish, list[Reacted]()

    async def slowly(event: str, answer: str | None = None, run: UUID | None = None) -> None:
        if event == asked.event:
            signs.extend(chat.server.react(ROOM, target or "", BERT) for target in (answer, other.event))
            await chat.service.take(Batch("s2", tuple(signs)))
        await finish(event, answer, run)

    chat.inbox.inner.finish = slowly  # type: ignore[method-assign]
    await chat.hear(asked)
    answer = chat.last().event
    assert chat.recorded(FeedbackGiven) == [FeedbackGiven(chat.world.bert, answer, signs[0].event, is_helpful=True)]
