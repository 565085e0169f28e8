"""Nothing outside a horizon leaves any index, and nothing outside it moves a score or a place.

Each world lies whole in every index; twins hold what a naive reading of the journal calls visible, and nothing else.
An index must answer as its twin does, bit for bit. The last tests take each filter out in turn: the suite must fail.
"""

import asyncio
import shutil
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from uuid import UUID

import pytest
from hypothesis import HealthCheck, Phase, example, given, settings
from tantivy import Query

from adapters.eventstore.keys import MasterKey
from adapters.postgres import roles
from adapters.postgres.database import Database
from adapters.postgres.endpoint import Role
from adapters.postgres.sql import Statements
from adapters.search import passages as passage_texts
from adapters.search import pgvector
from adapters.search.feed import LexicalFeed, SubwordFeed, VersionWords
from adapters.search.folders import Folders, Opened
from adapters.search.passages import StoredPassages
from adapters.search.pgvector import PgvectorIndex
from adapters.search.scoped import VECTORS
from adapters.search.sparsevec import SparsevecIndex
from adapters.search.subwords import SubwordIndex
from adapters.search.tantivy import TantivyIndex
from domain.asking.ports import Hit, PassageId
from domain.asking.visibility import Horizon, Visible
from domain.errors import AccessError
from domain.knowledge.events import VersionIngested
from domain.recording import Recorded
from projections import knowledge
from projections.encodings import always
from projections.knowledge import KnowledgeProjection
from projections.known import PostgresKnowledge
from projections.passages import PassageProjection
from projections.weights import WeightProjection
from tests.examples import examples
from tests.memory import InMemoryBlobs
from tests.stories import FRIST, LOWERED, RAISED, Story, asked, open_to, steps, told
from tests.twins import (
    ANALYZER,
    SUBWORDS,
    HalvesEncoder,
    InMemoryDenseIndex,
    InMemoryLexicalIndex,
    InMemorySubwordIndex,
    InMemoryWeights,
    TokenEncoder,
)
from tests.worlds import MANDATES

MASTER = MasterKey(bytes(32))
SHADOW = UUID(int=99)
WORLDS = 100
"""Worlds in which the suite looks for what a missing filter lets through."""

DENSE, SPARSE = HalvesEncoder(), TokenEncoder()
Asked = tuple[Horizon, str, int]


SHARED = ([(one, "d0", FRIST) for one in MANDATES[:2]], [(open_to(MANDATES[:2], 9), "Frist", 5)])
"""Two mandates in scope: each passage comes once."""

Search = Callable[[Visible, str, int], Awaitable[tuple[Hit, ...]]]


class Indexes:
    """All indexes over one story. A mandate that nobody may see holds the same versions under the same ordinals."""

    def __init__(self, database: Database, folder: Path) -> None:
        self.database = database
        self.folder = folder
        self.blobs = InMemoryBlobs()
        self.known = PostgresKnowledge(database)

    async def fill(self, plan: list[tuple[UUID, str, object]]) -> Story:
        story = await told(plan, self.blobs)
        words = PassageProjection(self.blobs, always(DENSE), MASTER.text_mac, graph_from=1)
        weights = WeightProjection(self.blobs, always(SPARSE), MASTER.text_mac)
        async with self.database.connection(Role.PROJECTOR) as connection:
            for projection in (KnowledgeProjection(), words, weights):
                await projection.clear(connection)
                await projection.apply(connection, story.events)
            for projection in (words, weights):
                await projection.apply(connection, [await self._shadow(one) for one in story.events])
        mandates = {one.position: one.mandate for one in story.events}
        shutil.rmtree(self.folder, ignore_errors=True)
        texts = [VersionWords(mandates[ordinal], ordinal, texts) for ordinal, texts in story.texts.items()]
        LexicalFeed(self.folder / "words", ANALYZER).put(texts)
        SubwordFeed(self.folder / "pieces", SUBWORDS).put(texts)
        return story

    async def _shadow(self, recorded: Recorded) -> Recorded:
        event = recorded.event
        if not isinstance(event, VersionIngested):
            return replace(recorded, mandate=SHADOW)
        text = await self.blobs.get(recorded.mandate, event.blob)
        return replace(recorded, mandate=SHADOW, event=replace(event, blob=await self.blobs.put(SHADOW, text)))

    def searches(self) -> dict[str, Search]:
        exact = PgvectorIndex(self.database, DENSE.fingerprint)
        graph = PgvectorIndex(self.database, DENSE.fingerprint, exact_up_to=0)
        sparse = SparsevecIndex(self.database, SPARSE.fingerprint)
        words = TantivyIndex(self.folder / "words", ANALYZER)
        pieces = SubwordIndex(self.folder / "pieces")

        async def dense(index: PgvectorIndex, seen: Visible, question: str, limit: int) -> tuple[Hit, ...]:
            return await index.search(await DENSE.question(question), seen, limit)

        async def weighed(seen: Visible, question: str, limit: int) -> tuple[Hit, ...]:
            return await sparse.search(await SPARSE.question(question), seen, limit)

        async def pieced(seen: Visible, question: str, limit: int) -> tuple[Hit, ...]:
            return await pieces.search(await SUBWORDS.question(question), seen, limit)

        return {
            "pieces": pieced,
            "exact": lambda seen, question, limit: dense(exact, seen, question, limit),
            "graph": lambda seen, question, limit: dense(graph, seen, question, limit),
            "sparse": weighed,
            "words": lambda seen, question, limit: words.search(question, seen, limit),
        }


