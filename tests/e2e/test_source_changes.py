"""What a cited version is superseded by later: who has asked is told, once, and nobody else."""

import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.corner import Corner
from tests.e2e.program import CHECKOUT, SECONDS, Outcome, Program

QUESTION = "Wie lang ist die Kündigungsfrist?"
OLD = "# Kündigung\n\nDie Kündigungsfrist beträgt einen Monat zum Jahresende.\n"
NEW = "# Kündigung\n\nDie Kündigungsfrist beträgt drei Monate zum Quartalsende.\n"
SINCE = ("--valid-from", "2020-07-01")
CAUTION = "Achtung: [S1] gilt seit 01.07.2020 nicht mehr."
TOUCHED = "Frühere Antworten, die auf dem Geänderten beruhen: "
KILLED = -9


class Office:
    """A mandate with one document, and what is asked of it."""

    def __init__(self, corner: Corner) -> None:
        self.program = corner.program
        self.mandate = corner.mandate
        self._corner = corner
        self.ingest(OLD)

    def call(self, *arguments: str | Path, stdin: str = "") -> Outcome:
        return self.program.must(*arguments, "--mandate", self.mandate, stdin=stdin)

    def ingest(self, text: str, *options: str, level: str = "internal") -> Outcome:
        file = self._corner.file("handbuch.md", text)
        return self.call("ingest", file, "--level", level, "--document", "handbuch", *options)

    def ask(self, *options: str) -> str:
        return self.call("ask", QUESTION, "--json", *options).json["run"]

    def show(self, run: str, *options: str) -> dict[str, Any]:
        return self.program.must("run", "show", run, "--json", *options).json

    def changes(self, run: str, *options: str) -> list[dict[str, Any]]:
        return self.show(run, *options)["changes"]

    def listed(self, *options: str) -> dict[str, int]:
        return {one["run"]: one["changes"] for one in self.call("run", "list", "--json", *options).json["runs"]}


@pytest.fixture
def office(corner: Corner) -> Office:
    return Office(corner)


def test_who_brings_a_text_in_and_who_asked_are_told(office: Office) -> None:
    """The ingest counts the answers on standard error; list and run say it in words and as JSON."""
    run = office.ask()
    shown = office.show(run)
    assert (shown["changes"], office.listed()) == ([], {run: 0})

    ingested = office.ingest(NEW, *SINCE)

    assert f"{TOUCHED}1;" in ingested.err
    assert TOUCHED not in ingested.out
    (change,) = office.changes(run)
    note = change.pop("note")
    assert note.startswith(f"{CAUTION} Seit dem ")
    assert note.endswith(" ist dafür Fassung 2 bekannt.")
    assert datetime.fromisoformat(change.pop("changed_at")) < datetime.now(UTC)
    assert change == {
        "labels": ["S1"],
        "document": "handbuch",
        "version": 1,
        "cause": "superseded",
        "ended_on": "2020-07-01",
        "holds_on_day_asked": False,
        "replaced_by": 2,
    }
    assert office.show(run) | {"changes": []} == shown
    assert office.listed() == {run: 1}
    assert note in office.program.must("run", "show", run).out
    assert "beantwortet (Quelle geändert)" in office.call("run", "list").out
    english = replace(office.program, language="en")
    assert "Caution: [S1] has not been in force since 01 Jul 2020." in english.must("run", "show", run).out
    assert "answered (source changed)" in english.must("run", "list", "--mandate", office.mandate).out


def test_before_the_change_nothing_was_told(office: Office) -> None:
    """Looking back to an instant in between shows the run as it stood; before the question there was no run."""
    early = datetime.now(UTC).isoformat()
    run = office.ask()
    between = datetime.now(UTC).isoformat()
    office.ingest(NEW, *SINCE)

    assert [len(office.changes(run, *at)) for at in ((), ("--at", between))] == [1, 0]
    assert office.listed("--at", between) == {run: 0}
    assert office.listed("--at", early) == {}
    assert office.program("run", "show", run, "--at", early).code == 2
    assert office.program("run", "show", run, "--at", "2999-01-01T00:00:00Z").code == 2


def test_a_withdrawal_is_told_and_counted(office: Office) -> None:
    """Also of an answer for a day that has passed, and in the JSON of ``withdraw``."""
    runs = [office.ask(), office.ask("--valid-on", "2020-01-01")]

    withdrawn = office.call("withdraw", "handbuch", "--because", "überholt", "--json")

    assert withdrawn.json["changed_answers"] == 2
    assert f"{TOUCHED}2;" in withdrawn.err
    for run in runs:
        (change,) = office.changes(run)
        assert (change["cause"], change["ended_on"], change["holds_on_day_asked"]) == ("withdrawn", None, False)
        assert change["note"].startswith("Achtung: [S1] gilt nicht mehr. Das Dokument wurde am ")


