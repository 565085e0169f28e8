"""Audit bundles with the real program and the real verifier: written, read, checked, and found wrong."""

import asyncio
import json
import re
import stat
import subprocess
import sys
import zipfile
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path

import pytest

from adapters.journal import verifier
from adapters.postgres.database import open_database
from adapters.postgres.roles import connect
from domain.journal.notes import VerifierKey
from tests.e2e.corner import NEW, Corner
from tests.e2e.program import Outcome, Program

QUESTION = "Wie lang ist die Frist?"


def check(bundle: Path, *arguments: str | Path) -> Outcome:
    """Run the verifier as somebody would who has its file alone."""
    command = [sys.executable, "-I", verifier.__file__, str(bundle), *map(str, arguments)]
    done = subprocess.run(command, check=False, capture_output=True, text=True, encoding="utf-8", timeout=60)
    return Outcome(done.returncode, done.stdout, done.stderr)


@dataclass
class House:
    """A mandate with two documents, Anna who asks, and Otto for compliance, whose clearance ends below the secret.

    ``theirs`` is a run of the administrator that could see everything; ``key``, ``held``: files with the journal's
    public key and an early checkpoint.
    """

    corner: Corner
    question: str
    theirs: str
    key: Path
    held: Path

    def journal(self, *arguments: str | Path) -> Outcome:
        return self.corner.program("journal", *arguments, "--json")

    def export(self, file: Path, *arguments: str | Path, by: str = "otto") -> Outcome:
        return self.journal("export", "--mandate", self.corner.mandate, "--as", by, "--out", file, *arguments)


@pytest.fixture(scope="module")
def house(shared_program: Program, tmp_path_factory: pytest.TempPathFactory) -> House:
    """The same for all tests here: each command takes its time, and none of them changes it."""
    folder = tmp_path_factory.mktemp("house")
    corner = Corner(shared_program, folder)
    corner.ingest(corner.file("frist.md", f"# Fristen\n\n{NEW}\n"))
    secret = corner.file("geheim.md", "# Fusion\n\nDie Übernahme heißt Polarstern.\n")
    assert corner.run("ingest", secret, "--level", "secret").code == 0
    must = corner.program.must
    for name in ("anna", "otto"):
        must("mandate", "admit", corner.mandate, name, "--clearance", "internal")
    must("mandate", "role", corner.mandate, "otto", "compliance")
    question = corner.run("ask", QUESTION, "--as", "anna").json["run"]
    theirs = corner.run("ask", "Wie heißt die Übernahme?").json["run"]
    key, held = folder / "key.txt", folder / "held.txt"
    signed = must("journal", "checkpoint", "--out", held, "--json").json
    key.write_text(signed["key"], encoding="utf-8")
    return House(corner, question, theirs, key, held)


