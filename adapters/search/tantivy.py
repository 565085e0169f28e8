"""BM25 over tantivy; ``partitions.py`` holds the folders, ``analyzer.py`` says what a term is."""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from adapters.search.analyzer import GermanAnalyzer
from adapters.search.partitions import Partitions, Statistics
from domain.asking.ports import Hit
from domain.asking.visibility import Visible

__all__ = ["Statistics", "TantivyIndex"]

PART: Final = "lexical"


class TantivyIndex:
    """``LexicalIndex`` in folders, one for each mandate."""

    def __init__(self, folder: Path, analyzer: GermanAnalyzer) -> None:
        self._partitions = Partitions(folder, PART)
        self._analyzer = analyzer

    async def search(self, text: str, visible: Visible, limit: int) -> tuple[Hit, ...]:
        """Return passages that share at least one term with ``text``, best first, ties by passage.

        Raises:
            PartError: ``lexical`` when the index is missing, damaged, or lacks a visible version.
        """
        if not visible.versions or limit < 1:
            return ()
        return await asyncio.to_thread(self._search, text, visible, limit)

    async def count(self) -> int:
        """Return how many documents the index holds.

        Raises:
            PartError: ``lexical`` when the index is missing or damaged.
        """
        return await asyncio.to_thread(self._partitions.count)

    async def describe(self) -> Mapping[str, str | int]:
        """Return the name of the engine."""
        return {"engine": "tantivy"}

    async def close(self) -> None:
        """Leave the folders as they are: nothing is held open."""

    def _search(self, text: str, visible: Visible, limit: int) -> tuple[Hit, ...]:
        wanted = dict.fromkeys(self._analyzer.question(text), 1.0)
        return self._partitions.search(wanted, visible, limit) if wanted else ()
