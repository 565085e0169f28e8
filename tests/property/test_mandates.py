"""Random histories of mandates against a naive model."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from uuid import UUID, uuid4

from hypothesis import given
from hypothesis import strategies as st

from domain.errors import AccessError, InputError
from domain.mandates.access import effective_level
from domain.mandates.decisions import DEFAULT_LEVELS
from domain.mandates.handler import Mandates
from domain.recording import Actor
from tests.memory import InMemoryEventStore, InMemoryPeople

PEOPLE = ("anna", "ben", "cara", "dora")
CHANNELS = ("#a", "#b")
KEYS = ("M", "N")

people = st.sampled_from(PEOPLE)
levels = st.sampled_from(DEFAULT_LEVELS)
commands = st.one_of(
    st.tuples(st.just("admit"), st.sampled_from(KEYS), people, levels),
    st.tuples(st.just("clear"), st.sampled_from(KEYS), people, levels),
    st.tuples(
        st.just("role"), st.sampled_from(KEYS), people, st.sampled_from(("member", "administrator", "compliance"))
    ),
    st.tuples(st.just("remove"), st.sampled_from(KEYS), people, st.just("")),
    st.tuples(st.just("bind"), st.sampled_from(KEYS), st.sampled_from(CHANNELS), levels),
    st.tuples(st.just("unbind"), st.just(""), st.sampled_from(CHANNELS), st.just("")),
    st.tuples(st.just("define"), st.sampled_from(KEYS), st.sampled_from(("neu", "streng")), st.sampled_from("01234")),
)
Command = tuple[str, str, str, str]


@dataclass
class Model:
    """What a mandate should be, kept in the simplest way."""

    clearance: dict[str, str] = field(default_factory=lambda: {"anna": "secret"})
    role: dict[str, str] = field(default_factory=lambda: {"anna": "administrator"})
    levels: list[str] = field(default_factory=lambda: list(DEFAULT_LEVELS))


class World:
    """Two mandates of the naive model, and the channels between them."""

    def __init__(self) -> None:
        self.mandates = {key: Model() for key in KEYS}
        self.channels: dict[str, tuple[str, str]] = {}

    def does(self, actor: str, command: Command) -> bool:
        """Carry the command out; whether it is accepted."""
        verb, key, subject, value = command
        if verb == "unbind":
            key = self.channels.get(subject, ("", ""))[0]
        model = self.mandates.get(key)
        if model is None or model.role.get(actor) != "administrator":
            return False
        return bool(getattr(self, f"_{verb}")(model, key, subject, value))

    def _admit(self, model: Model, _key: str, person: str, level: str) -> bool:
        if person in model.clearance:
            return False
        if level != "secret":
            model.clearance[person], model.role[person] = level, "member"
        return True

    def _clear(self, model: Model, _key: str, person: str, level: str) -> bool:
        if person not in model.clearance:
            return False
        if level != "secret":
            model.clearance[person] = level
        return True

    def _role(self, model: Model, _key: str, person: str, role: str) -> bool:
        if person not in model.role or (role != "administrator" and self._is_last(model, person)):
            return False
        model.role[person] = role
        return True

    def _remove(self, model: Model, _key: str, person: str, _value: str) -> bool:
        if person not in model.role or self._is_last(model, person):
            return False
        del model.role[person], model.clearance[person]
        return True

    def _bind(self, _model: Model, key: str, channel: str, level: str) -> bool:
        if self.channels.get(channel, (key, ""))[0] != key:
            return False
        self.channels[channel] = (key, level)
        return True

    def _unbind(self, _model: Model, _key: str, channel: str, _value: str) -> bool:
        del self.channels[channel]
        return True

    def _define(self, model: Model, _key: str, level: str, place: str) -> bool:
        if level in model.levels or int(place) >= len(model.levels):
            return False
        model.levels.insert(int(place), level)
        return True

    @staticmethod
    def _is_last(model: Model, person: str) -> bool:
        return [one for one, role in model.role.items() if role == "administrator"] == [person]


class Real:
    """The handler over the in-memory store."""

    def __init__(self) -> None:
        self.store = InMemoryEventStore()
        self.people = InMemoryPeople()
        self.mandates = Mandates(self.store, self.people, uuid4)

    async def actor(self, name: str) -> Actor:
        return Actor(await self.people.register(name))

    async def does(self, actor: str, command: Command) -> bool:
        verb, key, subject, value = command
        who = await self.actor(actor)
        try:
            match verb:
                case "admit":
                    await self.mandates.admit(key, subject, value, who)
                case "clear":
                    await self.mandates.clear(key, subject, value, who)
                case "role":
                    await self.mandates.give_role(key, subject, value, who)
                case "remove":
                    await self.mandates.remove(key, subject, who)
                case "define":
                    longer = list((await self.mandates.find(key)).levels)
                    longer.insert(int(value), subject)
                    await self.mandates.define_levels(key, longer, who)
                case "bind":
                    await self.mandates.bind(key, subject, value, who)
                case _:
                    await self.mandates.unbind(subject, who)
        except InputError:
            return False
        return True


async def _play(steps: Sequence[tuple[str, Command]]) -> None:
    world, real = World(), Real()
    founder = await real.actor("anna")
    for key in KEYS:
        await real.mandates.open(key, None, "Europe/Berlin", founder, library=False)
    for actor, command in steps:
        assert world.does(actor, command) == await real.does(actor, command), (actor, command)
        await _same(world, real)
    assert all(recorded.actor is not None for recorded in await real.store.after(0, 10_000))


async def _same(world: World, real: Real) -> None:
    for key, model in world.mandates.items():
        mandate = await real.mandates.find(key)
        names = await real.people.names(list(mandate.members))
        assert {names[person]: member.clearance for person, member in mandate.members.items()} == model.clearance
        assert {names[person]: member.role for person, member in mandate.members.items()} == model.role
        assert mandate.administrators
        assert list(mandate.levels) == model.levels
        assert {names[person] for person, one in mandate.members.items() if one.clearance == "secret"} <= {"anna"}
        assert all(member.clearance in mandate.levels for member in mandate.members.values())
        bound = {channel: level for channel, (holder, level) in world.channels.items() if holder == key}
        assert dict(mandate.channels) == bound


@given(st.lists(st.tuples(people, commands), max_size=25))
def test_a_mandate_is_what_the_naive_model_says(steps: list[tuple[str, Command]]) -> None:
    """After every command: same members, roles, clearances, levels and channels; always an administrator and an actor.

    Whatever one administrator tries alone, nobody but the founder is ever cleared up to "secret".
    """
    asyncio.run(_play(steps))


below_the_top = st.sampled_from(DEFAULT_LEVELS[:-1])


@given(below_the_top, levels, st.lists(below_the_top, max_size=4), st.sampled_from(("alone", "with a stranger")))
def test_effective_level_is_never_above_any_limit(clearance: str, ceiling: str, room: list[str], company: str) -> None:
    """No question sees more than its asker, its channel or anybody in its room."""
    limits = [DEFAULT_LEVELS.index(level) for level in (clearance, ceiling, *room)]
    stranger = company == "with a stranger"
    found = asyncio.run(_level(clearance, ceiling, room, stranger=stranger))
    assert found == (None if stranger else DEFAULT_LEVELS[min(limits)])


async def _level(clearance: str, ceiling: str, room: list[str], *, stranger: bool) -> str | None:
    real = Real()
    founder = await real.actor("anna")
    await real.mandates.open("M", None, "Europe/Berlin", founder, library=False)
    await real.mandates.bind("M", "#a", ceiling, founder)
    await real.mandates.clear("M", "anna", clearance, founder)
    others: list[UUID | None] = [None] if stranger else []
    for number, level in enumerate(room):
        await real.mandates.admit("M", f"person{number}", level, founder)
        others.append((await real.actor(f"person{number}")).person)
    return effective_level(await real.mandates.find("M"), founder.person, "#a", others)


def test_unknown_foreign_and_forbidden_are_one() -> None:
    """Every command of a person without the right meets the very same error, whether or not the mandate exists."""

    async def meet() -> set[tuple[type, str, tuple[tuple[str, str], ...]]]:
        real = Real()
        founder, ben, cara = [await real.actor(name) for name in ("anna", "ben", "cara")]
        await real.mandates.open("M", None, "Europe/Berlin", founder, library=False)
        await real.mandates.open("Fremd", None, "Europe/Berlin", cara, library=False)
        await real.mandates.admit("M", "ben", "internal", founder)
        await real.mandates.bind("M", "#a", "public", founder)
        mandates, met = real.mandates, set()
        calls = [
            lambda key: mandates.admit(key, "dora", "public", ben),
            lambda key: mandates.admit(key, "anna", "nonsense", ben),
            lambda key: mandates.clear(key, "ben", "secret", ben),
            lambda key: mandates.give_role(key, "ben", "administrator", ben),
            lambda key: mandates.remove(key, "anna", ben),
            lambda key: mandates.define_levels(key, ["x"], ben),
            lambda key: mandates.subscribe(key, "Fremd", ben),
            lambda key: mandates.bind(key, "#b", "public", ben),
            lambda key: mandates.bind(key, "", "public", ben),
            lambda key: mandates.release_domain(key, "", ben),
            lambda key: mandates.set_threshold(key, "x", "y", "", ben, model=None),
            lambda _: mandates.subscribe("M", "Fremd", founder),
            lambda _: mandates.subscribe("M", "gibt es nicht", founder),
            lambda _: mandates.unbind("#a", ben),
            lambda _: mandates.unbind("#nirgends", ben),
        ]
        for call in calls:
            for key in ("M", "Fremd", "gibt es nicht", "\udcff"):
                try:
                    await call(key)
                except InputError as error:
                    met.add((type(error), error.key, tuple(error.values.items())))
        return met

    assert asyncio.run(meet()) == {(AccessError, "access", ())}
