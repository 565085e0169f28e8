"""Audit bundles with the real program and the real verifier: written, read, checked, and found wrong."""

import asyncio
import json
import re
import stat
import subprocess
import sys
import zipfile
from html.parser import HTMLParser
from pathlib import Path

import pytest

from adapters.journal import verifier
from adapters.postgres.database import open_database
from adapters.postgres.roles import connect
from domain.journal.notes import VerifierKey
from tests.e2e.corner import NEW, OLD, Corner
from tests.e2e.program import Outcome, Program

QUESTION = "Wie lang ist die Frist?"


def check(bundle: Path, *arguments: str | Path) -> Outcome:
    """Run the verifier as somebody would who has its file alone."""
    command = [sys.executable, "-I", verifier.__file__, str(bundle), *map(str, arguments)]
    done = subprocess.run(command, check=False, capture_output=True, text=True, encoding="utf-8", timeout=60)
    return Outcome(done.returncode, done.stdout, done.stderr)


@pytest.fixture
def asked(corner: Corner) -> Corner:
    """A corner with a document, an officer for compliance, and a question of Anna's."""
    corner.ingest(corner.file("frist.md", f"# Fristen\n\n{NEW}\n"))
    must = corner.program.must
    for name, clearance in (("anna", "internal"), ("otto", "internal")):
        must("mandate", "admit", corner.mandate, name, "--clearance", clearance)
    must("mandate", "role", corner.mandate, "otto", "compliance")
    corner.question = corner.run("ask", QUESTION, "--as", "anna").json["run"]
    return corner


def key_of(program: Program, folder: Path) -> tuple[Path, Path]:
    """Return files with the journal's public key and its present checkpoint."""
    held, key = folder / "held.txt", folder / "key.txt"
    held.unlink(missing_ok=True)
    key.write_text(program.must("journal", "checkpoint", "--out", held, "--json").json["key"], encoding="utf-8")
    return key, held


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


def test_compliance_exports_and_an_auditor_checks(asked: Corner, tmp_path: Path) -> None:
    """One file, private to its owner; with key and checkpoint of the past it is intact, and the look is in it."""
    key, held = key_of(asked.program, tmp_path)
    file = tmp_path / "bundle.zip"
    made = asked.run("journal", "export", "--as", "otto", "--out", file).json
    assert (made["runs"], made["first"], made["hidden"]) == ([asked.question], 1, 0)
    assert made["bytes"] == file.stat().st_size
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert list(tmp_path.glob(".*")) == []
    found = check(file, "--key", key, "--checkpoint", held, "--json")
    assert found.code == 0, found
    assert found.json["open"] == made["open"] == made["last"]
    assert found.json["runs"] == [{"run": asked.question, "question": QUESTION, "end": "AnswerDelivered"}]
    assert found.json["tail"] == 1, "the look, and nothing else, came after the checkpoint"
    assert "Unversehrt" in check(file, "--key", key, "--checkpoint", held).out
    views = asked.run("run", "views").json["views"]
    assert [one["what"] for one in views] == ["bundle"]


def test_the_report_can_be_read_from_disk(asked: Corner, tmp_path: Path) -> None:
    """Question, answer, evidence, gates, claims, models; no script, nothing from elsewhere, in both languages."""
    for language, words in (("de", "Antwort, wie sie gezeigt wurde"), ("en", "Answer as it was shown")):
        file = tmp_path / f"{language}.zip"
        Program(asked.program.data, language).must(
            "journal", "export", "--mandate", asked.mandate, "--as", "otto", "--out", file
        )
        text = report_of(file)
        page = Page(text)
        assert page.tags.isdisjoint({"script", "img", "link", "iframe", "object", "form", "base"})
        assert all(target.startswith("#") for target in page.targets)
        assert "default-src &#x27;none&#x27;" in text or "default-src 'none'" in text
        for shown in (words, QUESTION, NEW, asked.question, f'lang="{language}"', "AnswerDelivered", "deterministic/"):
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


def test_the_asker_proves_their_own_run_and_no_other(asked: Corner, tmp_path: Path) -> None:
    """Members may prove what they asked; nobody else's run is there for them, and they export nothing."""
    program, key = asked.program, key_of(asked.program, tmp_path)[0]
    program.must("journal", "prove", asked.question, "--as", "anna", "--out", tmp_path / "run.zip")
    found = check(tmp_path / "run.zip", "--key", key, "--json")
    assert (found.code, found.json["cited"], found.json["open"] > 8) == (0, 1, True)
    other = asked.run("ask", QUESTION).json["run"]
    nothing = program(
        "journal", "prove", "00000000-0000-0000-0000-000000000000", "--as", "anna", "--out", tmp_path / "x"
    )
    for arguments in (
        ("prove", other, "--as", "anna"),
        ("prove", other, "--as", "otto"),
        ("prove", asked.question, "--as", "nobody"),
        ("export", "--mandate", asked.mandate, "--as", "anna"),
        ("export", "--mandate", "nowhere", "--as", "otto"),
    ):
        refused = program("journal", *arguments, "--out", tmp_path / "x")
        assert (refused.code, refused.err) == (2, nothing.err), arguments
    assert not (tmp_path / "x").exists()


