"""Which model is bound to a role, and when its vectors may be given up."""

from dataclasses import dataclass

import pytest

from domain.errors import InputError
from domain.mandates.events import ModelBound, ModelRetired
from domain.mandates.models import bind_model, bound, retire_model
from tests.unit.test_mandate_rules import mandate

EMBEDDED = "embedded/1"


@dataclass(frozen=True)
class Model:
    name: str = "bge"
    version: str = "2"
    fingerprint: str = "bge/2"


def test_a_role_without_a_binding_has_the_embedded_model() -> None:
    """What was opened before bindings existed goes on as it was; to bind the same changes nothing."""
    assert bound(mandate(), "dense", EMBEDDED) == EMBEDDED
    assert bind_model(mandate(), "dense", Model(fingerprint=EMBEDDED), "so", EMBEDDED) == ()


def test_each_role_is_bound_by_itself() -> None:
    """The latest binding of a role counts, and only for that role."""
    (first,) = bind_model(mandate(), "dense", Model(), "besser", EMBEDDED)
    now = mandate(first, ModelBound("dense", "x", "1", "x/1"))

    assert first == ModelBound("dense", "bge", "2", "bge/2", "besser")
    assert bound(now, "dense", EMBEDDED) == "x/1"
    assert bound(now, "reranker", EMBEDDED) == EMBEDDED


def test_only_a_replaced_model_can_be_retired() -> None:
    """The bound one, and the embedded one where none is bound, cannot; to retire twice changes nothing."""
    swapped = mandate(ModelBound("dense", "bge", "2", "bge/2"))
    with pytest.raises(InputError, match="model_is_bound"):
        retire_model(mandate(), "dense", EMBEDDED, "Platz", EMBEDDED)
    with pytest.raises(InputError, match="model_is_bound"):
        retire_model(swapped, "dense", "bge/2", "Platz", EMBEDDED)

    assert retire_model(swapped, "dense", EMBEDDED, "Platz", EMBEDDED) == (ModelRetired(EMBEDDED, "Platz"),)
    retired = mandate(ModelBound("dense", "bge", "2", "bge/2"), ModelRetired(EMBEDDED, "Platz"))
    assert retire_model(retired, "dense", EMBEDDED, "Platz", EMBEDDED) == ()


def test_a_model_that_is_bound_again_is_not_retired_any_more() -> None:
    """Its vectors have been made anew."""
    back = mandate(
        ModelBound("dense", "bge", "2", "bge/2"),
        ModelRetired(EMBEDDED, "Platz"),
        ModelBound("dense", "use", "1", EMBEDDED),
    )

    assert back.retired == frozenset()
    assert bound(back, "dense", EMBEDDED) == EMBEDDED


def test_a_reason_is_needed() -> None:
    """Neither command goes without."""
    with pytest.raises(InputError, match="reason"):
        bind_model(mandate(), "dense", Model(), " ", EMBEDDED)
    with pytest.raises(InputError, match="reason"):
        retire_model(mandate(), "dense", "x/1", "", EMBEDDED)
