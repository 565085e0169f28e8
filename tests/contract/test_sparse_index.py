"""What every index of weighted features promises."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol
from uuid import UUID

import pytest

from adapters.search.feed import SubwordFeed, VersionWords
from adapters.search.subwords import SubwordIndex
from domain.asking.ports import Hit
from domain.asking.visibility import Visible
from domain.errors import PartError
from tests.twins import SUBWORDS, Entry, InMemorySubwordIndex, horizon, visible

A, B = UUID(int=1), UUID(int=2)
WORLD = (
    Entry(7, A, ("Die Kündigungsfrist beträgt drei Monate.", "Das Maß der Dinge.")),
    Entry(9, A, ("Der Widerruf ist schriftlich zu erklären.", "Kündigungen sind schriftlich.")),
    Entry(8, B, ("Die Kündigung der anderen: xyzzy.",)),
    Entry(10, A, ("Kündigung geheim",), "secret"),
)


class Feedable(Protocol):
    def put(self, versions: Sequence[VersionWords]) -> None: ...

    async def search(self, weights: Mapping[str, float], visible: Visible, limit: int) -> tuple[Hit, ...]: ...


class Subwords(SubwordIndex):
    """Reader and writer of one folder."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.put = SubwordFeed(folder, SUBWORDS).put


@pytest.fixture(params=["subwords", "memory"])
def index(request: pytest.FixtureRequest, tmp_path: Path) -> Feedable:
    index: Feedable = Subwords(tmp_path) if request.param == "subwords" else InMemorySubwordIndex()
    index.put([entry.words() for entry in WORLD])
    return index


async def ask(index: Feedable, text: str, limit: int = 20, scope: Sequence[UUID] = (A,)) -> list[tuple[int, int]]:
    hits = await index.search(await SUBWORDS.question(text), visible(WORLD, horizon(scope)), limit)
    return [(hit.passage.ordinal, hit.passage.number) for hit in hits]


async def test_a_passage_shares_a_feature_with_the_question(index: Feedable) -> None:
    """The passage that the question repeats comes first; one without a common feature stays out."""
    found = await ask(index, "Die Kündigungsfrist beträgt drei Monate.")

    assert found[0] == (7, 0)
    assert await ask(index, "qqqq") == []


async def test_a_foreign_or_higher_passage_is_never_found(index: Feedable) -> None:
    """What only another mandate or a higher level has does not exist here."""
    assert await ask(index, "xyzzy") == []
    assert await ask(index, "xyzzy", scope=[B]) == [(8, 0)]
    assert (10, 0) not in await ask(index, "Kündigung geheim")


async def test_no_features_no_hits(index: Feedable) -> None:
    """Nothing asked or nothing visible: nothing found."""
    assert await index.search({}, visible(WORLD, horizon([A])), 20) == ()
    assert await index.search(await SUBWORDS.question("Kündigung"), visible([], horizon([A])), 20) == ()


async def test_the_limit_cuts_where_the_order_says(index: Feedable) -> None:
    """A shorter list is the beginning of a longer one, and scores fall."""
    wanted = await SUBWORDS.question("Kündigung ist schriftlich")
    seen = visible(WORLD, horizon([A, B]))
    whole = await index.search(wanted, seen, 20)

    assert [hit.score for hit in whole] == sorted((hit.score for hit in whole), reverse=True)
    for limit in range(len(whole) + 2):
        assert await index.search(wanted, seen, limit) == whole[:limit]


async def test_equal_passages_stand_in_their_order(index: Feedable) -> None:
    """Ties are broken by passage."""
    many = Entry(20, A, ("Versicherung und Beitrag",) * 30)
    index.put([many.words()])
    hits = await index.search(await SUBWORDS.question("Versicherung"), visible([many], horizon([A])), 7)

    assert [hit.passage.number for hit in hits] == list(range(7))


async def test_a_version_put_twice_is_there_once(index: Feedable) -> None:
    """Replaying a batch changes nothing."""
    wanted, seen = await SUBWORDS.question("Kündigung Widerruf"), visible(WORLD, horizon([A, B]))
    before = await index.search(wanted, seen, 20)
    index.put([entry.words() for entry in WORLD])

    assert await index.search(wanted, seen, 20) == before


async def test_what_a_feature_counts_is_heeded(index: Feedable) -> None:
    """Of two features the heavier one decides."""
    seen = visible(WORLD, horizon([A]))
    first = await index.search({"wide": 9.0, "ungs": 0.1}, seen, 1)
    second = await index.search({"wide": 0.1, "ungs": 9.0}, seen, 1)

    assert [(hit.passage.ordinal, hit.passage.number) for hit in (*first, *second)] == [(9, 0), (7, 0)]


async def test_a_missing_version_is_named(tmp_path: Path) -> None:
    """A visible version that the index lacks is no empty result, and neither is a missing folder."""
    feed = SubwordFeed(tmp_path, SUBWORDS)
    feed.put([WORLD[0].words()])
    for scope in ([A], [B]):
        with pytest.raises(PartError) as caught:
            await SubwordIndex(tmp_path).search({"frist": 1.0}, visible(WORLD, horizon(scope)), 5)
        assert caught.value.key == "subwords"