def test_what_the_reader_may_not_see_is_a_hash(asked: Corner, tmp_path: Path) -> None:
    """Neither the secret text nor its title is anywhere in the file, and nothing is missing all the same."""
    secret = asked.file("geheim.md", "# Fusion\n\nDie Übernahme heißt Polarstern.\n")
    assert asked.run("ingest", secret, "--level", "secret").code == 0
    asked.run("ask", "Wie heißt die Übernahme?")
    file = tmp_path / "bundle.zip"
    asked.run("journal", "export", "--as", "otto", "--out", file)
    with zipfile.ZipFile(file) as opened:
        whole = b"".join(opened.read(name) for name in opened.namelist()).decode()
    assert QUESTION in whole
    for hidden in ("Polarstern", "Fusion", "geheim", "\\u00dcbernahme", "Übernahme"):
        assert hidden not in whole, hidden
    found = check(file, "--json")
    assert (found.code, found.json["hidden"] > 10) == (0, True)


def test_a_period_a_person_and_a_run(asked: Corner, tmp_path: Path) -> None:
    """Each can be asked for; what nobody can give is said before anything is written."""
    now = asked.program.must("known", "--mandate", asked.mandate, "--json").json["at"]
    later = asked.run("ask", QUESTION, "--as", "anna").json["run"]
    cases = {
        "period": ("--from", now),
        "person": ("--person", "anna", "--from", now),
        "run": ("--run", later),
    }
    for name, options in cases.items():
        made = asked.run("journal", "export", "--as", "otto", *options, "--out", tmp_path / name)
        assert made.code == 0, made
        assert made.json["runs"] == [later]
        assert check(tmp_path / name).code == 0
    nobody = asked.run("journal", "export", "--as", "otto", "--person", "nobody", "--out", tmp_path / "x")
    silent = asked.run("journal", "export", "--as", "otto", "--person", "otto", "--out", tmp_path / "x")
    assert (nobody.code, nobody.err) == (silent.code, silent.err) == (2, nobody.err)
    turned = asked.run(
        "journal", "export", "--as", "otto", "--from", now, "--to", "2026-01-01", "--out", tmp_path / "x"
    )
    assert turned.code == 2
    assert not (tmp_path / "x").exists()


def test_nothing_is_overwritten(asked: Corner, tmp_path: Path) -> None:
    """Neither a file nor a link, and a folder that is not there is said so; nobody counts as having looked."""
    (tmp_path / "there").write_text("mine", encoding="utf-8")
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    for name in ("there", "link", "missing/bundle.zip"):
        refused = asked.run("journal", "export", "--as", "otto", "--out", tmp_path / name)
        assert refused.code == 2
        assert name.partition("/")[0] in refused.err
    assert (tmp_path / "there").read_text(encoding="utf-8") == "mine"
    assert asked.run("run", "views").json["views"] == []


def test_what_is_changed_is_found(asked: Corner, tmp_path: Path) -> None:
    """A bundle with another answer, an old one, one that somebody else has signed, and what is none: exits 1 and 2."""
    key, _ = key_of(asked.program, tmp_path)
    file, changed = tmp_path / "bundle.zip", tmp_path / "changed.zip"
    asked.run("journal", "export", "--as", "otto", "--out", file)
    raw = file.read_bytes()
    changed.write_bytes(raw.replace(b"drei Monate", b"zwei Monate"))
    assert changed.read_bytes() != raw
    outcome = check(changed, "--key", key, "--json")
    assert (outcome.code, outcome.json["intact"]) == (1, False)
    assert "NICHT unversehrt" in check(changed, "--key", key, "--lang", "de").out
    asked.run("ask", OLD)
    _, newer = key_of(asked.program, tmp_path)
    replayed = check(file, "--key", key, "--checkpoint", newer, "--json")
    assert (replayed.code, [one["check"] for one in replayed.json["faults"]]) == (1, ["held_newer"])
    stranger = tmp_path / "stranger.txt"
    origin = key.read_text(encoding="utf-8").partition("+")[0]
    stranger.write_text(_other_key(origin), encoding="utf-8")
    forged = check(file, "--key", stranger, "--json")
    assert {one["check"] for one in forged.json["faults"]} == {"signature", "seal_signature"}
    changed.write_bytes(raw[:-100])
    assert check(changed).code in {1, 2}
    changed.write_bytes(raw[: len(raw) // 2])
    assert check(changed).code == 2
    assert check(tmp_path / "nothing").code == 2


def _other_key(origin: str) -> str:
    return str(VerifierKey(origin, bytes(32)))


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
