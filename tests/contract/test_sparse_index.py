"""What every index of weighted features promises, of pieces of words and of learned weights, with their twins."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol
from uuid import UUID

import pytest

from adapters.eventstore.keys import MasterKey
from adapters.postgres.database import Database
from adapters.postgres.endpoint import Role
from adapters.search.feed import SubwordFeed
from adapters.search.sparsevec import SparsevecIndex
from adapters.search.subwords import SubwordIndex
from domain.asking.ports import Hit, PassageId, SparseEncoder, SparseIndex
from domain.asking.visibility import Visible
from domain.errors import PartError
from projections.weights import WeightProjection
from tests.live import always
from tests.memory import InMemoryBlobs
from tests.twins import (
    SUBWORDS,
    Entry,
    InMemorySubwordIndex,
    InMemoryWeights,
    TokenEncoder,
    horizon,
    ingested,
    visible,
)

A, B = UUID(int=1), UUID(int=2)
MASTER = MasterKey(bytes(32))
WORLD = (
    Entry(7, A, ("Die Kündigungsfrist beträgt drei Monate.", "Das Maß der Dinge.")),
    Entry(9, A, ("Der Widerruf ist schriftlich zu erklären.", "Kündigungen sind schriftlich.", "")),
    Entry(8, B, ("Die Kündigung der anderen: xyzzy",)),
    Entry(10, A, ("Kündigung geheim",), "secret"),
)
OF_A, ALL = visible(WORLD, horizon([A])), visible(WORLD, horizon([A, B]))


class Scene(Protocol):
    """An index, with the encoder that goes with it; ``part`` is what fails when it fails."""

    part: str
    encoder: SparseEncoder
    index: SparseIndex

    async def put(self, entries: Sequence[Entry]) -> None: ...


class Subwords:
    part = "subwords"

    def __init__(self, folder: Path) -> None:
        self.encoder: SparseEncoder = SUBWORDS
        self.index: SparseIndex = SubwordIndex(folder)
        self._feed = SubwordFeed(folder, SUBWORDS)

    async def put(self, entries: Sequence[Entry]) -> None:
        self._feed.put([entry.words() for entry in entries])


class SubwordTwin:
    part = "subwords"

    def __init__(self) -> None:
        self.encoder: SparseEncoder = SUBWORDS
        self._twin = InMemorySubwordIndex()
        self.index: SparseIndex = self._twin

    async def put(self, entries: Sequence[Entry]) -> None:
        self._twin.put([entry.words() for entry in entries])


class Sparsevec:
    part = "sparse"

    def __init__(self, database: Database) -> None:
        self.encoder: SparseEncoder = TokenEncoder()
        self.index: SparseIndex = SparsevecIndex(database, TokenEncoder.fingerprint)
        self._database = database
        self._blobs = InMemoryBlobs()

    async def put(self, entries: Sequence[Entry]) -> None:
        projection = WeightProjection(self._blobs, always(TokenEncoder()), MASTER.first_marking().text_mac)
        async with self._database.connection(Role.PROJECTOR) as connection:
            await projection.apply(connection, [await ingested(entry, self._blobs) for entry in entries])


class WeightTwin:
    part = "sparse"

    def __init__(self) -> None:
        self.encoder: SparseEncoder = TokenEncoder()
        self._twin = InMemoryWeights()
        self.index: SparseIndex = self._twin

    async def put(self, entries: Sequence[Entry]) -> None:
        for entry in entries:
            weights = await TokenEncoder().encode(entry.passages)
            self._twin.add({PassageId(entry.ordinal, number): one for number, one in enumerate(weights)})


def scene_of(kind: str, request: pytest.FixtureRequest) -> Scene:
    if kind == "subwords":
        return Subwords(request.getfixturevalue("tmp_path"))
    if kind == "sparsevec":
        return Sparsevec(request.getfixturevalue("database"))
    return SubwordTwin() if kind == "subwords in memory" else WeightTwin()


@pytest.fixture(params=["subwords", "subwords in memory", "sparsevec", "weights in memory"])
def empty(request: pytest.FixtureRequest) -> Scene:
    return scene_of(request.param, request)


@pytest.fixture(params=["subwords", "sparsevec"])
def stored(request: pytest.FixtureRequest) -> Scene:
    """An index that outlives its process."""
    return scene_of(request.param, request)


@pytest.fixture
async def scene(empty: Scene) -> Scene:
    await empty.put(WORLD)
    return empty


async def hits(scene: Scene, text: str, seen: Visible = OF_A, limit: int = 20) -> tuple[Hit, ...]:
    return await scene.index.search(await scene.encoder.question(text), seen, limit)


async def found(scene: Scene, text: str, seen: Visible = OF_A) -> list[tuple[int, int]]:
    return [(hit.passage.ordinal, hit.passage.number) for hit in await hits(scene, text, seen)]


async def test_a_passage_shares_a_feature_with_the_question(scene: Scene) -> None:
    """The passage that the question repeats comes first; one without a common feature stays out, empty ones too."""
    asked = await found(scene, "Die Kündigungsfrist beträgt drei Monate.")

    assert asked[0] == (7, 0)
    assert not {(7, 1), (9, 2)} & set(asked)
    assert await found(scene, "qqqq") == []


async def test_a_foreign_or_higher_passage_is_never_found(scene: Scene) -> None:
    """What only another mandate or a higher level has does not exist here."""
    assert await found(scene, "xyzzy") == []
    assert await found(scene, "xyzzy", visible(WORLD, horizon([B]))) == [(8, 0)]
    assert (10, 0) not in await found(scene, "Kündigung geheim")


async def test_what_is_hidden_moves_no_score(scene: Scene) -> None:
    """Documents elsewhere, later or above the level change nothing."""
    before = await hits(scene, "Kündigungen sind schriftlich.")
    await scene.put([Entry(20, B, ("Kündigungen",) * 5), Entry(21, A, ("schriftlich. Kündigungen",) * 5)])

    assert before
    assert await hits(scene, "Kündigungen sind schriftlich.") == before


async def test_no_features_no_hits(scene: Scene) -> None:
    """Nothing asked or nothing visible: nothing found."""
    assert await scene.index.search({}, OF_A, 20) == ()
    assert await hits(scene, "") == ()
    assert await hits(scene, "Kündigung", visible([], horizon([A]))) == ()


async def test_the_limit_cuts_where_the_order_says(scene: Scene) -> None:
    """Scores fall, ties go by passage, and a shorter list is the beginning of a longer one."""
    text = "Die Kündigungsfrist der Kündigungen ist schriftlich."
    whole = await hits(scene, text, ALL)

    assert len(whole) > 2
    assert all(hit.score > 0 for hit in whole)
    assert list(whole) == sorted(whole, key=lambda hit: (-hit.score, hit.passage))
    for limit in range(len(whole) + 2):
        assert await hits(scene, text, ALL, limit) == whole[:limit]


async def test_equal_passages_stand_in_their_order(scene: Scene) -> None:
    """Ties are broken by passage."""
    many = Entry(20, A, ("Versicherung und Beitrag",) * 30)
    await scene.put([many])
    first = await hits(scene, "Versicherung", visible([many], horizon([A])), 7)

    assert [hit.passage.number for hit in first] == list(range(7))


async def test_a_version_put_twice_is_there_once(scene: Scene) -> None:
    """Replaying a batch changes nothing."""
    before = await hits(scene, "Kündigungen Widerruf", ALL)
    await scene.put(WORLD)

    assert await hits(scene, "Kündigungen Widerruf", ALL) == before


async def test_what_a_feature_counts_is_heeded(scene: Scene) -> None:
    """Of two words the heavier one decides."""
    one, other = await scene.encoder.question("Widerruf"), await scene.encoder.question("Kündigungen")

    async def first(weights: Mapping[str, float]) -> tuple[int, int]:
        (hit,) = await scene.index.search(weights, OF_A, 1)
        return hit.passage.ordinal, hit.passage.number

    assert await first({**dict.fromkeys(other, 0.1), **dict.fromkeys(one, 9.0)}) == (9, 0)
    assert await first({**dict.fromkeys(one, 0.1), **dict.fromkeys(other, 9.0)}) == (9, 1)


async def test_a_missing_version_is_named(stored: Scene) -> None:
    """A visible version that the index lacks is no empty result, and neither is a missing mandate."""
    await stored.put(WORLD[:1])
    for scope in ([A], [B]):
        with pytest.raises(PartError) as caught:
            await hits(stored, "Kündigung", visible(WORLD, horizon(scope)), 5)
        assert caught.value.key == stored.part
