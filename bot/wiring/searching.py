"""The searches: encoders, indexes, and the projections that feed them."""

from pathlib import Path
from typing import TYPE_CHECKING

from adapters.encoders.use import UniversalSentenceEncoder
from adapters.search.passages import StoredPassages
from adapters.search.pgvector import PgvectorIndex
from adapters.search.sparsevec import SparsevecIndex
from bot import lexical, models
from bot.bound import BoundModels, Choice
from domain.asking.ports import DenseEncoder, Reranker, SparseEncoder, SparseIndex
from domain.asking.retrieval import Retrieval
from domain.asking.searches import Sparse
from projections.knowledge import KnowledgeProjection
from projections.live import live_among
from projections.looks import LooksProjection
from projections.passages import PassageProjection
from projections.projection import Projection
from projections.runs import RunsProjection
from projections.sections import SectionProjection
from projections.weights import WeightProjection

if TYPE_CHECKING:
    from adapters.search.analyzer import GermanAnalyzer
    from adapters.search.subwords import SubwordEncoder, SubwordIndex
    from bot.wiring.app import App


def analyzer() -> "GermanAnalyzer":
    """Return the rules by which words are told apart."""
    from adapters.search.analyzer import GermanAnalyzer  # noqa: PLC0415 - the engine is loaded only to search

    return GermanAnalyzer()


def subword_encoder(app: "App") -> "SubwordEncoder":
    """Return the embedded sparse encoder."""
    from adapters.search.subwords import SubwordEncoder  # noqa: PLC0415 - the engine is loaded only to search

    return SubwordEncoder(app.analyzer)


def subword_index(app: "App") -> "SubwordIndex":
    """Return the index of pieces of words."""
    from adapters.search.subwords import SubwordIndex  # noqa: PLC0415 - the engine is loaded only to search

    return SubwordIndex(subword_folder(app.settings.data))


def subword_folder(data: Path) -> Path:
    """Return where the index of pieces of words lies, one folder for each set of rules that it is made under."""
    from adapters.search.analyzer import RULES  # noqa: PLC0415 - the engine is loaded only to search

    return data / "index" / "subwords" / str(RULES)


def projections(app: "App") -> tuple[Projection, ...]:
    """Return all that is built from events."""
    from adapters.search.feed import SubwordFeed  # noqa: PLC0415 - the engine is loaded only to search
    from projections.lexical import PartitionProjection  # noqa: PLC0415

    dense, sparse = app.bound.dense, app.bound.sparse
    subwords = SubwordFeed(subword_folder(app.settings.data), app.subwords)
    return (
        KnowledgeProjection(),
        PassageProjection(app.blobs, live_among([dense.embedded], dense.others), app.text_mac),
        WeightProjection(app.blobs, live_among([], sparse.others), app.text_mac),
        SectionProjection(),
        PartitionProjection("lexical", app.blobs, lexical.feed(app.settings, app.analyzer)),
        PartitionProjection("subwords", app.blobs, subwords),
        RunsProjection(),
        LooksProjection(),
    )


def bound_models(app: "App") -> BoundModels:
    """Return the models that can be had, and the searches with those that a mandate has bound."""
    settings = app.settings
    return BoundModels(
        Choice(UniversalSentenceEncoder, lambda: models.dense_encoder(settings)),
        Choice(lambda: app.subwords, lambda: models.sparse_encoder(settings)),
        Choice(lambda: _embedded_reranker(app), lambda: models.reranker(settings)),
        app.searching_with,
    )


def retrieval(app: "App", dense: DenseEncoder, sparse: SparseEncoder, reranker: Reranker) -> Retrieval:
    """Return the searches with these models."""
    return Retrieval(
        encoder=dense,
        dense=PgvectorIndex(app.database, dense.fingerprint),
        sparse=Sparse(sparse, _sparse_index(app, sparse)),
        bm25=app.lexical,
        texts=StoredPassages(app.database, app.blobs),
        reranker=reranker,
        weights={},
    )


def _sparse_index(app: "App", encoder: SparseEncoder) -> SparseIndex:
    """Return the index that holds what ``encoder`` makes of passages."""
    if encoder is not app.subwords:
        return SparsevecIndex(app.database, encoder.fingerprint)
    return app.subword_index


def _embedded_reranker(app: "App") -> Reranker:
    """Return the reranker that the program brings along, as it was trained: with the encoder that comes with it."""
    from adapters.rerank.embedded import EmbeddedReranker  # noqa: PLC0415 - the engine is loaded only to search

    return EmbeddedReranker(app.bound.dense.embedded, app.analyzer)
