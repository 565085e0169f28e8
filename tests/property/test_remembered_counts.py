"""What a process remembers of one question never moves a score of the next."""

import asyncio
import tempfile
from collections.abc import Sequence
from pathlib import Path
from unittest.mock import patch
from uuid import UUID

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from adapters.search import folders
from adapters.search.feed import LexicalFeed, SubwordFeed
from adapters.search.folders import Folders
from adapters.search.subwords import SubwordIndex
from adapters.search.tantivy import TantivyIndex
from tests.examples import examples
from tests.twins import ANALYZER, SUBWORDS, Entry, InMemoryLexicalIndex, InMemorySubwordIndex, horizon, visible
from tests.worlds import LEVELS, MANDATES, entries, questions

Asked = tuple[list[UUID], list[str], int, str]

reach = st.tuples(
    st.lists(st.sampled_from(MANDATES), min_size=1, unique=True),
    st.lists(st.sampled_from(LEVELS), min_size=1, unique=True),
    st.integers(0, 45),
    questions,
)
COMMON = Entry(1, MANDATES[0], ("Frist und Vertrag", "Frist"))
RAREST = Entry(2, MANDATES[0], ("Vertrag, Verträge",))
EVERYTHING: Asked = (MANDATES[:1], LEVELS, 45, "Frist Vertrag")
EARLIER: Asked = (MANDATES[:1], LEVELS, 1, "Frist Vertrag")


@settings(max_examples=examples(25), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@example([COMMON, RAREST], [EVERYTHING, EARLIER], 32)
@given(entries(), st.lists(reach, min_size=2, max_size=5), st.sampled_from([1, 32]))
def test_what_was_counted_once_moves_no_score(world: list[Entry], questions_asked: list[Asked], opened: int) -> None:
    """Askers with different horizons take turns at one index that grows; each gets what a naive twin gives.

    All ask twice, so that the second time everything is remembered.
    """
    with tempfile.TemporaryDirectory() as place, patch.object(folders, "MOST_OPENED", opened):
        words, pieces = Path(place) / "words", Path(place) / "pieces"
        reader, sparse = TantivyIndex(words, ANALYZER), SubwordIndex(pieces)
        there: list[Entry] = []
        for batch in (world[::2], world[1::2]):
            there += batch
            LexicalFeed(words, ANALYZER).put([entry.words() for entry in batch])
            SubwordFeed(pieces, SUBWORDS).put([entry.words() for entry in batch])
            for asked in questions_asked * 2:
                asyncio.run(_equal(reader, sparse, there, asked))


async def _equal(words: TantivyIndex, pieces: SubwordIndex, there: Sequence[Entry], asked: Asked) -> None:
    scope, levels, position, question = asked
    seen = visible(there, horizon(scope, levels, position))
    known = [entry.words() for entry in there if entry.ordinal in seen.versions]
    alone, alone_in_pieces = InMemoryLexicalIndex(), InMemorySubwordIndex()
    alone.put(known)
    alone_in_pieces.put(known)
    key = await SUBWORDS.question(question)
    assert await words.search(question, seen, 5) == await alone.search(question, seen, 5)
    assert await pieces.search(key, seen, 5) == await alone_in_pieces.search(key, seen, 5)


def test_counts_are_taken_once(tmp_path: Path) -> None:
    """The same question of the same asker asks the engine for nothing that it has been told, until something comes."""
    feed, index = LexicalFeed(tmp_path, ANALYZER), Folders(tmp_path, "lexical")
    feed.put([COMMON.words()])
    seen = visible([COMMON], horizon(MANDATES[:1]))

    before, again = index.open(seen), index.open(seen)
    feed.put([RAREST.words()])
    after = index.open(seen)

    assert before[0] is again[0]
    assert after[0] is not before[0]
    assert after[0].held("frist") == before[0].held("frist")
