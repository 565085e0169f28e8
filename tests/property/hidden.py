"""All indexes over one story, and what they should say: shared by the proof and by the proof that it proves.

Each world lies whole in every index; twins hold what a naive reading of the journal calls visible, and nothing else.
An index must answer as its twin does, bit for bit.
"""

import shutil
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from pathlib import Path
from uuid import UUID

import pytest

from adapters.eventstore.keys import MasterKey
from adapters.postgres.database import Database
from adapters.postgres.endpoint import Role
from adapters.search.feed import LexicalFeed, SubwordFeed, VersionWords
from adapters.search.passages import StoredPassages
from adapters.search.pgvector import PgvectorIndex
from adapters.search.sparsevec import SparsevecIndex
from adapters.search.subwords import SubwordIndex
from adapters.search.tantivy import TantivyIndex
from domain.asking.ports import Hit, PassageId
from domain.asking.visibility import Horizon, Visible
from domain.errors import AccessError
from domain.knowledge.events import VersionIngested
from domain.recording import Recorded
from projections.knowledge import KnowledgeProjection
from projections.known import PostgresKnowledge
from projections.passages import PassageProjection
from projections.weights import WeightProjection
from tests.live import always
from tests.memory import InMemoryBlobs
from tests.stories import FRIST, Story, open_to, told
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
DENSE, SPARSE = HalvesEncoder(), TokenEncoder()


class OtherVectors(HalvesEncoder):
    """Another encoder, whose vectors lie beside those that are searched."""

    fingerprint = "other halves/1"

    async def encode(self, texts: Sequence[str]) -> list[tuple[float, ...]]:
        return [vector[1:] + vector[:1] for vector in await super().encode(texts)]


class OtherWeights(TokenEncoder):
    """Another encoder, whose weights lie beside those that are searched."""

    fingerprint = "other tokens/1"

    async def encode(self, texts: Sequence[str]) -> list[dict[str, float]]:
        return [{feature: 2 * weight for feature, weight in one.items()} for one in await super().encode(texts)]


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
        words = PassageProjection(
            self.blobs, always(DENSE, OtherVectors()), MASTER.first_marking().text_mac, graph_from=1
        )
        weights = WeightProjection(self.blobs, always(SPARSE, OtherWeights()), MASTER.first_marking().text_mac)
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
    assert await dense.vectors(inside, seen) == [
        await DENSE.question(story.texts[one.ordinal][one.number]) for one in inside
    ]
    for hidden in [one for one in every if one.ordinal not in seen.versions][:1]:
        for ask in (texts.texts, dense.vectors):
            with pytest.raises(AccessError):
                await ask([hidden], seen)  # type: ignore[operator]
