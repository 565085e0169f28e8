"""Which model does what for a mandate."""

from typing import Final, Protocol

from domain.errors import InputError
from domain.mandates import naming
from domain.mandates.decisions import Decision
from domain.mandates.events import ModelBound, ModelRetired
from domain.mandates.state import Mandate

DENSE_ENCODER: Final = "dense"
SPARSE_ENCODER: Final = "sparse"
RERANKER: Final = "reranker"
MODEL_ROLES: Final = (DENSE_ENCODER, SPARSE_ENCODER, RERANKER)
"""Roles whose model can be swapped."""


class Model(Protocol):
    """What is recorded of a model."""

    @property
    def name(self) -> str:
        """What it is called."""
        ...

    @property
    def version(self) -> str:
        """Version of the model."""
        ...

    @property
    def fingerprint(self) -> str:
        """Name, version and weights."""
        ...


def bound(mandate: Mandate, role: str, default: str) -> str:
    """Return the fingerprint of the model bound to a role; ``default`` is what the program brings along."""
    own = mandate.models.get(role)
    return default if own is None else own.fingerprint


def bind_model(mandate: Mandate, role: str, model: Model, because: str, default: str) -> Decision:
    """Let the questions of a mandate use a model from now on.

    Raises:
        InputError: ``reason``.
    """
    rationale = naming.reason(because)
    if bound(mandate, role, default) == model.fingerprint and model.fingerprint not in mandate.retired:
        return ()
    return (ModelBound(role, model.name, model.version, model.fingerprint, rationale),)


def retire_model(mandate: Mandate, role: str, fingerprint: str, because: str, default: str) -> Decision:
    """Give up the vectors or weights of an encoder that is not bound to its role any more.

    Raises:
        InputError: ``reason`` or ``model_is_bound``.
    """
    rationale = naming.reason(because)
    if bound(mandate, role, default) == fingerprint:
        raise InputError("model_is_bound", model=fingerprint, mandate=mandate.key)
    return () if fingerprint in mandate.retired else (ModelRetired(fingerprint, rationale),)
