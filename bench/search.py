"""How long the searches take, stage by stage, while the corpus grows around one mandate of 2,000 passages.

    python bench/search.py 10000 100000 [--questions 50] [--library-up-to 100000] [--grow 100000 1000000]

Fifty mandates of very different size; the question goes to one of 2,000 passages. Model time is left out: the vectors
are synthetic. Processor time stands beside the clock, which a busy machine stretches; that of PostgreSQL is not in it.
Baselines of the same run: exact cosine by numpy over the mandate's vectors in memory, and a pipeline of Haystack
(in-memory store, BM25 and embedding retriever with a filter, reciprocal rank fusion) over the same passages and
vectors. With ``--grow`` the database is then filled up with copies, and the stages are timed once more.
"""

import argparse
import asyncio
import tempfile
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from statistics import median, quantiles
from uuid import UUID

import numpy as np

from adapters.postgres.endpoint import Role
from adapters.search.pgvector import PgvectorIndex
from bench.search_growth import grow
from bench.search_world import BagEncoder, Corpus
from bot.config import Settings
from bot.installation import initialise
from bot.wiring import App, open_app
from domain.asking.rules import Ruling
from domain.asking.visibility import Horizon, Visible, VisibleVersion
from domain.knowledge.events import VersionIngested
from domain.knowledge.text import Passage, Span
from domain.recording import BlobRef, Recorded

BATCH = 50
"""Versions that go into the views at a time."""

DAY = date(2026, 1, 1)

Samples = Sequence[tuple[float, float]]


async def fill(app: App, corpus: Corpus) -> Visible:
    """Feed the views of the searches with the corpus and return what a question to the probe sees."""
    ordinal, probe = 0, {}
    feeding = [one for one in app.projections if one.name not in {"knowledge", "runs"}]
    for number, mandate in enumerate(corpus.mandates):
        batch: list[Recorded] = []
        for texts in corpus.versions(number):
            ordinal += 1
            batch.append(await recorded(app, mandate, ordinal, texts))
            if number == 0:
                probe[ordinal] = visible_version(mandate, ordinal)
            if len(batch) == BATCH:
                await put(app, feeding, batch)
                batch = []
        await put(app, feeding, batch)
    return Visible(Horizon((corpus.mandates[0],), ("internal",), ordinal, DAY), probe)


async def put(app: App, feeding: Sequence, batch: Sequence[Recorded]) -> None:
    if batch:
        async with app.database.connection(Role.PROJECTOR) as connection:
            for projection in feeding:
                await projection.apply(connection, batch)


async def recorded(app: App, mandate: UUID, ordinal: int, texts: Sequence[str]) -> Recorded:
    """Return the event of a version with one passage for each text."""
    spans, start = [], 0
    for text in texts:
        spans.append(Span(start, start + len(text)))
        start += len(text) + 2
    event = VersionIngested(
        version=1,
        blob=await app.blobs.put(mandate, "\n\n".join(texts)),
        markup="plain",
        characters=start,
        title="",
        url=None,
        level="internal",
        valid_from=None,
        valid_to=None,
        valid_from_kind="assumed",
        source="synthetic.txt",
        reader="txt/1",
        segmentation="synthetic/1",
        sentences=tuple(spans),
        passages=tuple(Passage(span, (number, number + 1), ()) for number, span in enumerate(spans)),
        pages=(),
    )
    return Recorded(event, UUID(int=ordinal), 1, mandate, None, ordinal, 1, datetime(2026, 1, 1, tzinfo=UTC))


def visible_version(mandate: UUID, ordinal: int) -> VisibleVersion:
    return VisibleVersion(
        ordinal=ordinal,
        mandate=mandate,
        document=UUID(int=ordinal),
        key=f"d{ordinal}",
        version=1,
        title="",
        url=None,
        level="internal",
        blob=BlobRef("", ""),
        valid_from=None,
        valid_to=None,
        valid_from_kind="assumed",
        recorded_at=datetime(2026, 1, 1, tzinfo=UTC),
    )


def times(samples: Samples) -> str:
    """Return p10, p50 and p95 by the clock and p50 of this process's processor time, in milliseconds."""
    clock, processor = ([one * 1000 for one in kind] for kind in zip(*samples, strict=True))
    tenth, *_, last = quantiles(clock, n=20)[1:]
    return f"p10 {tenth:7.2f}  p50 {median(clock):7.2f}  p95 {last:7.2f} ms   processor {median(processor):7.2f} ms"


async def timed(questions: Sequence[str], ask: Callable[[str], Awaitable[object]]) -> Samples:
    """Return the seconds and processor seconds of each question, after three that warm up."""
    for question in questions[:3]:
        await ask(question)
    samples = []
    for question in questions:
        began, used = time.perf_counter(), time.process_time()
        await ask(question)
        samples.append((time.perf_counter() - began, time.process_time() - used))
    return samples


