"""A part of the German acts in an installation of its own: a library, a mandate that reads it, and a school."""

import json
import shutil
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tests.data import LAW
from tests.e2e.program import Outcome, Program

ACTS = ("VVG", "BUrlG", "ArbZG", "NachwG", "AGG", "KSchG")
OFF_CORPUS = tuple(
    json.loads(line)
    for line in (Path(__file__).parents[1] / "off_corpus.jsonl").read_text(encoding="utf-8").splitlines()
)
"""What no act answers, of many kinds, in German and in English."""

LESSON = (
    "# Rechnen\n\nEine Primzahl ist eine ganze Zahl größer als eins, die nur durch eins und durch sich selbst teilbar "
    "ist.\n"
)


@dataclass(frozen=True)
class Statutes:
    """``Recht`` is the library; ``Haus`` reads it; ``Schule`` reads it and has a lesson of its own since ``before``."""

    program: Program
    before: str

    def unspoken(self, *arguments: str | Path) -> Outcome:
        """Run the program without ``--lang`` for somebody whose system speaks German."""
        german = {"LC_ALL": "de_DE.UTF-8", "PYTHONUTF8": "1"}
        return replace(self.program, language="").must(*arguments, environment=german)

    def batch(self, mandate: str, lines: list[dict[str, Any]], folder: Path) -> list[Any]:
        """Ask all questions in one call; ids are their places."""
        file = folder / "batch.jsonl"
        numbered = (json.dumps({"id": number, **line}, ensure_ascii=False) for number, line in enumerate(lines))
        file.write_text("\n".join(numbered), encoding="utf-8")
        answers = self.unspoken("ask", "--mandate", mandate, "--batch", file, "--json").lines
        assert [one["id"] for one in answers] == list(range(len(lines)))
        return answers


def ingested(program: Program, folder: Path) -> Statutes:
    """Ingest the acts in all their versions, and the lesson behind them."""
    program.must("mandate", "open", "Recht", "--library")
    for mandate in ("Haus", "Schule"):
        program.must("mandate", "open", mandate)
        program.must("mandate", "subscribe", mandate, "Recht")
    program.must("ingest", "--manifest", _manifest(folder), "--mandate", "Recht")
    before = datetime.now(UTC).isoformat()
    lesson = folder / "rechnen.md"
    lesson.write_text(LESSON, encoding="utf-8")
    program.must("ingest", lesson, "--mandate", "Schule", "--level", "internal", "--valid-from", "2025-01-01")
    return Statutes(program, before)


def _manifest(folder: Path) -> Path:
    lines = (LAW / "manifest.jsonl").read_text(encoding="utf-8").splitlines()
    chosen = [line for line in lines if json.loads(line)["document"] in ACTS]
    (folder / "texts").mkdir()
    for line in chosen:
        shutil.copy(LAW / json.loads(line)["path"], folder / "texts")
    manifest = folder / "manifest.jsonl"
    manifest.write_text("\n".join(chosen), encoding="utf-8")
    return manifest
