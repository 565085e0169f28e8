"""Every inbox notes each event once, in order, and finds answers again."""

from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adapters.chat.inbox import PostgresInbox
from adapters.eventstore.keys import MasterKey
from adapters.eventstore.recording import open_recording
from adapters.postgres.database import Database
from domain.inbox import Answered, Inbox, Noted
from tests.chat_platform import InMemoryInbox
from tests.examples import examples

MakeInbox = Callable[[], Awaitable[Inbox]]

SENT = datetime(2026, 11, 30, 12, tzinfo=UTC)
RUN = UUID(int=7)


def noted(event: str, sender: str = "@anna:example.org", **more: object) -> Noted:
    return Noted(**{"event": event, "room": "!r:x", "sender": sender, "sent_at": SENT, "kind": "Said", **more})  # type: ignore[arg-type]


@pytest.fixture(params=["postgres", "memory"])
async def make_inbox(request: pytest.FixtureRequest, database: Database) -> AsyncIterator[MakeInbox]:
    """Makes inboxes, each of an account of its own."""
    recording = await open_recording(database, MasterKey(bytes(32)))

    async def make() -> Inbox:
        if request.param == "memory":
            return InMemoryInbox()
        return PostgresInbox(database, recording.people, f"matrix @{uuid4()}:example.org")

    yield make
    await recording.close()


@pytest.fixture
async def inbox(make_inbox: MakeInbox) -> Inbox:
    return await make_inbox()


async def test_an_account_begins_without_a_token(inbox: Inbox) -> None:
    """Nothing has been read; the baseline notes a place and no event."""
    assert await inbox.token() is None
    assert await inbox.take_in("s1", []) == ()
    assert await inbox.token() == "s1"
    assert await inbox.pending() == ()


async def test_an_event_comes_back_as_it_was_noted(inbox: Inbox) -> None:
    """Sender, instant, target and sign; in the order in which they came in, whatever their clocks say."""
    late = noted("$b", sent_at=SENT - timedelta(days=1), kind="Reacted", target="$x", detail="👍")
    assert await inbox.take_in("s1", [noted("$a", "@bob:example.org"), late]) == (
        noted("$a", "@bob:example.org"),
        late,
    )
    assert await inbox.pending() == (noted("$a", "@bob:example.org"), late)
    await inbox.finish("$b")
    assert await inbox.noted("$b") == late
    assert await inbox.noted("$c") is None


async def test_what_was_noted_is_not_noted_again(inbox: Inbox) -> None:
    """Not in the same batch, not in a later one, not after it was finished; the place goes on."""
    assert await inbox.take_in("s1", [noted("$a"), noted("$a")]) == (noted("$a"),)
    await inbox.finish("$a")
    assert await inbox.take_in("s2", [noted("$a"), noted("$b")]) == (noted("$b"),)
    assert await inbox.token() == "s2"
    assert await inbox.pending() == (noted("$b"),)


async def test_an_answer_is_found_by_question_message_and_run(inbox: Inbox) -> None:
    """And nothing is found of what is not there."""
    await inbox.take_in("s1", [noted("$q")])
    assert await inbox.answered("$q") is None
    await inbox.finish("$q", "$answer", RUN)
    told = Answered("$q", "!r:x", "$answer", RUN)
    assert await inbox.answered("$q") == told
    assert await inbox.answering("$answer") == told
    assert await inbox.of_run(RUN) == told
    assert await inbox.answering("$q") is None
    assert await inbox.of_run(UUID(int=8)) is None


async def test_finishing_again_takes_nothing_back(inbox: Inbox) -> None:
    """What finished without an answer may get one; one that is there stays; what nobody noted is nobody's."""
    await inbox.take_in("s1", [noted("$q")])
    await inbox.finish("$q")
    await inbox.finish("$q", "$answer", RUN)
    await inbox.finish("$q")
    await inbox.finish("$unknown", "$other", RUN)
    assert await inbox.answered("$q") == Answered("$q", "!r:x", "$answer", RUN)
    assert await inbox.answering("$other") is None


async def test_the_answer_to_an_edit_answers_what_was_edited(inbox: Inbox) -> None:
    """The newest run counts, and the message leads to the question as it stands first."""
    await inbox.take_in("s1", [noted("$q"), noted("$e", kind="Edited", target="$q")])
    await inbox.finish("$q", "$answer", RUN)
    await inbox.finish("$e", "$answer", UUID(int=8))
    told = Answered("$q", "!r:x", "$answer", UUID(int=8))
    assert await inbox.answered("$q") == told
    assert await inbox.answering("$answer") == told
    assert await inbox.of_run(RUN) == Answered("$q", "!r:x", "$answer", RUN)


async def test_all_wordings_of_a_question_that_were_answered_are_known(inbox: Inbox) -> None:
    """Whatever came of each; what is not answered yet, and other questions, are none of them."""
    edits = [noted(event, kind="Edited", target="$q") for event in ("$e", "$f")]
    await inbox.take_in("s1", [noted("$q"), *edits, noted("$other")])
    for event, run in (("$q", None), ("$e", RUN), ("$other", RUN)):
        await inbox.finish(event, "$answer", run)
    assert await inbox.wordings("$q") == ("$q", "$e")
    assert await inbox.wordings("$e") == ()


async def test_strange_signs_do_no_harm(inbox: Inbox) -> None:
    """Targets and signs are named by strangers: any length, any character."""
    odd = noted("$a", kind="Edited", target="$" + "ä" * 60_000, detail="\0\ud800" * 400)
    assert await inbox.take_in("s1", [odd]) == (odd,)
    assert [one.event for one in await inbox.pending()] == ["$a"]


events = st.sampled_from("abcdef")


@settings(max_examples=examples(25), suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(steps=st.lists(st.lists(events, max_size=6) | events, min_size=1, max_size=8))
async def test_each_event_is_pending_once_and_finished_once(
    make_inbox: MakeInbox, steps: list[list[str] | str]
) -> None:
    """Whatever comes twice or finishes when: fresh once, pending until finished, in order of arrival, never again."""
    inbox = await make_inbox()
    arrived: dict[str, bool] = {}
    for place, step in enumerate(steps):
        if isinstance(step, str):
            await inbox.finish(step)
            arrived = {event: is_open and event != step for event, is_open in arrived.items()}
        else:
            fresh = await inbox.take_in(f"s{place}", [noted(event) for event in step])
            expected = [event for event in dict.fromkeys(step) if event not in arrived]
            assert [one.event for one in fresh] == expected
            assert await inbox.token() == f"s{place}"
            arrived |= dict.fromkeys(expected, True)
        assert [one.event for one in await inbox.pending()] == [event for event, is_open in arrived.items() if is_open]
