"""One proposes, another one agrees: who may be the second, what agreeing does, and what races come to."""

import asyncio
from collections.abc import Awaitable, Callable
from uuid import UUID, uuid4

import pytest

from domain.errors import AccessError, InputError
from domain.mandates.attempts import PENDING
from domain.mandates.events import ChangeApproved
from domain.mandates.four_eyes import FourEyes
from domain.mandates.handler import Mandates
from domain.mandates.policies import ModelThreshold
from domain.mandates.state import Mandate
from domain.recording import Actor
from tests.erasers import all_due
from tests.memory import InMemoryPeople, YieldingEventStore

MODEL = ModelThreshold("reranker-1", 0.4)


class World:
    """Mandate M: Anna and Ben administer it, Cara oversees it, Dora is a member, Emil belongs to another mandate."""

    def __init__(self) -> None:
        self.store = YieldingEventStore()
        self.people = InMemoryPeople()
        self.mandates = Mandates(self.store, self.people, uuid4)
        self.model = MODEL
        self.four_eyes = FourEyes(self.store, self.people, self.mandates, lambda _: self.model, all_due)

    async def open(self) -> "World":
        self.anna, self.ben, self.cara, self.dora, self.emil = [
            Actor(await self.people.register(name)) for name in ("anna", "ben", "cara", "dora", "emil")
        ]
        await self.mandates.open("M", None, "Europe/Berlin", self.anna, library=False)
        await self.mandates.open("N", None, "Europe/Berlin", self.emil, library=False)
        for name, role in (("ben", "administrator"), ("cara", "compliance"), ("dora", "member")):
            await self.mandates.admit("M", name, "internal", self.anna)
            await self.mandates.give_role("M", name, role, self.anna)
        return self

    async def found(self) -> Mandate:
        return await self.mandates.find("M")

    async def proposed(self, kind: str, actor: Actor) -> UUID:
        change = await PROPOSALS[kind](self, actor)
        assert change.status == PENDING
        return change.proposal


PROPOSALS: dict[str, Callable[[World, Actor], Awaitable]] = {
    "admission": lambda world, actor: world.mandates.admit("M", "fritz", "secret", actor),
    "clearance": lambda world, actor: world.mandates.clear("M", "dora", "secret", actor),
    "link_domain": lambda world, actor: world.mandates.release_domain("M", "intranet.example", actor),
    "coverage": lambda world, actor: world.mandates.set_threshold("M", "coverage", "0.5", "weil", actor, model=None),
    "relevance": lambda world, actor: world.mandates.set_threshold("M", "relevance", "0.2", "weil", actor, model=MODEL),
    "rule": lambda world, actor: world.mandates.set_rule("M", "integrity", "strike", "weil", actor),
}


async def in_force(world: World, kind: str) -> bool:
    mandate = await world.found()
    fritz = await world.people.find("fritz")
    clearances = {person: member.clearance for person, member in mandate.members.items()}
    return {
        "admission": fritz is not None and clearances.get(fritz) == "secret",
        "clearance": clearances.get(world.dora.person) == "secret",
        "link_domain": mandate.domains == ("intranet.example",),
        "coverage": "coverage" in mandate.thresholds and mandate.thresholds["coverage"].value == 0.5,
        "relevance": "relevance" in mandate.thresholds and mandate.thresholds["relevance"].fingerprint == "reranker-1",
        "rule": "integrity" in mandate.rules and mandate.rules["integrity"].value == "strike",
    }[kind]


@pytest.fixture
async def world() -> World:
    return await World().open()


@pytest.mark.parametrize("kind", PROPOSALS)
async def test_agreeing_carries_the_change_out(world: World, kind: str) -> None:
    """Before it nothing is in force; after it the change is, and the proposal waits no longer."""
    change = await world.proposed(kind, world.anna)
    assert not await in_force(world, kind)

    verdict = await world.four_eyes.approve(change, world.ben)

    assert await in_force(world, kind)
    assert (verdict.status, verdict.decided.outcome, verdict.decided.by) == ("done", "approved", world.ben)
    assert (await world.found()).proposals == ()