class Page(HTMLParser):
    """What a page asks of a browser."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.targets: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.targets += [value or "" for name, value in attrs if name in {"href", "src", "action", "srcset", "data"}]
        assert not any(name.startswith("on") or name == "style" for name, _ in attrs)


def report_of(bundle: Path) -> str:
    with zipfile.ZipFile(bundle) as opened:
        return opened.read("report.html").decode()


def test_compliance_exports_and_an_auditor_checks(house: House, tmp_path: Path) -> None:
    """One file, private to its owner; with key and checkpoint of the past it is intact, and the look is in it."""
    file = tmp_path / "bundle.zip"
    made = house.export(file).json
    assert (made["runs"], made["first"]) == ([house.question], 1)
    assert made["bytes"] == file.stat().st_size
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert list(tmp_path.iterdir()) == [file]
    found = check(file, "--key", house.key, "--checkpoint", house.held, "--json")
    assert found.code == 0, found
    assert (found.json["open"], found.json["hidden"]) == (made["open"], made["hidden"])
    assert found.json["runs"] == [{"run": house.question, "question": QUESTION, "end": "AnswerDelivered"}]
    assert found.json["tail"] >= 1, "the look itself comes after the checkpoint"
    assert "Unversehrt" in check(file, "--key", house.key, "--checkpoint", house.held, "--lang", "de").out
    assert house.corner.run("run", "views").json["views"][-1]["what"] == "bundle"


def test_what_the_reader_may_not_see_is_a_hash(house: House, tmp_path: Path) -> None:
    """Neither the secret text nor its title is anywhere in the file, and nothing is missing all the same."""
    file = tmp_path / "bundle.zip"
    assert house.export(file).json["hidden"] > 10
    with zipfile.ZipFile(file) as opened:
        whole = b"".join(opened.read(name) for name in opened.namelist()).decode()
    assert QUESTION in whole
    for hidden in ("Polarstern", "Fusion", "geheim.md", "\\u00dcbernahme", "Übernahme"):
        assert hidden not in whole, hidden


@pytest.mark.parametrize(
    ("language", "words"), [("de", "Antwort, wie sie gezeigt wurde"), ("en", "Answer as it was shown")]
)
def test_the_report_can_be_read_from_disk(house: House, tmp_path: Path, language: str, words: str) -> None:
    """Question, answer, evidence, gates, claims, models; no script, nothing from elsewhere, in both languages."""
    program, file = Program(house.corner.program.data, language), tmp_path / "bundle.zip"
    program.must("journal", "prove", house.question, "--as", "otto", "--out", file)
    text = report_of(file)
    page = Page(text)
    assert page.tags.isdisjoint({"script", "img", "link", "iframe", "object", "form", "base"})
    assert all(target.startswith("#") for target in page.targets)
    assert "default-src 'none'" in text
    for shown in (words, QUESTION, NEW, house.question, f'lang="{language}"', "AnswerDelivered", "deterministic/"):
        assert shown in text, shown


def test_whatever_stands_in_a_text_stays_text(corner: Corner, tmp_path: Path) -> None:
    """Markup in questions, titles and documents is shown, not obeyed."""
    evil = '<script>alert(1)</script> & "Frist" <img src=x onerror=alert(2)> \x07 \u202e'
    corner.ingest(
        corner.file("b.md", "# <b>Fristen</b>\n\nDie Frist <i>beträgt</i> drei Monate.\n"), "--title", "<u>T</u>"
    )
    corner.run("ask", f"Wie lang ist die Frist? {evil}".replace("\x07", ""))
    file = tmp_path / "bundle.zip"
    assert corner.run("journal", "export", "--out", file).code == 0
    text = report_of(file)
    assert Page(text).tags.isdisjoint({"script", "img", "b", "i", "u"})
    assert "&lt;script&gt;" in text
    assert not re.search("[\x00-\x08\x0b-\x1f\u202e]", text)
    assert check(file).code == 0


def test_the_asker_proves_their_own_run_and_no_other(house: House, tmp_path: Path) -> None:
    """Members may prove what they asked; nobody else's run is there for them, and they export nothing."""
    assert house.journal("prove", house.question, "--as", "anna", "--out", tmp_path / "run.zip").code == 0
    found = check(tmp_path / "run.zip", "--key", house.key, "--json")
    assert (found.code, found.json["cited"], found.json["open"] > 8) == (0, 1, True)
    out = ("--out", tmp_path / "x")
    nothing = house.journal("prove", "00000000-0000-0000-0000-000000000000", "--as", "anna", *out)
    for refused in (
        house.journal("prove", house.theirs, "--as", "anna", *out),
        house.journal("prove", house.theirs, "--as", "otto", *out),
        house.journal("prove", house.question, "--as", "nobody", *out),
        house.export(tmp_path / "x", by="anna"),
        house.journal("export", "--mandate", "nowhere", "--as", "otto", *out),
    ):
        assert (refused.code, refused.err, refused.out) == (2, nothing.err, nothing.out)
    assert not (tmp_path / "x").exists()


