"""The real program in a process of its own."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.e2e.forking import forked

CHECKOUT = Path(__file__).parents[2]
SECONDS = 120
PYTHON = (sys.executable, "-P", "-m", "bot")
COMMAND = len(PYTHON)


@dataclass(frozen=True)
class Outcome:
    """What one call of the program has left."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one JSON document on standard output."""
        (line,) = self.out.splitlines()
        return json.loads(line)

    @property
    def lines(self) -> list[Any]:
        """The JSON documents on standard output."""
        return [json.loads(line) for line in self.out.splitlines()]


@dataclass(frozen=True)
class Program:
    """``fundstelle --data DATA --lang LANGUAGE``, which is given ``seconds`` for each command."""

    data: Path
    language: str = "de"
    seconds: float = SECONDS

    def __call__(
        self, *arguments: str | Path, stdin: str = "", environment: Mapping[str, str] | None = None
    ) -> Outcome:
        """Run it to its end, whatever that is."""
        command, given = self.command(*arguments), self.environment(environment)
        if environment is None and tuple(command[:COMMAND]) == PYTHON:
            return Outcome(*forked(command[COMMAND:], stdin, given, self.seconds))
        done = subprocess.run(
            command,
            check=False,
            capture_output=True,
            input=stdin,
            text=True,
            encoding="utf-8",
            timeout=self.seconds,
            env=given,
        )
        return Outcome(done.returncode, done.stdout, done.stderr)

    def command(self, *arguments: str | Path) -> list[str]:
        """The command line; ``--data`` stands first, then ``--lang`` where a language is given."""
        spoken = ["--lang", self.language] if self.language else []
        options = ["--data", str(self.data), *spoken]
        return [*PYTHON, *options, *map(str, arguments)]

    @staticmethod
    def environment(more: Mapping[str, str] | None = None) -> dict[str, str]:
        """Ours, with the checkout in front, and without what would change the output."""
        kept = {key: value for key, value in os.environ.items() if not key.startswith("FUNDSTELLE_DATA")}
        return {**kept, "PYTHONPATH": str(CHECKOUT), "COLUMNS": "120", **(more or {})}

    def must(self, *arguments: str | Path, **options: Any) -> Outcome:
        """Run a command that has to succeed."""
        outcome = self(*arguments, **options)
        assert outcome.code == 0, (arguments, outcome)
        return outcome
