"""When something is due, and what of it is proposed."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from uuid import UUID, uuid4
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.asking.events import QuestionAsked
from domain.asking.outcome import AnswerRefused, NearPassage
from domain.asking.ports import PassageId
from domain.asking.runs import RunEntry, RunFilter
from domain.erasing.events import RUN, VERSION, Due
from domain.erasing.holding import Holds
from domain.erasing.proposing import Proposing
from domain.erasing.retention import EndedVersion, due_runs, due_versions, last_kept
from domain.erasing.reviewing import Retention, Review
from domain.errors import InputError
from domain.mandates.attempts import PENDING, UNCHANGED
from domain.mandates.four_eyes import FourEyes
from domain.mandates.handler import Mandates
from domain.mandates.policies import ModelThreshold
from domain.mandates.rules import parse_rule
from domain.mandates.state import Mandate
from domain.recording import Actor
from tests.memory import InMemoryEventStore, InMemoryPeople

BERLIN, APIA = ZoneInfo("Europe/Berlin"), ZoneInfo("Pacific/Apia")
TODAY = date(2026, 11, 30)
NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
MANDATE = Mandate(
    id=UUID(int=9),
    version=1,
    opened_at=NOW,
    key="a",
    name="A",
    time_zone="Europe/Berlin",
    library=False,
    levels=("public", "internal"),
    members={},
)


@pytest.mark.parametrize(
    ("day", "term", "last"),
    [
        ((2025, 1, 1), "365d", (2026, 1, 1)),
        ((2024, 2, 29), "1y", (2025, 2, 28)),
        ((2024, 2, 29), "4y", (2028, 2, 29)),
        ((2026, 1, 31), "1m", (2026, 2, 28)),
        ((2026, 8, 31), "18m", (2028, 2, 29)),
        ((2026, 12, 15), "1m", (2027, 1, 15)),
        ((2026, 11, 30), "1m", (2026, 12, 30)),
        ((2026, 12, 31), "12m", (2027, 12, 31)),
        ((2016, 11, 29), "10y", (2026, 11, 29)),
    ],
)
def test_a_term_ends_with_a_day(day: tuple[int, int, int], term: str, last: tuple[int, int, int]) -> None:
    """The day of the event does not count; a month without such a day ends with its last."""
    assert last_kept(date(*day), term) == date(*last)


@given(st.dates(date(1900, 1, 1), date(2100, 1, 1)), st.integers(1, 1200))
def test_months_and_years_agree(day: date, number: int) -> None:
    """Twelve months are a year, longer terms end later, and no term is shorter than its months have days."""
    assert last_kept(day, f"{12 * (number // 12 + 1)}m") == last_kept(day, f"{number // 12 + 1}y")
    assert last_kept(day, f"{number}m") < last_kept(day, f"{number + 1}m")
    assert last_kept(day, f"{number}m") >= day + timedelta(days=28 * number)


def entry(asked_at: datetime, person: UUID | None = None) -> RunEntry:
    return RunEntry(uuid4(), person or uuid4(), asked_at, 1, TODAY, "answered", None, 0)


def test_the_day_is_that_of_the_mandate() -> None:
    """At 23:30 UTC it is tomorrow in Berlin, and half a day further in Samoa."""
    asked = entry(datetime(2026, 11, 27, 23, 30, tzinfo=UTC))
    assert due_runs([asked], "1d", ZoneInfo("UTC"), date(2026, 11, 29))[0].since == date(2026, 11, 29)
    assert due_runs([asked], "1d", BERLIN, date(2026, 11, 29)) == []
    assert due_runs([asked], "1d", BERLIN, TODAY)[0].since == TODAY
    assert due_runs([asked], "1d", APIA, TODAY)[0].since == TODAY


def test_what_is_kept_is_never_due() -> None:
    """Whatever its age; and a term beyond the calendar does not end."""
    old = entry(datetime(1990, 1, 1, tzinfo=UTC))
    assert due_runs([old], "keep", BERLIN, TODAY) == []
    assert due_runs([old], "100y", BERLIN, date(9999, 12, 31))[0].kind == RUN
    assert due_runs([entry(datetime(9950, 1, 1, tzinfo=UTC))], "100y", BERLIN, date(9999, 12, 31)) == []


@pytest.mark.parametrize(
    ("until", "closed_at", "since"),
    [
        (date(2020, 1, 1), None, date(2021, 1, 1)),
        (date(2025, 12, 1), None, TODAY + timedelta(days=1)),
        (None, datetime(2020, 6, 1, tzinfo=UTC), date(2021, 6, 2)),
        (date(2020, 1, 1), datetime(2020, 6, 1, tzinfo=UTC), date(2021, 6, 2)),
        (date(2090, 1, 1), None, None),
    ],
)
def test_a_version_counts_from_its_end(until: date | None, closed_at: datetime | None, since: date | None) -> None:
    """From its last day in force, or from the day on which it was withdrawn or replaced whole."""
    version = EndedVersion(5, uuid4(), "handbuch", 1, None if closed_at is None else 9, until)
    found = due_versions([(version, closed_at)], "1y", BERLIN, TODAY)
    if since is None or since > TODAY:
        assert found == []
        return
    assert [(one.kind, one.ordinal, one.since) for one in found] == [(VERSION, 5, since)]


@pytest.mark.parametrize(("text", "value"), [("keep", "keep"), ("90d", "90d"), (" 018 M ", "18m"), ("10Y", "10y")])
def test_a_term_has_one_form(text: str, value: str) -> None:
    """However it is written, it is recorded alike."""
    assert parse_rule(MANDATE, "retention_runs", text) == value


@pytest.mark.parametrize("text", ["", "0d", "10", "d", "-1d", "101y", "1201m", "36526d", "1.5y", "10w", "Keep", "٣d"])
def test_other_terms_are_refused(text: str) -> None:
    """With an example of what would do."""
    with pytest.raises(InputError) as refusal:
        parse_rule(MANDATE, "retention_versions", text)
    assert refusal.value.key == "rule_value"


class Runs:
    """A view of runs in a list; remembers the filter."""

    def __init__(self) -> None:
        self.entries: list[RunEntry] = []
        self.wanted: RunFilter | None = None

    async def runs(self, wanted: RunFilter) -> tuple[RunEntry, ...]:
        self.wanted = wanted
        return tuple(self.entries)


class Ended:
    """A view of versions in a list."""

    def __init__(self) -> None:
        self.versions: Sequence[EndedVersion] = ()

    async def ended(self, _mandate: UUID, _levels: tuple[str, ...]) -> tuple[EndedVersion, ...]:
        return tuple(self.versions)


class World:
    """Mandate M with terms; Anna administers, Cara oversees, Dora has asked twice long ago and once today."""

    def __init__(self) -> None:
        self.people = InMemoryPeople()
        self.store = InMemoryEventStore(lambda: NOW, self.people)
        self.mandates = Mandates(self.store, self.people, uuid4)
        self.runs, self.ended = Runs(), Ended()
        proposing = Proposing(self.store, self.people, self.mandates, uuid4)
        self.retention = Retention(self.store, self.mandates, proposing, self.runs, self.ended)
        self.holds = Holds(self.store, self.people, self.mandates, uuid4)
        self.four_eyes = FourEyes(
            self.store, self.people, self.mandates, lambda _: ModelThreshold("", None), self._still_due
        )

    async def _still_due(self, mandate: Mandate, records: Sequence[Due]) -> bool:
        return await self.retention.still_due(mandate, records, NOW)

    async def open(self) -> "World":
        self.anna, self.cara, self.dora = [Actor(await self.people.register(name)) for name in ("anna", "cara", "dora")]
        await self.mandates.open("M", None, "Europe/Berlin", self.anna, library=False)
        for name in ("cara", "dora"):
            await self.mandates.admit("M", name, "internal", self.anna)
        await self.mandates.give_role("M", "cara", "compliance", self.anna)
        for name in ("retention_runs", "retention_versions"):
            await self.mandates.set_rule("M", name, "1y", "Vorgabe", self.anna)
        old = datetime(2020, 1, 1, tzinfo=UTC)
        self.runs.entries = [entry(at, self.dora.person) for at in (old, old, NOW)]
        self.ended.versions = [EndedVersion(3, uuid4(), "handbuch", 1, None, date(2020, 1, 1))]
        return self

    async def quoting(self, actor: Actor, ordinal: int) -> None:
        """Let somebody be refused with a version near."""
        mandate = await self.mandates.find("M")
        asked = QuestionAsked("Frage", actor.person, None, (mandate.id,), ("public",), None, None, TODAY, 1)
        near = NearPassage(PassageId(ordinal, 0), "Titel", (), "", 0.1)
        refused = AnswerRefused("relevance", "relevance", 0.1, 0.3, (near,))
        await self.store.append(mandate.id, uuid4(), 0, [asked, refused], actor, subject=actor.person)

    async def review(self, actor: Actor | None = None) -> Review:
        mandate = await self.mandates.find("M")
        return await self.retention.review(mandate, (actor or self.anna).person, await self.store.head(), NOW)


@pytest.fixture
async def world() -> World:
    return await World().open()


async def test_what_is_due_is_proposed_once(world: World) -> None:
    """The old runs and the version; the same again proposes nothing, and what becomes due later is a proposal more."""
    review = await world.review()
    assert [one.due.kind for one in review.found] == [RUN, RUN, VERSION]
    assert review.terms == {"retention_runs": "1y", "retention_versions": "1y"}
    first = await world.retention.propose(review, world.cara)
    assert first.status == PENDING
    (waiting,) = first.mandate.proposals
    assert (waiting.kind, waiting.value) == ("erase_records", "3")
    assert waiting.because == "retention_runs=1y retention_versions=1y"

    again = await world.review()
    assert {one.change for one in again.found} == {first.proposal}
    assert (await world.retention.propose(again, world.anna)).status == UNCHANGED
    assert (await world.retention.propose(review, world.anna)).status == UNCHANGED

    world.runs.entries[2] = replace(world.runs.entries[2], asked_at=datetime(2021, 1, 1, tzinfo=UTC))
    second = await world.retention.propose(await world.review(), world.anna)
    assert second.status == PENDING
    assert [one.value for one in second.mandate.proposals] == ["3", "1"]


async def test_what_was_turned_down_can_be_proposed_again(world: World) -> None:
    """A rejected proposal keeps nothing from being proposed once more, under another id."""
    first = await world.retention.propose(await world.review(), world.anna)
    assert first.proposal is not None
    await world.four_eyes.reject(first.proposal, "noch nicht", world.cara)
    again = await world.retention.propose(await world.review(), world.anna)
    assert again.status == PENDING
    assert again.proposal != first.proposal


@pytest.mark.parametrize("goes_on", ["later end", "no end", "another term"])
async def test_what_is_not_due_any_more_is_not_agreed_to(world: World, goes_on: str) -> None:
    """The validity of a version was put right, or the term changed, between proposal and agreement."""
    change = (await world.retention.propose(await world.review(), world.anna)).proposal
    assert change is not None
    (version,) = world.ended.versions
    match goes_on:
        case "later end":
            world.ended.versions = [replace(version, until=date(2026, 1, 1))]
        case "no end":
            world.ended.versions = []
        case _:
            await world.mandates.set_rule("M", "retention_runs", "2y", "Vorgabe", world.anna)

    with pytest.raises(InputError) as refusal:
        await world.four_eyes.approve(change, world.cara)

    assert refusal.value.key == ("proposal_overtaken" if goes_on == "another term" else "proposal_not_due")
    assert not (await world.mandates.find("M")).erasing


async def test_a_hold_keeps_what_is_due(world: World) -> None:
    """On a person their runs and the versions that these quote, on the mandate everything; it is only counted."""
    await world.holds.place("M", "dora", "Verfahren", world.cara)
    review = await world.review()
    assert ([one.due.kind for one in review.found], review.held) == ([VERSION], 2)
    await world.quoting(world.cara, 3)
    assert len((await world.review()).found) == 1
    await world.quoting(world.dora, 3)
    review = await world.review()
    assert (review.found, review.held) == ((), 3)
    await world.holds.place("M", None, "Verfahren", world.cara)
    review = await world.review()
    assert (review.found, review.held) == ((), 3)
    assert (await world.retention.propose(review, world.anna)).status == UNCHANGED


async def test_a_hold_of_a_reader_keeps_the_versions_of_a_library(world: World) -> None:
    """Answers there may quote them; the runs of the library's own people go on being due."""
    library = await world.mandates.open("L", None, "Europe/Berlin", world.anna, library=True)
    for name in ("retention_runs", "retention_versions"):
        await world.mandates.set_rule("L", name, "1y", "Vorgabe", world.anna)
    await world.mandates.subscribe("M", "L", world.anna)
    await world.holds.place("M", "dora", "Verfahren", world.cara)
    mandate = await world.mandates.find("L")
    review = await world.retention.review(mandate, world.anna.person, await world.store.head(), NOW)
    assert mandate.id == library.id
    assert ([one.due.kind for one in review.found], review.held) == ([RUN, RUN], 1)


async def test_a_hold_placed_meanwhile_stops_the_proposal(world: World) -> None:
    """Between the review and the proposal somebody has placed one."""
    review = await world.review()
    await world.holds.place("M", "dora", "Verfahren", world.cara)
    with pytest.raises(InputError) as refusal:
        await world.retention.propose(review, world.anna)
    assert refusal.value.key == "erasure_held"


async def test_a_review_sees_what_its_reader_may(world: World) -> None:
    """The view is asked with the clearance of whoever reviews."""
    await world.review(world.cara)
    assert world.runs.wanted is not None
    assert (world.runs.wanted.levels, world.runs.wanted.oversees) == (("public", "internal"), True)


async def test_without_rules_everything_is_kept(world: World) -> None:
    """The default keeps; nothing is due, however old it is."""
    for name in ("retention_runs", "retention_versions"):
        await world.mandates.set_rule("M", name, "keep", "doch nicht", world.anna)
    assert (await world.review()).found == ()
