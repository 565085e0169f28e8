"""What holds for every answer: it is cut from what the asker may see, and the same state gives the same answer."""

import asyncio
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from domain.asking.anchors import label, resolve
from domain.asking.candidates import candidates
from domain.asking.drafting import quoted
from domain.asking.outcome import AnswerDelivered, Sentence
from domain.asking.ports import Hit, LabelledText
from domain.asking.values import Answer
from domain.mandates.rules import DISCARD
from tests.asking_world import World, cut_into_passages
from tests.examples import examples

WORDS = (
    "Frist",
    "Kündigung",
    "Monate",
    "drei",
    "vier",
    "Vertrag",
    "Textform",
    "gilt",
    "Ö\u0308l",
    "👍",
    "§ 3",
    "nicht",
)
SENTENCES = st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(lambda words: " ".join(words) + ".")
LISTS = st.tuples(
    SENTENCES, st.sampled_from(["Beizufügen sind:", "Es gilt", "Frist."]), st.lists(SENTENCES, min_size=2)
).map(lambda parts: "\n- ".join([" ".join(parts[:2]), *parts[2]]))
PARAGRAPHS = st.one_of(st.lists(SENTENCES, min_size=1, max_size=4).map(" ".join), LISTS)
TEXTS = st.lists(PARAGRAPHS, min_size=1, max_size=4).map("\n\n".join)
LEVELS = st.sampled_from(["public", "internal", "confidential", "secret"])
QUESTIONS = st.lists(st.sampled_from(WORDS[:8]), min_size=1, max_size=4).map(lambda words: " ".join(words) + "?")


async def build(texts: list[tuple[str, str, str]]) -> World:
    world = await World().open()
    for number, (mandate, level, text) in enumerate(texts):
        await world.add(mandate, f"d{number}", text, level=level)
    return world


def decision(answer: Answer) -> object:
    return answer.end, answer.sources, answer.relevance, answer.coverage


def is_made_of(*pieces: str, within: str) -> bool:
    """Say whether the pieces stand in a text one behind the other."""
    position = 0
    for piece in pieces:
        position = within.find(piece, position) + len(piece)
        if position < len(piece):
            return False
    return True


def pieces(sentence: Sentence) -> list[str]:
    """Return what a sentence is cut from: the introduction, and what stands between the marks."""
    rest = sentence.text[sentence.opening :].split("[…]")
    return [piece.strip(" \n") for piece in (sentence.text[: sentence.opening], *rest)]


DOCUMENTS = st.lists(st.tuples(st.sampled_from(["a", "b", "lib"]), LEVELS, TEXTS), max_size=5)


@settings(max_examples=examples(60), deadline=None)
@given(texts=DOCUMENTS, question=QUESTIONS)
def test_every_quote_is_what_the_stored_text_says(texts: list[tuple[str, str, str]], question: str) -> None:
    """``text[start:end] == quote`` for every source, and every sentence is made of quoted spans."""

    async def check() -> None:
        world = await build(texts)
        answer = await world.asking().ask(world.question(question))
        if isinstance(answer.end, AnswerDelivered):
            assert 1 <= len(answer.end.sentences) <= 3
            for source in answer.sources:
                assert (
                    world.entry(source.shown.ordinal).text[source.shown.span.start : source.shown.span.end]
                    == source.quote
                )
                assert source.shown.lead_in is None or source.shown.lead_in.end <= source.shown.span.start
            cited = {source.shown.label: world.entry(source.shown.ordinal).text for source in answer.sources}
            assert all(is_made_of(*pieces(one), within=cited[one.labels[0]]) for one in answer.end.sentences)

    asyncio.run(check())


@settings(max_examples=examples(100), deadline=None)
@given(text=LISTS, chosen=st.lists(st.booleans(), min_size=16, max_size=16))
def test_a_quote_holds_no_stretch_twice(text: str, chosen: list[bool]) -> None:
    """Whatever sentences are cited together: the introduction lies above them, and they follow one another."""
    (passage,) = cut_into_passages(1, text, ())
    found = candidates([LabelledText("S1", passage, 0.9)])
    draft = [quoted(one) for one, is_chosen in zip(found, chosen, strict=False) if is_chosen]

    selected = label([Hit(passage.id, 0.9)])
    for resolved in resolve(draft, selected, {passage.id: passage}, {1: text}, DISCARD).resolved:
        stretches = [resolved.lead_in, *resolved.spans] if resolved.lead_in else [*resolved.spans]
        assert all(left.end <= right.start for left, right in pairwise(stretches))


@settings(max_examples=examples(40), deadline=None)
@given(texts=DOCUMENTS, more=DOCUMENTS, question=QUESTIONS)
def test_what_the_asker_may_not_see_changes_nothing(
    texts: list[tuple[str, str, str]], more: list[tuple[str, str, str]], question: str
) -> None:
    """Documents elsewhere or above the clearance leave decision, anchors and words as they are."""

    async def check() -> None:
        world = await build(texts)
        before = await world.asking().ask(world.question(question, asker=world.bert))
        for number, (mandate, level, text) in enumerate(more):
            above = mandate != "b" and level in {"public", "internal"}
            await world.add(mandate, f"m{number}", text, level="secret" if above else level)
        after = await world.asking().ask(world.question(question, asker=world.bert))
        assert decision(after) == decision(before)

    asyncio.run(check())


@settings(max_examples=examples(40), deadline=None)
@given(texts=DOCUMENTS, question=QUESTIONS)
def test_the_same_state_gives_the_same_answer(texts: list[tuple[str, str, str]], question: str) -> None:
    """Two worlds with the same documents decide and quote alike."""

    async def check() -> None:
        one, other = await build(texts), await build(texts)
        first = await one.asking().ask(one.question(question))
        second = await other.asking().ask(other.question(question))
        assert [source.quote for source in first.sources] == [source.quote for source in second.sources]
        assert (first.relevance, first.coverage) == (second.relevance, second.coverage)
        assert type(first.end) is type(second.end)

    asyncio.run(check())
