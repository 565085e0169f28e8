"""Erasing with the real program and two people: proposed by one, carried out when the other agrees."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.test_two_people import Office
from tests.servers import external_server, reachable_folder

pytestmark = pytest.mark.root

QUESTION = "Wie lange ist die Kündigungsfrist?"


@pytest.fixture
def office() -> Iterator[Office]:
    """Root administers two mandates with a document each, nobody looks after them, anna asks in both."""
    with external_server() as server, reachable_folder() as folder:
        server.execute("CREATE DATABASE acme")
        password, config = folder / "password", folder / "config.toml"
        password.write_text(f"{server.password}\n")
        config.write_text(
            f"[postgres]\nurl = 'postgresql://postgres@127.0.0.1:{server.port}/acme'\npassword_file = '{password}'\n"
        )
        office = Office(folder, config)
        for mandate in ("M", "N"):
            office.must(office.first, "mandate", "open", mandate)
            office.must(office.first, "mandate", "admit", mandate, "anna", "--clearance", "internal")
            _ingest(office, folder, mandate)
            office.must(office.first, "ask", QUESTION, "--mandate", mandate, "--as", "anna")
        office.must(office.first, "mandate", "admit", "M", "nobody", "--clearance", "internal")
        office.must(office.first, "mandate", "role", "M", "nobody", "compliance")
        yield office


def _ingest(office: Office, folder: Path, mandate: str) -> None:
    file = folder / "handbuch.md"
    file.write_text(f"Die Kündigungsfrist in {mandate} beträgt drei Monate.\n", encoding="utf-8")
    office.must(office.first, "ingest", str(file), "--mandate", mandate, "--level", "internal")


def _person(office: Office) -> None:
    office.must(office.first, "mandate", "admit", "N", "nobody", "--clearance", "internal")
    office.must(office.first, "mandate", "role", "N", "nobody", "compliance")


def test_a_mandate_goes_when_a_second_person_agrees(office: Office) -> None:
    """Not before, not by the same person, not under a hold; then it is unknown, its name is free, the rest is whole."""
    change = office.must(office.first, "erase", "mandate", "M", "--because", "Vertrag beendet")["change"]
    assert office.refused(office.first, "policy", "approve", change) == "second_is_first"
    office.must(office.first, "mandate", "hold", "M", "--because", "Prozess")
    assert office.refused(office.second, "policy", "approve", change) == "erasure_held"
    (hold,) = office.must(office.first, "mandate", "holds", "M")["holds"]
    lifting = office.must(office.first, "mandate", "release-hold", "M", hold["hold"], "--because", "beendet")["change"]
    office.must(office.second, "policy", "approve", lifting)
    assert office.must(office.first, "known", "--mandate", "M")["documents"]

    approved = office.must(office.second, "policy", "approve", change)

    assert (approved["status"], approved["outcome"], approved["decided_by"]) == ("done", "approved", "nobody")
    assert office.refused(office.first, "known", "--mandate", "M") == office.refused(
        office.first, "known", "--mandate", "nirgends"
    )
    assert [one["mandate"] for one in office.must(office.first, "mandate", "list")["mandates"]] == ["N"]
    assert office.must(office.first, "known", "--mandate", "N")["documents"]
    office.must(office.first, "journal", "verify")
    office.must(office.first, "mandate", "open", "M")
    assert office.must(office.first, "known", "--mandate", "M")["documents"] == []


def test_a_person_goes_when_a_second_person_agrees(office: Office) -> None:
    """Who erases oversees all their mandates; then name and questions are gone, and what others asked stays."""
    change = office.must(office.first, "erase", "person", "anna", "--because", "auf Verlangen")["change"]
    _person(office)
    assert len(office.must(office.first, "run", "list", "--mandate", "M")["runs"]) == 1
    own = office.must(office.first, "ask", QUESTION, "--mandate", "M")["run"]

    approved = office.must(office.second, "policy", "approve", change)

    assert (approved["status"], approved["subject"]) == ("done", "anna")
    members = office.must(office.first, "mandate", "show", "M")["members"]
    assert sorted(one["user"] or "" for one in members) == ["", "nobody", "root"]
    assert [one["run"] for one in office.must(office.first, "run", "list", "--mandate", "M")["runs"]] == [own]
    office.must(office.first, "journal", "verify")
    again = office.must(office.second, "policy", "approve", change)
    assert again["status"] == "unchanged"
    assert office.refused(office.first, "ask", QUESTION, "--mandate", "M", "--as", "anna")
