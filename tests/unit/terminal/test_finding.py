"""What a search found, as a person reads it."""

from dataclasses import replace
from datetime import UTC, datetime
from uuid import UUID

import pytest

from bot.terminal.finding import show_finding
from bot.text import texts
from domain.asking.events import Ranked
from domain.asking.naming import UNKNOWN, NamedSection
from domain.asking.ports import PassageId, PassageText
from domain.asking.values import Finding
from domain.asking.visibility import Visible, VisibleVersion
from domain.knowledge.text import Span
from domain.recording import BlobRef
from tests.twins import horizon
from tests.unit.terminal.test_drawing import drawn

SCORES = (0.91, 0.72, 0.55)
CHOSEN = (0, 2, 1)


def passage(number: int) -> PassageText:
    span = Span(number * 10, number * 10 + 9)
    words = f"Satz {number}."
    return PassageText(PassageId(1, number), span, words, "", "plain", (), "", "", None, (span,), None, None, words)


def finding() -> Finding:
    mandate = UUID(int=1)
    version = VisibleVersion(
        1,
        mandate,
        mandate,
        "handbuch",
        1,
        "Handbuch",
        None,
        "internal",
        BlobRef("", ""),
        None,
        None,
        "assumed",
        datetime(2026, 1, 1, tzinfo=UTC),
    )
    visible = Visible(horizon([mandate]), {1: version})
    reranked = tuple(Ranked(PassageId(1, number), number + 1, score) for number, score in enumerate(SCORES))
    selected = tuple(Ranked(PassageId(1, number), rank, SCORES[number]) for rank, number in enumerate(CHOSEN, 1))
    words = {PassageId(1, number): passage(number) for number in range(len(SCORES))}
    return Finding("Frage", visible, {"reranked": reranked, "selected": selected}, words)


@pytest.mark.parametrize("terminal", [True, False])
@pytest.mark.parametrize("language", ["de", "en"])
def test_the_best_stand_first_and_the_texts_apart(language: str, *, terminal: bool) -> None:
    """Whoever compares the scores finds them falling, and a blank line ends the table."""
    shown = drawn(show_finding(finding(), texts(language)), terminal=terminal)

    order = [texts(language)("search.rank"), *("91", "72", "55"), "Satz 0", "Satz 1", "Satz 2"]
    assert sorted(order, key=shown.index) == order
    table, _, rest = shown.partition(texts(language)("search.selected"))
    assert "handbuch@1:0-9" in table
    assert rest.startswith("\n\n1  Handbuch")


def test_what_is_missing_is_said_before_what_was_found() -> None:
    """Passages that read alike would pass for an answer; asked, there is none."""
    missing = replace(finding(), missing=(NamedSection("VVG", "§ 999", UNKNOWN),))

    shown = drawn(show_finding(missing, texts("de")), terminal=False)

    assert shown.startswith("! § 999 VVG gibt es in den vorliegenden Quellen nicht (Stichtag ")
    assert "verweigert" in shown.partition("Rang")[0]
    assert "verweigert" not in drawn(show_finding(finding(), texts("de")), terminal=False)
