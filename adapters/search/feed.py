"""Writes the indexes of words and of their pieces. One process writes a folder at a time; the others read on."""

import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, sleep
from uuid import UUID

from tantivy import Document, Index, IndexWriter, Query

from adapters.search.analyzer import GermanAnalyzer, length
from adapters.search.coding import PIECES, WORDS, Fineness, endings
from adapters.search.folders import SCHEMA
from adapters.search.integrity import is_intact, naming_the_part
from adapters.search.subwords import PART, SubwordEncoder, size

HEAP = 64_000_000
"""Bytes that a writer gathers before it writes a segment."""

PATIENCE = 60.0
"""Seconds to wait for another process to end its batch."""


@dataclass(frozen=True, slots=True)
class VersionWords:
    """The search texts of a version's passages, in order."""

    mandate: UUID
    ordinal: int
    passages: Sequence[str]


class PartitionFeed:
    """Puts versions into the folders of their mandates; of a mandate's versions all or none.

    A version replaces itself: a batch that comes twice, because the process was killed between the commit here and
    the commit of the position, changes nothing.

    Args:
        part: what failures are called.
        terms: gives what a text is searched by, and how often it holds each.
        measure: gives the length of a passage.
        fineness: how finely passages are coded.
    """

    def __init__(
        self,
        folder: Path,
        part: str,
        terms: Callable[[str], Mapping[str, float]],
        measure: Callable[[Mapping[str, float]], int],
        fineness: Fineness,
    ) -> None:
        self._folder = folder
        self._part = part
        self._terms = terms
        self._measure = measure
        self._fineness = fineness

    def put(self, versions: Sequence[VersionWords]) -> None:
        """Write ``versions`` durably.

        Raises:
            PartError: the part, when a folder cannot be written.
        """
        for mandate in sorted({version.mandate for version in versions}):
            with self._writer(self._folder / str(mandate)) as writer:
                for version in versions:
                    if version.mandate == mandate:
                        self._replace(writer, version)

    def forget(self, mandate: UUID) -> None:
        """Remove the folders of a mandate, those made under older rules as well.

        Raises:
            PartError: the part, when a folder cannot be removed.
        """
        with naming_the_part(self._part):
            for folder in self._folder.parent.glob(f"*/{mandate}"):
                shutil.rmtree(folder)

    def mend(self) -> None:
        """Take away damaged folders, so that a rebuild starts from nothing there."""
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        for folder in self._folder.iterdir():
            if not folder.is_dir():
                folder.unlink()
            elif not is_intact(folder):
                shutil.rmtree(folder, ignore_errors=True)

    def _replace(self, writer: IndexWriter, version: VersionWords) -> None:
        for field in ("ordinal", "version"):
            writer.delete_documents_by_query(Query.term_query(SCHEMA, field, version.ordinal))
        total = 0
        for number, text in enumerate(version.passages):
            terms = self._terms(text)
            words = self._measure(terms)
            total += words
            document = Document()
            document.add_unsigned("ordinal", version.ordinal)
            document.add_unsigned("number", number)
            ending = endings(words, self._fineness)
            for term, frequency in terms.items():
                document.add_text("term", term + ending[min(int(frequency), self._fineness.frequency)])
            writer.add_document(document)
        sums = Document()
        sums.add_unsigned("version", version.ordinal)
        sums.add_unsigned("passages", len(version.passages))
        sums.add_unsigned("length", total)
        writer.add_document(sums)

    @contextmanager
    def _writer(self, folder: Path) -> Iterator[IndexWriter]:
        with naming_the_part(self._part):
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            writer = self._wait_for_writer(Index(SCHEMA, str(folder)))
            yield writer
            writer.commit()
            writer.wait_merging_threads()

    def _wait_for_writer(self, index: Index) -> IndexWriter:
        deadline = monotonic() + PATIENCE
        while True:
            try:
                return index.writer(heap_size=HEAP, num_threads=1)
            except ValueError:
                if monotonic() > deadline:
                    raise
                sleep(0.05)


class LexicalFeed(PartitionFeed):
    """Puts versions into the index of words."""

    def __init__(self, folder: Path, analyzer: GermanAnalyzer) -> None:
        super().__init__(folder, "lexical", analyzer.passage, length, WORDS)


class SubwordFeed(PartitionFeed):
    """Puts versions into the index of pieces of words."""

    def __init__(self, folder: Path, encoder: SubwordEncoder) -> None:
        super().__init__(folder, PART, encoder.features, size, PIECES)
