"""A history comes in, in any order, through the handler; each day is answered by the same text."""

import asyncio
from datetime import UTC, date, datetime, timedelta
from pathlib import PurePath
from uuid import uuid4

from hypothesis import given, settings
from hypothesis import strategies as st

from domain.knowledge.documents import Statement, document
from domain.knowledge.events import VersionIngested, VersionSuperseded
from domain.knowledge.handler import NAME_KIND, Knowledge, Material
from domain.knowledge.versions import holds, stretches
from domain.mandates.handler import Mandates
from domain.recording import Actor, Event, StreamName
from tests.examples import examples
from tests.memory import InMemoryBlobs, InMemoryEventStore, InMemoryPeople
from tests.unit.test_knowledge_handler import PlainReaders

FIRST = date(2020, 1, 1)
DAYS = [FIRST + timedelta(days=n) for n in range(16)]

histories = st.dictionaries(st.integers(0, 12), st.none() | st.integers(1, 6), min_size=2, max_size=6).flatmap(
    lambda found: st.tuples(st.just(sorted(found.items())), st.permutations(sorted(found.items())))
)


async def journal(history: list[tuple[int, int | None]]) -> list[Event]:
    """Ingest one text for each start day and return the events of the document."""
    store = InMemoryEventStore(lambda: datetime(2026, 1, 1, tzinfo=UTC))
    mandates, anna = Mandates(store, InMemoryPeople(), uuid4), Actor(uuid4())
    knowledge = Knowledge(
        store, InMemoryBlobs(), PlainReaders(), mandates, clock=lambda: datetime.now(UTC), new_id=uuid4
    )
    mandate = await mandates.open("m", None, "Europe/Berlin", anna, library=False)
    for start, length in history:
        begin = FIRST + timedelta(days=start)
        end = None if length is None else begin + timedelta(days=length)
        stated = Statement("internal", valid_from=begin, valid_to=end)
        await knowledge.ingest(mandate.id, Material("a", PurePath("a.txt"), f"Text {start}.".encode(), stated), anna)
    stream = await store.find(StreamName(NAME_KIND, "a", mandate.id))
    assert stream is not None
    return [entry.event for entry in await store.read(stream) if entry.event is not None]


def answers(events: list[Event]) -> list[str | None]:
    """Return the hash of the text that answers on each day."""
    state = document(events)
    kept = stretches(state.claims)
    hashes = {version.number: version.sha256 for version in state.versions}
    return [
        next((hashes[version] for version, parts in kept.items() if any(holds(part, day) for part in parts)), None)
        for day in DAYS
    ]


@settings(max_examples=examples(150))
@given(histories)
def test_a_history_gives_the_same_answers_in_whatever_order_it_comes_in(histories):
    """Sorted or shuffled, each day is answered by the same text."""
    in_order, shuffled = (asyncio.run(journal(list(history))) for history in histories)
    assert answers(shuffled) == answers(in_order)


@settings(max_examples=examples(80))
@given(histories)
def test_the_events_tell_what_remains_of_each_version(histories):
    """Who reads only the events VersionIngested and VersionSuperseded knows every stretch."""
    events = asyncio.run(journal(list(histories[1])))
    claims = {claim.version: (claim.valid,) for claim in document(events).claims}
    told = {}
    for event in events:
        if isinstance(event, VersionIngested):
            told[event.version] = claims[event.version]
        elif isinstance(event, VersionSuperseded):
            told[event.version] = event.remaining
    assert told == stretches(document(events).claims)
