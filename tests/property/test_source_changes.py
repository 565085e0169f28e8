"""Which answers are told that their sources have changed: the view against a model that looks at every day."""

from datetime import date, timedelta
from uuid import uuid4

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adapters.postgres.database import Database
from adapters.postgres.endpoint import Role
from domain.asking.source_changes import Change, Slice, changes
from domain.knowledge.events import ValidPeriod
from domain.knowledge.versions import Claim, holds, stretches
from domain.recording import Event
from projections.citations import PostgresCitations
from projections.knowledge import KnowledgeProjection
from tests.examples import examples
from tests.knowledge_model import answering, fold
from tests.property.test_known_view import FIRST, Story, days, recorded, stories

DAYS = [FIRST + timedelta(days=n) for n in range(-1, 12)]
"""Every day on which anything can begin or end in a story, and one on either side."""

periods = st.tuples(st.integers(0, 8), st.none() | st.integers(1, 5)).map(
    lambda found: ValidPeriod(
        FIRST + timedelta(days=found[0]),
        None if found[1] is None else FIRST + timedelta(days=found[0] + found[1]),
    )
)


def lasts_until(events: list[tuple[int, Event]], ordinal: int, day: date) -> date | None:
    """Return the first day behind ``day`` on which the version does not answer, ``None`` for never."""
    rows = fold(events)
    later = (one for one in DAYS if one > day)
    return next((one for one in later if (row := answering(rows, one)) is None or row.position != ordinal), None)


def naive(events: list[tuple[int, Event]], ordinal: int, day: date, known: int, *, present: bool) -> set[tuple]:
    """Return position, loss and end of every change that touches an answer, one event after the other."""
    found: set[tuple] = set()
    end = lasts_until([one for one in events if one[0] <= known], ordinal, day)
    for position, _ in (one for one in events if one[0] > known):
        so_far = [one for one in events if one[0] <= position]
        row = answering(fold(so_far), day)
        if row is None or row.position != ordinal:
            return found | {(position, False, None)}
        now = lasts_until(so_far, ordinal, day)
        if present and now is not None and (end is None or now < end):
            end = now
            found.add((position, True, now))
    return found


def comparable(change: Change) -> tuple:
    return change.position, change.holds, change.ended_on if change.holds else None


@settings(max_examples=examples(80), suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(stories(), st.data())
async def test_an_answer_is_told_what_the_model_says(database: Database, story: Story, data: st.DataObject) -> None:
    """Ingests, corrections, levels and withdrawals in any order: the slices of the view tell the same changes."""
    mandate, journal = uuid4(), recorded(story, uuid4())
    events = [(one.position, one.event) for one in journal if one.event is not None]
    journal = recorded(story, mandate)
    async with database.connection(Role.PROJECTOR) as connection:
        await KnowledgeProjection().apply(connection, journal)
    citations = PostgresCitations(database)

    for _ in range(6):
        document = data.draw(st.sampled_from(sorted(story.of)), label="document")
        known = data.draw(st.integers(1, len(events)), label="known")
        day, present = data.draw(days, label="day"), data.draw(st.booleans(), label="present")
        own = story.of[document]
        cited = answering(fold([one for one in own if one[0] <= known]), day)
        if cited is None:
            continue
        history = await citations.history(mandate, cited.position, len(events))
        found = changes(history, day, known, about_the_present=present)

        expected = naive(own, cited.position, day, known, present=present)
        assert {comparable(one) for one in found} == expected
        assert len(found) == len(expected)


def slices(order: list[ValidPeriod]) -> list[Slice]:
    """Return the slices of version 1 as the ingests of ``order`` follow at positions 1, 2, 3 ..."""
    found: list[Slice] = []
    held: dict[ValidPeriod, int] = {}
    for position in range(1, len(order) + 1):
        claims = [Claim(number, valid) for number, valid in enumerate(order[:position], 1)]
        now = set(stretches(claims)[1])
        found += [Slice(begun, position, valid) for valid, begun in held.items() if valid not in now]
        held = {valid: held.get(valid, position) for valid in now}
    return found + [Slice(begun, None, valid) for valid, begun in held.items()]


@settings(max_examples=examples(300))
@given(st.data(), periods, st.lists(periods, min_size=1, max_size=5, unique_by=lambda one: one.start), st.booleans())
def test_the_order_of_ingests_does_not_matter(data, cited, later, present):
    """Whether an answer is touched, its day lost, or else when its version ends, follows from what came in."""
    day = data.draw(st.sampled_from([one for one in DAYS if holds(cited, one)]))
    outcomes = []
    for order in (later, data.draw(st.permutations(later))):
        found = changes(slices([cited, *order]), day, 1, about_the_present=present)
        outcomes.append(comparable(found[-1])[1:] if found else None)

    assert outcomes[0] == outcomes[1]
