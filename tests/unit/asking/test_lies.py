"""What becomes of a lie before its sentences are checked: it ends at a gate, or each of them is ready to be checked."""

import pytest

from domain.asking.drafts import Draft
from domain.asking.gates import coverage_gate
from domain.asking.outcome import Sentence
from domain.asking.parsing import parse
from domain.mandates.policies import Threshold
from tests.lies import LIES, TRUTH, Lie

KNOWN = frozenset(f"S{number}" for number in range(1, len(TRUTH) + 1))
TAU = Threshold("coverage", 0.8, "", "default", "")


def ends_at(draft: Draft) -> str | None:
    """Return the gate that a draft does not pass."""
    if draft.nothing_found:
        return "none_found"
    if any(one.malformed or set(one.labels) - KNOWN for one in draft.sentences):
        return "integrity"
    counted = [Sentence(one.text, one.labels) for one in draft.sentences if not one.is_gap]
    return None if coverage_gate(counted, KNOWN, TAU).passed else "coverage"


@pytest.mark.parametrize("lie", LIES, ids=lambda one: one.id)
def test_a_lie_ends_where_it_should(lie: Lie) -> None:
    """At a gate; or its false sentences stand there one by one, under the labels that they are checked against."""
    draft = parse(lie.written)
    texts = [one.text for one in draft.sentences]

    assert ends_at(draft) == (None if lie.outcome in {"dropped", "clean"} else lie.outcome)
    if lie.outcome == "dropped":
        assert lie.false
        assert set(lie.false) <= set(texts)
    if lie.outcome == "clean":
        assert lie.gone
        assert texts
        assert all(any(text in truth for truth in TRUTH) for text in texts)
    assert not any(words in text for words in lie.gone for text in texts)


def test_there_are_enough_lies() -> None:
    """Of every kind, each by a name of its own."""
    assert len(LIES) >= 60
    assert len({one.id for one in LIES}) == len({one.lie for one in LIES}) == len(LIES)
    assert {one.outcome for one in LIES} == {"integrity", "coverage", "none_found", "dropped", "clean"}
