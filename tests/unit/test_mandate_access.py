"""Who may see what in a mandate."""

from uuid import UUID

import pytest

from domain.errors import AccessError
from domain.mandates.access import (
    allowed_levels,
    effective_level,
    member_of,
    must_administer,
    must_oversee,
    scope_of,
)
from domain.mandates.events import ChannelBound, ClearanceChanged, LibrarySubscribed, MemberAdmitted, RoleGiven, RuleSet
from tests.unit.test_mandate_decisions import ANNA, BEN, CARA, LIBRARY, MANDATE, given

STRANGER = UUID(int=99)
HISTORY = (
    MemberAdmitted(BEN, "internal"),
    MemberAdmitted(CARA, "confidential"),
    RoleGiven(CARA, "compliance"),
    ChannelBound("#alle", "public"),
    ChannelBound("#vorstand", "secret"),
    LibrarySubscribed(LIBRARY, "Normen"),
)


@pytest.mark.parametrize(
    ("asker", "channel", "room", "level"),
    [
        (ANNA, None, (), "secret"),
        (BEN, None, (), "internal"),
        (ANNA, "#alle", (), "public"),
        (BEN, "#vorstand", (), "internal"),
        (ANNA, "#vorstand", (ANNA, BEN), "internal"),
        (ANNA, "#vorstand", (ANNA, CARA), "confidential"),
        (ANNA, "#vorstand", (ANNA, STRANGER), None),
        (ANNA, "#vorstand", (ANNA, None), None),
    ],
)
def test_effective_level_is_the_lowest(
    asker: UUID, channel: str | None, room: tuple[UUID | None, ...], level: str | None
) -> None:
    """Clearance, ceiling and everybody in the room each lower what a question may see."""
    assert effective_level(given(*HISTORY), asker, channel, room) == level


def test_an_open_room_shows_what_the_mandate_lets_it_show() -> None:
    """Without a decision the lowest level; with one, that level, and never more than everybody there may see."""
    decided = given(*HISTORY, RuleSet("open_rooms", "confidential", "Aushang"))

    assert effective_level(given(*HISTORY), ANNA, "#vorstand", (CARA,), is_open_room=True) == "public"
    assert effective_level(decided, ANNA, "#vorstand", (CARA,), is_open_room=True) == "confidential"
    assert effective_level(decided, ANNA, "#vorstand", (BEN,), is_open_room=True) == "internal"
    assert effective_level(decided, ANNA, "#vorstand", (STRANGER,), is_open_room=True) is None
    assert effective_level(decided, ANNA, "#vorstand", (CARA,)) == "confidential"


@pytest.mark.parametrize(("asker", "channel"), [(STRANGER, None), (None, None), (ANNA, "#fremd")])
def test_nobody_else_has_a_level(asker: UUID | None, channel: str | None) -> None:
    """A stranger, somebody unknown and a channel bound elsewhere meet one and the same error."""
    with pytest.raises(AccessError):
        effective_level(given(*HISTORY), asker, channel)


def test_allowed_levels_are_those_at_or_below() -> None:
    """A level opens itself and what lies below; no level opens nothing."""
    mandate = given(*HISTORY)
    assert allowed_levels(mandate, "confidential") == ("public", "internal", "confidential")
    assert allowed_levels(mandate, None) == ()


def test_scope_is_the_own_mandate_and_its_libraries() -> None:
    """The own mandate comes first; a key may be written in any case."""
    mandate = given(*HISTORY)
    assert scope_of(mandate) == (MANDATE, LIBRARY)
    assert scope_of(mandate, ["normen"]) == (LIBRARY,)
    assert scope_of(mandate, ["Normen", "m", "M"]) == (LIBRARY, MANDATE)
    with pytest.raises(AccessError):
        scope_of(mandate, ["M", "Fremd"])


def test_roles_open_what_they_are_for() -> None:
    """An administrator changes, compliance looks at everything, a member asks, a stranger does nothing."""
    mandate = given(*HISTORY)
    must_administer(mandate, ANNA)
    must_oversee(mandate, ANNA)
    must_oversee(mandate, CARA)
    assert member_of(mandate, BEN).clearance == "internal"
    for check, person in [
        (must_administer, BEN),
        (must_administer, CARA),
        (must_oversee, BEN),
        (must_oversee, STRANGER),
    ]:
        with pytest.raises(AccessError):
            check(mandate, person)
    with pytest.raises(AccessError):
        member_of(None, ANNA)


def test_a_lower_clearance_counts_at_once() -> None:
    """What somebody may see follows their present clearance."""
    mandate = given(*HISTORY, ClearanceChanged(ANNA, "public"))
    assert effective_level(mandate, ANNA, "#vorstand") == "public"
