"""The models that can be had, and which of them a mandate's questions use.

Of each role there are at most two: the one that the program brings along, and the one that the configuration names. A
mandate that has bound none uses the one that the program brings along.
"""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from bot import models
from bot.config import Settings
from bot.model_config import EMBEDDED
from domain.asking.admission import Admission
from domain.asking.bound import BoundRetrieval
from domain.asking.ports import DenseEncoder, Reranker
from domain.asking.retrieval import Retrieval
from domain.asking.substitutes import Substitute
from domain.errors import PartError
from domain.mandates.models import DENSE_ENCODER, RERANKER, bound
from domain.mandates.policies import ModelThreshold
from domain.mandates.state import Mandate

if TYPE_CHECKING:
    from adapters.search.analyzer import GermanAnalyzer

M = TypeVar("M", DenseEncoder, Reranker)


class BoundModels:
    """Implements ``Retrievals``. Models are opened once, when the first question needs them.

    Args:
        settings: what the configuration names.
        analyzer: what the embedded reranker tells words apart by.
        searching: puts the searches together around an encoder and a reranker.
    """

    def __init__(
        self,
        settings: Settings,
        analyzer: "Callable[[], GermanAnalyzer]",
        searching: Callable[[DenseEncoder, Reranker], Retrieval],
    ) -> None:
        self._settings = settings
        self._analyzer = analyzer
        self._searching = searching
        self._retrievals: dict[tuple[str, str], Retrieval] = {}

    @cached_property
    def embedded_encoder(self) -> DenseEncoder:
        """The dense encoder that the program brings along."""
        return models.embedded_encoder()

    @cached_property
    def encoder(self) -> DenseEncoder:
        """The dense encoder that the configuration names; it reads its weights at its first text."""
        is_embedded = self._settings.models.dense.kind == EMBEDDED
        return self.embedded_encoder if is_embedded else models.dense_encoder(self._settings)

    @cached_property
    def embedded_reranker(self) -> Reranker:
        """The reranker that the program brings along, as it was trained: with the encoder that comes with it."""
        return models.embedded_reranker(self.embedded_encoder, self._analyzer())

    @cached_property
    def reranker(self) -> Reranker:
        """The reranker that the configuration names."""
        is_embedded = self._settings.models.reranker.kind == EMBEDDED
        if is_embedded:
            return self.embedded_reranker
        return models.reranker(self._settings, self.embedded_encoder, self._analyzer())

    def other_encoders(self) -> Sequence[DenseEncoder]:
        """Return the encoders that the program does not bring along."""
        return () if self.encoder is self.embedded_encoder else (self.encoder,)

    def default(self, role: str) -> str:
        """Return the fingerprint of the model that the program brings along for a role."""
        return (self.embedded_encoder if role == DENSE_ENCODER else self.embedded_reranker).fingerprint

    def candidate(self, role: str) -> DenseEncoder | Reranker:
        """Return the model that the configuration names for a role."""
        return self.encoder if role == DENSE_ENCODER else self.reranker

    def in_use(self, mandate: Mandate, role: str) -> str:
        """Return the fingerprint of the model that a mandate's questions use."""
        own = mandate.models.get(role)
        return self.default(role) if own is None else own.fingerprint

    def is_available(self, role: str, fingerprint: str) -> bool:
        """Say whether a model is one of those that can be had."""
        return fingerprint == self.default(role) or fingerprint == self.candidate(role).fingerprint

    def threshold_model(self, mandate: Mandate) -> ModelThreshold:
        """Return the reranker of a mandate with the threshold that it brings along, if it can be had."""
        fingerprint = self.in_use(mandate, RERANKER)
        found = self._among(self.embedded_reranker, lambda: self.reranker, fingerprint)
        return ModelThreshold(fingerprint, None if found is None else found.threshold)

    def bound(self, admission: Admission) -> BoundRetrieval:
        """Return the searches with the models bound at the time asked about, as ``Retrievals`` says."""
        substituted: list[Substitute] = []
        encoder = self._of(admission, DENSE_ENCODER, self.embedded_encoder, lambda: self.encoder, substituted)
        reranker = self._of(admission, RERANKER, self.embedded_reranker, lambda: self.reranker, substituted)
        key = (encoder.fingerprint, reranker.fingerprint)
        if key not in self._retrievals:
            self._retrievals[key] = self._searching(encoder, reranker)
        return BoundRetrieval(self._retrievals[key], tuple(substituted))

    def _of(
        self, admission: Admission, role: str, embedded: M, named: Callable[[], M], substituted: list[Substitute]
    ) -> M:
        present = admission.present or admission.mandate
        wanted = bound(admission.mandate, role, embedded.fingerprint)
        found = None if wanted in present.retired else self._among(embedded, named, wanted)
        if found is None and admission.at is not None:
            found = self._among(embedded, named, bound(present, role, embedded.fingerprint))
            if found is not None:
                substituted.append(Substitute(role, wanted, found.fingerprint))
        if found is None:
            raise PartError("model_missing", role=role, model=wanted)
        return found

    @staticmethod
    def _among(embedded: M, named: Callable[[], M], fingerprint: str) -> M | None:
        """Return the model of this fingerprint; the configured one is looked at only where it has to be."""
        if embedded.fingerprint == fingerprint:
            return embedded
        other = named()
        return other if other.fingerprint == fingerprint else None
