"""Where something is asked: the room as it is at this moment, whose it is, and who reads along."""

from asyncio import gather
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from bot.chat.desk import Desk
from bot.chat.ports import Room
from domain.asking.admission import levels_in
from domain.asking.values import Ask
from domain.instants import parse_day
from domain.mandates.access import allowed_levels, oversees
from domain.mandates.rules import OPEN_ROOMS, rule
from domain.mandates.state import Mandate, Member
from domain.recording import Actor

UNBOUND: Final = "unbound"
SEVERAL: Final = "several"


@dataclass(frozen=True, slots=True)
class Place:
    """A room with everybody in it.

    Attributes:
        asker: who is answered there, ``None`` for somebody nobody knows.
        others: everybody else, likewise.
        mandate: what is asked there; ``None`` where nothing can be.
        lacks: why there is no mandate: ``UNBOUND`` or ``SEVERAL``; else empty.
        is_bound: by an administrator; else it is a direct room of a member of one mandate.
    """

    room: Room
    asker: UUID | None
    others: tuple[UUID | None, ...]
    mandate: Mandate | None
    lacks: str = ""
    is_bound: bool = False

    @property
    def member(self) -> Member | None:
        """Return the membership of whoever asks, ``None`` for a stranger."""
        return None if self.mandate is None or self.asker is None else self.mandate.members.get(self.asker)

    @property
    def channel(self) -> str | None:
        """Return the room as a channel of the mandate."""
        return self.room.id if self.is_bound else None

    @property
    def is_among_overseers(self) -> bool:
        """Say whether everybody who reads along, now or later, has one of the roles that look at everything."""
        mandate = self.mandate
        if mandate is None or not self.room.is_protected:
            return False
        return all(one is not None and oversees(mandate, one) for one in self.others)

    def ask(
        self, mandate: Mandate, asker: UUID, text: str = "", at: str | None = None, valid_on: str | None = None
    ) -> Ask:
        """Return a question that is asked here; ``at`` and ``valid_on`` as written.

        Raises:
            InputError: ``day``.
        """
        return Ask(
            mandate.key,
            asker,
            Actor(asker),
            text,
            channel=self.channel,
            at=at,
            valid_on=None if valid_on is None else parse_day(valid_on),
            room=self.others,
            is_open_room=not self.room.is_protected,
        )

    @property
    def levels(self) -> tuple[str, ...]:
        """Return the names of the levels that may be shown here to those who are here now."""
        mandate = self.mandate
        if mandate is None or self.asker is None:
            return ()
        return levels_in(mandate, self.ask(mandate, self.asker))

    def covers(self, owner: UUID, levels: tuple[str, ...]) -> bool:
        """Say whether what was asked in a mandate up to ``levels`` may be shown here to those who are here now."""
        is_own = self.mandate is not None and self.mandate.id == owner
        return is_own and bool(levels) and set(levels) <= set(self.levels)

    def wants_trust(self, levels: tuple[str, ...]) -> bool:
        """Say whether what was asked up to ``levels`` goes to confirmed devices only: above what open rooms show."""
        mandate = self.mandate
        return mandate is None or not set(levels) <= set(allowed_levels(mandate, rule(mandate, OPEN_ROOMS).value))


async def place_of(desk: Desk, room: Room, sender: str) -> Place:
    """Return where something is that ``sender`` says in a room."""
    asker = await desk.person(sender)
    others = tuple(await gather(*(desk.person(one) for one in sorted(room.members - {sender}))))
    bound = await desk.app.mandates.of_channel(room.id)
    if bound is not None:
        return Place(room, asker, others, bound, is_bound=True)
    if not room.is_direct:
        return Place(room, asker, others, None, UNBOUND)
    mandates = await desk.app.mandates.of_person(asker)
    if len(mandates) != 1:
        return Place(room, asker, others, None, SEVERAL if mandates else UNBOUND)
    return Place(room, asker, others, mandates[0])


async def place_in(desk: Desk, place: Place, owner: UUID) -> Place:
    """Return a direct room as one of the mandate ``owner``, unless it is bound: whoever asks may be in several."""
    if place.is_bound:
        return place
    return Place(place.room, place.asker, place.others, await desk.app.mandates.by_id(owner))
