"""The searches of a question with the models that its mandate had bound at the time asked about."""

from dataclasses import dataclass
from typing import Protocol

from domain.asking.admission import Admission
from domain.asking.retrieval import Retrieval
from domain.asking.substitutes import Substitute


@dataclass(frozen=True, slots=True)
class BoundRetrieval:
    """The searches, and which models stand in for others."""

    retrieval: Retrieval
    substituted: tuple[Substitute, ...] = ()


class Retrievals(Protocol):
    """The searches of each mandate."""

    def bound(self, admission: Admission) -> BoundRetrieval:
        """Return the searches with the models bound at the time asked about.

        Raises:
            PartError: ``model_missing``: a bound model is not configured, and nothing stands in for it.
        """
        ...