async def twins(alone: dict[int, tuple[str, ...]], seen: Visible, question: str, limit: int) -> dict[str, object]:
    """What indexes say that hold the visible passages and nothing else."""
    dense, sparse, words = InMemoryDenseIndex(), InMemoryWeights(), InMemoryLexicalIndex()
    for ordinal, texts in alone.items():
        for number, text in enumerate(texts):
            dense.add({PassageId(ordinal, number): await DENSE.question(text)})
            sparse.add({PassageId(ordinal, number): await SPARSE.question(text)})
    pieces = InMemorySubwordIndex()
    for index in (words, pieces):
        index.put([VersionWords(SHADOW, ordinal, texts) for ordinal, texts in alone.items()])
    nearest = await dense.search(await DENSE.question(question), seen, limit)
    return {
        "exact": nearest,
        "graph": nearest,
        "sparse": await sparse.search(await SPARSE.question(question), seen, limit),
        "pieces": await pieces.search(await SUBWORDS.question(question), seen, limit),
        "words": await words.search(question, seen, limit),
    }


async def nothing_hidden(indexes: Indexes, plan: list[tuple[UUID, str, object]], questions: list[Asked]) -> None:
    """The claim of this module over one world and some questions."""
    story = await indexes.fill(plan)
    for horizon, question, limit in questions:
        seen, alone = await indexes.known.visible(horizon), story.visible(horizon)
        assert seen.versions.keys() == alone.keys()
        expected = await twins(alone, seen, question, limit)
        for name, search in indexes.searches().items():
            assert await search(seen, question, limit) == expected[name], name
        await _texts_are_those_of_the_visible(indexes, story, seen)


async def _texts_are_those_of_the_visible(indexes: Indexes, story: Story, seen: Visible) -> None:
    texts = StoredPassages(indexes.database, indexes.blobs)
    dense = PgvectorIndex(indexes.database, DENSE.fingerprint)
    every = [PassageId(ordinal, number) for ordinal, of in story.texts.items() for number in range(len(of))]
    inside = [one for one in every if one.ordinal in seen.versions]
    assert [text.text for text in await texts.texts(inside, seen)] == [story.texts[p.ordinal][p.number] for p in inside]
    assert len(await dense.vectors(inside, seen)) == len(inside)
    for hidden in [one for one in every if one.ordinal not in seen.versions][:1]:
        for ask in (texts.texts, dense.vectors):
            with pytest.raises(AccessError):
                await ask([hidden], seen)  # type: ignore[operator]


@pytest.fixture
def indexes(database: Database, tmp_path: Path) -> Indexes:
    return Indexes(database, tmp_path / "index")


@settings(max_examples=examples(150), deadline=None, suppress_health_check=list(HealthCheck))
@example(plan=RAISED[0], questions=RAISED[1])
@example(plan=LOWERED[0], questions=LOWERED[1])
@example(plan=SHARED[0], questions=SHARED[1])
@given(plan=steps, questions=asked)
async def test_nothing_hidden_leaves_any_index(
    indexes: Indexes, plan: list[tuple[UUID, str, object]], questions: list[Asked]
) -> None:
    """Six questions to each of five searches, and the texts and vectors behind hits, in every world."""
    await nothing_hidden(indexes, plan, questions)


