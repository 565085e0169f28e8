"""A backfill is killed before every single one of its commits, one after the other."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import pytest

from adapters.postgres.database import Database
from adapters.search.pgvector import PgvectorIndex
from adapters.search.sparsevec import SparsevecIndex
from domain.asking.ports import PassageId
from domain.errors import PartError
from projections.backfill import Backfill, Backfilled
from projections.graphs import open_graph
from projections.passages import PassageProjection
from projections.weights import WeightProjection
from tests.crashing_searches import ENCODINGS, MANDATE, MASTER, opened
from tests.fault.conftest import Victims
from tests.fault.searched import MOST_STEPS, QUESTIONS, Lists, Searched, searched, within
from tests.live import always
from tests.twins import Entry, HalvesEncoder, InMemoryDenseIndex, InMemoryWeights, TokenEncoder

LIVE: dict[str, Any] = {"dense": HalvesEncoder(), "sparse": TokenEncoder()}


@dataclass(frozen=True)
class Filling:
    """An installation with live encoders, and a backfill of one kind beside them."""

    at: Searched
    kind: str
    backfill: Backfill[Any]

    async def lists(self, encoder: Any, seen: list[Entry]) -> Lists | None:
        """What is found under an encoder, by graph as well; nothing when it has not been through all of ``seen``."""
        indexes: list[Any] = [SparsevecIndex(self.at.database, encoder.fingerprint)]
        if self.kind == "dense":
            indexes = [PgvectorIndex(self.at.database, encoder.fingerprint, exact_up_to=most) for most in (0, 10_000)]
        asked = [await encoder.question(question) for question in QUESTIONS]
        try:
            found = [[await index.search(one, within(seen), 9) for one in asked] for index in indexes]
        except PartError:
            return None
        assert found[0] == found[-1]
        return found[0]

    async def undisturbed(self, seen: list[Entry]) -> Lists:
        """The lists of an installation that holds ``seen`` and was never disturbed, under either encoder."""
        twin: Any = {"dense": InMemoryDenseIndex, "sparse": InMemoryWeights}[self.kind]()
        ask = LIVE[self.kind].question
        for entry in seen:
            twin.add({PassageId(entry.ordinal, number): await ask(text) for number, text in enumerate(entry.passages)})
        return [await twin.search(await ask(question), within(seen), 9) for question in QUESTIONS]


@pytest.fixture(params=["dense", "sparse"])
async def filling(
    request: pytest.FixtureRequest, database: Database, victims: Victims, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Filling]:
    monkeypatch.setattr(open_graph, "__defaults__", (1,))
    async with searched(database, victims) as at:
        blobs, marks = at.recording.blobs, MASTER.first_marking().text_mac
        words = PassageProjection(blobs, always(LIVE["dense"]), marks, graph_from=1)
        await at.runner(words, WeightProjection(blobs, always(LIVE["sparse"]), marks)).reach()
        recording, backfill, _ = await opened(request.param, database)
        yield Filling(at, request.param, backfill)
        await recording.close()


@pytest.mark.parametrize("task", ["fill", "retire"])
async def test_an_encoder_is_there_or_not_whenever_its_backfill_dies(filling: Filling, task: str) -> None:
    """Live lists never change. The new ones are those of an undisturbed installation, or an error until all is there.

    The same task, begun again, ends what was begun, and encodes nothing twice.
    """
    backfill, (_, new), of_it = filling.backfill, ENCODINGS[filling.kind], filling.at.of_the_first
    right, everything = await filling.undisturbed(of_it), tuple(entry.ordinal for entry in of_it)
    deaths = 0
    for number in range(1, MOST_STEPS):
        await backfill.retire(MANDATE, new.fingerprint)
        if task == "retire":
            await backfill.run(MANDATE, new)
        end, _ = await filling.at.victims.run(f"{task}-{filling.kind}", number)
        waiting = await backfill.waiting(MANDATE, new.fingerprint)
        through = [entry for entry in of_it if entry.ordinal not in waiting]
        assert await filling.lists(LIVE[filling.kind], of_it) == right
        assert await filling.lists(new, through) == await filling.undisturbed(through)
        assert await filling.lists(new, of_it) == (None if waiting else right)
        if task == "fill":
            passages = sum(len(entry.passages) for entry in of_it if entry.ordinal in waiting)
            assert await backfill.run(MANDATE, new) == Backfilled(len(waiting), passages, ())
            assert await filling.lists(new, of_it) == right
        else:
            assert waiting in {(), everything}
            await backfill.retire(MANDATE, new.fingerprint)
            assert await backfill.waiting(MANDATE, new.fingerprint) == everything
        if end == "done":
            break
        assert end == "killed"
        deaths += 1

    assert end == "done"
    assert deaths >= (5 if task == "fill" else 1), "the scenario should have several commits"