async def stages(app: App, visible: Visible, questions: Sequence[str]) -> dict[str, Samples]:
    """Return the seconds of each search alone and of all of them together, fusion included."""
    models = app.bound
    retrieval = app.searching_with(models.dense.embedded, models.sparse.embedded, models.reranker.embedded)
    dense = PgvectorIndex(app.database, BagEncoder.fingerprint)
    sparse = retrieval.searches.sparse.index
    keys = {question: await retrieval.encode(question) for question in questions}

    async def whole(question: str, seen: Visible = visible) -> None:
        found = await retrieval.search(question, keys[question], seen)
        retrieval.fuse(found, Ruling(), {})

    # Each sees one version less than all, another one each time: nothing that was counted before is of use.
    hidden = dict(zip(questions, visible.versions, strict=False))
    strangers = {
        question: replace(
            visible, versions={key: one for key, one in visible.versions.items() if key != hidden[question]}
        )
        for question in questions
    }

    asked: dict[str, Callable[[str], Awaitable[object]]] = {
        "dense": lambda question: dense.search(keys[question].dense, visible, 20),
        "sparse": lambda question: sparse.search(keys[question].sparse, visible, 20),
        "bm25": lambda question: app.lexical.search(question, visible, 20),
        "all three and fusion": whole,
        "the same, counted anew": lambda question: whole(question, strangers[question]),
    }
    return {name: await timed(questions, ask) for name, ask in asked.items()}


async def exact(corpus: Corpus, questions: Sequence[str]) -> Samples:
    """Exact cosine over the probe's vectors by numpy."""
    matrix = np.array([BagEncoder.vector(text) for version in corpus.versions(0) for text in version], np.float32)
    vectors = {question: BagEncoder.vector(question).astype(np.float32) for question in questions}

    async def nearest(question: str) -> None:
        scores = matrix @ vectors[question]
        best = np.argpartition(-scores, 20)[:20]
        best[np.argsort(-scores[best])]

    return await timed(questions, nearest)


async def haystack(corpus: Corpus, questions: Sequence[str]) -> Samples:
    """The pipeline that its documentation shows for hybrid retrieval, in memory, filtered to the probe."""
    from haystack import Document, Pipeline  # noqa: PLC0415 - only this baseline needs it
    from haystack.components.joiners import DocumentJoiner  # noqa: PLC0415
    from haystack.components.retrievers.in_memory import (  # noqa: PLC0415
        InMemoryBM25Retriever,
        InMemoryEmbeddingRetriever,
    )
    from haystack.document_stores.in_memory import InMemoryDocumentStore  # noqa: PLC0415

    store = InMemoryDocumentStore(embedding_similarity_function="cosine")
    for number in range(len(corpus.mandates)):
        texts = (text for version in corpus.versions(number) for text in version)
        store.write_documents(
            [
                Document(content=text, embedding=BagEncoder.vector(text).tolist(), meta={"mandate": number, "n": place})
                for place, text in enumerate(texts)
            ]
        )
    pipeline = Pipeline()
    pipeline.add_component("words", InMemoryBM25Retriever(store, top_k=20))
    pipeline.add_component("meaning", InMemoryEmbeddingRetriever(store, top_k=20))
    pipeline.add_component("fused", DocumentJoiner(join_mode="reciprocal_rank_fusion"))
    pipeline.connect("words", "fused")
    pipeline.connect("meaning", "fused")
    probe = {"field": "meta.mandate", "operator": "==", "value": 0}
    vectors = {question: BagEncoder.vector(question).tolist() for question in questions}

    async def ask(question: str) -> None:
        pipeline.run(
            {
                "words": {"query": question, "filters": probe},
                "meaning": {"query_embedding": vectors[question], "filters": probe},
            }
        )

    return await timed(questions[:10], ask)


def show(found: Mapping[str, Samples]) -> None:
    for name, samples in found.items():
        print(f"  {name:24} {times(samples)}", flush=True)


async def measure(passages: int, folder: Path, number: int, *, with_library: bool, grown: Sequence[int] = ()) -> None:
    corpus = Corpus(passages)
    questions = corpus.questions(number)
    settings = Settings(folder, "en")
    await initialise(settings)
    async with open_app(settings) as app:
        # The property is cached, so what is put there is the encoder of all that follows.
        app.bound.dense.__dict__["embedded"] = BagEncoder()
        began = time.perf_counter()
        visible = await fill(app, corpus)
        print(
            f"\n{sum(corpus.sizes):,} passages, {len(corpus.mandates)} mandates of {min(corpus.sizes)} to "
            f"{max(corpus.sizes):,}; put into the views in {time.perf_counter() - began:.0f} s",
            flush=True,
        )
        show(await stages(app, visible, questions))
        for wanted in grown:
            began = time.perf_counter()
            whole = await asyncio.to_thread(grow, app.database, corpus.mandates[0], wanted)
            print(f"\nwith copies {whole:,} passages; {time.perf_counter() - began:.0f} s", flush=True)
            show(await stages(app, visible, questions))
    print(f"  {'numpy, exact':24} {times(await exact(corpus, questions))}", flush=True)
    if with_library:
        print(f"  {'Haystack':24} {times(await haystack(corpus, questions))}", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sizes", type=int, nargs="+")
    parser.add_argument("--questions", type=int, default=50)
    parser.add_argument("--library-up-to", type=int, default=100_000, help="larger corpora without Haystack")
    parser.add_argument("--grow", type=int, nargs="*", default=(), help="passages to fill the database up to")
    given = parser.parse_args()
    for size in given.sizes:
        with tempfile.TemporaryDirectory() as place:
            library = size <= given.library_up_to
            asyncio.run(measure(size, Path(place) / "data", given.questions, with_library=library, grown=given.grow))
