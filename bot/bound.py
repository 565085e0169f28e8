"""The models that can be had, and which of them a mandate's questions use.

Of each role there are at most two: the one that the program brings along, and the one that the configuration names. A
mandate that has bound none uses the one that the program brings along.
"""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Generic, TypeVar

from domain.asking.admission import Admission
from domain.asking.bound import BoundRetrieval
from domain.asking.ports import DenseEncoder, Reranker, SparseEncoder
from domain.asking.retrieval import Retrieval
from domain.asking.substitutes import Substitute
from domain.errors import PartError
from domain.mandates.models import DENSE_ENCODER, RERANKER, SPARSE_ENCODER, bound
from domain.mandates.policies import ModelThreshold
from domain.mandates.state import Mandate

AnyModel = DenseEncoder | SparseEncoder | Reranker
M = TypeVar("M", bound=AnyModel)
M_co = TypeVar("M_co", bound=AnyModel, covariant=True)


class Choice(Generic[M_co]):
    """The models of one role; each is made when it is first asked for."""

    def __init__(self, embedded: Callable[[], M_co], named: Callable[[], M_co | None]) -> None:
        """Choose between what the program brings along and what the configuration names, which may be nothing."""
        self._embedded = embedded
        self._named = named

    @cached_property
    def embedded(self) -> M_co:
        """What the program brings along."""
        return self._embedded()

    @cached_property
    def configured(self) -> M_co:
        """What the configuration names, else what the program brings along."""
        return self._named() or self.embedded

    def others(self) -> Sequence[M_co]:
        """Return those that the program does not bring along."""
        return () if self.configured is self.embedded else (self.configured,)

    def of(self, fingerprint: str) -> M_co | None:
        """Return the model of this fingerprint; the configured one is looked at only where it has to be."""
        if self.embedded.fingerprint == fingerprint:
            return self.embedded
        return self.configured if self.configured.fingerprint == fingerprint else None


class BoundModels:
    """Implements ``Retrievals``.

    Args:
        dense, sparse, reranker: the models of each role.
        searching: puts the searches together around a model of each.
    """

    def __init__(
        self,
        dense: Choice[DenseEncoder],
        sparse: Choice[SparseEncoder],
        reranker: Choice[Reranker],
        searching: Callable[[DenseEncoder, SparseEncoder, Reranker], Retrieval],
    ) -> None:
        self.dense = dense
        self.sparse = sparse
        self.reranker = reranker
        self._searching = searching
        self._retrievals: dict[tuple[str, ...], Retrieval] = {}

    def choice(self, role: str) -> Choice[AnyModel]:
        """Return the models of a role."""
        roles: dict[str, Choice[AnyModel]] = {
            DENSE_ENCODER: self.dense,
            SPARSE_ENCODER: self.sparse,
            RERANKER: self.reranker,
        }
        return roles[role]

    def in_use(self, mandate: Mandate, role: str) -> str:
        """Return the fingerprint of the model that a mandate's questions use."""
        return bound(mandate, role, self.choice(role).embedded.fingerprint)

    def threshold_model(self, mandate: Mandate) -> ModelThreshold:
        """Return the reranker of a mandate with the threshold that it brings along, if it can be had."""
        fingerprint = self.in_use(mandate, RERANKER)
        found = self.reranker.of(fingerprint)
        return ModelThreshold(fingerprint, None if found is None else found.threshold)

    def bound(self, admission: Admission) -> BoundRetrieval:
        """Return the searches with the models bound at the time asked about, as ``Retrievals`` says."""
        substituted: list[Substitute] = []
        dense = _model(self.dense, DENSE_ENCODER, admission, substituted)
        sparse = _model(self.sparse, SPARSE_ENCODER, admission, substituted)
        reranker = _model(self.reranker, RERANKER, admission, substituted)
        key = (dense.fingerprint, sparse.fingerprint, reranker.fingerprint)
        if key not in self._retrievals:
            self._retrievals[key] = self._searching(dense, sparse, reranker)
        return BoundRetrieval(self._retrievals[key], tuple(substituted))


def _model(choice: Choice[M], role: str, admission: Admission, substituted: list[Substitute]) -> M:
    """Return the model of a role at the time asked about; for the past the present one stands in for one that is gone.

    Raises:
        PartError: ``model_missing``.
    """
    present = admission.present or admission.mandate
    default = choice.embedded.fingerprint
    wanted = bound(admission.mandate, role, default)
    found = None if wanted in present.retired else choice.of(wanted)
    if found is None and admission.at is not None:
        found = choice.of(bound(present, role, default))
        if found is not None:
            substituted.append(Substitute(role, wanted, found.fingerprint))
    if found is None:
        raise PartError("model_missing", role=role, model=wanted)
    return found
