"""Four eyes with the real program: two users of the operating system, each with a data folder of their own."""

import os
import pwd
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.program import SECONDS, Outcome, Program
from tests.servers import external_server, reachable_folder

pytestmark = pytest.mark.root

NOBODY = pwd.getpwnam("nobody")
# The interpreter and its libraries may lie in root's home, so the other user may read everything, but write nothing.
AS_NOBODY = (
    "setpriv",
    f"--reuid={NOBODY.pw_uid}",
    f"--regid={NOBODY.pw_gid}",
    "--clear-groups",
    "--inh-caps=-all,+dac_read_search",
    "--ambient-caps=-all,+dac_read_search",
    "--bounding-set=-all,+dac_read_search",
)


@dataclass(frozen=True)
class ByNobody(Program):
    """The program as started by the user "nobody"."""

    def command(self, *arguments: str | Path) -> list[str]:
        return [*AS_NOBODY, *super().command(*arguments)]


class Office:
    """Two people at one external server: root, and nobody with copies of its keys and passwords."""

    def __init__(self, folder: Path, config: Path) -> None:
        self.config = config
        self.first, self.second = Program(folder / "first"), ByNobody(folder / "second")
        self.first.must("init", "--config", config)
        for name in ("format", "keys", "secrets"):
            source, target = self.first.data / name, self.second.data / name
            target.parent.mkdir(exist_ok=True, mode=0o700)
            shutil.copytree(source, target) if source.is_dir() else shutil.copy(source, target)
        for path in (self.second.data, *self.second.data.rglob("*")):
            os.chown(path, NOBODY.pw_uid, NOBODY.pw_gid)

    def run(self, program: Program, *arguments: str) -> Outcome:
        return program(*arguments, "--config", self.config, "--json")

    def must(self, program: Program, *arguments: str) -> Any:
        outcome = self.run(program, *arguments)
        assert outcome.code == 0, outcome
        return outcome.json

    def refused(self, program: Program, *arguments: str) -> str:
        outcome = self.run(program, *arguments)
        assert outcome.code == 2, outcome
        key: str = outcome.json["error"]["key"]
        return key

    def proposed(self, value: str) -> str:
        change = self.must(self.first, "policy", "set", "M", "coverage", value, "--because", "zu streng")["change"]
        assert isinstance(change, str)
        return change

    def coverage(self) -> float:
        shown = self.must(self.first, "policy", "show", "M")["thresholds"]
        return {one["name"]: one["value"] for one in shown}["coverage"]


@pytest.fixture(scope="module")
def office() -> Iterator[Office]:
    with external_server() as server, reachable_folder() as folder:
        server.execute("CREATE DATABASE acme")
        password, config = folder / "password", folder / "config.toml"
        password.write_text(f"{server.password}\n")
        config.write_text(
            f"[postgres]\nurl = 'postgresql://postgres@127.0.0.1:{server.port}/acme'\npassword_file = '{password}'\n"
        )
        office = Office(folder, config)
        office.must(office.first, "mandate", "open", "M")
        office.must(office.first, "mandate", "admit", "M", "nobody", "--clearance", "internal")
        office.must(office.first, "mandate", "role", "M", "nobody", "compliance")
        yield office


def test_another_user_agrees(office: Office) -> None:
    """Proposed by root, agreed to by nobody: in force at once, and the record names both."""
    change = office.proposed("0.7")
    (waiting,) = office.must(office.second, "policy", "pending", "M")["pending"]
    assert (waiting["change"], waiting["proposed_by"], waiting["operator"]) == (change, "root", None)
    assert office.coverage() == 0.8

    approved = office.must(office.second, "policy", "approve", change)

    assert (approved["status"], approved["outcome"]) == ("done", "approved")
    assert (approved["proposed_by"], approved["decided_by"], approved["decided_operator"]) == ("root", "nobody", None)
    assert office.coverage() == 0.7
    again = office.must(office.first, "policy", "approve", change)
    assert (again["status"], again["decided_by"]) == ("unchanged", "nobody")
    assert office.refused(office.first, "policy", "reject", change) == "proposal_approved"
    decided = office.must(office.first, "policy", "pending", "M", "--decided")["decided"]
    assert change in {one["change"] for one in decided}