async def _suite(indexes: Indexes) -> None:
    """Run the property over the same worlds each time, and raise what it finds."""
    loop = asyncio.get_running_loop()

    @settings(
        max_examples=WORLDS,
        deadline=None,
        derandomize=True,
        database=None,
        phases=(Phase.explicit, Phase.generate),
        suppress_health_check=list(HealthCheck),
        report_multiple_bugs=False,
    )
    @example(plan=RAISED[0], questions=RAISED[1])
    @example(plan=LOWERED[0], questions=LOWERED[1])
    @example(plan=SHARED[0], questions=SHARED[1])
    @given(plan=steps, questions=asked)
    def run(plan: list[tuple[UUID, str, object]], questions: list[Asked]) -> None:
        asyncio.run_coroutine_threadsafe(nothing_hidden(indexes, plan, questions), loop).result()

    await asyncio.to_thread(run)


def _without(sql: Statements, name: str, clause: str, instead: str = "true") -> Callable[[pytest.MonkeyPatch], None]:
    def take_out(patch: pytest.MonkeyPatch) -> None:
        assert clause in sql[name]
        patch.setitem(sql._blocks, name, sql[name].replace(clause, instead))

    return take_out


def _anything_goes(patch: pytest.MonkeyPatch) -> None:
    for module in (passage_texts, pgvector):
        patch.setattr(module, "must_be_visible", lambda *_: None)


def _all_words(patch: pytest.MonkeyPatch) -> None:
    filtered = Folders.open

    def everything(self: Folders, seen: Visible) -> list[Opened]:
        return [replace(one, inside=Query.all_query()) for one in filtered(self, seen)]

    patch.setattr(Folders, "open", everything)


_LEVEL_THEN, _LEVEL_NOW = "slices.level = ANY (%(levels)s)", "versions.level = ANY (%(levels)s)"
_ORDINALS = "ordinal = ANY (%(ordinals)s)"
FILTERS: dict[str, Callable[[pytest.MonkeyPatch], None]] = {
    "level then": _without(knowledge.SQL, "visible", _LEVEL_THEN),
    "level now": _without(knowledge.SQL, "visible", _LEVEL_NOW),
    "recorded from": _without(knowledge.SQL, "visible", "slices.recorded_from <= %(position)s"),
    "recorded to": _without(knowledge.SQL, "visible", "slices.recorded_to > %(position)s"),
    "valid": _without(knowledge.SQL, "visible", "slices.valid @> %(valid_on)s::date"),
    "documents": _without(knowledge.SQL, "visible", "documents.key = ANY (%(documents)s)"),
    "exact ordinals": _without(VECTORS, "nearest", _ORDINALS),
    "graph ordinals": _without(VECTORS, "nearest_by_graph", _ORDINALS),
    "graph mandate": _without(VECTORS, "nearest_by_graph", "mandate = %(mandate)s"),
    "sparse ordinals": _without(VECTORS, "heaviest", _ORDINALS),
    "words": _all_words,
    "texts and vectors": _anything_goes,
}
SCOPES: dict[str, Callable[[pytest.MonkeyPatch], None]] = {
    "scope": _without(knowledge.SQL, "visible", "slices.mandate = ANY (%(scope)s)"),
    "exact mandates": _without(VECTORS, "nearest", "mandate = ANY (%(mandates)s)"),
    "sparse mandates": _without(VECTORS, "heaviest", "mandate = ANY (%(mandates)s)"),
}


@pytest.mark.parametrize("name", FILTERS)
async def test_the_suite_fails_without_a_filter(indexes: Indexes, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whichever filter is taken out, a world is found in which something leaks."""
    FILTERS[name](monkeypatch)
    with pytest.raises((AssertionError, KeyError, pytest.fail.Exception)):
        await _suite(indexes)


@pytest.mark.parametrize("name", SCOPES)
async def test_row_level_security_alone_keeps_mandates_apart(
    indexes: Indexes, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the filter of mandates nothing leaks, since the rows are closed; without row-level security it does."""
    SCOPES[name](monkeypatch)
    await _suite(indexes)
    _disable_row_level_security(indexes.database)
    with pytest.raises(AssertionError):
        await _suite(indexes)


async def test_the_filters_alone_keep_mandates_apart(indexes: Indexes) -> None:
    """Without row-level security nothing leaks either: the two stand behind one another."""
    _disable_row_level_security(indexes.database)
    await _suite(indexes)


def _disable_row_level_security(database: Database) -> None:
    with roles.connect(database.admin) as connection:
        tables = "SELECT relname FROM pg_class WHERE relrowsecurity AND relnamespace = 'fundstelle'::regnamespace"
        for (table,) in connection.execute(tables).fetchall():
            connection.execute(f'ALTER TABLE fundstelle."{table}" DISABLE ROW LEVEL SECURITY')
