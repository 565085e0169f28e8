"""Erasing takes two people and no hold; what is cut off goes on."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import UTC, date, datetime
from uuid import UUID, uuid4

import pytest

from domain.asking.events import LabelledPassage, PassagesSelected, QuestionAsked
from domain.asking.ports import PassageId
from domain.erasing.events import RUN, VERSION, Due, DueListed, ErasureBegun, ErasureDone, HoldPlaced
from domain.erasing.handler import Erasing
from domain.erasing.holding import Holds
from domain.erasing.proposing import Proposing
from domain.errors import AccessError, InputError, PartError
from domain.mandates.attempts import PENDING, UNCHANGED
from domain.mandates.four_eyes import FourEyes
from domain.mandates.handler import Mandates
from domain.mandates.policies import ModelThreshold
from domain.recording import Actor, Event, Recorded
from tests.erasers import InMemoryEraser, all_due
from tests.memory import InMemoryPeople, YieldingEventStore

DAY = date(2026, 1, 1)
SINCE = datetime(2026, 1, 1, tzinfo=UTC)


class World:
    """Mandate M: Anna administers it, Cara oversees it, Dora has asked twice. Dora was in N once, which is Emil's."""

    def __init__(self) -> None:
        self.people = InMemoryPeople()
        self.store = YieldingEventStore(people=self.people)
        self.mandates = Mandates(self.store, self.people, uuid4)
        self.eraser = InMemoryEraser(self.store, self.people)
        self.erasing = Erasing(self.store, self.mandates, self.eraser)
        self.proposing = Proposing(self.store, self.people, self.mandates, uuid4)
        self.holds = Holds(self.store, self.people, self.mandates, uuid4)
        self.four_eyes = FourEyes(self.store, self.people, self.mandates, lambda _: ModelThreshold("", None), all_due)

    async def open(self) -> "World":
        self.anna, self.cara, self.dora, self.emil = [
            Actor(await self.people.register(name)) for name in ("anna", "cara", "dora", "emil")
        ]
        self.m = (await self.mandates.open("M", None, "Europe/Berlin", self.anna, library=False)).id
        self.n = (await self.mandates.open("N", None, "Europe/Berlin", self.emil, library=False)).id
        for name in ("cara", "dora"):
            await self.mandates.admit("M", name, "internal", self.anna)
        await self.mandates.give_role("M", "cara", "compliance", self.anna)
        self.runs = [await self.asked() for _ in range(2)]
        return self

    async def asked(self) -> UUID:
        run, who = uuid4(), self.dora.person
        asked = QuestionAsked("Frage", who, None, (self.m,), ("public",), None, None, DAY, 1)
        await self.store.append(self.m, run, 0, [asked], self.dora, subject=who)
        return run

    @property
    def due(self) -> list[Due]:
        return [Due(RUN, run, 0, self.dora.person, DAY) for run in self.runs]

    async def propose(self, kind: str, actor: Actor | None = None) -> UUID:
        by = actor or self.anna
        change = await {
            "person": lambda: self.proposing.propose_person("dora", "gewünscht", by),
            "mandate": lambda: self.proposing.propose_mandate("M", "beendet", by),
            "records": lambda: self.proposing.propose_records(self.m, self.due, "Frist", by),
        }[kind]()
        assert change.status == PENDING
        assert change.proposal is not None
        return change.proposal

    async def erased(self, kind: str) -> bool:
        if kind == "person":
            return not self.people.knows(self.dora.person)
        if kind == "mandate":
            return await self.mandates.by_id(self.m) is None
        return all([(await self.store.read(run))[0].event is None for run in self.runs])

    async def of_type(self, *kinds: type[Event]) -> list[Event]:
        return [one.event for one in await self.store.after(0, 10_000) if isinstance(one.event, kinds)]


KINDS = ("person", "mandate", "records")


@pytest.fixture
async def world() -> World:
    return await World().open()


