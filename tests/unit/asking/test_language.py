"""In which language somebody asks, and the two sentences that are fixed in each."""

import pytest

from domain.asking.fixed import says_gap, says_nothing_found
from domain.asking.language import language_of


@pytest.mark.parametrize(
    "text",
    [
        "Wie lang ist die Kündigungsfrist?",
        "Kündigungsfrist Hausrat?",
        "§ 5 BUrlG",
        "Was gilt?",
        "Was in an Fällen war?",
        "Welches Prinzip wurde in The Mask of Anarchy dargestellt?",
        "Gilt das Home Office Agreement auch für Teams in London?",
        "",
        "42",
    ],
)
def test_german_is_told_and_assumed(text: str) -> None:
    """Also where nothing decides, and with English terms in it."""
    assert language_of(text) == "de"


@pytest.mark.parametrize(
    "text",
    [
        "How long is the notice period?",
        "What does § 5 BUrlG say about part-time workers?",
        "Who may cancel the Versicherungsvertrag?",
        "Is an employer allowed to refuse it?",
        "notice period for employees in the Kündigungsschutzgesetz",
    ],
)
def test_english_is_told(text: str) -> None:
    """Also with German terms in it."""
    assert language_of(text) == "en"


@pytest.mark.parametrize(
    "sentence",
    [
        "Dazu habe ich nichts gefunden.",
        "„Dazu habe ich nichts gefunden.“",
        "dazu habe ich nichts gefunden",
        "I found nothing about that!",
        "Dazu habe ich im Wiki nichts gefunden.",
    ],
)
def test_nothing_found_is_recognised(sentence: str) -> None:
    """Whatever stands around the words."""
    assert says_nothing_found(sentence)


@pytest.mark.parametrize(
    "sentence",
    ["Dazu habe ich nichts gefunden, aber es gilt § 5.", "Ich habe nichts gefunden.", "Nichts gefunden.", ""],
)
def test_other_words_are_not_taken_for_it(sentence: str) -> None:
    """A sentence that says more is a sentence of an answer."""
    assert not says_nothing_found(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "Die Höhe der Gebühr ist nicht aus den Quellen ersichtlich.",
        "Ausnahmen sind nicht aus den Quellen ersichtlich",
        "Ob die Frist verlängert werden kann, ist nicht aus den Quellen ersichtlich.",
        "Welche Stelle zuständig ist, ist nicht aus den Quellen ersichtlich.",
        "The amount of the fee is not apparent from the sources.",
        "Whether it can be extended is not apparent from the sources.",
    ],
)
def test_a_detail_that_is_missing_is_recognised(sentence: str) -> None:
    """One thing, and that it is not in the sources."""
    assert says_gap(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "Die Gebühr von 50 € ist nicht aus den Quellen ersichtlich.",
        "Die Frist nach § 5 ist nicht aus den Quellen ersichtlich.",
        "Die Frist ist drei Monate lang, die Gebühr ist nicht aus den Quellen ersichtlich.",
        "Die Frist endet sofort und die Gebühr ist nicht aus den Quellen ersichtlich.",
        "Die Frist endet sofort – sonst ist nichts nicht aus den Quellen ersichtlich.",
        "Die Gebühr ist nicht aus den Quellen ersichtlich, beträgt aber wenig.",
        "Die Gebühr ist aus den Quellen ersichtlich.",
        "Die Gebühr beträgt wenig.",
        "nicht aus den Quellen ersichtlich",
    ],
)
def test_a_claim_cannot_hide_behind_the_prescribed_words(sentence: str) -> None:
    """What could state something besides is checked like every other sentence."""
    assert not says_gap(sentence)
