"""``run diff``, and the mandate in ``diff``: what changed, and what it changed about an answer."""

from typing import Any

import pytest

from tests.e2e.program import Program

QUESTION = "Wie lang ist die Kündigungsfrist?"


@pytest.fixture(scope="module")
def run(shared_program: Program, tmp_path_factory: pytest.TempPathFactory) -> tuple[Program, str, str]:
    """A question about the first version of a text of which there is a second one today, and the instant between."""
    program, folder = shared_program, tmp_path_factory.mktemp("texts")

    def ingest(text: str, since: str) -> None:
        (folder / "frist.txt").write_text(text, encoding="utf-8")
        program.must(
            "ingest", folder / "frist.txt", "--mandate", "Vergleich", "--level", "internal", "--valid-from", since
        )

    program.must("mandate", "open", "Vergleich")
    program.must("mandate", "admit", "Vergleich", "ben", "--clearance", "internal")
    ingest("Die Kündigungsfrist beträgt einen Monat zum Monatsende.", "2020-01-01")
    asked = program.must("ask", QUESTION, "--mandate", "Vergleich", "--json").json["run"]
    instant = program.must("known", "--mandate", "Vergleich", "--json").json["at"]
    ingest("Die Kündigungsfrist beträgt drei Monate zum Quartalsende.", "2021-01-01")
    program.must("policy", "set", "Vergleich", "coverage", "0,9", "--because", "Prüfung")
    return program, asked, instant


def _today(program: Program) -> str:
    return str(program.must("known", "--mandate", "Vergleich", "--json").json["at"])


def test_the_version_that_came_in_is_named(run: tuple[Program, str, str]) -> None:
    """The answer then and today, what changed in between, and the one event that made it another answer."""
    program, asked, _ = run
    found = program.must("run", "diff", asked, "--at", _today(program), "--json").json
    assert (found["differs"], found["reproduced"]) == (True, True)
    assert (found["cause"]["event"], found["cause"]["document"]) == ("VersionIngested", "frist")
    assert "einen Monat" in found["before"]["text"]
    assert "drei Monate" in found["after"]["text"]
    assert [(one["document"], one["change"]) for one in found["documents"]] == [("frist", "changed")]
    assert {"kind": "threshold", "subject": "coverage", "before": None, "after": "0.9"} in found["mandate"]
    told = program.must("run", "diff", asked, "--at", _today(program)).out
    assert "anders beantwortet" in told
    assert f"Position {found['cause']['position']}" in told


def test_before_the_change_nothing_differs(run: tuple[Program, str, str]) -> None:
    """At an instant at which the first version was all there was."""
    program, asked, instant = run
    found = program.must("run", "diff", asked, "--at", instant, "--json").json
    assert (found["differs"], found["cause"], found["documents"]) == (False, None, [])
    assert "ebenso beantwortet" in program.must("run", "diff", asked, "--at", instant).out


def test_bad_input_is_refused(run: tuple[Program, str, str]) -> None:
    """A run that does not exist, one that is not open, no instant, one to come, and one before the mandate."""
    program, asked, instant = run
    cases: list[tuple[str, ...]] = [
        ("run", "diff", "00000000-0000-0000-0000-000000000000", "--at", instant),
        ("run", "diff", "x", "--at", instant),
        ("run", "diff", asked),
        ("run", "diff", asked, "--at", "gestern"),
        ("run", "diff", asked, "--at", "2999-01-01"),
        ("run", "diff", asked, "--at", "2001-01-01"),
        ("run", "diff", asked, "--at", instant, "--as", "ben"),
        ("run", "diff", asked, "--at", instant, "--as", "unbekannt"),
    ]
    for arguments in cases:
        assert program(*arguments).code == 2, arguments
    foreign, missing = program(*cases[-2]), program(*cases[0])
    assert foreign.err == missing.err


def test_diff_tells_of_the_mandate_to_those_who_may_know(run: tuple[Program, str, str]) -> None:
    """Thresholds to every member, members and their clearances to administrators and compliance alone."""
    program, _, instant = run

    def kinds(*options: str) -> set[str]:
        line = ("diff", "--mandate", "Vergleich", "--from", "2001-01-01", "--to", _today(program), "--json", *options)
        changes: list[dict[str, Any]] = program.must(*line).json["mandate"]
        return {one["kind"] for one in changes}

    assert {"threshold", "levels", "clearance", "role"} <= kinds()
    assert kinds("--as", "ben") == {"threshold", "levels"}
    shown = program.must("diff", "--mandate", "Vergleich", "--from", instant, "--to", _today(program)).out
    assert "Schwelle" in shown
    assert "0,9" in shown


def test_a_look_at_the_run_of_somebody_else_is_recorded(run: tuple[Program, str, str]) -> None:
    """Comparing shows the question and its answers, so it is a look; at one's own run it is none."""
    program, own, instant = run
    looks = ("run", "views", "--mandate", "Vergleich", "--json")
    program.must("run", "diff", own, "--at", instant)
    assert "run_diff" not in {one["what"] for one in program.must(*looks).json["views"]}
    theirs = program.must("ask", QUESTION, "--mandate", "Vergleich", "--as", "ben", "--json").json["run"]
    program.must("run", "diff", theirs, "--at", instant)
    assert [theirs] in [one["runs"] for one in program.must(*looks).json["views"] if one["what"] == "run_diff"]
