"""Encoders that run by sentence-transformers: any bi-encoder, and SPLADE.

Reimers, Gurevych, Sentence-BERT, EMNLP 2019; Formal et al., SPLADE v2, 2021. How they run:
``adapters/models/local.py``.
"""

from collections.abc import Sequence
from functools import partial
from math import isfinite
from pathlib import Path
from typing import Any, Final

from adapters.models.failing import UnusableModelError
from adapters.models.local import LONGEST, LocalModel, architecture, options
from adapters.models.vectors import unit

MOST_WEIGHTS: Final = 512
"""Features of one text that are kept, the heaviest. SPLADE models give 20 to 300; untrained ones give thousands."""


class SentenceTransformersEncoder(LocalModel):
    """``DenseEncoder``: questions and passages under the prompts that the model was saved with.

    Args:
        place, revision: as for ``LocalModel``.
    """

    def __init__(self, place: str, revision: str | None = None) -> None:
        super().__init__(place, "encoder", _bi_encoder, revision)

    async def encode(self, texts: Sequence[str]) -> list[tuple[float, ...]]:
        """Return one unit vector for each text of a passage; it depends on nothing but the text, up to ``LONGEST``.

        Raises:
            PartError: ``encoder_model`` when the model cannot be loaded or fails.
        """
        return [await self.run(partial(_vector, "encode_document", text)) for text in texts]

    async def question(self, text: str) -> tuple[float, ...]:
        """Return the unit vector of a question.

        Raises:
            PartError: as ``encode``.
        """
        return await self.run(partial(_vector, "encode_query", text))


class SpladeEncoder(LocalModel):
    """``SparseEncoder``: a feature is the decimal id of a token of the model's vocabulary.

    Args:
        place, revision: as for ``LocalModel``.
    """

    def __init__(self, place: str, revision: str | None = None) -> None:
        super().__init__(place, "sparse_encoder", _splade, revision, f"/{MOST_WEIGHTS}")

    async def encode(self, texts: Sequence[str]) -> list[dict[str, float]]:
        """Return the positive weights of each text of a passage, by token id; they depend on nothing but the text.

        Raises:
            PartError: ``sparse_encoder_model`` when the model cannot be loaded or fails.
        """
        return [await self.run(partial(_weights, "encode_document", text)) for text in texts]

    async def question(self, text: str) -> dict[str, float]:
        """Return the positive weights of a question, by token id.

        Raises:
            PartError: as ``encode``.
        """
        return await self.run(partial(_weights, "encode_query", text))


def _vector(method: str, text: str, model: Any) -> tuple[float, ...]:
    return unit(getattr(model, method)(text[:LONGEST], show_progress_bar=False).tolist())


def _weights(method: str, text: str, model: Any) -> dict[str, float]:
    """Return the heaviest positive weights, ties by token id, in the order of the ids."""
    vector = getattr(model, method)(text[:LONGEST], convert_to_sparse_tensor=False, show_progress_bar=False).tolist()
    if not all(map(isfinite, vector)):
        raise UnusableModelError("weights")
    found = [(token, weight) for token, weight in enumerate(vector) if weight > 0]
    heaviest = sorted(found, key=lambda one: (-one[1], one[0]))[:MOST_WEIGHTS]
    return {str(token): weight for token, weight in sorted(heaviest)}


def _bi_encoder(folder: str) -> Any:
    from sentence_transformers import SentenceTransformer  # noqa: PLC0415 - seconds that other commands save

    return SentenceTransformer(folder, **options())


def _splade(folder: str) -> Any:
    """Open a model that was saved as a sparse encoder, or one with the head of a masked language model."""
    modules = Path(folder) / "modules.json"
    is_sparse = "sparse_encoder" in modules.read_text("utf-8") if modules.is_file() else False
    if not is_sparse and (modules.is_file() or not architecture(folder).endswith("ForMaskedLM")):
        raise UnusableModelError("architecture")
    from sentence_transformers import SparseEncoder  # noqa: PLC0415 - as above

    return SparseEncoder(folder, **options())
