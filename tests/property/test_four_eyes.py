"""Whatever one person does alone, under whatever names, nothing that takes two people comes into force."""

import asyncio
from collections.abc import Sequence
from uuid import uuid4

from hypothesis import given, target
from hypothesis import strategies as st

from domain.errors import InputError
from domain.mandates.events import ChangeApproved
from domain.mandates.four_eyes import FourEyes
from domain.mandates.handler import Mandates
from domain.mandates.policies import ModelThreshold
from domain.recording import Actor
from tests.erasers import all_due
from tests.memory import InMemoryEventStore, InMemoryPeople

PEOPLE = ("owner", "anna", "ben")
people = st.sampled_from(PEOPLE)
roles = st.sampled_from(("member", "administrator", "compliance"))
levels = st.sampled_from(("public", "internal", "secret"))
commands = st.one_of(
    st.tuples(st.just("admit"), people, levels),
    st.tuples(st.just("clear"), people, levels),
    st.tuples(st.just("role"), people, roles),
    st.tuples(st.just("remove"), people, st.just("")),
    st.tuples(st.just("release"), st.just("intranet.example"), st.just("")),
    st.tuples(st.just("lower"), st.sampled_from(("0.1", "0.5")), st.just("")),
    st.tuples(st.sampled_from(("approve", "reject")), st.sampled_from("012"), st.just("")),
)
Step = tuple[str, tuple[str, str, str], str]


class World:
    """One mandate of the owner, in which Anna administers and Ben oversees."""

    def __init__(self) -> None:
        self.store = InMemoryEventStore()
        self.people = InMemoryPeople()
        self.mandates = Mandates(self.store, self.people, uuid4)
        self.four_eyes = FourEyes(self.store, self.people, self.mandates, lambda _: ModelThreshold("", None), all_due)

    async def open(self) -> "World":
        owner = await self.actor("owner")
        await self.mandates.open("M", None, "Europe/Berlin", owner, library=False)
        for name, role in (("anna", "administrator"), ("ben", "compliance")):
            await self.mandates.admit("M", name, "internal", owner)
            await self.mandates.give_role("M", name, role, owner)
        return self

    async def actor(self, name: str, operator: str | None = None) -> Actor:
        person = await self.people.register(name)
        return Actor(person, None if operator in {None, name} else await self.people.register(str(operator)))

    async def does(self, actor: Actor, command: tuple[str, str, str]) -> None:
        verb, subject, value = command
        waiting = (await self.mandates.find("M")).proposals
        match verb:
            case "admit":
                await self.mandates.admit("M", subject, value, actor)
            case "clear":
                await self.mandates.clear("M", subject, value, actor)
            case "role":
                await self.mandates.give_role("M", subject, value, actor)
            case "remove":
                await self.mandates.remove("M", subject, actor)
            case "release":
                await self.mandates.release_domain("M", subject, actor)
            case "lower":
                await self.mandates.set_threshold("M", "coverage", subject, "weil", actor, model=None)
            case _ if int(subject) < len(waiting):
                change = waiting[int(subject)].change
                if verb == "approve":
                    await self.four_eyes.approve(change, actor)
                else:
                    await self.four_eyes.reject(change, None, actor)


async def _alone(steps: Sequence[Step]) -> None:
    world = await World().open()
    for name, command, second in steps:
        for actor, what in ((name, command), (second, ("approve", "0", ""))):
            try:
                await world.does(await world.actor(actor, "owner"), what)
            except InputError:
                continue
    mandate = await world.mandates.find("M")
    owner = (await world.actor("owner")).person
    assert {person for person, member in mandate.members.items() if member.clearance == "secret"} <= {owner}
    assert mandate.domains == ()
    assert mandate.thresholds == {}
    assert not [one for one in await world.store.after(0, 10_000) if isinstance(one.event, ChangeApproved)]


@given(st.lists(st.tuples(people, commands, people), max_size=15))
def test_one_person_under_many_names_is_one_person(steps: list[Step]) -> None:
    """The owner of the data folder acts as everybody; nobody is cleared to the top, no gate lowered, no link opened."""
    asyncio.run(_alone(steps))


speakers = st.none() | st.none() | people
proposals = st.sampled_from((("release", "intranet.example", ""), ("lower", "0.5", ""), ("clear", "anna", "secret")))
rounds = st.tuples(people, speakers, proposals, st.lists(st.tuples(people, speakers), min_size=1, max_size=3))
Round = tuple[str, str | None, tuple[str, str, str], list[tuple[str, str | None]]]


async def _together(history: Sequence[Round]) -> int:
    """Return how many proposals were approved, after looking at who has agreed."""
    world = await World().open()
    for name, operator, command, others in history:
        attempts = [(name, operator, command), *((one, by, ("approve", "0", "")) for one, by in others)]
        for person, by, what in attempts:
            try:
                await world.does(await world.actor(person, by), what)
            except InputError:
                continue
    mandate = await world.mandates.find("M")
    approved = [one for one in mandate.decided.values() if one.outcome == "approved"]
    for one in approved:
        first, second = one.proposal.proposed_by, one.by
        assert first is not None
        assert second is not None
        assert second.operator is None
        assert second.person not in {first.person, first.operator}
    in_force = len(mandate.domains) + len(mandate.thresholds)
    in_force += sum(member.clearance == "secret" for member in mandate.members.values()) - 1
    assert in_force == len(approved)
    return len(approved)


@given(st.lists(rounds, min_size=1, max_size=6))
def test_whatever_is_in_force_had_two_people(history: list[Round]) -> None:
    """In every history of people who act for themselves and for one another, author and second are two."""
    target(asyncio.run(_together(history)))


def test_two_people_do_get_there() -> None:
    """The histories above are not empty: owner and Ben, each for themselves, bring a change into force."""
    assert asyncio.run(_together([("owner", None, ("lower", "0.5", ""), [("ben", None)])])) == 1
