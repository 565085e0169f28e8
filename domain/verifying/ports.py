"""Who judges claims."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from domain.verifying.judge import VERSION, judge
from domain.verifying.values import Judgement


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence of an answer, and the union of the passages that it cites, with their headings; all plain text.

    ``quotes`` are the stretches of the evidence that it cites.
    """

    text: str
    evidence: str
    quotes: tuple[str, ...] = ()


class Judge(Protocol):
    """Says of claims whether their evidence carries them.

    ``fingerprint`` names model and version, and is recorded with each judgement; ``model`` is what the model behind it
    is called, empty where there is none: a formulator with the same one checks itself.
    """

    @property
    def name(self) -> str:
        """What it is called."""
        ...

    @property
    def model(self) -> str:
        """What the model behind it is called."""
        ...

    @property
    def fingerprint(self) -> str:
        """Name, version and model."""
        ...

    async def judge(self, claims: Sequence[Claim]) -> Sequence[Judgement]:
        """Return a judgement for each claim, in order.

        Raises:
            PartError: the model does not answer, or what it answers cannot be read.
        """
        ...


class DeterministicJudge:
    """``Judge`` by rules alone."""

    name: Final = "deterministic"
    model: Final = ""
    fingerprint: Final = VERSION

    async def judge(self, claims: Sequence[Claim]) -> Sequence[Judgement]:
        """Return a judgement for each claim, in order."""
        return [judge(one.text, one.evidence) for one in claims]
