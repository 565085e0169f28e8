"""What every formulator promises."""

import re
from collections.abc import AsyncIterator

import pytest

from adapters.formulate.openai import OpenAIFormulator
from adapters.models.server import ServedModel
from domain.asking.drafts import Draft, DraftRequest, Formulator
from domain.asking.formulation import Extractive
from domain.asking.ports import LabelledText, PassageId, PassageText
from domain.knowledge.text import Span
from tests.asking_world import World
from tests.chat_server import chat_server, structured
from tests.scripted import ScriptedFormulator

ANSWER = "Die Frist der Kündigung beträgt drei Monate."
STORED = f"{ANSWER}\nKatzen schlafen viel.\nDie Kündigung bedarf der Textform."
QUESTION = "Wie lang ist die Frist der Kündigung?"


@pytest.fixture(
    params=["extractive", "scripted", "openai", pytest.param("vllm", marks=[pytest.mark.models, pytest.mark.vllm])],
)
async def formulator(request: pytest.FixtureRequest) -> AsyncIterator[Formulator]:
    if request.param == "extractive":
        yield Extractive(World().reranker)
    elif request.param == "scripted":
        yield ScriptedFormulator([structured((ANSWER, ["S1"]))])
    elif request.param == "vllm":
        yield OpenAIFormulator(request.getfixturevalue("served_writer"))
    else:
        async with chat_server() as (_, url):
            yield OpenAIFormulator(ServedModel(url, "tiny", "7", base="acme/tiny", timeout=5))


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


async def test_a_draft_says_what_each_sentence_cites(formulator: Formulator) -> None:
    """In the known form, each label once; what a formulator quotes lies in the passage of that label."""
    passages = {one.label: one.passage for one in selected()}
    draft = await formulator.draft(DraftRequest(QUESTION, "de", selected()))

    assert draft.sentences
    assert not draft.problem
    for sentence in draft.sentences:
        assert sentence.text
        assert sentence.labels
        assert not sentence.malformed
        assert all(re.fullmatch(r"S[1-9]\d*", label) for label in sentence.labels)
        if sentence.quotable:
            passage = passages[sentence.labels[0]]
            span = sentence.quotable.span
            assert sentence.quotable.passage == passage
            assert passage.span.start <= span.start < span.end <= passage.span.end


async def test_the_answer_is_the_one_that_the_passages_hold(formulator: Formulator) -> None:
    """With the label of its passage, in either language of the question."""
    for language in ("de", "en"):
        draft = await formulator.draft(DraftRequest(QUESTION, language, selected()))

        assert (draft.sentences[0].text, draft.sentences[0].labels) == (ANSWER, ("S1",))


async def test_the_same_request_gives_the_same_draft(formulator: Formulator) -> None:
    """As often as it is asked for."""
    drafts = [await formulator.draft(DraftRequest(QUESTION, "de", selected())) for _ in range(3)]

    assert drafts[0] == drafts[1] == drafts[2]


async def test_out_of_nothing_comes_nothing(formulator: Formulator) -> None:
    """Without passages there is no draft, whatever is asked."""
    assert await formulator.draft(DraftRequest(QUESTION, "de", [])) == Draft()


async def test_it_says_what_it_is(formulator: Formulator) -> None:
    """Name, version and fingerprint are recorded with each draft; the fingerprint begins with the name."""
    assert formulator.name
    assert formulator.version
    assert formulator.fingerprint.startswith(f"{formulator.name}/")
