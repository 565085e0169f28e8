"""One more encoder beside the live ones: vectors of several sizes, batches that go on, retiring."""

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

import pytest

from adapters.eventstore.keys import MasterKey
from adapters.postgres.database import Database
from adapters.postgres.endpoint import Role
from adapters.search.pgvector import PgvectorIndex
from adapters.search.sparsevec import SparsevecIndex
from domain.asking.ports import Hit, PassageId
from domain.errors import PartError
from domain.recording import Recorded
from projections.backfill import BATCH_VERSIONS, Backfill, Backfilled, Encoded
from projections.encodings import DENSE, SPARSE
from projections.passages import PassageProjection
from projections.weights import WeightProjection
from tests.live import always
from tests.memory import InMemoryBlobs
from tests.twins import Entry, HalvesEncoder, TokenEncoder, horizon, ingested, visible

A, B = UUID(int=1), UUID(int=2)
MASTER = MasterKey(bytes(32))
WORLD = (
    *(Entry(number, A, (f"Absatz {number}", "Gleich")) for number in range(1, 2 * BATCH_VERSIONS + 9)),
    Entry(200, B, ("Absatz 1",)),
    Entry(201, A, ()),
)
OF_A = [entry for entry in WORLD if entry.mandate == A]
OLD = HalvesEncoder()


class WideEncoder(HalvesEncoder):
    """Vectors of 1,024 numbers; fails after ``patience`` calls."""

    fingerprint = "wide/1"

    def __init__(self, patience: int = 1000) -> None:
        super().__init__()
        self._patience = patience

    async def encode(self, texts: Sequence[str]) -> list[tuple[float, ...]]:
        if not self._patience:
            raise PartError("encoder", kind="killed")
        self._patience -= 1
        return [(*([0.0] * 512), *vector) for vector in await super().encode(texts)]


class Journal:
    """The events of a small world by position."""

    def __init__(self, events: Sequence[Recorded]) -> None:
        self._events = events

    async def after(self, position: int, limit: int) -> tuple[Recorded, ...]:
        return tuple([event for event in self._events if event.position > position][:limit])


class Scene:
    def __init__(self, database: Database) -> None:
        self.database = database
        self.blobs = InMemoryBlobs()

    async def open(self, world: Sequence[Entry] = WORLD) -> "Scene":
        self.events = [await ingested(entry, self.blobs) for entry in world]
        await self.apply(self.events)
        return self

    async def apply(self, events: Sequence[Recorded]) -> None:
        async with self.database.connection(Role.PROJECTOR) as connection:
            await PassageProjection(self.blobs, always(OLD), MASTER.first_marking().text_mac).apply(connection, events)

    def backfill(self) -> Backfill[tuple[float, ...]]:
        return Backfill(self.database, Journal(self.events), self.blobs, MASTER.first_marking().text_mac, DENSE)  # type: ignore[arg-type]

    async def hits(self, encoder: HalvesEncoder, entries: Sequence[Entry] = OF_A) -> tuple[Hit, ...]:
        index = PgvectorIndex(self.database, encoder.fingerprint)
        return await index.search(await encoder.question("Absatz 7"), visible(entries, horizon([A])), 5)


@pytest.fixture
async def scene(database: Database) -> Scene:
    return await Scene(database).open()


async def test_two_encoders_lie_side_by_side(scene: Scene) -> None:
    """Vectors of 512 and of 1,024 numbers share a table; each search sees those of its own encoder."""
    before = await scene.hits(OLD)
    done: list[tuple[int, int]] = []
    with pytest.raises(PartError, match="dense"):
        await scene.hits(WideEncoder())

    result = await scene.backfill().run(A, WideEncoder(), lambda *step: done.append(step))

    assert result == Backfilled(len(OF_A), 2 * (len(OF_A) - 1), ())
    assert done[-1] == (len(OF_A), len(OF_A))
    assert len(done) == 3
    assert await scene.hits(OLD) == before
    assert await scene.hits(WideEncoder()) == before
    assert before[0] == Hit(PassageId(7, 0), 1.0)


