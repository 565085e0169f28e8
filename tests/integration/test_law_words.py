"""Questions about statutes, searched by words over whole acts."""

import asyncio
import json
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from adapters.search.feed import LexicalFeed, VersionWords
from adapters.search.tantivy import TantivyIndex
from domain.asking.visibility import Visible
from domain.knowledge.passage_words import passage_search_text
from domain.knowledge.passages import cut
from domain.knowledge.sentences import split
from domain.knowledge.text import Passage
from tests.data import LAW
from tests.twins import ANALYZER, Entry, horizon, visible

A = UUID(int=1)


class Acts:
    """All acts of the manifest, cut and indexed."""

    def __init__(self, folder: Path) -> None:
        self.rows = [json.loads(line) for line in (LAW / "manifest.jsonl").read_text(encoding="utf-8").splitlines()]
        self.passages: dict[int, tuple[Passage, ...]] = {}
        feed = LexicalFeed(folder, ANALYZER)
        feed.put([self._words(ordinal, row) for ordinal, row in enumerate(self.rows, 1)])
        self.index = TantivyIndex(folder, ANALYZER)

    def visible(self, day: date) -> Visible:
        entries = [
            Entry(ordinal, A, (), "internal", _day(row["valid_from"]), _day(row["valid_to"]))
            for ordinal, row in enumerate(self.rows, 1)
        ]
        return visible(entries, replace(horizon([A]), valid_on=day))

    def rank(self, question: dict[str, Any]) -> int:
        seen = self.visible(_day(question["as_of"]) or date(2026, 11, 30))
        hits = asyncio.run(self.index.search(question["question"], seen, 20))
        for place, hit in enumerate(hits, 1):
            span = self.passages[hit.passage.ordinal][hit.passage.number].span
            same = self.rows[hit.passage.ordinal - 1]["path"] == question["file"]
            if same and span.start < question["answer_end"] and question["answer_start"] < span.end:
                return place
        return 100

    def _words(self, ordinal: int, row: dict[str, Any]) -> VersionWords:
        text = (LAW / row["path"]).read_text(encoding="utf-8")
        self.passages[ordinal] = cut(text, split(text, "markdown"), "markdown")
        words = [
            passage_search_text(
                row["title"], one.section, one.lead_in.of(text) if one.lead_in else "", one.span.of(text), "markdown"
            )
            for one in self.passages[ordinal]
        ]
        return VersionWords(A, ordinal, words)


def _day(text: str | None) -> date | None:
    return date.fromisoformat(text) if text else None


@pytest.mark.law
def test_the_right_sentence_is_among_the_candidates(tmp_path: Path) -> None:
    """Of the sample questions, 30 % have the right sentence first, 55 % among eight, 65 % among twenty."""
    acts = Acts(tmp_path)
    text = (LAW / "questions.examples.jsonl").read_text(encoding="utf-8")
    questions = [json.loads(line) for line in text.splitlines()]
    ranks = [acts.rank(one) for one in questions if one["type"] != "unanswerable"]

    for most, least in ((1, 0.3), (8, 0.55), (20, 0.65)):
        assert sum(rank <= most for rank in ranks) >= least * len(ranks)
