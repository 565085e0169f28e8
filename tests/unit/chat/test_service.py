"""A conversation from message to reply, with every part in memory."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from types import SimpleNamespace
from typing import Any, cast
from uuid import UUID

import pytest

from bot.chat import rendering
from bot.chat.incoming import Batch, Incoming, Invited, Reacted, Removed, Said, Unreadable, Upgraded
from bot.chat.outgoing import Content, part_of
from bot.chat.ports import DeclinedError
from bot.chat.service import MOST_REFUSALS
from domain.asking.outcome import AnswerRefused, FeedbackGiven
from domain.asking.source_changes import SUPERSEDED, SourceChangeNotified
from domain.asking.values import Answer
from domain.errors import AccessError, PartError
from domain.recording import Actor
from tests.asking_world import TODAY
from tests.chat_platform import Death, Message
from tests.chat_world import ANNA, BERT, CARA, FRIST, QUESTION, ROOM, US, ChatWorld, answers, dies
from tests.unit.chat.reading import read


@pytest.fixture
async def chat() -> ChatWorld:
    return await ChatWorld().open()


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
        assert [one.run is None for one in chat.ours(f"!direct {ANNA}")].count(False) == 1, step
        return has_died
    shown = [(one.edits, one.run is None) for one in chat.ours()]
    assert shown == {"edited": [(1, False)], "redacted": [], "moved": [(0, True)]}[after], step
    if after == "moved":
        assert [one.run is None for one in chat.ours(f"!direct {ANNA}")] == [True, False], step
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


async def test_a_question_taken_back_takes_an_answer_along_that_went_to_the_asker_alone(
    chat: ChatWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With all its parts, and what was said in the thread; the answers to other questions stay."""
    whole = rendering.answer

    def in_parts(answer: Answer, *arguments: object, **more: object) -> tuple[Content, ...]:
        (content,) = whole(answer, *arguments, **more)  # type: ignore[arg-type]
        return replace(content, run=part_of(answer.run)), content

    monkeypatch.setattr(rendering, "answer", in_parts)
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


# Who reads along


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


# Who is answered


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


# Commands


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
    assert "!stand 31.12.2025 FRAGE" in form
    assert "!question" in manual


async def test_a_question_about_the_past_and_what_was_known(chat: ChatWorld) -> None:
    """Both look at the knowledge of the day, up to what the room may see."""
    await chat.ask(f"!stand {TODAY:%d.%m.%Y} {QUESTION}", mentions_us=False)
    await chat.ask("!gewusst", BERT, mentions_us=False)

    assert chat.asked()[0].at is not None
    assert "Titel handbuch" in chat.last().text


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
    assert "War schon zugestimmt" in chat.last().text


@pytest.mark.parametrize(
    "command",
    ["!mandat a internal", "!mitglied @cara:x public", "!mitglied @bert:x entfernen", "!schwelle coverage 0,9 weil"],
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
    assert "War schon zugestimmt" in chat.last(f"!direct {BERT}").text


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


async def test_where_nothing_is_bound_members_are_shown_how_to(chat: ChatWorld) -> None:
    """Each time; a stranger learns nothing by asking for it."""
    chat.server.open("!neu", US, ANNA, BERT, CARA)
    await chat.ask("!hilfe", CARA, "!neu", mentions_us=False)
    (first,) = chat.ours("!neu")
    assert "gehört noch zu keinem Mandat" in first.text
    for command, told in (("!mandat", "!mandat MANDAT [STUFE]"), ("!hilfe", "mit einem Mandat verbinden")):
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


# What goes wrong


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


async def test_progress_is_shown_only_when_it_takes_a_while(chat: ChatWorld) -> None:
    """One notice, at most three times edited, that points to the answer in the end."""
    chat.patience = 0.0
    chat.start()
    thinks = asyncio.sleep

    async def slowly(seconds: float) -> None:
        await thinks(seconds)

    scores = chat.world.reranker.scores

    async def scored(question: str, passages: list[object]) -> list[float]:
        await slowly(0.02)
        return await scores(question, passages)  # type: ignore[arg-type]

    chat.world.reranker.scores = scored  # type: ignore[method-assign,assignment]
    await chat.ask()

    notice, answer = chat.ours()
    assert notice.content is not None
    assert notice.content.is_notice
    assert 1 <= notice.edits <= 3
    assert f"https://chat.example/{ROOM}/{answer.event}" in notice.text
    assert answer.run is not None
    assert chat.platform.typed == [True, False]


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


async def test_a_changed_source_is_told_once_in_the_thread(chat: ChatWorld) -> None:
    """Also after a restart, which looks at all that was ever told."""
    asked = await chat.ask()
    run = chat.last().run
    assert isinstance(run, UUID)
    recorded = await chat.world.store.read(run)
    ordinal = chat.world.entries[0].version.ordinal
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