@pytest.mark.parametrize("kind", KINDS)
async def test_two_people_and_then_it_goes(world: World, kind: str) -> None:
    """Proposed and approved nothing is gone yet; executed it is, once, and the end is recorded where it can be."""
    change = await world.propose(kind)
    assert not await world.erasing.execute(change, world.cara)
    await world.four_eyes.approve(change, world.cara)
    assert not await world.erased(kind)

    assert await world.erasing.execute(change, world.cara)

    assert await world.erased(kind)
    assert len(world.eraser.orders) == 1
    assert (world.eraser.orders[0].change, world.eraser.orders[0].by) == (change, world.cara)
    assert not await world.erasing.execute(change, world.cara)
    if kind != "mandate":
        assert await world.of_type(ErasureDone) == [ErasureDone(change)]


@pytest.mark.parametrize("kind", KINDS)
async def test_one_person_alone_erases_nothing(world: World, kind: str) -> None:
    """Neither the author nor somebody for whom the author speaks."""
    change = await world.propose(kind)
    for actor in (world.anna, Actor(world.cara.person, world.anna.person)):
        with pytest.raises(InputError):
            await world.four_eyes.approve(change, actor)
    assert not await world.erasing.execute(change, world.anna)
    assert world.eraser.orders == []


@pytest.mark.parametrize("kind", KINDS)
async def test_what_was_cut_off_goes_on(world: World, kind: str) -> None:
    """A part that fails half-way leaves the erasure approved; the next call begins again and ends it."""
    change = await world.propose(kind)
    await world.four_eyes.approve(change, world.cara)
    world.eraser.failures = 2
    for _ in range(2):
        with pytest.raises(PartError):
            await world.erasing.execute(change, world.cara)

    again = await world.four_eyes.approve(change, world.cara)
    assert again.status == UNCHANGED
    begun = len(await world.of_type(ErasureBegun))
    assert await world.erasing.execute(change, world.anna)

    assert begun == 2
    assert await world.erased(kind)


