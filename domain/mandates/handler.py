"""The commands of mandates: read, ask whether the actor may, decide, record; again if somebody was faster."""

from asyncio import gather
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Final
from uuid import UUID

from domain.errors import AccessError, ConflictError, InputError
from domain.instants import parse_instant
from domain.journal.as_of import Moment, resolve
from domain.mandates import decisions, naming
from domain.mandates.access import member_of, must_administer
from domain.mandates.attempts import Change, attempt
from domain.mandates.decisions import Decision
from domain.mandates.policies import ModelThreshold
from domain.mandates.state import Mandate, replay
from domain.recording import NOWHERE, Actor, EventStore, People, StreamName

MANDATE: Final = "mandate"
CHANNEL: Final = "channel"


class Mandates:
    """Opens, changes and finds mandates.

    Args:
        store: where events are recorded.
        people: the directory of people.
        new_id: makes random ids.
    """

    def __init__(self, store: EventStore, people: People, new_id: Callable[[], UUID]) -> None:
        self._store = store
        self._people = people
        self._new_id = new_id

    async def find(self, key: str, *, up_to: int | None = None) -> Mandate:
        """Return the mandate of this key, as it was at a journal position.

        Raises:
            AccessError: there is none.
        """
        stream = await self._store.find(StreamName(MANDATE, naming.folded(key)))
        # What does not exist is looked for as what is not open to somebody is: the same way, as often.
        mandate = await self.by_id(NOWHERE if stream is None else stream, up_to=up_to)
        if mandate is None:
            raise AccessError
        return mandate

    async def by_id(self, mandate: UUID, *, up_to: int | None = None) -> Mandate | None:
        """Return the mandate of this id, as it was at a journal position; ``None`` if there was none."""
        return replay(await self._store.read(mandate, up_to=up_to))

    async def at_version(self, mandate: UUID, version: int) -> Mandate | None:
        """Return the mandate of this id as its first ``version`` events made it; ``None`` if there was none."""
        return replay([one for one in await self._store.read(mandate) if one.version <= version])

    async def seen(self, key: str, person: UUID | None, at: str | None, now: datetime) -> tuple[Mandate, int]:
        """Return a mandate as ``person`` looks at it, and the journal position up to which it is told.

        Args:
            key: key of the mandate.
            person: who looks; must be a member today.
            at: the instant looked at as written, ``None`` for the present.
            now: the present.

        Raises:
            AccessError: there is none, or the person is not a member.
            InputError: ``instant``, ``instant_future``, ``day`` or ``mandate_not_yet``.
        """
        position = await self._store.head()
        mandate = await self.find(key, up_to=position)
        member_of(mandate, person)
        if person is None:
            raise AccessError
        if at is None:
            return mandate, position
        moment = await self.moment(mandate, at, Actor(person), now)
        then = await self.by_id(mandate.id, up_to=moment.position)
        if then is None:
            raise InputError("mandate_not_yet")
        return then, moment.position

    async def moment(self, mandate: Mandate, at: str, actor: Actor, now: datetime) -> Moment:
        """Return the instant that ``at`` means, and the last journal position logged by then.

        The first time that somebody asks, the mandate's journal keeps it; not for the present, which is another each
        time, nor for a time at which there was no mandate yet.

        Args:
            mandate: the mandate as it is today.
            at: the instant as written.
            actor: who asks, and has been found to be a member.
            now: the present.

        Raises:
            InputError: ``instant``, ``instant_future`` or ``day``.
        """
        instant = parse_instant(at, mandate.time_zone, now)
        if instant == now or instant < mandate.opened_at:
            return Moment(instant, await self._store.position_at(instant))
        return await resolve(self._store, mandate.id, instant, actor, self._new_id)

    async def of_person(self, person: UUID | None) -> tuple[Mandate, ...]:
        """Return the mandates in which a person is a member, by key."""
        if person is None:
            return ()
        return tuple(one for one in await self.ever_of(person) if person in one.members)

    async def ever_of(self, person: UUID) -> tuple[Mandate, ...]:
        """Return the mandates in which a person is or was a member, by key."""
        return tuple([one for one in await self._all() if person in one.people])

    async def readers_of(self, library: UUID) -> tuple[Mandate, ...]:
        """Return the mandates that read a library, by key."""
        return tuple([one for one in await self._all() if library in one.libraries])

    async def _all(self) -> list[Mandate]:
        found = await gather(*(self.by_id(stream) for stream in await self._store.named(MANDATE)))
        return sorted((one for one in found if one is not None), key=lambda one: naming.folded(one.key))

    async def erased_libraries(self, mandate: Mandate) -> tuple[str, ...]:
        """Return the keys of subscribed libraries that have been erased."""
        names = {library: StreamName(MANDATE, naming.folded(key)) for library, key in mandate.libraries.items()}
        gone = [library for library, name in names.items() if await self._store.find(name) != library]
        return tuple(mandate.libraries[library] for library in gone)

    async def of_channel(self, channel: str) -> Mandate | None:
        """Return the mandate that a channel is bound to."""
        return (await self._binding(channel))[0]

    async def open(self, key: str, name: str | None, time_zone: str, actor: Actor, *, library: bool) -> Mandate:
        """Open a mandate.

        Raises:
            InputError: ``mandate_taken``, or as ``decisions.open_mandate``.
        """
        events = decisions.open_mandate(key, name, time_zone, actor.person, library=library)
        stream = self._new_id()
        claim = StreamName(MANDATE, naming.folded(key))
        if await self._store.find(claim) is not None:
            raise InputError("mandate_taken", key=key)
        try:
            recorded = await self._store.append(stream, stream, 0, events, actor, name=claim)
        except ConflictError:
            raise InputError("mandate_taken", key=key) from None
        opened = replay(recorded)
        if opened is None:
            raise AccessError
        return opened

    async def subscribe(self, key: str, library_key: str, actor: Actor) -> Change:
        """Let a mandate read a library; what is no library looks like what does not exist."""
        mandate = await self._administered(key, actor)
        library = await self.find(library_key)
        if not library.library and library.id != mandate.id:
            raise AccessError
        return await self.change(key, actor, lambda current: decisions.subscribe(current, library))

    async def define_levels(self, key: str, levels: Sequence[str], actor: Actor) -> Change:
        """Give the ordered list of levels."""
        return await self.change(key, actor, lambda mandate: decisions.define_levels(mandate, levels))

    async def admit(self, key: str, identity: str, clearance: str, actor: Actor) -> Change:
        """Admit a person by identity."""
        await self._administered(key, actor)
        person = await self._people.register(identity)
        change = self._new_id()
        return await self.change(key, actor, lambda mandate: decisions.admit(mandate, person, clearance, change))

    async def clear(self, key: str, identity: str, clearance: str, actor: Actor) -> Change:
        """Change a member's clearance."""
        person = await self._people.find(identity)
        change = self._new_id()
        return await self.change(key, actor, lambda mandate: decisions.clear(mandate, person, clearance, change))

    async def give_role(self, key: str, identity: str, role: str, actor: Actor) -> Change:
        """Give a member a role."""
        person = await self._people.find(identity)
        return await self.change(key, actor, lambda mandate: decisions.give_role(mandate, person, role))

    async def remove(self, key: str, identity: str, actor: Actor) -> Change:
        """Remove a member."""
        person = await self._people.find(identity)
        return await self.change(key, actor, lambda mandate: decisions.remove(mandate, person))

    async def release_domain(self, key: str, domain: str, actor: Actor) -> Change:
        """Propose a domain for source links."""
        change = self._new_id()
        return await self.change(key, actor, lambda mandate: decisions.release_domain(mandate, domain, change))

    async def set_threshold(
        self, key: str, name: str, value: str, because: str, actor: Actor, *, model: ModelThreshold | None
    ) -> Change:
        """Set a threshold; ``model`` is the reranker in use."""
        change = self._new_id()
        return await self.change(
            key,
            actor,
            lambda mandate: decisions.set_threshold(mandate, name, value, because, model=model, change=change),
        )

    async def set_rule(self, key: str, name: str, value: str, because: str, actor: Actor) -> Change:
        """Set a rule."""
        change = self._new_id()
        return await self.change(key, actor, lambda mandate: decisions.set_rule(mandate, name, value, because, change))

    async def bind(self, key: str, channel: str, ceiling: str, actor: Actor) -> Change:
        """Bind a channel to a mandate.

        Raises:
            InputError: ``channel_taken``: it is bound elsewhere; where is not said.
        """
        await self._administered(key, actor)
        channel = naming.channel_name(channel)

        async def decided(mandate: Mandate) -> tuple[Decision, StreamName | None]:
            bound, free = await self._binding(channel)
            if bound is not None and bound.id != mandate.id:
                raise InputError("channel_taken", channel=channel)
            return decisions.bind(mandate, channel, ceiling), None if bound is not None else free

        return await attempt(self._store, lambda: self._administered(key, actor), decided, actor)

    async def unbind(self, channel: str, actor: Actor) -> Change:
        """Let go of a channel; only the administrators of its mandate may."""
        channel = naming.channel_name(channel)

        async def load() -> Mandate:
            mandate = await self.of_channel(channel)
            if mandate is None:
                raise AccessError
            must_administer(mandate, actor.person)
            return mandate

        async def decided(mandate: Mandate) -> tuple[Decision, None]:
            return decisions.unbind(mandate, channel), None

        return await attempt(self._store, load, decided, actor)

    async def _administered(self, key: str, actor: Actor) -> Mandate:
        mandate = await self.find(key)
        must_administer(mandate, actor.person)
        return mandate

    async def _binding(self, channel: str) -> tuple[Mandate | None, StreamName]:
        """Return the mandate that has the channel, and the name to claim for the next binding.

        Names are claimed for ever and a channel may move, so each binding claims its own number: of two mandates
        that bind the channel at once, one meets a conflict.
        """
        number, holder = 1, None
        while (stream := await self._store.find(_binding_name(channel, number))) is not None:
            number, holder = number + 1, stream
        mandate = None if holder is None else await self.by_id(holder)
        bound = mandate if mandate is not None and channel in mandate.channels else None
        return bound, _binding_name(channel, number)

    async def change(self, key: str, actor: Actor, decide: Callable[[Mandate], Decision]) -> Change:
        """Record what ``decide`` makes of the mandate; only administrators may."""

        async def decided(mandate: Mandate) -> tuple[Decision, None]:
            return decide(mandate), None

        return await attempt(self._store, lambda: self._administered(key, actor), decided, actor)


def _binding_name(channel: str, number: int) -> StreamName:
    return StreamName(CHANNEL, f"{channel}#{number}")
