"""Every filter between a command and what its reader must not see, and how to take it out."""

from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import pytest

from adapters.postgres.sql import Statements
from bot import changes, swapping
from bot.cli import bundle, holding, knowledge, looking, mandates, models, policies, retention, runs
from domain.asking import admission
from domain.asking import runs as looking_back
from domain.erasing import holding as placing
from domain.erasing import proposing, reviewing
from domain.journal import disclosing, exporting
from domain.knowledge import handler as knowing
from domain.mandates import four_eyes
from domain.mandates import handler as changing
from domain.mandates.state import ADMINISTRATOR, COMPLIANCE, MEMBER, Mandate, Member
from projections import ended, looks
from projections import knowledge as known
from projections import runs as listed

TakeOut = Callable[[pytest.MonkeyPatch], None]
EVERYBODY = frozenset({ADMINISTRATOR, COMPLIANCE, MEMBER})


@dataclass(frozen=True)
class Filter:
    """A filter.

    Attributes:
        person: somebody from whom it hides something.
        commands: those that show it once the filter is out.
    """

    ring: int
    person: str
    commands: tuple[str, ...]
    take_out: TakeOut

    @property
    def counts(self) -> bool:
        """Whether events are counted, so that it needs worlds in which nothing has leaked and been recorded before."""
        return any(command.startswith("journal") for command in self.commands)


def _nobody_asks(*modules: ModuleType, name: str) -> TakeOut:
    """Let everybody pass."""

    def take_out(patch: pytest.MonkeyPatch) -> None:
        for module in modules:
            patch.setattr(module, name, lambda *_: None)

    return take_out


def _everybody_is(member: Member | None, *modules: ModuleType) -> TakeOut:
    """Let everybody who is no member pass for one."""

    def take_out(patch: pytest.MonkeyPatch) -> None:
        for module in modules:
            patch.setattr(module, "member_of", lambda mandate, person: mandate.members.get(person, member))

    return take_out


def _instead(module: ModuleType, name: str, value: Any) -> TakeOut:
    return lambda patch: patch.setattr(module, name, value)


def _all(*several: TakeOut) -> TakeOut:
    """Take out filters that stand behind one another."""

    def take_out(patch: pytest.MonkeyPatch) -> None:
        for one in several:
            one(patch)

    return take_out


def _without(sql: Statements, name: str, *clauses: str) -> TakeOut:
    def take_out(patch: pytest.MonkeyPatch) -> None:
        text = sql[name]
        for clause in clauses:
            assert clause in text
            text = text.replace(clause, "true")
        patch.setitem(sql._blocks, name, text)

    return take_out


def _all_levels(mandate: Mandate, _level: str | None) -> tuple[str, ...]:
    return mandate.levels


def _lowest(mandate: Mandate, *_: object) -> str:
    return mandate.levels[0]


async def _all_open(*_: object) -> bool:
    return True


async def _as_it_was(answer: object, *_: object) -> object:
    return answer


def _every_level(mandate: Mandate, *_: object) -> tuple[str, ...]:
    return mandate.levels


