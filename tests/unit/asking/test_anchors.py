"""Labels and what stands behind them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from domain.asking.anchors import label, resolve
from domain.asking.candidates import Candidate, candidates
from domain.asking.drafting import quoted as sentence_of
from domain.asking.outcome import AnchorsResolved, ResolvedLabel
from domain.asking.ports import Hit, LabelledText, PassageId, PassageText
from domain.knowledge.text import Span
from domain.mandates.rules import DISCARD
from tests.unit.asking.test_formulation import passage

Stored = Mapping[int, str]


def anchors_of(draft: Sequence[Candidate], given: PassageText, stored: Stored) -> AnchorsResolved:
    """Resolve a draft made of one passage that was selected as S1."""
    return resolve([sentence_of(one) for one in draft], label([Hit(given.id, 0.9)]), {given.id: given}, stored, DISCARD)


TEXT = "Die Frist beträgt drei Monate.\nSie endet am Monatsende."


def test_labels_count_from_one_in_the_order_of_selection() -> None:
    """The best passage is S1."""
    given = label([Hit(PassageId(7, 3), 0.9), Hit(PassageId(2, 1), 0.8)])

    assert [(one.label, one.passage.ordinal) for one in given] == [("S1", 7), ("S2", 2)]


def test_a_label_resolves_to_the_spans_of_its_sentences() -> None:
    """Both sentences stand behind the one label of their passage."""
    given = passage(TEXT)

    anchors = anchors_of(candidates([LabelledText("S1", given, 0.9)]), given, {1: TEXT})

    assert anchors.resolved == (ResolvedLabel("S1", given.id, (Span(0, 30), Span(31, 55)), None),)
    assert anchors.unknown == ()


@pytest.mark.parametrize(
    ("places", "cited", "place"),
    [
        (("Abs. 2 Nr. 3 lit. a", "Abs. 2 Nr. 4"), (0,), "Abs. 2 Nr. 3 lit. a"),
        (("Abs. 2 Nr. 3 lit. a", "Abs. 2 Nr. 4"), (0, 1), "Abs. 2 Nr. 3 lit. a, Abs. 2 Nr. 4"),
        (("Abs. 2", "Abs. 2"), (0, 1), "Abs. 2"),
        (("", "Nr. 1"), (0, 1), "Abs. 2 Nr. 3 bis 4"),
        ((), (1,), "Abs. 2 Nr. 3 bis 4"),
    ],
)
def test_a_label_names_the_place_of_what_is_cited(places: tuple[str, ...], cited: tuple[int, ...], place: str) -> None:
    """The place is that of the cited sentences; that of the passage stands in where one has none."""
    given = replace(passage(TEXT), place="Abs. 2 Nr. 3 bis 4", places=places)
    draft = candidates([LabelledText("S1", given, 0.9)])

    anchors = anchors_of([draft[one] for one in cited], given, {1: TEXT})

    assert anchors.resolved[0].place == place


def test_a_label_nobody_gave_stands_for_nothing() -> None:
    """S9 was never selected."""
    draft = candidates([LabelledText("S9", passage(TEXT), 0.9)])

    assert anchors_of(draft, passage(TEXT), {1: TEXT}).unknown == ("S9",)


def test_a_text_that_differs_by_one_character_stands_for_nothing() -> None:
    """The quote must be what the stored version says, to the last character."""
    draft = candidates([LabelledText("S1", passage(TEXT), 0.9)])

    anchors = anchors_of(draft, passage(TEXT), {1: TEXT.replace("drei", "vier")})

    assert anchors.unknown == ("S1",)
    assert [one.spans for one in anchors.resolved] == [(Span(31, 55),)]


def test_an_erased_text_resolves_nothing() -> None:
    """Without the stored text there is no anchor."""
    draft = candidates([LabelledText("S1", passage(TEXT), 0.9)])

    assert anchors_of(draft, passage(TEXT), {}).resolved == ()


def test_a_span_outside_of_its_passage_stands_for_nothing() -> None:
    """A draft may not reach beyond what was selected."""
    first = candidates([LabelledText("S1", passage("Kurz."), 0.9)])[0]
    stored = "Kurz. Und mehr."

    beyond = replace(first, span=Span(6, 15), text="Und mehr.")

    assert anchors_of([beyond], passage("Kurz."), {1: stored}).unknown == ("S1",)


def test_an_introduction_inside_the_quote_does_not_stand_above_it() -> None:
    """The sentence before a list and one of its items are one quote, from the one to the other."""
    text = "Das Team prüft.\nBeizufügen sind:\n- der Antrag,\n- die Vollmacht."
    given = passage(text)
    draft = candidates([LabelledText("S1", given, 0.9)])

    first = anchors_of([draft[0], draft[2]], given, {1: text}).resolved[0]
    second = anchors_of([draft[2]], given, {1: text}).resolved[0]

    assert first.lead_in is None
    assert second.lead_in is not None
    assert second.lead_in.of(text) == "Beizufügen sind:"
