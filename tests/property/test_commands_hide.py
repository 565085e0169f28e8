"""No command tells anything of what its reader must not see, whatever it is given.

Two worlds differ in nothing but that: mandates, documents above the reader's level, runs, proposals, holds and looks of
others have other names, words and ids, and there is more of them in the one. Exit code, both outputs, scores and
reports are the same in both. Afterwards each filter is taken out in turn: then they are not.
"""

from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from adapters.postgres.database import Database
from tests.examples import examples
from tests.isolation.filters import FILTERS
from tests.isolation.lines import OPERATING, Lines, commands
from tests.isolation.stage import Stage
from tests.isolation.twins import Models, models
from tests.isolation.worlds import PEOPLE, SPOKEN

HISTORIES, LINES = (200, 50) if examples(1) > 1 else (8, 25)
"""Commands one after the other in the same two worlds; with ``make nightly`` 10,000 in all."""

TRIED = 40
"""Lines in which a missing filter has to show."""

Place = tuple[Models, Path]
History = tuple[str, list[tuple[object, ...]]]


@pytest.fixture(scope="module")
def place(session_database: Database, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    folder = tmp_path_factory.mktemp("isolation")
    with Stage(session_database, folder).set_up() as stage, models(stage, folder) as made:
        yield made


def test_every_command_is_driven() -> None:
    """A new command needs lines of its own in ``tests/isolation/lines.py``; none is left over there either."""
    driven = Lines(0, Path()).driven

    assert driven | OPERATING == commands()
    assert not driven & OPERATING


def test_nothing_hidden_leaves_any_command(place: Place) -> None:
    """Histories of commands by one person each, who sees the same in both worlds at every step."""
    made, files = place
    rings = {ring: histories(Lines(ring, files)) for ring in PEOPLE}
    cases = 0

    @settings(max_examples=HISTORIES, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.sampled_from([0, 1, 1, 2, 2, 3]).flatmap(lambda ring: st.tuples(st.just(ring), rings[ring])))
    def hide(told: tuple[int, History]) -> None:
        nonlocal cases
        ring, (person, lines) = told
        with made.twins(ring) as twins:
            for line in lines:
                twins.compare(person, line)
            cases += twins.cases

    hide()
    assert cases >= HISTORIES * LINES
    print(f"{cases} commands, no leak")


def histories(lines: Lines) -> st.SearchStrategy[History]:
    """Return what one person of a ring does."""
    return st.tuples(lines.people, st.lists(lines.any(), min_size=LINES, max_size=LINES))


def test_what_runs_the_installation_names_nothing(place: Place) -> None:
    """Who may look at no mandate can still run some commands on the whole; no word of anybody's stands in them."""
    made, _ = place
    lines = [("rebuild", "runs"), ("journal", "checkpoint"), ("journal", "verify"), ("journal", "verify", "--json")]

    with made.twins(3) as twins:
        for line in lines:
            seen = twins.stage.run(twins.worlds[0], "niemand", line)
            assert seen.code == 0
            assert not [word for word in (*SPOKEN, "Ahorn", "geheim", "tresor", "chief") if word in seen.out + seen.err]


@pytest.mark.parametrize("name", FILTERS)
def test_the_suite_fails_without_a_filter(place: Place, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same lines by the same person: with the filter there is no difference, without it there is one."""
    made, files = place
    without = FILTERS[name]
    lines = Lines(without.ring, files)
    tried = drawn(st.sampled_from(without.commands).flatmap(lines.of))

    with made.twins(without.ring) if without.counts else nullcontext(made.shared(without.ring)) as twins:
        for line in tried:
            twins.compare(without.person, line)
            with monkeypatch.context() as patch:
                without.take_out(patch)
                try:
                    twins.compare(without.person, line)
                except AssertionError:
                    return
    pytest.fail("nothing leaked")


def drawn(strategy: st.SearchStrategy[tuple[object, ...]]) -> list[tuple[object, ...]]:
    """Return the same lines each time."""
    found: list[tuple[object, ...]] = []

    @settings(max_examples=TRIED, derandomize=True, database=None, deadline=None, phases=(Phase.generate,))
    @given(strategy)
    def collect(line: tuple[object, ...]) -> None:
        found.append(line)

    collect()
    return found
