"""Who may see what, and who may do what.

Unknown, foreign and forbidden end in one and the same ``AccessError``. An administrator changes the mandate, someone
with the role ``compliance`` looks at everything, a member asks.
"""

from collections.abc import Iterable, Sequence
from typing import Final
from uuid import UUID

from domain.errors import AccessError
from domain.mandates import naming
from domain.mandates.rules import OPEN_ROOMS, rule
from domain.mandates.state import ADMINISTRATOR, COMPLIANCE, Mandate, Member

OVERSIGHT: Final = frozenset({ADMINISTRATOR, COMPLIANCE})
"""Roles that see members, channels, pending changes and the runs of others."""


def member_of(mandate: Mandate | None, person: UUID | None) -> Member:
    """Return the membership of ``person``.

    Raises:
        AccessError: there is no such mandate, or the person is not a member.
    """
    member = None if mandate is None or person is None else mandate.members.get(person)
    if member is None:
        raise AccessError
    return member


def must_administer(mandate: Mandate | None, person: UUID | None) -> None:
    """Let only administrators pass.

    Raises:
        AccessError: anybody else.
    """
    if member_of(mandate, person).role != ADMINISTRATOR:
        raise AccessError


def must_oversee(mandate: Mandate | None, person: UUID | None) -> None:
    """Let only administrators and compliance pass.

    Raises:
        AccessError: anybody else.
    """
    if member_of(mandate, person).role not in OVERSIGHT:
        raise AccessError


def oversees(mandate: Mandate, person: UUID) -> bool:
    """Say whether a person has one of the roles that look at everything."""
    member = mandate.members.get(person)
    return member is not None and member.role in OVERSIGHT


def effective_level(
    mandate: Mandate,
    asker: UUID | None,
    channel: str | None = None,
    room: Iterable[UUID | None] = (),
    *,
    is_open_room: bool = False,
) -> str | None:
    """Return the level up to which a question may see.

    It is the lowest of the asker's clearance, the channel's ceiling, the clearances of everybody in the room, and what
    the mandate lets be shown in a room that is not encrypted and closed.

    Args:
        mandate: the mandate asked in.
        asker: who asks; ``None`` for somebody without a pseudonym.
        channel: where it is asked, if in a channel.
        room: everybody who is in the room or invited; ``None`` for somebody without a pseudonym.
        is_open_room: the room is not encrypted, or shows later joiners what was said before.

    Returns:
        The level, or ``None`` (nothing may be seen) when somebody in the room is not admitted.

    Raises:
        AccessError: the asker is not a member, or the channel belongs to another mandate or none.
    """
    limits = [member_of(mandate, asker).clearance]
    if channel is not None:
        if channel not in mandate.channels:
            raise AccessError
        limits.append(mandate.channels[channel])
    for person in room:
        other = None if person is None else mandate.members.get(person)
        if other is None:
            return None
        limits.append(other.clearance)
    if is_open_room:
        limits.append(rule(mandate, OPEN_ROOMS).value)
    return min(limits, key=mandate.rank)


def allowed_levels(mandate: Mandate, level: str | None) -> tuple[str, ...]:
    """Return the names of the levels at or below ``level``, lowest first; none for ``None``.

    The documents of libraries are compared by these names too.
    """
    return () if level is None else mandate.levels[: mandate.rank(level) + 1]


def scope_of(mandate: Mandate, keys: Sequence[str] | None = None) -> tuple[UUID, ...]:
    """Return the mandates that a question searches: the own one and its libraries, or those named in ``keys``.

    Raises:
        AccessError: a key is neither the own one nor that of a subscribed library.
    """
    open_to = {naming.folded(mandate.key): mandate.id}
    open_to |= {naming.folded(key): library for library, key in mandate.libraries.items()}
    if keys is None:
        return tuple(open_to.values())
    if not all(naming.folded(key) in open_to for key in keys):
        raise AccessError
    return tuple(dict.fromkeys(open_to[naming.folded(key)] for key in keys))
