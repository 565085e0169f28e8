"""A room as its state has it."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.matrix.rooms import readers, room_of
from tests.unit.matrix.replay import ANNA, BEN, BOT

ROOM = "!r:kanzlei.example"


def _state(kind: str, content: Any, key: str = "") -> dict[str, Any]:
    return {"type": kind, "state_key": key, "content": content}


def _member(person: str, membership: str) -> dict[str, Any]:
    return _state("m.room.member", {"membership": membership}, person)


_US = _member(BOT, "join")
_ENCRYPTED = _state("m.room.encryption", {"algorithm": "m.megolm.v1.aes-sha2"})


def _room(*state: dict[str, Any], is_known_encrypted: bool = False) -> Any:
    return room_of(ROOM, state, BOT, is_known_encrypted=is_known_encrypted)


def test_members_are_those_in_it_and_those_invited_but_us() -> None:
    """Whoever has left, is banned, or only knocks is not there."""
    room = _room(_US, _member(ANNA, "join"), _member(BEN, "invite"), _member("@c:x", "leave"), _member("@d:x", "ban"))
    assert room.members == {ANNA, BEN}
    assert not room.is_direct


def test_a_room_for_two_is_direct() -> None:
    """One person and us, invited or there; nobody else makes no conversation."""
    assert _room(_US, _member(ANNA, "invite")).is_direct
    assert not _room(_US).is_direct


@pytest.mark.parametrize("membership", ["invite", "leave", "ban", "knock"])
def test_a_room_that_we_are_not_in_is_none(membership: str) -> None:
    """Also one that we were put out of."""
    assert _room(_member(BOT, membership), _member(ANNA, "join")) is None
    assert _room() is None


@pytest.mark.parametrize(
    ("history", "is_closed"),
    [
        ("joined", True),
        ("invited", True),
        ("shared", False),
        ("world_readable", False),
        ("Joined", False),
        (None, False),
    ],
)
def test_a_room_is_closed_when_its_history_is(history: object, is_closed: bool) -> None:  # noqa: FBT001 - a parameter
    """What nobody has set, or nobody knows, counts as open."""
    assert _room(_US, _state("m.room.history_visibility", {"history_visibility": history})).is_closed is is_closed
    assert not _room(_US).is_closed


def test_a_room_once_known_as_encrypted_stays_so() -> None:
    """Even if the server's state says nothing of it any more."""
    assert _room(_US, _ENCRYPTED).is_encrypted
    assert _room(_US, is_known_encrypted=True).is_encrypted
    assert not _room(_US).is_encrypted


def test_state_under_a_key_of_its_own_is_not_that_of_the_room() -> None:
    """Anybody may write such."""
    visibility = _state("m.room.history_visibility", {"history_visibility": "joined"}, ANNA)
    assert not _room(_US, visibility).is_closed


def test_what_is_named_nearly_like_something_else_does_not_take_its_place() -> None:
    """A ban of somebody whose id differs by a character that nobody sees puts nobody else out; so too for state."""
    odd = [_member(f"{ANNA}\0", "ban"), _state("m.room.history_visibility\0", {"history_visibility": "joined"})]
    state = [_US, _member(ANNA, "join"), *odd]
    assert _room(*state).members == {ANNA}
    assert not _room(*state).is_closed
    assert readers(state) == {BOT, ANNA}


def test_the_successor_is_named() -> None:
    """Of a room that was closed in favour of another one."""
    assert _room(_US, _state("m.room.tombstone", {"replacement_room": "!n"})).successor == "!n"
    assert _room(_US).successor is None


def test_keys_go_to_those_who_may_read_now() -> None:
    """Whoever is invited reads along, unless the history is for those alone who have come."""
    state = [_US, _member(ANNA, "join"), _member(BEN, "invite"), _member("@c:x", "leave")]
    joined = _state("m.room.history_visibility", {"history_visibility": "joined"})
    assert readers(state) == {BOT, ANNA, BEN}
    assert readers([*state, joined]) == {BOT, ANNA}


_VALUES = st.none() | st.integers() | st.text(max_size=5) | st.dictionaries(st.text(max_size=5), st.none(), max_size=2)


@given(
    st.lists(
        st.fixed_dictionaries(
            {
                "type": st.sampled_from(["m.room.member", "m.room.history_visibility", "m.room.tombstone"]) | _VALUES,
                "state_key": st.sampled_from(["", BOT]) | _VALUES,
                "content": _VALUES | st.fixed_dictionaries({"membership": _VALUES, "history_visibility": _VALUES}),
            }
        ),
        max_size=4,
    )
)
def test_state_of_any_shape_protects_nothing(state: list[dict[str, Any]]) -> None:
    """It raises nothing either."""
    readers(state)
    assert not _room(*state)
    room = _room(_US, *[one for one in state if one["state_key"] != BOT])
    assert not room.is_protected
