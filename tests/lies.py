"""Lies of a model, each as the reply that it writes (``lies.jsonl``), over three true passages."""

import json
from dataclasses import dataclass
from pathlib import Path

FILE = Path(__file__).with_name("lies.jsonl")

CANCELLING = (
    "§ 15 Kündigung. Die Kündigungsfrist beträgt drei Monate zum Ende des Versicherungsjahres. "
    "Die Kündigung muss schriftlich erfolgen."
)
PAYING = (
    "§ 16 Beitrag. Der Beitrag beträgt 1.500,00 € netto im Jahr. Er ist bis zum 31. März 2026 zu zahlen. "
    "Eine Ratenzahlung ist nicht zulässig."
)
REPORTING = (
    "§ 17 Anzeige. Der Versicherungsnehmer muss einen Schaden unverzüglich anzeigen. "
    "Der Versicherer darf die Leistung kürzen, wenn die Anzeige vorsätzlich unterbleibt."
)
TRUTH = (CANCELLING, PAYING, REPORTING)
"""What stands behind S1, S2 and S3."""


@dataclass(frozen=True)
class Lie:
    """A reply that must not come out as it is.

    Attributes:
        outcome: ``integrity``, ``coverage`` or ``none_found``: where the answer ends before any sentence is looked at;
            ``dropped``: it goes on, and the checks must drop each sentence of ``false``; ``clean``: what was wrong with
            it is gone once it has been read, and what is left is true.
        gone: what no sentence may hold any more.
        times: how often ``reply`` was written.
    """

    id: str
    lie: str
    reply: str
    outcome: str
    false: list[str]
    gone: list[str]
    times: int = 1

    @property
    def written(self) -> str:
        """The whole reply."""
        return self.reply * self.times


LIES = tuple(Lie(**json.loads(line)) for line in FILE.read_text(encoding="utf-8").splitlines())
