"""What changed in what was known, between any two of five instants.

1: ``bleibt`` and ``geht`` are known. 2: ``kommt`` has come in, a second version of ``bleibt`` too, and ``geht`` is
withdrawn. 3: ``bleibt`` has another title and address. 4: ``kommt`` is secret, and the library L is subscribed.
"""

from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

import pytest

from tests.e2e.program import Program

ENTRY = (
    *("document", "version", "title", "url", "level", "recorded_from", "recorded_position", "recorded_to"),
    *("valid_from", "valid_to", "valid_from_kind", "sha256", "mandate"),
)


class Place(NamedTuple):
    """The installation, and the instants, the first of which lies before everything."""

    program: Program
    instants: tuple[str, ...]

    def diff(self, earlier: int, later: int, *options: str) -> Any:
        line = ("diff", "--mandate", "Akten", "--from", self.instants[earlier], "--to", self.instants[later])
        return self.program.must(*line, "--json", *options).json

    def changes(self, earlier: int, later: int, *options: str) -> list[tuple[str, str]]:
        return [(one["document"], one["change"]) for one in self.diff(earlier, later, *options)["documents"]]


@pytest.fixture(scope="module")
def place(shared_program: Program, tmp_path_factory: pytest.TempPathFactory) -> Place:
    folder = tmp_path_factory.mktemp("texts")
    run = shared_program.must

    def ingest(key: str, text: str, *options: str, mandate: str = "Akten") -> None:
        (folder / f"{key}.txt").write_text(text, encoding="utf-8")
        run("ingest", folder / f"{key}.txt", "--mandate", mandate, "--level", "internal", "--document", key, *options)

    def instant() -> str:
        return str(run("known", "--mandate", "Akten", "--json").json["at"])

    run("mandate", "open", "Akten")
    run("mandate", "open", "Aktennormen", "--library")
    run("mandate", "admit", "Akten", "ben", "--clearance", "internal")
    ingest("norm", "Die Norm gilt.", mandate="Aktennormen")
    instants = [instant()]
    ingest("bleibt", "Die Frist beträgt einen Monat.", "--valid-from", "2020-01-01")
    ingest("geht", "Dieses Blatt entfällt.")
    instants.append(instant())
    ingest("kommt", "Dieses Blatt ist neu.")
    ingest("bleibt", "Die Frist beträgt zwei Monate.", "--valid-from", "2022-01-01", "--valid-from-kind", "observed")
    run("withdraw", "geht", "--mandate", "Akten", "--because", "überholt")
    instants.append(instant())
    address = ("--title", "Fristen", "--url", "https://wiki.example.org/fristen")
    ingest("bleibt", "Die Frist beträgt zwei Monate.", "--valid-from", "2022-01-01", *address)
    instants.append(instant())
    run("level", "assign", "kommt", "secret", "--mandate", "Akten")
    run("mandate", "subscribe", "Akten", "Aktennormen")
    instants.append(instant())
    return Place(shared_program, tuple(instants))


def test_between_two_instants_documents_come_go_and_change(place: Place) -> None:
    """Each document has what was known of it before and after, and null where nothing was."""
    found = place.diff(1, 2)

    assert set(found) == {"from", "to", "from_position", "to_position", "documents", "mandate"}
    assert (found["from"], found["to"]) == place.instants[1:3]
    assert found["from_position"] < found["to_position"]
    stays, goes, comes = found["documents"]
    assert [(one["document"], one["change"], one["mandate"]) for one in (stays, goes, comes)] == [
        ("bleibt", "changed", "Akten"),
        ("geht", "removed", "Akten"),
        ("kommt", "added", "Akten"),
    ]
    assert (goes["after"], comes["before"]) == (None, None)
    assert (stays["before"]["version"], stays["after"]["version"]) == (1, 2)
    assert (stays["before"]["valid_to"], stays["after"]["valid_from"]) == (None, "2022-01-01")
    assert all(set(entry) == set(ENTRY) for entry in (stays["before"], stays["after"], goes["before"], comes["after"]))


def test_before_and_after_are_what_was_known(place: Place) -> None:
    """Every entry is, key by key, the one that ``known`` has at that instant."""
    changed = place.diff(1, 3)["documents"]

    for side, at in (("before", place.instants[1]), ("after", place.instants[3])):
        listed = place.program.must("known", "--mandate", "Akten", "--at", at, "--json").json["documents"]
        entries = [one[side] for one in changed if one[side]]
        assert entries
        assert all(entry in listed for entry in entries)