def test_a_period_a_person_and_a_run(house: House, tmp_path: Path) -> None:
    """Each can be asked for; what nobody can give is said before anything is written."""
    now = house.corner.run("known").json["at"]
    for name, options, runs in (
        ("person", ("--person", "anna", "--to", now), [house.question]),
        ("run", ("--run", house.question), [house.question]),
        ("period", ("--from", now), []),
    ):
        made = house.export(tmp_path / name, *options)
        if made.code == 2:
            assert (name, made.json["error"]["key"]) == ("period", "bundle_empty")
            continue
        assert made.json["runs"] == runs
        assert check(tmp_path / name).code == 0
    nobody, silent = (house.export(tmp_path / "x", "--person", name) for name in ("nobody", "otto"))
    assert (nobody.code, nobody.err) == (silent.code, silent.err) == (2, nobody.err)
    assert house.export(tmp_path / "x", "--from", now, "--to", "2026-01-01").code == 2
    for narrowed in (("--from", "2026-01-01"), ("--to", now), ("--person", "anna")):
        both = house.export(tmp_path / "x", "--run", house.question, *narrowed)
        assert (both.code, both.json["error"]["key"]) == (2, "bundle_run_alone")
    assert not (tmp_path / "x").exists()


def test_nothing_is_overwritten(house: House, tmp_path: Path) -> None:
    """Neither a file nor a link, and a folder that is not there is said so."""
    (tmp_path / "there").write_text("mine", encoding="utf-8")
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    for name in ("there", "link", "missing/bundle.zip"):
        refused = house.export(tmp_path / name)
        assert refused.code == 2
        assert name.partition("/")[0] in refused.err
    assert (tmp_path / "there").read_text(encoding="utf-8") == "mine"
    assert sorted(file.name for file in tmp_path.iterdir()) == ["link", "there"]


def test_what_is_changed_is_found(house: House, tmp_path: Path) -> None:
    """A bundle with another answer, an old one, one that somebody else has signed, and what is none: exits 1 and 2."""
    file, changed, newer = tmp_path / "bundle.zip", tmp_path / "changed.zip", tmp_path / "newer.txt"
    house.export(file)
    raw = file.read_bytes()
    changed.write_bytes(raw.replace(b"drei Monate", b"zwei Monate"))
    assert changed.read_bytes() != raw
    outcome = check(changed, "--key", house.key, "--json")
    assert (outcome.code, outcome.json["intact"]) == (1, False)
    assert "NICHT unversehrt" in check(changed, "--key", house.key, "--lang", "de").out
    house.corner.run("run", "views")
    house.journal("checkpoint", "--out", newer)
    replayed = check(file, "--key", house.key, "--checkpoint", newer, "--json")
    assert (replayed.code, [one["check"] for one in replayed.json["faults"]]) == (1, ["held_newer"])
    stranger = tmp_path / "stranger.txt"
    origin = house.key.read_text(encoding="utf-8").partition("+")[0]
    stranger.write_text(str(VerifierKey(origin, bytes(32))), encoding="utf-8")
    forged = check(file, "--key", stranger, "--json")
    assert {one["check"] for one in forged.json["faults"]} == {"signature", "seal_signature"}
    changed.write_bytes(raw[:-100])
    assert check(changed).code == 1
    changed.write_bytes(raw[: len(raw) // 2])
    assert check(changed).code == 2
    assert check(tmp_path / "nothing").code == 2


def test_a_damaged_journal_gives_no_bundle(program: Program, tmp_path: Path) -> None:
    """What does not match its hash is not handed on as proof."""
    program.must("mandate", "open", "A")
    database = open_database(program.data, None)
    try:
        with connect(database.admin) as connection:
            connection.execute("UPDATE fundstelle.stored_events SET topic = 'LevelAssigned:1'")
    finally:
        asyncio.run(database.close())
    outcome = program("journal", "export", "--mandate", "A", "--out", tmp_path / "x", "--json")
    assert outcome.code == 3
    assert json.loads(outcome.out)["error"]["key"] == "event_damaged"
    assert not (tmp_path / "x").exists()
