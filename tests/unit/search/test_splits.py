"""The parts that ship with the program save time and change nothing."""

import pytest

from adapters.search import compounds
from adapters.search.compounds import Compounds, rules
from adapters.search.splits import read, shipped, written

SPLITS = {"kündigungsfrist": ("kündigung", "frist"), "verpflichtung": ()}


def test_what_ships_is_what_the_rules_say() -> None:
    """The file fits the rules of today, and its words have the parts that these give; every hundredth is looked at."""
    known = shipped(rules())

    assert len(known) > 10_000
    working = Compounds()
    assert [word for word in [*known][::100] if working.split(word) != known[word]] == []


def test_what_is_written_is_read() -> None:
    """Compounds and simple words come back."""
    assert read(written(SPLITS, "rules"), "rules") == SPLITS


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# rules",
        written(SPLITS, "other rules"),
        written(SPLITS, "rules").replace(" frist", " gift"),
        written(SPLITS, "rules")[:-10],
    ],
    ids=["empty", "heading alone", "other rules", "another part", "cut off"],
)
def test_a_file_that_does_not_fit_is_not_used(text: str) -> None:
    """Made by other rules or damaged: nothing of it is believed."""
    assert read(text, "rules") == {}


def test_without_the_file_words_have_the_same_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the file does not fit, the parts are worked out."""
    monkeypatch.setattr(compounds, "shipped", lambda _: {})

    assert Compounds().parts("kündigungsfrist") == Compounds().split("kündigungsfrist") == ("kündigung", "frist")


def test_a_shipped_word_needs_no_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """The model of morphemes is not read for a word that the file has."""
    monkeypatch.setattr(Compounds, "split", lambda *_: pytest.fail("worked out"))

    assert Compounds().parts("kündigungsfrist") == ("kündigung", "frist")
