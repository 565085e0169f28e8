"""The rules of a mandate: what they may say, and when a second person has to agree."""

from uuid import UUID

import pytest

from domain.errors import InputError
from domain.mandates.decisions import set_rule
from domain.mandates.events import MandateOpened, RuleProposed, RuleSet
from domain.mandates.policies import parse_threshold
from domain.mandates.rules import RULES, rule, weights_of
from domain.mandates.state import Mandate, replay
from domain.recording import Actor, Event, Recorded
from tests.asking_world import TODAY

ANNA, CHANGE, OTHER = UUID(int=1), UUID(int=2), UUID(int=3)
OPENED = MandateOpened("a", "A", "Europe/Berlin", library=False, levels=("public", "internal"), founder=ANNA)


def mandate(*events: Event) -> Mandate:
    stream = UUID(int=9)
    history = [
        Recorded(event, stream, place, stream, Actor(ANNA), place, place, TODAY)
        for place, event in enumerate((OPENED, *events), 1)
    ]
    found = replay(history)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("fusion_weights", "bm25=1, dense=0,3 sparse=1.0", "dense=0.3 sparse=1 bm25=1"),
        ("fusion_weights", "dense = 2", "dense=2"),
        ("scope_kind", " wiki ", "wiki"),
    ],
)
def test_a_value_has_one_form(name: str, text: str, value: str) -> None:
    """However it is written, it is recorded alike, and the same again changes nothing."""
    assert set_rule(mandate(), name, text, "weil", CHANGE) == (RuleSet(name, value, "weil"),)
    assert set_rule(mandate(RuleSet(name, value, "weil")), name, text, "weil", CHANGE) == ()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("fusion_weights", ""),
        ("fusion_weights", "dense"),
        ("fusion_weights", "dense=0"),
        ("fusion_weights", "dense=-1"),
        ("fusion_weights", "dense=11"),
        ("fusion_weights", "dense=nan"),
        ("fusion_weights", "dense=1 dense=2"),
        ("fusion_weights", "cited=1"),
        ("failed_searches", "allow_all"),
        ("scope_kind", ""),
    ],
)
def test_other_values_are_refused(name: str, text: str) -> None:
    """With an example of what would do."""
    with pytest.raises(InputError) as error:
        set_rule(mandate(), name, text, "weil", CHANGE)

    assert (error.value.key, error.value.values["name"]) == ("rule_value", name)


def test_weights_are_read_back() -> None:
    """What is not set belongs to the models."""
    assert weights_of("dense=0.3 bm25=1") == {"dense": 0.3, "bm25": 1.0}
    assert weights_of(rule(mandate(), "fusion_weights").value) == {}


def test_to_answer_with_fewer_searches_takes_a_second_person() -> None:
    """The careful value counts at once, the other one waits, and asking again is the same proposal."""
    proposal = RuleProposed(CHANGE, "failed_searches", "allow_one", "Wartung")

    assert set_rule(mandate(), "failed_searches", "allow_one", "Wartung", CHANGE) == (proposal,)
    waiting = mandate(proposal)
    assert rule(waiting, "failed_searches").value == "refuse"
    assert set_rule(waiting, "failed_searches", "allow_one", "Wartung", OTHER) == (proposal,)
    allowed = mandate(proposal, RuleSet("failed_searches", "allow_one", "Wartung"))
    assert (rule(allowed, "failed_searches").value, allowed.proposals) == ("allow_one", ())
    assert set_rule(allowed, "failed_searches", "refuse", "vorbei", CHANGE) == (
        RuleSet("failed_searches", "refuse", "vorbei"),
    )


def test_to_show_more_in_open_rooms_takes_a_second_person() -> None:
    """Without a decision it is the lowest level; upwards two people decide, downwards one, and only among levels."""
    assert rule(mandate(), "open_rooms").value == "public"
    proposal = RuleProposed(CHANGE, "open_rooms", "internal", "Aushang")
    assert set_rule(mandate(), "open_rooms", "internal", "Aushang", CHANGE) == (proposal,)
    wider = mandate(RuleSet("open_rooms", "internal", "Aushang"))
    assert rule(wider, "open_rooms").value == "internal"
    assert set_rule(wider, "open_rooms", "public", "vorbei", CHANGE) == (RuleSet("open_rooms", "public", "vorbei"),)
    with pytest.raises(InputError, match="level_unknown"):
        set_rule(mandate(), "open_rooms", "secret", "weil", CHANGE)


def test_every_default_is_a_value() -> None:
    """A mandate that decides nothing has rules that could have been set."""
    assert all(not kind.default or kind.read(kind.default) == kind.default for kind in RULES.values())


@pytest.mark.parametrize("text", ["0", "-0", "-0.0", "1e-400"])
def test_nought_has_no_sign(text: str) -> None:
    """However it is written, the threshold is the same one."""
    assert str(parse_threshold("coverage", text)) == "0.0"
