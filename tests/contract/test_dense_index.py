"""What every index by meaning promises."""

from collections.abc import Sequence
from typing import Protocol
from uuid import UUID

import pytest

from adapters.eventstore.keys import MasterKey
from adapters.postgres.database import Database
from adapters.postgres.endpoint import Role
from adapters.search.pgvector import PgvectorIndex
from domain.asking.ports import DenseIndex, Hit, PassageId
from domain.asking.visibility import Visible
from domain.errors import AccessError, PartError
from projections.passages import PassageProjection
from tests.live import always
from tests.memory import InMemoryBlobs
from tests.twins import Entry, HalvesEncoder, InMemoryDenseIndex, horizon, ingested, visible

A, B = UUID(int=1), UUID(int=2)
MASTER = MasterKey(bytes(32))
WORLD = (
    Entry(3, A, tuple(f"Absatz {number}" for number in range(12))),
    Entry(5, A, ("Gleich", "Gleich", "Anders")),
    Entry(8, B, ("Absatz 1", "Gleich")),
)


class Feedable(Protocol):
    async def put(self, entries: Sequence[Entry]) -> None: ...

    async def search(self, vector: Sequence[float], visible: Visible, limit: int) -> tuple[Hit, ...]: ...

    async def vectors(self, passages: Sequence[PassageId], visible: Visible) -> list[tuple[float, ...]]: ...


class Pgvector(PgvectorIndex):
    """Index and feed of one database."""

    def __init__(self, database: Database) -> None:
        super().__init__(database, HalvesEncoder.fingerprint)
        self._database = database
        self._blobs = InMemoryBlobs()

    async def put(self, entries: Sequence[Entry]) -> None:
        projection = PassageProjection(self._blobs, always(HalvesEncoder()), MASTER.first_marking().text_mac)
        async with self._database.connection(Role.PROJECTOR) as connection:
            await projection.apply(connection, [await ingested(entry, self._blobs) for entry in entries])


class Memory(InMemoryDenseIndex):
    """The twin, fed with versions."""

    async def put(self, entries: Sequence[Entry]) -> None:
        for entry in entries:
            vectors = await HalvesEncoder().encode(entry.passages)
            self.add({PassageId(entry.ordinal, number): vector for number, vector in enumerate(vectors)})


@pytest.fixture(params=["pgvector", "memory"])
async def index(request: pytest.FixtureRequest, database: Database) -> Feedable:
    index = Pgvector(database) if request.param == "pgvector" else Memory()
    await index.put(WORLD)
    return index


async def vector(text: str) -> tuple[float, ...]:
    return (await HalvesEncoder().encode([text]))[0]


async def test_the_same_text_is_nearest(index: DenseIndex) -> None:
    """The passage itself comes first with a cosine of 1, equal ones in the order of passages."""
    hits = await index.search(await vector("Gleich"), visible(WORLD, horizon([A])), 3)

    assert hits[:2] == (Hit(PassageId(5, 0), 1.0), Hit(PassageId(5, 1), 1.0))
    assert hits[2].score < 1


async def test_the_whole_order_is_that_of_the_cosine(index: DenseIndex) -> None:
    """Scores fall, and among equal scores passages rise; a shorter list is the beginning of a longer one."""
    seen = visible(WORLD, horizon([A, B]))
    whole = await index.search(await vector("Absatz 4"), seen, 100)

    assert len(whole) == 17
    assert list(whole) == sorted(whole, key=lambda hit: (-hit.score, hit.passage))
    for limit in (0, 1, 5, 16, 17):
        assert await index.search(await vector("Absatz 4"), seen, limit) == whole[:limit]


async def test_another_mandate_is_never_found(index: DenseIndex) -> None:
    """A narrow scope leaves no gap: the visible passages fill the list."""
    hits = await index.search(await vector("Absatz 1"), visible(WORLD, horizon([B])), 20)

    assert [hit.passage for hit in hits] == [PassageId(8, 0), PassageId(8, 1)]


async def test_adding_elsewhere_changes_nothing(index: Feedable) -> None:
    """Documents of another mandate, and later ones outside the horizon, move no score and no place."""
    seen = visible(WORLD, horizon([A]))
    before = await index.search(await vector("Absatz 2"), seen, 20)
    await index.put([Entry(20, B, ("Absatz 2", "Gleich")), Entry(21, A, ("Absatz 2",))])

    assert await index.search(await vector("Absatz 2"), seen, 20) == before


async def test_vectors_come_in_the_order_asked(index: DenseIndex) -> None:
    """Each passage has the vector of its text."""
    asked = [PassageId(5, 2), PassageId(3, 0), PassageId(5, 0)]
    found = await index.vectors(asked, visible(WORLD, horizon([A])))

    assert found == [await vector("Anders"), await vector("Absatz 0"), await vector("Gleich")]


@pytest.mark.parametrize("passage", [PassageId(8, 0), PassageId(5, 99), PassageId(77, 0)])
async def test_foreign_and_unknown_passages_are_refused_alike(index: DenseIndex, passage: PassageId) -> None:
    """The vector of a passage outside the horizon does not exist."""
    with pytest.raises(AccessError):
        await index.vectors([PassageId(5, 0), passage], visible(WORLD, horizon([A])))


async def test_nothing_visible_nothing_found(index: DenseIndex) -> None:
    """An empty horizon has no hits."""
    assert await index.search(await vector("Gleich"), visible([], horizon([A])), 20) == ()


async def test_versions_without_vectors_are_named(database: Database) -> None:
    """A visible version that this encoder has not been through is no empty result."""
    index = Pgvector(database)
    await index.put(WORLD[:1])
    with pytest.raises(PartError) as caught:
        await index.search(await vector("Gleich"), visible(WORLD, horizon([A])), 20)
    assert caught.value.key == "dense"
