"""What every formulator promises."""

import pytest

from domain.asking.formulation import Extractive
from domain.asking.ports import Formulator, LabelledText, PassageId, PassageText
from domain.knowledge.text import Span
from tests.asking_world import World

STORED = "Die Frist der Kündigung beträgt drei Monate.\nKatzen schlafen viel.\nDie Kündigung bedarf der Textform."
QUESTION = "Wie lang ist die Frist der Kündigung?"


@pytest.fixture
def formulator() -> Formulator:
    return Extractive(World().reranker)


def selected() -> list[LabelledText]:
    """Each line of the stored text as a passage of its own, the most relevant one first."""
    found, start = [], 0
    for number, line in enumerate(STORED.split("\n"), 1):
        span = Span(start, start + len(line))
        passage = PassageText(
            id=PassageId(1, number),
            span=span,
            text=line,
            mark="",
            markup="plain",
            section=(),
            place="",
            lead_in="",
            lead_in_span=None,
            sentences=(span,),
            page=None,
            page_label=None,
            search_text=line,
        )
        found.append(LabelledText(f"S{number}", passage, 0.9 - number / 10))
        start = span.end + 1
    return found


async def test_a_draft_says_under_which_label_each_sentence_stands(formulator: Formulator) -> None:
    """Every sentence names a passage that was selected and points into it."""
    passages = {one.label: one.passage for one in selected()}
    draft = await formulator.draft(QUESTION, selected())
    assert draft
    for sentence in draft:
        passage = passages[sentence.label]
        assert sentence.passage == passage
        assert passage.span.start <= sentence.span.start < sentence.span.end <= passage.span.end
        assert sentence.text


async def test_out_of_nothing_comes_nothing(formulator: Formulator) -> None:
    """Without passages there is no draft, whatever is asked."""
    assert await formulator.draft(QUESTION, []) == ()


async def test_it_says_what_it_is(formulator: Formulator) -> None:
    """Name and version are recorded with each draft."""
    assert formulator.name
    assert formulator.version