_OTHERS = "(%(oversees)s AND levels <@ %(levels)s::text[])"
# First those with worlds of their own: the server has only so many connections.
FILTERS = {
    "what is exported": Filter(1, "cora", ("journal export",), _instead(disclosing.Disclosure, "is_open", _all_open)),
    "who exports": Filter(2, "ben", ("journal export",), _nobody_asks(bundle, exporting, name="must_oversee")),
    "a run in a bundle": Filter(
        1,
        "cora",
        ("journal prove",),
        _all(
            _instead(disclosing, "levels_open", _every_level),
            _instead(disclosing.Disclosure, "sees_version", _all_open),
        ),
    ),
    "admission": Filter(3, "eve", ("known", "search", "show"), _instead(admission, "effective_level", _lowest)),
    "clearance": Filter(1, "cora", ("known", "search"), _instead(admission, "allowed_levels", _all_levels)),
    "clearance in a question": Filter(2, "ben", ("ask",), _instead(admission, "allowed_levels", _all_levels)),
    "level of a version by anchor": Filter(
        1, "dora", ("show",), _without(known.SQL, "version", "versions.level = ANY (%(levels)s)")
    ),
    "level now and then in a list": Filter(
        1,
        "cora",
        ("known", "diff"),
        _without(known.SQL, "visible", "slices.level = ANY (%(levels)s)", "versions.level = ANY (%(levels)s)"),
    ),
    "members of a mandate": Filter(
        3, "eve", ("mandate show", "policy show", "eval gate"), _everybody_is(Member(MEMBER, "public"), changing)
    ),
    "members in a list of levels": Filter(3, "eve", ("level list",), _everybody_is(Member(MEMBER, "public"), mandates)),
    "members in a list of runs": Filter(
        3, "eve", ("run list",), _everybody_is(Member(MEMBER, "public"), runs, looking_back)
    ),
    "a run by its id": Filter(2, "ben", ("run show",), _instead(looking_back, "levels_open", _every_level)),
    "a run taken up again": Filter(2, "ben", ("run replay",), _instead(admission, "levels_open", _every_level)),
    "a run above the clearance": Filter(1, "cora", ("run show",), _instead(looking_back, "levels_open", _every_level)),
    "runs of others": Filter(2, "ben", ("run list",), _without(listed._SQL, "runs", _OTHERS)),
    "levels of runs": Filter(1, "dora", ("run list",), _without(listed._SQL, "runs", "levels <@ %(levels)s::text[]")),
    "hiding": Filter(2, "ben", ("run show",), _instead(looking_back, "without_hidden", _as_it_was)),
    "looks": Filter(1, "cora", ("run views",), _without(looks._SQL, "looks", "levels <@ %(levels)s::text[]")),
    "who sees looks": Filter(2, "ben", ("run views",), _nobody_asks(looking, name="must_oversee")),
    "who sees members": Filter(2, "ben", ("mandate show",), _instead(mandates, "OVERSIGHT", EVERYBODY)),
    "who sees changes of members": Filter(2, "ben", ("diff",), _instead(changes, "OVERSIGHT", EVERYBODY)),
    "who sees pending proposals": Filter(2, "ben", ("policy pending",), _nobody_asks(policies, name="must_oversee")),
    "who decides on proposals": Filter(
        2, "ben", ("policy approve", "policy reject"), _nobody_asks(four_eyes, name="must_oversee")
    ),
    "who sees holds": Filter(2, "ben", ("mandate holds",), _nobody_asks(holding, name="must_oversee")),
    "who lifts holds": Filter(2, "ben", ("mandate release-hold",), _nobody_asks(placing, name="must_oversee")),
    "who reviews retention": Filter(
        3,
        "eve",
        ("mandate retention",),
        _all(
            _nobody_asks(retention, name="must_oversee"),
            _everybody_is(Member(MEMBER, "public"), reviewing, looking_back),
        ),
    ),
    "levels in a review": Filter(
        1, "dora", ("mandate retention",), _without(ended._SQL, "ended", "versions.level = ANY (%(levels)s)")
    ),
    "who proposes to erase a mandate": Filter(
        3, "eve", ("erase mandate",), _nobody_asks(proposing, name="must_oversee")
    ),
    "who proposes to erase a person": Filter(
        3, "eve", ("erase person",), _instead(proposing, "oversees", lambda *_: True)
    ),
    "who changes a mandate": Filter(
        3, "eve", ("mandate admit", "mandate role", "policy set"), _nobody_asks(changing, name="must_administer")
    ),
    "whose channel it is": Filter(3, "eve", ("mandate unbind",), _nobody_asks(changing, name="must_administer")),
    "who writes": Filter(
        3, "eve", ("withdraw", "level assign", "ingest"), _nobody_asks(knowledge, knowing, name="must_administer")
    ),
    "who sees models": Filter(3, "eve", ("model list",), _nobody_asks(models, name="must_administer")),
    "who changes models": Filter(3, "eve", ("model retire",), _nobody_asks(swapping, name="must_administer")),
}
