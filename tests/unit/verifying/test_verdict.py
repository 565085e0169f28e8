"""The verdict over an answer: the specified examples, and that more doubt never makes it better."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.verifying.verdict import verdict

EXAMPLES = [
    json.loads(line)
    for line in (Path(__file__).parent / "data" / "verdict.jsonl").read_text(encoding="utf-8").splitlines()
]
BETTER = ["rejected", "partially_verified", "verified"]
COUNTS = st.integers(0, 12)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: str(example["id"]))
def test_the_examples(example: dict[str, Any]) -> None:
    """All of them, the ambiguous one too."""
    counted = (example["claims"], example["dropped"], example["suspicious_spots"], example["weak_signals"])

    assert verdict(*counted) == example["expected"], example["why"]


@given(claims=COUNTS, dropped=COUNTS, spots=COUNTS, weak=COUNTS)
def test_only_what_nothing_speaks_against_is_verified(claims: int, dropped: int, spots: int, weak: int) -> None:
    """And where no claim stands, nothing is."""
    dropped = min(dropped, claims)
    found = verdict(claims, dropped, spots, weak)

    assert (found == "verified") == (claims > 0 and dropped == spots == weak == 0)
    assert found == "rejected" or claims > dropped


@given(claims=COUNTS, dropped=COUNTS, spots=COUNTS, weak=COUNTS)
def test_more_doubt_never_makes_it_better(claims: int, dropped: int, spots: int, weak: int) -> None:
    """One more dropped claim, spot, or weak sign."""
    dropped = min(dropped, claims)
    before = BETTER.index(verdict(claims, dropped, spots, weak))

    assert BETTER.index(verdict(claims, min(dropped + 1, claims), spots, weak)) <= before
    assert BETTER.index(verdict(claims, dropped, spots + 1, weak)) <= before
    assert BETTER.index(verdict(claims, dropped, spots, weak + 1)) <= before
