"""What may happen to a mandate, as given, when, then."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from domain.errors import InputError
from domain.mandates import decisions
from domain.mandates.decisions import DEFAULT_LEVELS
from domain.mandates.events import (
    ChangeProposed,
    ChannelBound,
    ChannelUnbound,
    ClearanceChanged,
    LevelDefined,
    LibrarySubscribed,
    LinkDomainReleased,
    MandateOpened,
    MemberAdmitted,
    MemberRemoved,
    RoleGiven,
    ThresholdProposed,
    ThresholdSet,
)
from domain.mandates.policies import ModelThreshold
from domain.mandates.state import Mandate, replay
from domain.recording import Actor, Event, Recorded

ANNA, BEN, CARA = (UUID(int=number) for number in (1, 2, 3))
MANDATE, LIBRARY = UUID(int=100), UUID(int=200)
CHANGE, OTHER_CHANGE = UUID(int=301), UUID(int=302)
OPENED = MandateOpened("M", "Mandat", "Europe/Berlin", library=False, levels=DEFAULT_LEVELS, founder=ANNA)
SAVED = datetime(2026, 1, 1, tzinfo=UTC)
MODEL = ModelThreshold("reranker-1", 0.4)
UNCALIBRATED = ModelThreshold("reranker-2", None)


def given(*events: Event, stream: UUID = MANDATE, opened: MandateOpened = OPENED) -> Mandate:
    """A mandate with this history."""
    history = [
        Recorded(event, stream, number, stream, Actor(ANNA), number, number, SAVED + timedelta(minutes=number))
        for number, event in enumerate((opened, *events), 1)
    ]
    mandate = replay(history)
    assert mandate is not None
    return mandate


def library(*levels: str) -> Mandate:
    opened = MandateOpened("L", "Normen", "Europe/Berlin", library=True, levels=levels, founder=CARA)
    return given(stream=LIBRARY, opened=opened)


When = Callable[[Mandate], tuple[Event, ...]]


def admit(person: UUID, level: str) -> When:
    return lambda mandate: decisions.admit(mandate, person, level, OTHER_CHANGE)


def clear(person: UUID, level: str) -> When:
    return lambda mandate: decisions.clear(mandate, person, level, OTHER_CHANGE)


def role(person: UUID, name: str) -> When:
    return lambda mandate: decisions.give_role(mandate, person, name)


def remove(person: UUID) -> When:
    return lambda mandate: decisions.remove(mandate, person)


def define(*levels: str) -> When:
    return lambda mandate: decisions.define_levels(mandate, levels)


def subscribe(to: Mandate) -> When:
    return lambda mandate: decisions.subscribe(mandate, to)


def bind(channel: str, ceiling: str) -> When:
    return lambda mandate: decisions.bind(mandate, channel, ceiling)


def unbind(channel: str) -> When:
    return lambda mandate: decisions.unbind(mandate, channel)


def release(domain: str) -> When:
    return lambda mandate: decisions.release_domain(mandate, domain, OTHER_CHANGE)


def policy(name: str, value: str, because: str = "Kalibrierung", model: ModelThreshold | None = MODEL) -> When:
    return lambda mandate: decisions.set_threshold(mandate, name, value, because, model=model, change=OTHER_CHANGE)


BEN_IN = MemberAdmitted(BEN, "internal")
BEN_ADMIN = RoleGiven(BEN, "administrator")
PENDING_BEN = ChangeProposed(CHANGE, "admission", str(BEN), "secret")

ACCEPTED: Sequence[tuple[str, tuple[Event, ...], When, tuple[Event, ...]]] = (
    ("admit below the top", (), admit(BEN, "confidential"), (MemberAdmitted(BEN, "confidential"),)),
    ("admit at the top", (), admit(BEN, "secret"), (ChangeProposed(OTHER_CHANGE, "admission", str(BEN), "secret"),)),
    ("the same proposal once", (PENDING_BEN,), admit(BEN, "secret"), (PENDING_BEN,)),
    ("admit again after removal", (BEN_IN, MemberRemoved(BEN)), admit(BEN, "public"), (MemberAdmitted(BEN, "public"),)),
    ("raise", (BEN_IN,), clear(BEN, "confidential"), (ClearanceChanged(BEN, "confidential"),)),
    ("lower", (BEN_IN,), clear(BEN, "public"), (ClearanceChanged(BEN, "public"),)),
    ("lower from the top", (), clear(ANNA, "public"), (ClearanceChanged(ANNA, "public"),)),
    ("same clearance", (BEN_IN,), clear(BEN, "internal"), ()),
    (
        "raise to the top",
        (BEN_IN,),
        clear(BEN, "secret"),
        (ChangeProposed(OTHER_CHANGE, "clearance", str(BEN), "secret"),),
    ),
    (
        "a new level beneath the lowest",
        (BEN_IN,),
        define("offen", *DEFAULT_LEVELS),
        (LevelDefined(("offen", *DEFAULT_LEVELS)),),
    ),
    ("give a role", (BEN_IN,), role(BEN, "compliance"), (RoleGiven(BEN, "compliance"),)),
    ("same role", (BEN_IN,), role(BEN, "member"), ()),
    ("hand over", (BEN_IN, BEN_ADMIN), role(ANNA, "member"), (RoleGiven(ANNA, "member"),)),
    ("remove", (BEN_IN,), remove(BEN), (MemberRemoved(BEN),)),
    ("founder leaves", (BEN_IN, BEN_ADMIN), remove(ANNA), (MemberRemoved(ANNA),)),
    (
        "new level in between",
        (),
        define("public", "internal", "vertraulich", "confidential", "secret"),
        (LevelDefined(("public", "internal", "vertraulich", "confidential", "secret")),),
    ),
    ("same levels", (), define(*DEFAULT_LEVELS), ()),
    ("subscribe", (), subscribe(library("public", "internal")), (LibrarySubscribed(LIBRARY, "L"),)),
    ("subscribe twice", (LibrarySubscribed(LIBRARY, "L"),), subscribe(library("public")), ()),
    ("bind", (), bind("#alle", "internal"), (ChannelBound("#alle", "internal"),)),
    ("new ceiling", (ChannelBound("#a", "internal"),), bind("#a", "public"), (ChannelBound("#a", "public"),)),
    ("same ceiling", (ChannelBound("#a", "public"),), bind("#a", "public"), ()),
    ("unbind", (ChannelBound("#a", "public"),), unbind("#a"), (ChannelUnbound("#a"),)),
    ("unbind nothing", (), unbind("#a"), ()),
    (
        "release",
        (),
        release("Wiki.Müller.example"),
        (ChangeProposed(OTHER_CHANGE, "link_domain", "wiki.xn--mller-kva.example", ""),),
    ),
    ("released already", (LinkDomainReleased("a.example"),), release("a.example"), ()),
    ("raise coverage", (), policy("coverage", "0,9"), (ThresholdSet("coverage", 0.9, "", "Kalibrierung"),)),
    ("confirm a default", (), policy("coverage", "0.8"), (ThresholdSet("coverage", 0.8, "", "Kalibrierung"),)),
    ("same value", (ThresholdSet("coverage", 0.9, "", "x"),), policy("coverage", "0.9"), ()),
    (
        "lower coverage",
        (ThresholdSet("coverage", 0.9, "", "x"),),
        policy("coverage", "0.85"),
        (ThresholdProposed(OTHER_CHANGE, "coverage", 0.85, "", "Kalibrierung"),),
    ),
    (
        "raise relevance over the model's own",
        (),
        policy("relevance", "0.5"),
        (ThresholdSet("relevance", 0.5, "reranker-1", "Kalibrierung"),),
    ),
    (
        "lower relevance under the model's own",
        (),
        policy("relevance", "0.3"),
        (ThresholdProposed(OTHER_CHANGE, "relevance", 0.3, "reranker-1", "Kalibrierung"),),
    ),
    (
        "opening a gate that nothing passes",
        (),
        policy("relevance", "0.99", model=UNCALIBRATED),
        (ThresholdProposed(OTHER_CHANGE, "relevance", 0.99, "reranker-2", "Kalibrierung"),),
    ),
    (
        "the same threshold for the same model is proposed once",
        (ThresholdProposed(CHANGE, "relevance", 0.3, "reranker-1", "x"),),
        policy("relevance", "0.3"),
        (ThresholdProposed(CHANGE, "relevance", 0.3, "reranker-1", "Kalibrierung"),),
    ),
    (
        "a proposal for another model is not this one",
        (ThresholdProposed(CHANGE, "relevance", 0.3, "reranker-0", "x"),),
        policy("relevance", "0.3"),
        (ThresholdProposed(OTHER_CHANGE, "relevance", 0.3, "reranker-1", "Kalibrierung"),),
    ),
    (
        "a threshold of another model does not carry over",
        (ThresholdSet("relevance", 0.2, "reranker-0", "x"),),
        policy("relevance", "0.9"),
        (ThresholdProposed(OTHER_CHANGE, "relevance", 0.9, "reranker-1", "Kalibrierung"),),
    ),
)

REFUSED: Sequence[tuple[str, tuple[Event, ...], When, str]] = (
    ("admit twice", (BEN_IN,), admit(BEN, "public"), "member_already"),
    ("admit at no level", (), admit(BEN, "geheim"), "level_unknown"),
    ("level in other case", (), admit(BEN, "Public"), "level_unknown"),
    ("clear a stranger", (), clear(BEN, "public"), "member_unknown"),
    ("clear at no level", (BEN_IN,), clear(BEN, ""), "level_unknown"),
    ("clear somebody only proposed", (PENDING_BEN,), clear(BEN, "public"), "member_unknown"),
    ("role for a stranger", (), role(BEN, "member"), "member_unknown"),
    ("no such role", (BEN_IN,), role(BEN, "chef"), "role_unknown"),
    ("last administrator loses the role", (BEN_IN,), role(ANNA, "compliance"), "last_administrator"),
    ("last administrator leaves", (BEN_IN,), remove(ANNA), "last_administrator"),
    ("remove a stranger", (), remove(BEN), "member_unknown"),
    ("drop a level", (), define("public", "internal", "secret"), "level_order"),
    ("swap levels", (), define("internal", "public", "confidential", "secret"), "level_order"),
    ("a level above the highest", (), define(*DEFAULT_LEVELS, "streng"), "level_above"),
    ("level twice", (), define(*DEFAULT_LEVELS, "Secret"), "level_twice"),
    ("no name for a level", (), define(*DEFAULT_LEVELS, "a b"), "level_name"),
    ("subscribe to itself", (), lambda mandate: decisions.subscribe(mandate, mandate), "library_own"),
    ("strange levels", (), subscribe(library("public", "streng")), "library_levels"),
    ("bind at no level", (), bind("#a", "geheim"), "level_unknown"),
    ("no domain", (), release("https://a.example/x"), "link_domain"),
    ("no dot", (), release("localhost"), "link_domain"),
    ("no threshold", (), policy("reranker", "0.5"), "policy_unknown"),
    ("no number", (), policy("coverage", "viel"), "policy_value"),
    ("not a number", (), policy("coverage", "nan"), "policy_value"),
    ("over one", (), policy("coverage", "80"), "policy_value"),
    ("below zero", (), policy("coverage", "-0.1"), "policy_value"),
    ("no reason", (), policy("coverage", "0.9", because="  "), "reason"),
)


@pytest.mark.parametrize(("claim", "history", "when", "then"), ACCEPTED, ids=[case[0] for case in ACCEPTED])
def test_leads_to(claim: str, history: tuple[Event, ...], when: When, then: tuple[Event, ...]) -> None:
    """Each command leads to exactly these events."""
    assert when(given(*history)) == then, claim


@pytest.mark.parametrize(("claim", "history", "when", "key"), REFUSED, ids=[case[0] for case in REFUSED])
def test_is_refused(claim: str, history: tuple[Event, ...], when: When, key: str) -> None:
    """Each command is refused with the error that says what to do."""
    mandate = given(*history)
    with pytest.raises(InputError) as caught:
        when(mandate)
    assert caught.value.key == key, claim


def test_founder_administers_with_the_highest_clearance() -> None:
    """Whoever opens a mandate administers it and sees everything."""
    (event,) = decisions.open_mandate("Recht", None, "Europe/Vienna", ANNA, library=True)
    assert event == MandateOpened("Recht", "Recht", "Europe/Vienna", library=True, levels=DEFAULT_LEVELS, founder=ANNA)


@pytest.mark.parametrize(
    ("key", "name", "zone", "error"),
    [
        ("", None, "Europe/Berlin", "mandate_key"),
        ("a b", None, "Europe/Berlin", "mandate_key"),
        ("-a", None, "Europe/Berlin", "mandate_key"),
        ("a/b", None, "Europe/Berlin", "mandate_key"),
        ("\N{CYRILLIC SMALL LETTER A}bc", None, "Europe/Berlin", "mandate_key"),
        ("x" * 64, None, "Europe/Berlin", "mandate_key"),
        ("a\u200bb", None, "Europe/Berlin", "mandate_key"),
        ("a", "", "Europe/Berlin", "mandate_name"),
        ("a", "x\x1b[31m", "Europe/Berlin", "mandate_name"),
        ("a", "x" * 201, "Europe/Berlin", "mandate_name"),
        ("a", None, "Berlin", "time_zone"),
        ("a", None, "../../etc/passwd", "time_zone"),
        ("a", None, "", "time_zone"),
    ],
)
def test_opening_is_refused(key: str, name: str | None, zone: str, error: str) -> None:
    """A key, a name or a time zone that would cause trouble later is refused at once."""
    with pytest.raises(InputError) as caught:
        decisions.open_mandate(key, name, zone, ANNA, library=False)
    assert caught.value.key == error


def test_keys_are_composed() -> None:
    """A decomposed umlaut is the same letter."""
    (event,) = decisions.open_mandate("Buchfu\u0308hrung", None, "Europe/Berlin", ANNA, library=False)
    assert isinstance(event, MandateOpened)
    assert event.key == "Buchführung"
