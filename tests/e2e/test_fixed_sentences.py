"""What a person reads word for word, the step and the exit code that belong to it, out of the real program."""

import asyncio
import shutil
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.chat_server import ChatServer, chat_server, raw, says, structured
from tests.e2e.program import Outcome, Program

QUESTION = "Welche Frist gilt für die Kündigung?"
TEXT = (
    "# Handbuch\n\n## Fristen\n\nDie Frist der Kündigung beträgt drei Monate zum Monatsende. "
    "Die Kündigung bedarf der Schriftform. Die Frist beginnt am Monatsersten.\n"
)
THREE = "Die Frist der Kündigung beträgt drei Monate zum Monatsende."
WRITTEN = "Die Kündigung bedarf der Schriftform."
BEGINS = "Die Frist beginnt am Monatsersten."
WRONG = "Die Frist der Kündigung beträgt neun Monate zum Monatsende."

REFUSED = (
    "Ich kann diese Frage auf Basis der vorliegenden Quellen nicht verlässlich beantworten. "
    "Bitte erweitern Sie den Suchkontext oder konsultieren Sie die Originalquelle."
)
NOTHING = "Dazu habe ich nichts gefunden."
NOTHING_IN_THE_WIKI = "Dazu habe ich im Wiki nichts gefunden."
NO_MODEL = "Mein Sprachmodell antwortet gerade nicht. Versuch es gleich noch einmal."
GAP = "nicht aus den Quellen ersichtlich"


@dataclass
class Desk:
    """An installation whose model writes what it is told to, and checks itself where it is asked to."""

    program: Program
    server: ChatServer
    config: Path

    async def __call__(self, *arguments: str) -> Outcome:
        return await asyncio.to_thread(self.program, "--config", str(self.config), *arguments)

    async def ask(self, *options: str, written: str = "", question: str = QUESTION) -> tuple[dict[str, Any], int]:
        """Return the document and the exit code; ``written`` is what the model writes, both times."""
        if written:
            self.server.usual = says(written)
        outcome = await self("ask", question, "--json", *(options or ("--mandate", "M")))
        return outcome.json, outcome.code


@pytest.fixture
async def desk(program: Program, tmp_path: Path) -> AsyncIterator[Desk]:
    document, config = tmp_path / "handbuch.md", tmp_path / "config.toml"
    document.write_text(TEXT, encoding="utf-8")
    async with chat_server() as (server, url):
        model = f'kind = "openai"\nurl = "{url}"\nmodel = "tiny"\nbase = "acme/tiny"\nrevision = "7"\n'
        config.write_text(f"[models.formulator]\n{model}", encoding="utf-8")
        for command in (
            ("mandate", "open", "M"),
            ("mandate", "open", "leer"),
            ("ingest", str(document), "--mandate", "M", "--level", "internal"),
        ):
            await asyncio.to_thread(program.must, *command)
        yield Desk(program, server, config)


def told(found: tuple[dict[str, Any], int]) -> tuple[str, str, int]:
    """Return the words, the step and the exit code."""
    document, code = found
    return document["text"], document["refusal"]["step"], code


async def test_a_refusal_is_the_fixed_sentence_and_finished_work(desk: Desk) -> None:
    """By each gate and by the verifier; it names what was measured and what came near."""
    found = {
        "relevance": await desk.ask(question="Wie hoch ist der Mount Everest?"),
        "integrity": await desk.ask(written=structured((THREE, ["S77"]))),
        "coverage": await desk.ask(written=structured((THREE, []), (WRITTEN, []), (BEGINS, ["S1"]))),
        "verifier": await desk.ask(written=structured((WRONG, ["S1"]))),
    }

    assert {step: told(one) for step, one in found.items()} == {step: (REFUSED, step, 0) for step in found}
    measured = {step: document["refusal"] for step, (document, _) in found.items()}
    assert all(measured[step]["value"] < measured[step]["threshold"] for step in ("relevance", "coverage"))
    assert measured["verifier"]["reason"].endswith("Gestrichen: 1 von 1 Aussagen; verdächtige Stellen ohne Beleg: 0.")
    assert all(measured[step]["nearest"] for step in ("integrity", "coverage", "verifier"))


