"""A room as its state has it. Pure, and strict: what is missing or malformed counts as the less protected."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from bot.chat.ports import Room
from bot.matrix.shapes import table, text

_PRESENT: Final = frozenset({"join", "invite"})
_CLOSED: Final = frozenset({"joined", "invited"})


def room_of(room: str, state: Iterable[Mapping[str, Any]], account: str, *, is_known_encrypted: bool) -> Room | None:
    """Return a room, or ``None`` when we are not in it.

    Args:
        room: its id.
        state: every event of its state.
        account: our own identity.
        is_known_encrypted: it was encrypted once, so it is for ever, whatever the state says.
    """
    by_key = {(_name(event, "type"), _name(event, "state_key")): event for event in state}
    memberships = {
        person: text(table(event.get("content")).get("membership"))
        for (kind, person), event in by_key.items()
        if kind == "m.room.member"
    }
    if memberships.get(account) != "join":
        return None
    members = frozenset(person for person, how in memberships.items() if person != account and how in _PRESENT)
    visibility = table(by_key.get(("m.room.history_visibility", ""), {}).get("content"))
    tombstone = table(by_key.get(("m.room.tombstone", ""), {}).get("content"))
    return Room(
        id=room,
        members=members,
        is_direct=len(members) == 1,
        is_encrypted=is_known_encrypted or ("m.room.encryption", "") in by_key,
        is_closed=text(visibility.get("history_visibility")) in _CLOSED,
        successor=text(tombstone.get("replacement_room")) or None,
    )


def readers(state: Iterable[Mapping[str, Any]]) -> frozenset[str]:
    """Return who may read what is said in a room now, us included: who is in it, and who is invited to read along."""
    found = list(state)
    of = {
        _name(event, "state_key"): table(event.get("content")).get("membership")
        for event in found
        if event.get("type") == "m.room.member"
    }
    histories = (event for event in found if event.get("type") == "m.room.history_visibility")
    is_for_joined = any(table(event.get("content")).get("history_visibility") == "joined" for event in histories)
    return frozenset(person for person, how in of.items() if how == "join" or (how == "invite" and not is_for_joined))


def _name(event: Mapping[str, Any], part: str) -> str:
    """Return what a piece of state is, or whom it is about, as it is written: nothing odd stands for something else."""
    name = event.get(part)
    return name if isinstance(name, str) else ""
