"""Sentences of real acts, copied word for word by a model: reading the reply changes nothing about them."""

from collections.abc import Iterator

import pytest

from adapters.formulate.prompt import as_data
from domain.asking.drafts import Drafted
from domain.asking.parsing import parse
from domain.knowledge.block import CONTENT, Kind
from domain.knowledge.search_text import shown
from domain.knowledge.sentences import units
from tests.data import LAW

pytestmark = pytest.mark.law

EACH = 3
"""Every third sentence of every fourth text; all of them take a minute."""


def sentences() -> Iterator[str]:
    """Yield sentences as a model sees them."""
    for file in sorted((LAW / "texts").rglob("*.md"))[::4]:
        text = file.read_text(encoding="utf-8")
        for unit in units(text, "markdown"):
            words = " ".join(as_data(shown(unit.span.of(text), "markdown")).split())
            if unit.kind in CONTENT and unit.kind is not Kind.ROW and any(map(str.isalpha, words)):
                yield words


def test_what_is_copied_is_read_as_it_was() -> None:
    """One sentence, its words, its label, and nothing in it that looks like a bad one; 199 of 200 at least."""
    copied = list(sentences())[::EACH]
    changed = [words for words in copied if parse(f"{words} [S1]").sentences != (Drafted(words, ("S1",)),)]

    assert len(copied) > 1_000
    assert len(changed) <= len(copied) * 0.005, changed[:10]
