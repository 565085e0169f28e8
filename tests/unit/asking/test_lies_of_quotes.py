"""A formulator that says it only quotes, and does not: what was cut is looked up again, twice."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from domain.asking.drafts import Draft, Drafted, DraftRequest
from domain.asking.outcome import AnchorsResolved, AnswerRefused
from domain.asking.ports import LabelledText, Quotable
from domain.knowledge.text import Span
from domain.mandates.events import RuleSet
from domain.recording import Actor
from tests.asking_world import World
from tests.lying import Lying, ask, delivered, label_of, of_drafts, told_lies


def passage(name: str, request: DraftRequest) -> LabelledText:
    label = label_of(name, request)
    return next(one for one in request.passages if one.label == label)


def quote(name: str, number: int, request: DraftRequest) -> Quotable:
    """Return a sentence of a passage as it is stored."""
    found = passage(name, request)
    span = found.passage.sentences[number]
    start = found.passage.span.start
    return Quotable(found.label, found.passage, span, None, found.passage.text[span.start - start : span.end - start])


def other_words(request: DraftRequest) -> Quotable:
    true = quote("frist", 0, request)
    return replace(true, text=true.text.replace("drei", "vier"))


def half(request: DraftRequest) -> Quotable:
    true = quote("probezeit", 1, request)
    return replace(true, span=Span(true.span.start, true.span.start + 50), text=true.text[:50])


def without_its_beginning(request: DraftRequest) -> Quotable:
    true = quote("untermiete", 0, request)
    return replace(true, span=Span(true.span.start + 4, true.span.end), text=true.text[4:])


def joined(request: DraftRequest) -> Quotable:
    """Return the beginning of one sentence before the end of another: "Der Vermieter" + "muss ... erklären"."""
    found = passage("frist", request)
    start = found.passage.span.start + found.passage.text.index("muss")
    lead_in = Span(found.passage.span.start, found.passage.span.start + len("Die Kündigungsfrist"))
    rest = Span(start, found.passage.span.end)
    return Quotable(
        found.label, found.passage, rest, lead_in, "Die Kündigungsfrist muss die Kündigung schriftlich erklären."
    )


def elsewhere(request: DraftRequest) -> Quotable:
    return replace(quote("frist", 0, request), label=label_of("urlaub", request))


def outside(request: DraftRequest) -> Quotable:
    true = quote("frist", 0, request)
    return replace(true, span=Span(true.span.start + 10_000, true.span.end + 10_000))


def unknown(request: DraftRequest) -> Quotable:
    return replace(quote("frist", 0, request), label="S9")


def no_words(request: DraftRequest) -> Quotable:
    true = quote("frist", 0, request)
    return replace(true, span=Span(true.span.start, true.span.start), text="")


FORGERIES = [other_words, half, without_its_beginning, joined, elsewhere, outside, unknown, no_words]


async def strike(world: World) -> None:
    mandate = await world.handler.find("a")
    event = RuleSet("integrity", "strike", "weil")
    await world.store.append(mandate.id, mandate.id, mandate.version, [event], Actor(world.anna))


async def test_an_honest_quote_is_verified() -> None:
    """It is its own evidence."""
    world = await told_lies("de")
    formulator = Lying([lambda request: Draft((Drafted("", quotable=quote("frist", 0, request)),))])

    end = delivered(await ask(world, formulator, "de"))

    assert (end.note, [one.text for one in end.sentences]) == ("verified", ["Die Kündigungsfrist beträgt drei Monate."])


@pytest.mark.parametrize("forged", FORGERIES)
async def test_a_forged_quote_spoils_the_answer(forged: Callable[[DraftRequest], Quotable]) -> None:
    """It is no sentence of the stored text, so its label stands for nothing."""
    world = await told_lies("de")
    formulator = Lying([lambda request: Draft((Drafted("", quotable=forged(request)),))])

    end = (await ask(world, formulator, "de")).end

    assert isinstance(end, AnswerRefused)
    assert end.step == "integrity"
    resolved = next(one for one in of_drafts(world) if isinstance(one, AnchorsResolved))
    assert (resolved.resolved, len(resolved.unknown)) == ((), 1)


@pytest.mark.parametrize("forged", [other_words, half, joined, elsewhere, unknown])
async def test_an_honest_quote_of_the_same_passage_does_not_cover_a_forged_one(
    forged: Callable[[DraftRequest], Quotable],
) -> None:
    """Where labels are only struck, the label is known; the sentence is checked like anybody's."""
    world = await told_lies("de")
    await strike(world)
    true = [("frist", 0), ("frist", 1), ("probezeit", 0), ("probezeit", 1), ("urlaub", 0), ("vorstand", 0)]

    def draft(request: DraftRequest) -> Draft:
        quotes = [quote(*one, request) for one in true]
        return Draft(tuple(Drafted("", quotable=one) for one in [*quotes, forged(request)]))

    end = delivered(await ask(world, Lying([draft]), "de"))

    assert [bool(one.struck) for one in end.sentences] == [*[False] * len(true), True]
    assert (end.note, end.claims, end.dropped) == ("partially_verified", len(true) + 1, 1)


async def test_nobody_is_believed_to_name_only_a_gap() -> None:
    """A claim that calls itself a gap counts as a sentence without a source."""
    world = await told_lies("de")
    true = "Der Vorstand besteht aus fünf Mitgliedern."
    formulator = Lying([Draft((Drafted(true, ("@vorstand",)), Drafted("Der Mieter haftet immer.", is_gap=True)))])

    end = (await ask(world, formulator, "de")).end

    assert isinstance(end, AnswerRefused)
    assert (end.step, end.value, end.threshold) == ("coverage", 0.5, 0.8)
