"""A mandate of a test's own, and a folder."""

import time
from collections.abc import Callable
from itertools import count
from pathlib import Path

from tests.e2e.program import Program

numbers = count(1)


OLD, NEW = "Die Frist beträgt zwei Monate.", "Die Frist beträgt drei Monate."


class Corner:
    """A mandate of the test's own, and a folder."""

    def __init__(self, program: Program, folder: Path) -> None:
        self.program = program
        self.folder = folder
        self.mandate = f"wissen-{next(numbers)}"
        program.must("mandate", "open", self.mandate)

    def file(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def run(self, *arguments: str | Path):
        return self.program(*arguments, "--mandate", self.mandate, "--json")

    def ingest(self, *arguments: str | Path):
        return self.run("ingest", *arguments, "--level", "internal")

    def known(self, *arguments: str) -> dict[str, int]:
        found = self.run("known", *arguments).json["documents"]
        return {entry["document"]: entry["version"] for entry in found}


def until(holds: Callable[[], bool], seconds: float = 30) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, "it did not come to pass"
        time.sleep(0.1)