async def test_what_was_written_is_not_encoded_again(scene: Scene) -> None:
    """A run that ends in between goes on where it stopped."""
    with pytest.raises(PartError, match="encoder"):
        await scene.backfill().run(A, WideEncoder(patience=1))
    left = await scene.backfill().waiting(A, WideEncoder.fingerprint)
    second = WideEncoder()
    result = await scene.backfill().run(A, second)

    assert left == tuple(entry.ordinal for entry in OF_A[BATCH_VERSIONS:])
    assert result.versions == len(left)
    assert second.seen == [f"Absatz {ordinal}" for ordinal in left[:-1]]
    assert await scene.backfill().run(A, second) == Backfilled(0, 0, ())


async def test_other_mandates_are_left_alone(scene: Scene) -> None:
    """A backfill concerns one mandate."""
    await scene.backfill().run(A, WideEncoder())

    assert await scene.backfill().waiting(B, WideEncoder.fingerprint) == (200,)
    assert await scene.backfill().encoders(B) == (Encoded(OLD.fingerprint, 1, 1),)
    assert await scene.backfill().encoders(A) == tuple(
        Encoded(name, len(OF_A), 2 * len(OF_A) - 2) for name in (OLD.fingerprint, WideEncoder.fingerprint)
    )


async def test_a_retired_encoder_is_gone_and_the_live_one_is_not(scene: Scene) -> None:
    """Retiring deletes the rows of one encoder in one mandate."""
    before = await scene.hits(OLD)
    await scene.backfill().run(A, WideEncoder())
    await scene.backfill().retire(A, WideEncoder.fingerprint)

    assert await scene.hits(OLD) == before
    with pytest.raises(PartError, match="dense"):
        await scene.hits(WideEncoder())


async def test_a_rebuild_keeps_what_is_not_live(scene: Scene) -> None:
    """Old vectors stay for questions about their time, also when the view is built anew."""
    await scene.backfill().run(A, WideEncoder())
    async with scene.database.connection(Role.PROJECTOR) as connection:
        await PassageProjection(scene.blobs, always(OLD), MASTER.first_marking().text_mac).clear(connection)
    assert [one.encoder for one in await scene.backfill().encoders(A)] == [WideEncoder.fingerprint]
    await scene.apply(scene.events)

    assert await scene.backfill().waiting(A, WideEncoder.fingerprint) == ()
    assert (await scene.hits(WideEncoder()))[0] == Hit(PassageId(7, 0), 1.0)


async def test_erased_versions_are_named_and_hold_nothing_up(scene: Scene) -> None:
    """A version whose event has been shredded cannot be encoded any more."""
    scene.events = [replace(one, event=None) if one.position == 3 else one for one in scene.events]

    result = await scene.backfill().run(A, WideEncoder())

    assert result.unreadable == (3,)
    assert result.versions == len(OF_A) - 1


async def test_learned_weights_are_backfilled_alike(scene: Scene) -> None:
    """The same machinery fills weights; a projection that knows the encoder then keeps them up to date."""
    encoder = TokenEncoder()
    backfill = Backfill(scene.database, Journal(scene.events), scene.blobs, MASTER.first_marking().text_mac, SPARSE)  # type: ignore[arg-type]
    await backfill.run(A, encoder)
    later = Entry(300, A, ("Absatz 7 und Absatz 7",))
    async with scene.database.connection(Role.PROJECTOR) as connection:
        projection = WeightProjection(scene.blobs, always(encoder), MASTER.first_marking().text_mac)
        await projection.apply(connection, [await ingested(later, scene.blobs)])

    index = SparsevecIndex(scene.database, encoder.fingerprint)
    hits = await index.search(await encoder.question("7"), visible([*OF_A, later], horizon([A])), 5)

    assert hits == (Hit(PassageId(300, 0), 2.0), Hit(PassageId(7, 0), 1.0))
