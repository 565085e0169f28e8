"""A rejected draft is read by compliance alone: in no other way does a word of it leave the program."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.chat_server import ChatServer, chat_server, says, structured
from tests.e2e.program import Outcome, Program

QUESTION = "Welche Frist gilt für die Kündigung?"
TEXT = "# Handbuch\n\n## Fristen\n\nDie Frist der Kündigung beträgt drei Monate zum Monatsende.\n"
TRUE = "Die Frist der Kündigung beträgt drei Monate zum Monatsende."
CANARY = "Kanarienvogel"
LIE = f"Der {CANARY} kündigt in 4711 Tagen nach § 99 BGB."


@dataclass
class Desk:
    """An installation whose model writes what it is told to; Bert asks, Carla watches over the answers."""

    program: Program
    server: ChatServer
    config: Path

    async def __call__(self, *arguments: str, stdin: str = "") -> Outcome:
        return await asyncio.to_thread(self.program, "--config", str(self.config), *arguments, stdin=stdin)

    async def ask(self, *replies: str) -> Outcome:
        self.server.replies = [says(one) for one in replies]
        asked = await self("ask", QUESTION, "--mandate", "M", "--as", "bert", "--json")
        assert asked.code == 0, asked
        return asked


@pytest.fixture
async def desk(program: Program, tmp_path: Path) -> AsyncIterator[Desk]:
    document, config = tmp_path / "handbuch.md", tmp_path / "config.toml"
    document.write_text(TEXT, encoding="utf-8")
    async with chat_server() as (server, url):
        server.usual = says(structured((LIE, ["S1"])))
        model = f'url = "{url}"\nmodel = "tiny"\nbase = "acme/tiny"\nrevision = "7"\n'
        config.write_text(f'[models.formulator]\nkind = "openai"\n{model}', encoding="utf-8")
        for command in (
            ("mandate", "open", "M"),
            ("mandate", "admit", "M", "bert", "--clearance", "internal"),
            ("mandate", "admit", "M", "carla", "--clearance", "internal"),
            ("mandate", "role", "M", "carla", "compliance"),
            ("ingest", str(document), "--mandate", "M", "--level", "internal"),
        ):
            await asyncio.to_thread(program.must, *command)
        yield Desk(program, server, config)


async def test_a_rejected_draft_leaves_the_program_for_compliance_alone(desk: Desk) -> None:
    """Every command that tells of a run, in words and as JSON, the chat, the logs and every file of the data folder."""
    asked = await desk.ask()
    run = asked.json["run"]
    assert (asked.json["refusal"]["step"], asked.json["verdict"], asked.json["drafts"]) == ("verifier", "rejected", [])
    told = {"ask": asked}
    told["chat"] = await desk("chat", "--mandate", "M", "--as", "bert", stdin=f"{QUESTION}\n!warum\n!zeiten\n")
    for command in (
        ("run", "show", run),
        ("run", "show", run, "--as", "bert"),
        ("run", "show", run, "--as", "bert", "--json"),
        ("run", "list", "--mandate", "M", "--json"),
        ("run", "resume", run, "--as", "bert"),
        ("run", "replay", run, "--json"),
        ("run", "diff", run, "--at", datetime.now(UTC).isoformat(), "--json"),
        ("search", QUESTION, "--mandate", "M", "--json"),
        ("doctor", "--timings"),
    ):
        told[" ".join(command)] = await desk(*command)

    assert {name: one.err for name, one in told.items() if one.code not in {0, 1}} == {}
    assert [name for name, one in told.items() if CANARY in one.out + one.err] == []
    data = [path for path in desk.program.data.rglob("*") if path.is_file() and not path.is_symlink()]
    assert [path for path in data if CANARY.encode() in path.read_bytes()] == []

    audit = await desk("run", "show", run, "--as", "carla", "--json")
    drafts = audit.json["drafts"]
    assert [(one["attempt"], one["step"], len(one["sentences"])) for one in drafts] == [
        (1, "verifier", 1),
        (2, "verifier", 1),
    ]
    (sentence,) = drafts[0]["sentences"]
    assert (sentence["text"], sentence["struck"], sentence["anchors"]) == (LIE, True, ["S1"])
    assert sentence["reason"]
    assert {**audit.json, "drafts": []} == {**asked.json, "timings_ms": {}}
    shown = (await desk("run", "show", run, "--as", "carla")).out
    assert "Entwurf 1, zurückgehalten: Prüfung nicht bestanden. Nur für die Aufsicht (Rolle compliance)." in shown
    assert f"~~{LIE[:-1]} [S1].~~ (gestrichen: " in shown


async def test_a_discarded_draft_stays_out_of_the_answer_that_passed(desk: Desk) -> None:
    """The second draft is the answer; the first one is read by compliance beside it."""
    asked = await desk.ask(structured((LIE, ["S1"])), structured((TRUE, ["S1"])))

    assert asked.json["outcome"] == "answered"
    assert CANARY not in asked.out
    (draft,) = (await desk("run", "show", asked.json["run"], "--as", "carla", "--json")).json["drafts"]
    assert CANARY in draft["sentences"][0]["text"]


async def test_compliance_without_the_clearance_reads_nothing(desk: Desk) -> None:
    """The evidence is raised above Carla's clearance: the refusal stays, its draft goes."""
    run = (await desk.ask()).json["run"]
    before = await desk("run", "show", run, "--as", "carla")
    raised = await desk("level", "assign", "handbuch", "secret", "--mandate", "M")
    assert raised.code == 0

    after = await desk("run", "show", run, "--as", "carla")

    assert (CANARY in before.out, CANARY in after.out, after.code) == (True, False, 0)