def test_what_leaves_the_cited_day_whole_tells_nobody(office: Office) -> None:
    """Another title, a level, an older version beside it, a later version for who asked for a day that has passed."""
    run = office.ask("--valid-on", "2020-06-30")

    told = [
        office.ingest(OLD, "--title", "Anders").err,
        office.call("level", "assign", "handbuch", "public").err,
        office.ingest(NEW, *SINCE, level="public").err,
        office.ingest("Ganz früher galt anderes.", "--valid-from", "2001-01-01", "--valid-to", "2002-01-01").err,
    ]

    assert [TOUCHED in err for err in told] == [False] * 4
    assert (office.changes(run), office.listed()) == ([], {run: 0})


def test_a_version_from_a_day_to_come_is_told_with_that_day(office: Office) -> None:
    """The answer holds until then; who asked about the present has to know."""
    run = office.ask()

    office.ingest(NEW, "--valid-from", "2999-01-01")

    (change,) = office.changes(run)
    assert (change["ended_on"], change["holds_on_day_asked"]) == ("2999-01-01", True)
    assert change["note"].startswith("Achtung: [S1] gilt ab 01.01.2999 nicht mehr.")


def test_what_the_reader_may_not_see_is_not_named(office: Office) -> None:
    """A version above the clearance of whoever looks: since when, and neither that it exists nor which it is."""
    office.program.must("mandate", "admit", office.mandate, "bert", "--clearance", "internal")
    run = office.ask("--as", "bert")
    office.ingest(NEW, *SINCE, level="secret")

    (seen,) = office.changes(run, "--as", "bert")
    (whole,) = office.changes(run)

    assert (seen["cause"], seen["replaced_by"]) == (None, None)
    assert "Fassung" not in seen["note"]
    assert CAUTION in seen["note"]
    assert (whole["cause"], whole["replaced_by"]) == ("superseded", 2)


def test_the_chat_tells_the_asker_once(office: Office) -> None:
    """When the asker is back, with the question of then; nobody else, and not again."""
    office.program.must("mandate", "admit", office.mandate, "bert", "--clearance", "internal")
    run = office.ask("--as", "bert")
    assert office.call("chat", "--as", "bert").out == ""
    office.ingest(NEW, *SINCE)

    ours, theirs, again = (
        office.call("chat").out,
        office.call("chat", "--as", "bert").out,
        office.call("chat", "--as", "bert").out,
    )

    assert (ours, again) == ("", "")
    assert f"„{QUESTION}“" in theirs
    assert CAUTION in theirs
    assert f"fundstelle run show {run}" in theirs


def test_the_chat_for_programs_tells_nothing_in_between(office: Office) -> None:
    """One document a question: with ``--json`` the news waits for a person."""
    run = office.ask()
    office.ingest(NEW, *SINCE)

    answered = office.call("chat", "--json", stdin=f"{QUESTION}\n")

    assert [one["question"] for one in answered.lines] == [QUESTION]
    assert f"fundstelle run show {run}" in office.call("chat").out


def test_a_watched_folder_tells_too(office: Office, tmp_path: Path) -> None:
    """A file that changes, and one that vanishes."""
    folder = tmp_path / "wiki"
    folder.mkdir()
    (folder / "kantine.md").write_text("# Kantine\n\nDie Kantine öffnet um elf Uhr.\n", encoding="utf-8")
    watch = ("watch", folder, "--level", "internal", "--once", "--interval", "0.1")
    office.call(*watch)
    run = office.call("ask", "Wann öffnet die Kantine?", "--json").json["run"]
    (folder / "anderes.md").write_text("# Anderes\n\nDie Pforte schließt um acht Uhr.\n", encoding="utf-8")
    office.call(*watch)
    (folder / "kantine.md").unlink()

    assert f"{TOUCHED}1;" in office.call(*watch).err
    assert [one["cause"] for one in office.changes(run)] == ["withdrawn"]


@pytest.mark.parametrize(("number", "after"), [(0, "run list"), (1, "run show"), (0, "chat"), (1, "ask")])
def test_nothing_is_lost_when_the_program_dies_in_between(office: Office, number: int, after: str) -> None:
    """Killed behind the commit, before the first or the second run was told: the next command tells the rest, once."""
    runs = [office.ask(), office.ask()]
    file = office._corner.file("handbuch.md", NEW)
    options = ("--mandate", office.mandate, "--level", "internal", "--document", "handbuch", *SINCE)
    _kill(office.program, number, "ingest", file, *options)

    match after:
        case "run list":
            assert office.listed() == dict.fromkeys(runs, 1)
        case "run show":
            assert len(office.changes(runs[1])) == 1
        case "chat":
            assert office.call("chat").out.count(CAUTION) == 2
        case _:
            office.ask()

    assert [len(office.changes(run)) for run in runs] == [1, 1]


def _kill(program: Program, number: int, *arguments: str | Path) -> None:
    command = [sys.executable, "-P", "-m", "tests.dying_change", str(number), *program.command(*arguments)[4:]]
    died = subprocess.run(
        command, check=False, capture_output=True, text=True, timeout=SECONDS, env=program.environment(), cwd=CHECKOUT
    )
    assert died.returncode == KILLED, died.stderr