@pytest.mark.parametrize("kind", PROPOSALS)
async def test_turning_down_changes_nothing(world: World, kind: str) -> None:
    """The proposal is gone, with actor and reason kept, and may be made again under a new id."""
    change = await world.proposed(kind, world.anna)

    verdict = await world.four_eyes.reject(change, "nicht nötig", world.ben)

    assert not await in_force(world, kind)
    decided = verdict.decided
    assert (decided.outcome, decided.by, decided.because) == ("rejected", world.ben, "nicht nötig")
    assert (await world.found()).proposals == ()
    assert await world.proposed(kind, world.anna) != change


async def test_compliance_may_agree(world: World) -> None:
    """Whoever looks at everything and changes nothing is a second person."""
    change = await world.proposed("coverage", world.anna)
    await world.four_eyes.approve(change, world.cara)
    assert await in_force(world, "coverage")


@pytest.mark.parametrize("who", ["dora", "emil", "nobody"])
@pytest.mark.parametrize("verb", ["approve", "reject"])
async def test_to_anybody_else_there_is_no_proposal(world: World, who: str, verb: str) -> None:
    """A member, somebody of another mandate and a stranger meet what an unknown id meets."""
    change = await world.proposed("coverage", world.anna)
    actor = Actor(uuid4()) if who == "nobody" else getattr(world, who)
    call = world.four_eyes.approve if verb == "approve" else lambda one, by: world.four_eyes.reject(one, None, by)

    for one in (change, uuid4()):
        with pytest.raises(AccessError):
            await call(one, actor)

    assert [one.change for one in (await world.found()).proposals] == [change]


@pytest.mark.parametrize(
    ("proposed", "approved", "error"),
    [
        (("anna", None), ("anna", None), "second_is_first"),
        (("anna", "ben"), ("anna", None), "second_is_first"),
        (("anna", "ben"), ("ben", None), "second_is_first"),
        (("anna", None), ("ben", "anna"), "second_speaks_for_another"),
        (("anna", None), ("ben", "emil"), "second_speaks_for_another"),
        (("anna", "emil"), ("ben", "emil"), "second_speaks_for_another"),
        (("anna", None), ("anna", "ben"), "second_speaks_for_another"),
        (("anna", "emil"), ("ben", None), None),
        (("ben", None), ("anna", None), None),
        (("anna", "ben"), ("cara", None), None),
    ],
)
async def test_who_may_be_the_second(
    world: World, proposed: tuple[str, str | None], approved: tuple[str, str | None], error: str | None
) -> None:
    """Neither who proposed, nor on whose behalf, nor anybody who speaks for another; names are (person, operator)."""

    def actor(person: str, operator: str | None) -> Actor:
        return Actor(getattr(world, person).person, operator and getattr(world, operator).person)

    change = await world.proposed("coverage", actor(*proposed))
    if error is None:
        await world.four_eyes.approve(change, actor(*approved))
    else:
        with pytest.raises(InputError) as refusal:
            await world.four_eyes.approve(change, actor(*approved))
        assert refusal.value.key == error
    assert await in_force(world, "coverage") == (error is None)


async def test_proposing_the_same_again_is_not_agreeing(world: World) -> None:
    """A second administrator who proposes it as well has not agreed; then only a third or themselves may."""
    change = await world.proposed("coverage", world.anna)
    assert await world.proposed("coverage", world.ben) == change
    assert not await in_force(world, "coverage")
    with pytest.raises(InputError):
        await world.four_eyes.approve(change, world.anna)


async def test_deciding_twice_is_told(world: World) -> None:
    """The same again changes nothing and says by whom it was decided; the other way round is refused."""
    approved, rejected = await world.proposed("coverage", world.anna), await world.proposed("rule", world.anna)
    await world.four_eyes.approve(approved, world.ben)
    await world.four_eyes.reject(rejected, None, world.anna)
    length = await world.store.head()

    again = await world.four_eyes.approve(approved, world.cara)
    assert (again.status, again.decided.by) == ("unchanged", world.ben)
    assert (await world.four_eyes.reject(rejected, None, world.ben)).status == "unchanged"
    for call, key in (
        (world.four_eyes.reject(approved, None, world.ben), "proposal_approved"),
        (world.four_eyes.approve(rejected, world.ben), "proposal_rejected"),
    ):
        with pytest.raises(InputError) as refusal:
            await call
        assert refusal.value.key == key
    assert await world.store.head() == length


