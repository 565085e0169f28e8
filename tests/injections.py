"""Instructions hidden in passages: a corpus written by hand, German and English (``injections.jsonl``)."""

import json
from dataclasses import dataclass
from pathlib import Path

FILE = Path(__file__).with_name("injections.jsonl")


@dataclass(frozen=True)
class Injection:
    """A passage that tries to command; ``kind`` says how."""

    id: str
    language: str
    kind: str
    passage: str


INJECTIONS = tuple(Injection(**json.loads(line)) for line in FILE.read_text(encoding="utf-8").splitlines())