async def test_nothing_found_is_said_so_and_nothing_is_guessed(desk: Desk) -> None:
    """No search found anything, in a wiki too; the model found no answer; a section is not there on that day."""
    empty = ("--mandate", "leer")
    assert told(await desk.ask(*empty)) == (NOTHING, "none_found", 0)
    ruled = await desk("policy", "set", "leer", "scope_kind", "wiki", "--because", "Es ist eines.")
    assert ruled.code == 0, ruled
    assert told(await desk.ask(*empty)) == (NOTHING_IN_THE_WIKI, "none_found", 0)
    assert told(await desk.ask(written=structured(nothing_found=True))) == (NOTHING, "none_found", 0)
    asked = ("--mandate", "M", "--valid-on", "2026-01-31")
    assert told(await desk.ask(*asked, question="Was regelt § 77 BGB?")) == (
        "Das BGB gehört nicht zu den vorliegenden Quellen (Stichtag 31.01.2026).",
        "none_found",
        0,
    )


async def test_what_is_not_open_reads_like_what_does_not_exist(desk: Desk) -> None:
    """An unknown mandate, a person who is not admitted, an unknown document: one sentence, one step, exit 2."""
    found = [
        told(await desk.ask("--mandate", "gibtsnicht")),
        told(await desk.ask("--mandate", "M", "--as", "fremd")),
        told(await desk.ask("--mandate", "M", "--document", "gibtsnicht")),
    ]

    assert [(step, code) for _, step, code in found] == [("access", 2)] * 3
    assert len({text for text, _, _ in found}) == 1


async def test_a_model_that_is_down_is_said_so_and_the_run_goes_on_later(desk: Desk) -> None:
    """The fixed sentence, exit 3, and how to go on; then the same run is answered."""
    desk.server.usual = raw("", status=503)
    failed, code = await desk.ask()
    shown = await desk("run", "show", failed["run"])

    desk.server.usual = says(structured((THREE, ["S1"])))
    resumed = await desk("run", "resume", failed["run"], "--json")

    assert told((failed, code)) == (NO_MODEL, "model", 3)
    assert NO_MODEL in shown.out
    assert f"Fortsetzen: „fundstelle run resume {failed['run']}“" in shown.out
    assert (resumed.code, resumed.json["run"], resumed.json["outcome"]) == (0, failed["run"], "answered")


async def test_a_search_that_is_down_is_named_and_the_run_goes_on_later(desk: Desk) -> None:
    """Its index is away: the part has a name, exit 3; with the index back the run is answered."""
    desk.server.usual = says(structured((THREE, ["S1"])))
    index, aside = desk.program.data / "index", desk.program.data / "index-aside"
    index.rename(aside)
    failed, code = await desk.ask()
    shutil.rmtree(index, ignore_errors=True)
    aside.rename(index)

    resumed = await desk("run", "resume", failed["run"], "--json")

    text, step, _ = told((failed, code))
    assert (step, code) == ("degraded", 3)
    assert any(part in text for part in ("die Wortsuche", "die Suche nach Wortteilen"))
    assert (resumed.code, resumed.json["outcome"]) == (0, "answered")


async def test_the_notes_above_an_answer(desk: Desk) -> None:
    """Verified, partially verified with what is struck and why, a missing detail, a self-check."""
    whole, _ = await desk.ask(written=structured((THREE, ["S1"])))
    part, _ = await desk.ask(written=structured((THREE, ["S1"]), (WRITTEN, ["S1"]), (BEGINS, ["S1"]), (WRONG, ["S1"])))
    gap, _ = await desk.ask(written=structured((THREE, ["S1"]), (f"Die Form ist {GAP}.", [])))

    assert whole["note"].startswith("Geprüft · 1 Aussage, belegt")
    assert part["note"].startswith("Teilweise geprüft: 1 von 4 Aussagen gestrichen")
    assert [one["struck"] for one in part["sentences"]] == [False, False, False, True]
    assert f"~~{WRONG[:-1]} [S1].~~ (gestrichen: " in part["text"]
    assert GAP in gap["text"]
    assert "(ohne Beleg)" not in gap["text"]


async def test_an_answer_that_its_own_model_has_checked_says_so(desk: Desk) -> None:
    """The same model writes and checks."""
    section = desk.config.read_text(encoding="utf-8")
    desk.config.write_text(section + section.replace("formulator", "judge"), encoding="utf-8")
    verdict = '{"supported": true, "confidence": 0.99, "reason": "steht da"}'
    desk.server.replies = [says(structured(("Drei Monate zum Monatsende beträgt die Frist der Kündigung.", ["S1"])))]
    desk.server.usual = says(verdict)

    checked, _ = await desk.ask()

    assert "Selbstprüfung: dasselbe Modell hat geschrieben und geprüft" in checked["note"]
