"""What sets two states of a mandate apart."""

from dataclasses import replace
from uuid import UUID

import pytest

from domain.mandates.changes import (
    CHANNEL,
    CLEARANCE,
    DOMAIN,
    HOLD,
    LEVELS,
    LIBRARY,
    MODEL,
    ROLE,
    RULE,
    THRESHOLD,
    THRESHOLD_MODEL,
    MandateChange,
    changes_between,
)
from domain.mandates.events import ModelBound, RuleSet, ThresholdSet
from domain.mandates.state import ADMINISTRATOR, MEMBER, Hold, Mandate, Member
from tests.asking_world import TODAY

ANNA, BERT = UUID(int=1), UUID(int=2)
BEFORE = Mandate(
    id=UUID(int=9),
    version=1,
    opened_at=TODAY,
    key="a",
    name="A",
    time_zone="Europe/Berlin",
    library=False,
    levels=("public", "internal"),
    members={ANNA: Member("internal", ADMINISTRATOR)},
)


def test_nothing_is_different_in_the_same_state() -> None:
    """Nor by the number of events that led to it."""
    assert changes_between(BEFORE, replace(BEFORE, version=7)) == ()
    assert changes_between(None, None) == ()


def test_each_matter_is_told_with_what_it_was() -> None:
    """Members, roles, levels, libraries, domains, channels, thresholds, rules and models."""
    after = replace(
        BEFORE,
        levels=("public", "internal", "secret"),
        members={ANNA: Member("internal", MEMBER), BERT: Member("public", MEMBER)},
        libraries={UUID(int=3): "law"},
        domains=("example.org",),
        channels={"terminal": "public"},
        thresholds={"coverage": ThresholdSet("coverage", 0.9, "", "because", None)},
        rules={"integrity": RuleSet("integrity", "strike", "because")},
        models={"dense": ModelBound("dense", "bge-m3", "1", "bge-m3/1", "because")},
    )
    expected = {
        MandateChange(LEVELS, "", "public < internal", "public < internal < secret"),
        MandateChange(ROLE, ANNA, ADMINISTRATOR, MEMBER),
        MandateChange(CLEARANCE, BERT, None, "public"),
        MandateChange(ROLE, BERT, None, MEMBER),
        MandateChange(LIBRARY, "law", None, "law"),
        MandateChange(DOMAIN, "example.org", None, "example.org"),
        MandateChange(CHANNEL, "terminal", None, "public"),
        MandateChange(THRESHOLD, "coverage", None, "0.9"),
        MandateChange(RULE, "integrity", None, "strike"),
        MandateChange(MODEL, "dense", None, "bge-m3/1"),
    }
    assert set(changes_between(BEFORE, after)) == expected
    back = {MandateChange(one.kind, one.subject, one.after, one.before) for one in expected}
    assert set(changes_between(after, BEFORE)) == back


@pytest.mark.parametrize(
    ("earlier", "later", "told"), [(0.8, 0.8000001, ("0.8", "0.8000001")), (0.5, 1.0, ("0.5", "1"))]
)
def test_a_threshold_is_told_with_every_digit(earlier: float, later: float, told: tuple[str, str]) -> None:
    """However little it was moved."""
    before, after = (
        replace(BEFORE, thresholds={"coverage": ThresholdSet("coverage", value, "", "because", None)})
        for value in (earlier, later)
    )
    assert changes_between(before, after) == (MandateChange(THRESHOLD, "coverage", *told),)


def test_the_same_threshold_for_another_model_is_another_one() -> None:
    """Its value alone would say that nothing has changed."""
    before, after = (
        replace(BEFORE, thresholds={"relevance": ThresholdSet("relevance", 0.4, model, "because")})
        for model in ("small/1", "large/1")
    )
    assert changes_between(before, after) == (MandateChange(THRESHOLD_MODEL, "relevance", "small/1", "large/1"),)


def test_holds_are_told_by_their_reason() -> None:
    """On the whole mandate and on one person; lifted, they are there before and not after."""
    holds = tuple(
        Hold(UUID(int=number), person, because, None, TODAY)
        for number, (person, because) in enumerate([(None, "Prozess"), (BERT, "Anfrage")])
    )
    expected = {MandateChange(HOLD, "", "Prozess", None), MandateChange(HOLD, BERT, "Anfrage", None)}
    assert set(changes_between(replace(BEFORE, holds=holds), BEFORE)) == expected


def test_a_mandate_that_was_opened_is_all_new() -> None:
    """Everything it began with."""
    assert set(changes_between(None, BEFORE)) == {
        MandateChange(LEVELS, "", None, "public < internal"),
        MandateChange(CLEARANCE, ANNA, None, "internal"),
        MandateChange(ROLE, ANNA, None, ADMINISTRATOR),
    }
