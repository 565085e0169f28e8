"""What every index of words promises."""

from collections.abc import AsyncIterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Protocol
from uuid import UUID

import pytest

from adapters.search.feed import LexicalFeed, VersionWords
from adapters.search.tantivy import TantivyIndex
from domain.asking.ports import Hit, PassageId
from domain.asking.visibility import Visible
from domain.errors import PartError
from tests.twins import ANALYZER, Entry, InMemoryLexicalIndex, horizon, visible

A, B = UUID(int=1), UUID(int=2)
NOTICE = Entry(7, A, ("Die Kündigungsfrist beträgt drei Monate.", "Das Maß der Dinge: 1.000 Euro nach § 5a VVG."))
OTHER = Entry(9, A, ("Die Masse der Fristen steht in § 5 VVG.", "Kündigungen sind schriftlich zu erklären."))
FOREIGN = Entry(8, B, ("Die Kündigung und die Fristen der anderen: Marker xyzzy.",))
WORLD = (NOTICE, OTHER, FOREIGN)


class Feedable(Protocol):
    def put(self, versions: Sequence[VersionWords]) -> None: ...

    def forget(self, mandate: UUID) -> None: ...

    async def search(self, text: str, visible: Visible, limit: int) -> tuple[Hit, ...]: ...


class Tantivy(TantivyIndex):
    """Reader and writer of one folder."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, ANALYZER)
        feed = LexicalFeed(folder, ANALYZER)
        self.put, self.forget = feed.put, feed.forget


INDEXES = ["tantivy", "memory", pytest.param("opensearch", marks=pytest.mark.opensearch)]


@asynccontextmanager
async def opened(kind: str, request: pytest.FixtureRequest, folder: Path) -> AsyncIterator[Feedable]:
    """An empty index of the kind."""
    if kind == "tantivy":
        yield Tantivy(folder / "lexical" / "1")
    elif kind == "memory":
        yield InMemoryLexicalIndex()
    else:
        from tests.opensearch.reading import Engine  # noqa: PLC0415 - the library may be missing

        async with Engine(request.getfixturevalue("opensearch")) as engine:
            yield engine


@pytest.fixture(params=INDEXES)
async def index(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Feedable]:
    async with opened(request.param, request, tmp_path) as index:
        index.put([entry.words() for entry in WORLD])
        yield index


def found(hits: Sequence[Hit]) -> list[tuple[int, int]]:
    return [(hit.passage.ordinal, hit.passage.number) for hit in hits]


async def ask(index: Feedable, text: str, limit: int = 20, scope: UUID = A) -> list[tuple[int, int]]:
    return found(await index.search(text, visible(WORLD, horizon([scope])), limit))


async def test_a_passage_shares_a_word_with_the_question(index: Feedable) -> None:
    """Inflected forms meet in their stem, compounds in their parts; passages without a common word stay out."""
    assert await ask(index, "Wie ist eine Kündigung zu erklären?") == [(9, 1), (7, 0)]
    assert await ask(index, "u\u0308ber Monate") == [(7, 0)]
    assert await ask(index, "Tausend und eine Nacht") == []


@pytest.mark.parametrize("text", ["", "   ", "?!", "der die das", '"', "und OR ( title:x ^2 ~ [1 TO 2] * \\"])
async def test_no_terms_no_hits(index: Feedable, text: str) -> None:
    """Without a word of substance nothing is found, and query syntax is only text."""
    assert await ask(index, text) == []


async def test_a_foreign_passage_is_never_found(index: Feedable) -> None:
    """What only another mandate has does not exist here."""
    assert await ask(index, "xyzzy") == []
    assert await ask(index, "xyzzy", scope=B) == [(8, 0)]


async def test_a_forgotten_mandate_has_left_nothing(index: Feedable) -> None:
    """Its versions are missing, those of others are found as before, and forgetting it again is no error."""
    before = await ask(index, "Kündigung")
    assert await ask(index, "xyzzy", scope=B)
    for _ in range(2):
        index.forget(B)
    with pytest.raises((PartError, KeyError)):
        await ask(index, "xyzzy", scope=B)
    assert await ask(index, "Kündigung") == before
    index.put([FOREIGN.words()])
    assert await ask(index, "xyzzy", scope=B) == [(8, 0)]


async def test_a_section_with_a_letter_is_another_section(index: Feedable) -> None:
    """§ 5a comes first for "§ 5 a", § 5 for "§ 5"."""
    assert (await ask(index, "§ 5 a VVG"))[0] == (7, 1)
    assert (await ask(index, "§ 5 VVG"))[0] == (9, 0)


async def test_thousands_are_one_number(index: Feedable) -> None:
    """1.000, 1000 and 1 000 with a no-break space are the same number."""
    for text in ("1000 Euro", "1.000", "1\u00a0000"):
        assert await ask(index, text) == [(7, 1)]


async def test_quotation_marks_ask_for_the_word_as_written(index: Feedable) -> None:
    """Maß and Masse share a stem; in quotation marks the one that is written so comes first."""
    assert (await ask(index, "„Masse“"))[0] == (9, 0)
    assert (await ask(index, "„Maß“"))[0] == (7, 1)


async def test_the_limit_cuts_where_the_order_says(index: Feedable) -> None:
    """A shorter list is the beginning of a longer one, also between equal scores."""
    many = Entry(20, A, tuple(["Versicherung und Beitrag"] * 30 + ["Versicherung der Versicherung"]))
    index.put([many.words()])
    seen = visible([*WORLD, many], horizon([A]))
    whole = await index.search("Versicherung", seen, 100)

    assert len(whole) == 31
    assert [hit.passage.number for hit in whole[1:]] == list(range(30))
    for limit in (0, 1, 2, 7, 30, 31):
        assert await index.search("Versicherung", seen, limit) == whole[:limit]


async def test_a_version_put_twice_is_there_once(index: Feedable) -> None:
    """Replaying a batch changes nothing."""
    before = await index.search("Kündigung Fristen VVG", visible(WORLD, horizon([A, B])), 20)
    index.put([NOTICE.words(), FOREIGN.words()])

    assert await index.search("Kündigung Fristen VVG", visible(WORLD, horizon([A, B])), 20) == before


async def test_any_number_of_mandates_is_one_index(index: Feedable) -> None:
    """150 mandates in scope are found and counted as if their passages lay in one index, and 10 more are not."""
    many = [Entry(100 + n, UUID(int=100 + n), (f"Frist nummer{n} im Vertrag", "Frist")) for n in range(160)]
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(lambda entry: index.put([entry.words()]), many))
    seen = visible(many, horizon([entry.mandate for entry in many[:150]]))
    twin = InMemoryLexicalIndex()
    twin.put([entry.words() for entry in many[:150]])

    for question in ("nummer149 Vertrag", "nummer155", "Frist nummer3 nummer155"):
        assert await index.search(question, seen, 20) == await twin.search(question, seen, 20)


async def test_nothing_visible_nothing_found(index: Feedable) -> None:
    """An empty horizon has no hits."""
    assert await index.search("Kündigung", visible([], horizon([A])), 20) == ()


async def test_a_version_without_passages_is_no_error(index: Feedable) -> None:
    """An empty document can be visible."""
    empty = Entry(30, A, ())
    index.put([empty.words()])

    assert await index.search("Kündigung", visible([empty], horizon([A])), 20) == ()
    assert found(await index.search("schriftlich", visible([empty, OTHER], horizon([A])), 20)) == [(9, 1)]


async def test_a_very_long_question_is_scored_like_a_short_one(index: Feedable) -> None:
    """Hundreds of terms keep sums exact: the same passage twice has the same score."""
    words = " ".join(f"wort{number}" for number in range(600))
    long = Entry(40, A, (words, words, words[:2000]))
    index.put([long.words()])
    hits = await index.search(words, visible([*WORLD, long], horizon([A])), 20)

    assert found(hits) == [(40, 0), (40, 1), (40, 2)]
    assert hits[0].score == hits[1].score > hits[2].score
    assert hits[0].passage == PassageId(40, 0)