@pytest.mark.parametrize("held", ["mandate", "person"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("moment", ["before", "proposed", "approved", "cut off"])
async def test_a_hold_stops_it_at_every_step(world: World, kind: str, held: str, moment: str) -> None:
    """While it stands, what it concerns is not proposed, approved or executed; lifted by two people, it goes."""

    async def hold() -> UUID:
        change = await world.holds.place("M", "dora" if held == "person" else None, "Verfahren", world.cara)
        return change.mandate.holds[-1].hold

    async def refused(call: Callable[[], Awaitable[object]]) -> None:
        with pytest.raises(InputError) as refusal:
            await call()
        assert refusal.value.key == "erasure_held"

    if moment == "before":
        placed = await hold()
        await refused(lambda: world.propose(kind))
    else:
        change = await world.propose(kind)
        if moment == "proposed":
            placed = await hold()
            await refused(lambda: world.four_eyes.approve(change, world.cara))
        else:
            await world.four_eyes.approve(change, world.cara)
            world.eraser.failures = int(moment == "cut off")
            if moment == "cut off":
                with pytest.raises(PartError):
                    await world.erasing.execute(change, world.cara)
            placed = await hold()
            await refused(lambda: world.erasing.execute(change, world.cara))
    assert not await world.erased(kind)

    lifting = await world.holds.propose_lifting("M", placed, "beendet", world.anna)
    assert lifting.status == PENDING
    assert lifting.proposal is not None
    with pytest.raises(InputError):
        await world.four_eyes.approve(lifting.proposal, world.anna)
    await world.four_eyes.approve(lifting.proposal, world.cara)
    if moment == "before":
        change = await world.propose(kind)
    if moment in {"before", "proposed"}:
        await world.four_eyes.approve(change, world.cara)
    assert await world.erasing.execute(change, world.cara)
    assert await world.erased(kind)


async def test_a_hold_on_somebody_else_stops_nothing_of_this_person(world: World) -> None:
    """Cara's hold keeps what is hers; Dora's runs may go, the mandate with both in it may not."""
    await world.holds.place("M", "cara", "Verfahren", world.anna)
    await world.propose("records")
    await world.propose("person")
    with pytest.raises(InputError):
        await world.propose("mandate")


async def test_a_hold_in_another_mandate_keeps_the_person(world: World) -> None:
    """Whoever belonged to a mandate with a hold is kept, without a word about which one it is."""
    await world.mandates.admit("N", "dora", "internal", world.emil)
    await world.mandates.remove("N", "dora", world.emil)
    await world.mandates.admit("N", "anna", "internal", world.emil)
    await world.mandates.give_role("N", "anna", "compliance", world.emil)
    await world.holds.place("N", None, "Verfahren", world.emil)

    with pytest.raises(InputError) as refusal:
        await world.propose("person")

    assert (refusal.value.key, refusal.value.values) == ("erasure_held", {})


@pytest.mark.parametrize("person", [None, "dora"])
async def test_a_hold_of_a_reader_keeps_the_library(world: World, person: str | None) -> None:
    """Its words would go out of answers under the hold: not proposed, and not carried out where it was agreed to."""
    library = (await world.mandates.open("L", None, "Europe/Berlin", world.emil, library=True)).id
    await world.mandates.admit("L", "cara", "internal", world.emil)
    await world.mandates.give_role("L", "cara", "compliance", world.emil)
    await world.mandates.subscribe("M", "L", world.anna)
    change = (await world.proposing.propose_mandate("L", "beendet", world.emil)).proposal
    assert change is not None
    await world.four_eyes.approve(change, world.cara)
    await world.holds.place("M", person, "Verfahren", world.anna)

    for call, key in (
        (world.erasing.execute(change, world.cara), "erasure_held"),
        # Who does not oversee the reader is not told that there is one.
        (world.proposing.propose_mandate("L", "x", world.emil), "erasure_closed"),
    ):
        with pytest.raises(InputError) as refusal:
            await call
        assert (refusal.value.key, refusal.value.values) == (key, {})

    assert await world.mandates.by_id(library) is not None


@pytest.mark.parametrize("person", [None, "dora"])
@pytest.mark.parametrize("holder", ["M", "L"])
async def test_a_hold_of_who_may_quote_a_version_keeps_it(world: World, holder: str, person: str | None) -> None:
    """Its own mandate or one that reads it: not proposed, and not carried out where it was agreed to before.

    In its own mandate a hold on a person does so where they were answered with words of the version.
    """
    library = (await world.mandates.open("L", None, "Europe/Berlin", world.emil, library=True)).id
    for name in ("cara", "dora"):
        await world.mandates.admit("L", name, "internal", world.emil)
    await world.mandates.give_role("L", "cara", "compliance", world.emil)
    await world.mandates.subscribe("M", "L", world.anna)
    due = [Due(VERSION, uuid4(), ordinal := await world.store.head(), None, DAY)]
    if holder == "L":
        asked = QuestionAsked("Frage", world.dora.person, None, (library,), ("public",), None, None, DAY, 1)
        selected = PassagesSelected((LabelledPassage("S1", PassageId(ordinal, 0), 0.5),))
        await world.store.append(library, uuid4(), 0, [asked, selected], world.dora, subject=world.dora.person)
    change = (await world.proposing.propose_records(library, due, "Frist", world.emil)).proposal
    assert change is not None
    await world.four_eyes.approve(change, world.cara)
    await world.holds.place(holder, person, "Verfahren", world.cara)

    for call, key in (
        (world.erasing.execute(change, world.cara), "erasure_held"),
        # Who does not oversee the reader is not told that there is one.
        (
            world.proposing.propose_records(library, [Due(VERSION, uuid4(), ordinal, None, DAY)], "x", world.emil),
            "erasure_held" if holder == "L" else "erasure_closed",
        ),
    ):
        with pytest.raises(InputError) as refusal:
            await call
        assert (refusal.value.key, refusal.value.values) == (key, {})
    assert world.eraser.orders == []


async def test_a_hold_on_a_person_costs_their_questions_and_no_more(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether a version was told to them is looked for among their runs, not in the journal of everybody."""
    await world.holds.place("M", "dora", "Verfahren", world.cara)
    due = [Due(VERSION, uuid4(), await world.store.head(), None, DAY)]

    async def whole(*_: object) -> None:
        pytest.fail("read the whole journal")

    for name in ("after", "batch"):
        monkeypatch.setattr(world.store, name, whole)
    change = (await world.proposing.propose_records(world.m, due, "Frist", world.anna)).proposal
    assert change is not None
    assert (await world.four_eyes.approve(change, world.cara)).status == "done"


@pytest.mark.parametrize("elsewhere", ["belongs there", "is held there", "is needed there"])
async def test_what_stands_in_the_way_elsewhere_is_not_told(world: World, elsewhere: str) -> None:
    """One and the same sentence, whatever the reason is in a mandate that the author does not oversee."""
    await world.mandates.admit("N", "dora", "internal", world.emil)
    if elsewhere == "is held there":
        await world.holds.place("N", None, "Verfahren", world.emil)
    if elsewhere == "is needed there":
        await world.mandates.give_role("N", "dora", "administrator", world.emil)
        await world.mandates.remove("N", "emil", world.emil)

    with pytest.raises(InputError) as refusal:
        await world.propose("person")

    assert (refusal.value.key, refusal.value.values) == ("erasure_closed", {})


async def test_what_stands_in_the_way_here_is_told_first(world: World) -> None:
    """Who can do something about a hold is told of it, though there are other reasons that they may not know."""
    await world.mandates.admit("N", "dora", "internal", world.emil)
    await world.holds.place("M", "dora", "Verfahren", world.cara)

    with pytest.raises(InputError) as refusal:
        await world.propose("person")

    assert refusal.value.key == "erasure_held"


async def test_an_agreement_tells_no_more(world: World) -> None:
    """Who has come to be needed in a mandate that the second person knows nothing of is kept without naming it."""
    change = await world.propose("person")
    await world.mandates.admit("N", "dora", "internal", world.emil)
    await world.mandates.give_role("N", "dora", "administrator", world.emil)
    await world.mandates.remove("N", "emil", world.emil)

    with pytest.raises(InputError) as refusal:
        await world.four_eyes.approve(change, world.cara)

    assert (refusal.value.key, refusal.value.values) == ("erasure_closed", {})


@pytest.mark.parametrize("moment", ["proposed", "approved"])
async def test_a_mandate_that_the_person_has_joined_since_agrees_too(world: World, moment: str) -> None:
    """Nothing goes from a mandate while none of the two looks after it; not even which one it is is told."""
    change = await world.propose("person")
    if moment == "approved":
        await world.four_eyes.approve(change, world.cara)
    await world.mandates.admit("N", "dora", "internal", world.emil)

    with pytest.raises(InputError) as refusal:
        await (world.four_eyes.approve if moment == "proposed" else world.erasing.execute)(change, world.cara)

    assert (refusal.value.key, refusal.value.values) == ("erasure_closed", {})
    assert world.eraser.orders == []
    await world.mandates.admit("N", "cara", "internal", world.emil)
    await world.mandates.give_role("N", "cara", "compliance", world.emil)
    await world.four_eyes.approve(change, world.cara)
    assert await world.erasing.execute(change, world.anna)
    assert await world.erased("person")


@pytest.mark.parametrize("who", ["dora", "emil"])
@pytest.mark.parametrize("kind", [*KINDS, "hold"])
async def test_only_oversight_proposes(world: World, who: str, kind: str) -> None:
    """A member and a stranger meet what somebody meets who names what does not exist."""
    actor = getattr(world, who)
    with pytest.raises(AccessError):
        await (world.holds.place("M", None, "x", actor) if kind == "hold" else world.propose(kind, actor))
    with pytest.raises(AccessError):
        await world.proposing.propose_person("nie gesehen", "x", world.anna)


async def test_who_belongs_elsewhere_costs_what_who_was_never_seen_costs(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even the time tells whether somebody is known in the installation."""
    read, told = world.store.read, list[UUID]()

    async def counted(stream: UUID, *, up_to: int | None = None) -> Sequence[Recorded]:
        told.append(stream)
        return await read(stream, up_to=up_to)

    monkeypatch.setattr(world.store, "read", counted)
    costs = []
    for name in ("emil", "nie gesehen"):
        told.clear()
        with pytest.raises(AccessError):
            await world.proposing.propose_person(name, "x", world.anna)
        costs.append(sorted(told))
    assert costs[0] == costs[1] != []


async def test_the_same_again_is_the_same_proposal(world: World) -> None:
    """Asked for twice it waits once; approved, it cannot be proposed again; nor can a record that waits."""
    for kind in ("person", "mandate"):
        assert await world.propose(kind) == await world.propose(kind, world.cara)
    await world.propose("records")
    assert (await world.proposing.propose_records(world.m, world.due[:1], "Frist", world.cara)).status == UNCHANGED
    change = await world.propose("person")
    await world.four_eyes.approve(change, world.cara)
    with pytest.raises(InputError) as refusal:
        await world.proposing.propose_person("dora", "gewünscht", world.anna)
    assert refusal.value.key == "erasure_approved"


async def test_what_waits_is_known(world: World) -> None:
    """Records that are proposed or agreed on are told, so that nobody proposes them once more; done ones are not."""
    change = await world.propose("records")
    told = {due.place: change for due in world.due}

    async def waiting() -> Mapping[tuple[UUID, int], UUID]:
        return await world.proposing.proposed(await world.mandates.find("M"))

    assert await waiting() == told
    await world.four_eyes.approve(change, world.cara)
    assert await waiting() == told
    await world.erasing.execute(change, world.cara)
    assert await waiting() == {}
    assert [one.records for one in await world.of_type(DueListed)] == [tuple(world.due)]


async def test_a_version_goes_alone(world: World) -> None:
    """Of a document only the event of the version that is named becomes unreadable."""
    position = await world.store.head()
    due = [Due(VERSION, uuid4(), position, None, DAY)]
    change = await world.proposing.propose_records(world.m, due, "Frist", world.anna)
    assert change.proposal is not None
    await world.four_eyes.approve(change.proposal, world.cara)
    await world.erasing.execute(change.proposal, world.cara)
    gone = [one.position for one in await world.store.after(0, 1000) if one.event is None]
    assert gone == [position]


async def test_holds_are_placed_once_and_by_name(world: World) -> None:
    """The same hold again changes nothing; on a stranger there is nothing to keep; an unknown one cannot be lifted."""
    assert (await world.holds.place("M", "dora", "Verfahren", world.cara)).status == "done"
    assert (await world.holds.place("M", "dora", "noch eines", world.anna)).status == UNCHANGED
    assert (await world.holds.place("M", None, "Verfahren", world.cara)).status == "done"
    assert len(await world.of_type(HoldPlaced)) == 2
    for name in ("emil", "nie gesehen"):
        with pytest.raises(InputError) as refusal:
            await world.holds.place("M", name, "x", world.cara)
        assert refusal.value.key == "hold_person"
    with pytest.raises(InputError) as refusal:
        await world.holds.propose_lifting("M", uuid4(), "x", world.cara)
    assert refusal.value.key == "hold_unknown"


async def test_a_hold_and_an_approval_at_once() -> None:
    """What is erased had begun to be before the hold; whatever a hold finds is kept."""
    for round_ in range(6):
        here = await World().open()
        change = await here.propose("records")

        async def erase(world: World, change: UUID) -> None:
            await world.four_eyes.approve(change, world.cara)
            await world.erasing.execute(change, world.cara)

        calls = [erase(here, change), here.holds.place("M", None, "Verfahren", here.anna)]
        await asyncio.gather(*(calls if round_ % 2 else reversed(calls)), return_exceptions=True)
        kinds = [type(one).__name__ for one in await here.of_type(HoldPlaced, ErasureBegun)]
        assert kinds.count("HoldPlaced") == 1
        assert not await here.erased("records") or kinds == ["ErasureBegun", "HoldPlaced"]


async def test_a_mandate_keeps_an_administrator(world: World) -> None:
    """Whoever alone administers a mandate is erased only when somebody else does, at the proposal and afterwards."""
    by = world.cara
    with pytest.raises(InputError, match="last_administrator"):
        await world.proposing.propose_person("anna", "gewünscht", by)
    await world.mandates.give_role("M", "dora", "administrator", world.anna)
    change = (await world.proposing.propose_person("anna", "gewünscht", by)).proposal
    assert change is not None
    await world.mandates.give_role("M", "dora", "member", world.anna)
    with pytest.raises(InputError, match="last_administrator"):
        await world.four_eyes.approve(change, world.anna)
