"""Cross-encoders that run by sentence-transformers; ``BAAI/bge-reranker-v2-m3`` is the documented one.

Nogueira, Cho, Passage Re-ranking with BERT, 2019. How they run: ``adapters/models/local.py``.
"""

import json
from collections.abc import Sequence
from functools import cached_property, partial
from math import isfinite
from typing import Any, Final

from adapters.models.failing import UnusableModelError
from adapters.models.local import LONGEST, LocalModel, architecture, options
from adapters.rerank.known import BGE, BGE_THRESHOLD
from domain.asking.ports import PassageText
from domain.errors import PartError

_BGE_SHAPE: Final = {
    "architectures": ["XLMRobertaForSequenceClassification"],
    "hidden_size": 1024,
    "num_hidden_layers": 24,
    "vocab_size": 250002,
}
"""What its configuration says; a folder of that name with another model in it has no threshold."""


class CrossEncoderReranker(LocalModel):
    """``Reranker``: a score is the sigmoid of the model's one output for question and ``search_text``.

    A text counts up to ``LONGEST`` code points; what is then more tokens than the model has positions is cut from the
    longer of the two.

    Args:
        place, revision: as for ``LocalModel``.
    """

    def __init__(self, place: str, revision: str | None = None) -> None:
        super().__init__(place, "reranker", _cross_encoder, revision)

    @cached_property
    def threshold(self) -> float | None:
        """0.35 for ``bge-reranker-v2-m3``, else ``None``: a threshold does not carry over to another model."""
        if BGE not in self.place:
            return None
        try:
            config = json.loads((self.folder / "config.json").read_bytes())
        except (PartError, OSError, ValueError):
            return None
        is_bge = all(config.get(name) == value for name, value in _BGE_SHAPE.items())
        return BGE_THRESHOLD if is_bge else None

    async def scores(self, question: str, passages: Sequence[PassageText]) -> list[float]:
        """Return for each passage how well it answers the question, in [0, 1].

        Raises:
            PartError: ``reranker_model`` when the model cannot be loaded or fails.
        """
        return [await self.run(partial(_score, question, one.search_text)) for one in passages]


def _score(question: str, text: str, model: Any) -> float:
    """Return the score of one pair; the pair is scored alone, as ``local.py`` says."""
    (score,) = model.predict([(question[:LONGEST], text[:LONGEST])], show_progress_bar=False).tolist()
    if not isfinite(score):
        raise UnusableModelError("score")
    return float(score)


def _cross_encoder(folder: str) -> Any:
    """Open a model with the sigmoid as its activation, whatever it was saved with, so that it is applied once."""
    if not architecture(folder).endswith("ForSequenceClassification"):
        raise UnusableModelError("architecture")
    from sentence_transformers import CrossEncoder  # noqa: PLC0415 - seconds that other commands save
    from torch.nn import Sigmoid  # noqa: PLC0415

    model = CrossEncoder(folder, activation_fn=Sigmoid(), **options())
    if model.num_labels != 1:
        raise UnusableModelError("labels")
    return model
