"""Writes the index of words. One process writes at a time; the others read on."""

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, sleep
from uuid import UUID

from tantivy import Document, Index, IndexWriter, Query

from adapters.search.analyzer import GermanAnalyzer, length
from adapters.search.coding import code
from adapters.search.integrity import is_intact, naming_the_part
from adapters.search.tantivy import schema

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


class LexicalFeed:
    """Puts versions into the index, all of a batch or none.

    A version replaces itself: a batch that comes twice, because the process was killed between the commit here and
    the commit of the position, changes nothing.
    """

    def __init__(self, folder: Path, analyzer: GermanAnalyzer) -> None:
        self._folder = folder
        self._analyzer = analyzer
        self._schema = schema()

    def put(self, versions: Sequence[VersionWords]) -> None:
        """Write ``versions`` durably.

        Raises:
            PartError: ``lexical`` when the folder cannot be written.
        """
        with self._writer() as writer:
            for version in versions:
                self._replace(writer, version)

    def mend(self) -> None:
        """Put an empty index in place of a damaged or missing one, so that a rebuild starts from nothing."""
        if not is_intact(self._folder):
            shutil.rmtree(self._folder, ignore_errors=True)
            self.put(())

    def _replace(self, writer: IndexWriter, version: VersionWords) -> None:
        for field in ("ordinal", "version"):
            writer.delete_documents_by_query(Query.term_query(self._schema, field, version.ordinal))
        total = 0
        for number, text in enumerate(version.passages):
            terms = self._analyzer.passage(text)
            words = length(terms)
            total += words
            document = Document()
            document.add_unsigned("ordinal", version.ordinal)
            document.add_unsigned("number", number)
            document.add_text("mandate", str(version.mandate))
            for term, frequency in terms.items():
                document.add_text("term", code(term, frequency, words))
            writer.add_document(document)
        sums = Document()
        sums.add_unsigned("version", version.ordinal)
        sums.add_unsigned("passages", len(version.passages))
        sums.add_unsigned("length", total)
        writer.add_document(sums)

    @contextmanager
    def _writer(self) -> Iterator[IndexWriter]:
        with naming_the_part():
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            writer = self._wait_for_writer(Index(self._schema, str(self._folder)))
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
