"""Models that stand in for those of the time asked about."""

from dataclasses import dataclass

from domain.recording import Event


@dataclass(frozen=True, slots=True)
class Substitute:
    """A model that cannot be had any more, and the one that stood in for it, by fingerprint."""

    role: str
    bound: str
    used: str


@dataclass(frozen=True, slots=True)
class ModelsSubstituted(Event):
    """A question about the past uses other models than at its time; its result may differ from what it was then."""

    models: tuple[Substitute, ...]