async def _set_otherwise(world: World) -> None:
    await world.mandates.set_threshold("M", "coverage", "0.9", "weil", world.ben, model=None)


async def _remove_dora(world: World) -> None:
    await world.mandates.remove("M", "dora", world.ben)


async def _admit_fritz(world: World) -> None:
    await world.mandates.admit("M", "fritz", "internal", world.ben)


async def _other_model(world: World) -> None:
    world.model = ModelThreshold("reranker-2", 0.4)


async def _remove_anna(world: World) -> None:
    await world.mandates.remove("M", "anna", world.ben)


async def _demote_anna(world: World) -> None:
    await world.mandates.give_role("M", "anna", "compliance", world.ben)


async def _erase_anna(world: World) -> None:
    world.people.shred(world.anna.person)


async def _erase_dora(world: World) -> None:
    world.people.shred(world.dora.person)


@pytest.mark.parametrize(
    ("kind", "meanwhile", "error"),
    [
        ("coverage", _set_otherwise, "proposal_overtaken"),
        ("clearance", _remove_dora, "proposal_overtaken"),
        ("admission", _admit_fritz, "proposal_overtaken"),
        ("relevance", _other_model, "proposal_model"),
        ("coverage", _remove_anna, "proposal_first_gone"),
        ("coverage", _demote_anna, "proposal_first_gone"),
        ("coverage", _erase_anna, "proposal_first_gone"),
        ("clearance", _erase_dora, "proposal_person_gone"),
    ],
)
async def test_a_proposal_that_no_longer_fits_is_refused(
    world: World, kind: str, meanwhile: Callable[[World], Awaitable[None]], error: str
) -> None:
    """What was proposed into another state does not come into force, and the refusal says why."""
    change = await world.proposed(kind, world.anna)
    await meanwhile(world)

    with pytest.raises(InputError) as refusal:
        await world.four_eyes.approve(change, world.ben)

    assert refusal.value.key == error
    assert not await in_force(world, kind)


async def test_of_two_proposals_for_the_same_one_overtakes_the_other(world: World) -> None:
    """Once one value is agreed to, another one for the same threshold has to be proposed anew."""
    first = await world.proposed("coverage", world.anna)
    change = await world.mandates.set_threshold("M", "coverage", "0.6", "weil", world.anna, model=None)
    assert change.proposal is not None

    await world.four_eyes.approve(first, world.ben)

    with pytest.raises(InputError) as refusal:
        await world.four_eyes.approve(change.proposal, world.ben)
    assert refusal.value.key == "proposal_overtaken"


@pytest.mark.parametrize("round_", range(8))
async def test_of_many_who_decide_at_once_one_decides(world: World, round_: int) -> None:
    """Whatever the order, there is exactly one decision, and the change is in force exactly when it is a yes."""
    change = await world.proposed("link_domain", world.anna)
    calls = [
        world.four_eyes.approve(change, world.ben),
        world.four_eyes.reject(change, None, world.cara),
        world.four_eyes.approve(change, world.cara),
        world.four_eyes.reject(change, None, world.ben),
    ]
    order = [calls[(place + round_) % 4] for place in range(4)]
    await asyncio.gather(*(order if round_ < 4 else reversed(order)), return_exceptions=True)

    history = await world.store.read((await world.found()).id)
    decisions = [one for one in history if type(one.event).__name__ in {"ChangeApproved", "ChangeRejected"}]
    assert len(decisions) == 1
    assert await in_force(world, "link_domain") == isinstance(decisions[0].event, ChangeApproved)


async def test_the_decision_and_the_change_are_one_append(world: World) -> None:
    """Nothing stands between the two in the journal, and both name the second person."""
    change = await world.proposed("coverage", world.anna)
    before = await world.store.head()
    await world.four_eyes.approve(change, world.ben)

    told = await world.store.after(before, 10)
    assert [type(one.event).__name__ for one in told] == ["ChangeApproved", "ThresholdSet"]
    assert {one.actor for one in told} == {world.ben}
    assert len({one.logged_at for one in told}) == 1


async def test_no_reason_that_is_no_reason(world: World) -> None:
    """A reason need not be given; an empty one is refused."""
    change = await world.proposed("coverage", world.anna)
    with pytest.raises(InputError) as refusal:
        await world.four_eyes.reject(change, " ", world.ben)
    assert refusal.value.key == "reason"