def test_one_person_is_not_two(office: Office) -> None:
    """Neither under the own name nor on behalf of the other, in whatever order, is one person two."""
    alone = office.proposed("0.6")
    in_own_name = office.must(
        office.first, "policy", "set", "M", "confidence", "0.5", "--because", "weil", "--actor", "root"
    )["change"]
    assert office.refused(office.first, "policy", "approve", alone) == "second_is_first"
    assert office.refused(office.first, "policy", "approve", alone, "--actor", "nobody") == "second_speaks_for_another"
    assert office.refused(office.second, "policy", "approve", alone, "--actor", "root") == "second_speaks_for_another"
    assert office.refused(office.first, "policy", "approve", in_own_name) == "second_is_first"
    assert office.coverage() == 0.7

    office.must(office.first, "policy", "reject", alone)
    assert office.refused(office.second, "policy", "approve", alone) == "proposal_rejected"


def test_on_behalf_of_somebody_neither_of_both_agrees(office: Office) -> None:
    """What root proposes in the name of nobody needs a third person: nobody is one of the first two."""
    office.must(office.first, "mandate", "role", "M", "nobody", "administrator")
    change = office.must(office.first, "mandate", "release-domain", "M", "intranet.example", "--actor", "nobody")[
        "change"
    ]
    for program in (office.first, office.second):
        assert office.refused(program, "policy", "approve", change) == "second_is_first"
    assert office.must(office.first, "mandate", "show", "M")["domains"] == []


def test_agreeing_and_turning_down_at_once(office: Office) -> None:
    """Two processes that decide at the same moment leave one decision behind."""
    change = office.proposed("0.65")
    calls = [
        subprocess.Popen(
            program.command("policy", verb, change, "--config", office.config, "--json"),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=program.environment(),
        )
        for program, verb in ((office.second, "approve"), (office.first, "reject"))
    ]
    codes = [call.wait(SECONDS) for call in calls]
    for call in calls:
        assert call.stdout is not None
        call.stdout.close()

    assert sorted(codes) == [0, 2]
    assert office.coverage() == (0.65 if codes[0] == 0 else 0.7)


def test_consent_in_a_file(office: Office) -> None:
    """Handed in by root, it counts as the agreement of whom the file belongs to, for exactly what it says."""
    with reachable_folder() as folder:
        folder.chmod(0o1777)
        change = office.proposed("0.62")

        def written(name: str, *words: str) -> str:
            office.second.must("policy", "consent", *words, "--out", folder / name)
            return str(folder / name)

        other = written("other", change, "threshold", "coverage", "0.1")
        right = written("right", change, "threshold", "coverage", "0.62")
        office.first.must("policy", "consent", change, "threshold", "coverage", "0.62", "--out", folder / "own")
        shutil.copy(right, folder / "copied")
        (folder / "link").symlink_to(right)
        for name, error in (
            (other, "consent_other"),
            (str(folder / "own"), "second_is_first"),
            (str(folder / "copied"), "second_is_first"),
            (str(folder / "link"), "consent_unreadable"),
            (str(folder), "consent_unreadable"),
        ):
            assert office.refused(office.first, "policy", "approve", change, "--consent", name) == error
        Path(right).chmod(0o666)
        assert office.refused(office.first, "policy", "approve", change, "--consent", right) == "consent_open"
        Path(right).chmod(0o644)

        approved = office.must(office.first, "policy", "approve", change, "--consent", right)

        assert (approved["decided_by"], approved["handed_in_by"], approved["status"]) == ("nobody", "root", "done")
        assert office.coverage() == 0.62
        assert office.refused(office.second, "policy", "consent", change, "rule", "x", "--out", right)
        words = (change, "niedrigere", "coverage", "0.62", "--out", str(folder / "kind"))
        assert office.refused(office.second, "policy", "consent", *words) == "consent_kind"


def test_what_is_no_proposal(office: Office) -> None:
    """An id of no form is named as such; one of the right form that is not there looks like a foreign one."""
    assert office.refused(office.second, "policy", "approve", "17") == "change_id"
    unknown = "00000000-0000-4000-8000-000000000000"
    assert office.refused(office.second, "policy", "approve", unknown) == "access"


@pytest.mark.parametrize("language", ["de", "en"])
def test_what_a_person_reads(office: Office, language: str) -> None:
    """The list names the second step, the decision says what is in force, and a refusal what to do."""
    change = office.proposed("0.55" if language == "de" else "0.5")
    first, second = Program(office.first.data, language), ByNobody(office.second.data, language)
    options = ("--config", office.config)

    listed = second.must("policy", "pending", "M", *options).out
    refused = first("policy", "approve", change, *options)
    agreed = second.must("policy", "approve", change, *options).out

    assert change in listed
    assert "policy approve" in listed
    assert f"policy reject {change}" in refused.err
    assert "coverage" in agreed
