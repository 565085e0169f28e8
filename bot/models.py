"""Chooses the models that the configuration names.

Each adapter is imported where it is chosen: an installation without learned models pays for none of their libraries.
"""

# ruff: noqa: PLC0415 - see above

from typing import TYPE_CHECKING

from bot.config import Settings
from bot.model_config import LOCAL, OPENAI, VLLM, ModelChoice
from domain.asking.drafts import Formulator
from domain.asking.ports import DenseEncoder, PassageId, PassageText, Reranker, SparseEncoder
from domain.knowledge.text import Span
from domain.verifying.ports import DeterministicJudge, Judge

if TYPE_CHECKING:
    from adapters.models.server import ServedModel

_WORDS = "Die Fundstelle ist der Ort, an dem etwas nachzulesen ist."
SAMPLE = PassageText(
    id=PassageId(1, 0),
    span=Span(0, len(_WORDS)),
    text=_WORDS,
    mark="",
    markup="plain",
    section=(),
    place="",
    lead_in="",
    lead_in_span=None,
    sentences=(Span(0, len(_WORDS)),),
    page=None,
    page_label=None,
    search_text=_WORDS,
)
"""A passage to see by whether a model answers."""


def dense_encoder(settings: Settings) -> DenseEncoder | None:
    """Return the dense encoder that the configuration names, ``None`` where the embedded one is to be used."""
    choice = settings.models.dense
    if choice.kind == LOCAL:
        from adapters.encoders.sentence_transformers import SentenceTransformersEncoder

        return SentenceTransformersEncoder(choice.path, choice.revision or None)
    if choice.kind == OPENAI:
        from adapters.encoders.openai import OpenAIEncoder

        return OpenAIEncoder(_served(choice), choice.question_prefix, choice.passage_prefix)
    return None


def sparse_encoder(settings: Settings) -> SparseEncoder | None:
    """Return the learned sparse encoder that the configuration names, ``None`` likewise."""
    choice = settings.models.sparse
    if choice.kind != LOCAL:
        return None
    from adapters.encoders.sentence_transformers import SpladeEncoder

    return SpladeEncoder(choice.path, choice.revision or None)


def reranker(settings: Settings) -> Reranker | None:
    """Return the reranker that the configuration names, ``None`` likewise."""
    choice = settings.models.reranker
    if choice.kind == LOCAL:
        from adapters.rerank.sentence_transformers import CrossEncoderReranker

        return CrossEncoderReranker(choice.path, choice.revision or None)
    if choice.kind == VLLM:
        from adapters.rerank.vllm import VllmReranker

        return VllmReranker(_served(choice))
    return None


def formulator(settings: Settings, reranker: Reranker) -> Formulator:
    """Return the formulator of the configuration; the embedded one chooses stored sentences by the reranker."""
    choice = settings.models.formulator
    if choice.kind == OPENAI:
        from adapters.formulate.openai import OpenAIFormulator

        return OpenAIFormulator(_served(choice))
    from domain.asking.formulation import Extractive

    return Extractive(reranker)


def judge(settings: Settings) -> Judge:
    """Return the judge of the configuration; the embedded one goes by rules alone."""
    choice = settings.models.judge
    if choice.kind == OPENAI:
        from adapters.judge.openai import OpenAIJudge

        return OpenAIJudge(_served(choice))
    if choice.kind == LOCAL:
        from adapters.judge.nli import NliJudge

        return NliJudge(choice.path, choice.revision or None)
    return DeterministicJudge()


def _served(choice: ModelChoice) -> "ServedModel":
    from adapters.models.server import ServedModel

    return ServedModel(
        choice.url,
        choice.model,
        choice.revision,
        choice.base or None,
        choice.key_file,
        float(choice.timeout),
        choice.ca_file,
    )
