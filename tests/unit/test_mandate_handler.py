"""Commands of mandates when others are at it at the same time."""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid4

import pytest

from domain.errors import AccessError, ConflictError, InputError
from domain.mandates.handler import Mandates
from domain.recording import ATTEMPTS, Actor, Event, Recorded
from tests.memory import InMemoryEventStore, InMemoryPeople


class Meddling(InMemoryEventStore):
    """A store where somebody else is faster a few times."""

    def __init__(self) -> None:
        super().__init__()
        self.conflicts = 0
        self.asked = 0

    async def append(
        self, mandate: UUID, stream: UUID, expected: int, events: Sequence[Event], actor: Actor, **options: Any
    ) -> tuple[Recorded, ...]:
        self.asked += 1
        if self.conflicts:
            self.conflicts -= 1
            raise ConflictError
        await asyncio.sleep(0)
        return await super().append(mandate, stream, expected, events, actor, **options)


class World:
    def __init__(self) -> None:
        self.store = Meddling()
        self.people = InMemoryPeople()
        self.mandates = Mandates(self.store, self.people, uuid4)

    async def actor(self, name: str) -> Actor:
        return Actor(await self.people.register(name))

    async def open(self, key: str, *, library: bool = False, by: str = "anna") -> Actor:
        actor = await self.actor(by)
        await self.mandates.open(key, None, "Europe/Berlin", actor, library=library)
        return actor


@pytest.fixture
def world() -> World:
    return World()


async def test_a_conflict_is_decided_anew(world: World) -> None:
    """Somebody who was faster costs another attempt and nothing else."""
    anna = await world.open("M")
    world.store.conflicts, world.store.asked = 3, 0
    change = await world.mandates.admit("M", "ben", "internal", anna)
    assert change.status == "done"
    assert world.store.asked == 4


async def test_endless_conflicts_are_told(world: World) -> None:
    """After a number of attempts the person is asked to repeat the command."""
    anna = await world.open("M")
    world.store.conflicts, world.store.asked = 1000, 0
    with pytest.raises(ConflictError):
        await world.mandates.admit("M", "ben", "internal", anna)
    assert world.store.asked == ATTEMPTS


async def test_a_key_is_given_once(world: World) -> None:
    """Of several that open the same key at once, in whatever case, one gets it."""
    results = await asyncio.gather(
        *(world.open(key, by=f"user{number}") for number, key in enumerate(["Recht", "recht", "RECHT"])),
        return_exceptions=True,
    )
    refused = [one for one in results if isinstance(one, InputError)]
    assert [one.key for one in refused] == ["mandate_taken"] * 2
    assert (await world.mandates.find("rEcHt")).key in {"Recht", "recht", "RECHT"}


async def test_a_channel_goes_to_one_of_many(world: World) -> None:
    """Of several mandates that bind a channel at once, one has it, even after it has moved."""
    keys = [f"M{number}" for number in range(5)]
    for key in keys:
        anna = await world.open(key)
    for _ in range(3):
        results = await asyncio.gather(
            *(world.mandates.bind(key, "#a", "public", anna) for key in keys), return_exceptions=True
        )
        assert sum(not isinstance(one, InputError) for one in results) == 1
        holder = await world.mandates.of_channel("#a")
        assert holder is not None
        holders = [key for key in keys if "#a" in (await world.mandates.find(key)).channels]
        assert holders == [holder.key]
        await world.mandates.unbind("#a", anna)
        assert await world.mandates.of_channel("#a") is None


async def test_administrators_cannot_remove_each_other_at_once(world: World) -> None:
    """Two administrators who remove one another at the same moment leave one behind."""
    anna = await world.open("M")
    ben = await world.actor("ben")
    await world.mandates.admit("M", "ben", "internal", anna)
    await world.mandates.give_role("M", "ben", "administrator", anna)
    results = await asyncio.gather(
        world.mandates.remove("M", "ben", anna), world.mandates.remove("M", "anna", ben), return_exceptions=True
    )
    assert len([one for one in results if isinstance(one, AccessError)]) == 1
    assert len((await world.mandates.find("M")).administrators) == 1


async def test_looking_back_needs_membership_today(world: World) -> None:
    """What somebody once saw is closed to them after they have left."""
    anna = await world.open("M")
    ben = await world.actor("ben")
    await world.mandates.admit("M", "ben", "internal", anna)
    now = datetime.now(UTC)
    assert (await world.mandates.seen("M", ben.person, now.isoformat(), now))[0].members[ben.person]
    await world.mandates.remove("M", "ben", anna)
    for at in (None, now.isoformat(), "nonsense"):
        with pytest.raises(AccessError):
            await world.mandates.seen("M", ben.person, at, datetime.now(UTC))


async def test_an_erased_opening_leaves_no_mandate(world: World) -> None:
    """A mandate whose key is gone looks as if it had never been."""
    await world.open("M")
    mandate = await world.mandates.find("M")
    world.store.shred(mandate.id, 1)
    with pytest.raises(AccessError):
        await world.mandates.find("M")
    assert await world.mandates.of_person((await world.actor("anna")).person) == ()