def test_a_correction_is_a_change(place: Place) -> None:
    """The same version with another title and another address."""
    (change,) = place.diff(2, 3)["documents"]

    assert (change["change"], change["before"]["version"], change["after"]["version"]) == ("changed", 2, 2)
    assert (change["before"]["url"], change["after"]["url"]) == (None, "https://wiki.example.org/fristen")
    assert change["after"]["title"] == "Fristen"


def test_levels_and_libraries_change_what_is_known(place: Place) -> None:
    """A raised level is a change, the documents of a new library are added, behind the own ones."""
    assert place.changes(3, 4) == [("kommt", "changed"), ("norm", "added")]
    assert place.diff(3, 4)["documents"][1]["mandate"] == "Aktennormen"


def test_another_day_sees_other_changes(place: Place) -> None:
    """On a day of the first version of ``bleibt``, its second one changes the end of the stretch only."""
    assert place.changes(0, 1, "--valid-on", "2019-12-31") == [("geht", "added")]
    (change, *_) = place.diff(1, 2, "--valid-on", "2021-06-01")["documents"]
    assert (change["before"]["version"], change["after"]["version"]) == (1, 1)
    assert (change["before"]["valid_to"], change["after"]["valid_to"]) == (None, "2022-01-01")


def test_nothing_changes_between_an_instant_and_itself(place: Place) -> None:
    """The empty list, and for people a sentence."""
    assert place.changes(2, 2) == []
    line = ("diff", "--mandate", "Akten", "--from", place.instants[2], "--to", place.instants[2])
    assert "hat sich nichts geändert" in place.program.must(*line).out


def test_a_document_above_the_clearance_of_today_never_was(place: Place) -> None:
    """Ben sees no change of what is secret now, also between instants at which it was not."""
    assert place.changes(0, 4) == [("bleibt", "added"), ("kommt", "added"), ("norm", "added")]
    assert place.changes(0, 4, "--as", "ben") == [("bleibt", "added"), ("norm", "added")]
    assert place.changes(1, 2, "--as", "ben") == [("bleibt", "changed"), ("geht", "removed")]
    assert place.changes(3, 4, "--as", "ben") == [("norm", "added")]


def test_what_changed_stays_the_same_for_ever(place: Place, tmp_path: Path) -> None:
    """Between two past instants nothing moves, whatever comes in."""
    before = place.diff(1, 3)
    (tmp_path / "später.txt").write_text("Später.", encoding="utf-8")
    place.program.must("ingest", tmp_path / "später.txt", "--mandate", "Akten", "--level", "internal")

    assert place.diff(1, 3) == before


def test_until_today_is_until_now(place: Place) -> None:
    """A bare date is the end of its day, the one of today is now; before the first day nothing was known."""
    line = ("diff", "--mandate", "Akten", "--from", "0001-01-01", "--to", today(place), "--json")
    found = place.program.must(*line).json

    assert found["from_position"] == 0
    assert {one["change"] for one in found["documents"]} == {"added"}
    assert {"bleibt", "kommt", "norm"} <= {one["document"] for one in found["documents"]}


def today(place: Place) -> str:
    """Return the day as the mandate's clock has it."""
    opened = place.program.must("mandate", "show", "Akten", "--json").json
    assert opened["time_zone"] == "Europe/Berlin"
    return datetime.now(ZoneInfo(opened["time_zone"])).date().isoformat()


def test_a_person_reads_a_table(place: Place) -> None:
    """Under the two instants stands what sets the two apart."""
    line = ("diff", "--mandate", "Akten", "--from", place.instants[1], "--to", place.instants[4])
    told = place.program.must(*line).out.splitlines()

    assert told[0].split()[:3] == ["Änderung", "Dokument", "Stand"]
    assert told[0].count("Stand ") == 2
    changed = next(row for row in told if "bleibt" in row)
    assert changed.startswith("geändert")
    assert "gültig ab 01.01.2020" in changed
    assert "Fassung 2, Fristen, gültig ab 01.01.2022" in changed
    assert any(row.startswith("entfallen") and "geht" in row for row in told)
    assert any(row.startswith("neu") and "norm (Aktennormen)" in row for row in told)
