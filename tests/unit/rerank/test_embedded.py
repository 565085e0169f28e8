"""Features of the embedded reranker, and what becomes of them."""

import json
from importlib.resources import files

import pytest

from adapters.rerank import answer_kinds, features, linear
from adapters.rerank.matching import Term, Words, coverage, held, rarity
from domain.asking.ports import PassageId, PassageText
from domain.knowledge.text import Span
from tests.twins import ANALYZER

WORDS = Words(ANALYZER)
UNIT = (1.0, 0.0)


def passage(text: str, *section: str) -> PassageText:
    return PassageText(
        id=PassageId(1, 0),
        span=Span(0, len(text)),
        text=text,
        mark="",
        markup="plain",
        section=section,
        place="",
        lead_in="",
        lead_in_span=None,
        sentences=(Span(0, len(text)),),
        page=None,
        page_label=None,
        search_text="\n".join((*section, text)),
    )


def figures(question: str, one: PassageText) -> dict[str, float]:
    asked, read = features.ask(question, WORDS), features.read(one)
    meaning = features.Meaning(UNIT, [UNIT])
    return dict(zip(features.NAMES, features.features(asked, read, UNIT, meaning, WORDS), strict=True))


def test_a_rare_word_counts_more_than_a_frequent_one() -> None:
    """Rarity is read from the shipped background, and what it does not know is rarest."""
    assert 0 < rarity("versicher") < rarity("treuhand") < rarity("quastenflosser") == 1


@pytest.mark.parametrize(
    ("stem", "there", "least", "most"),
    [
        ("frist", {"frist"}, 1, 1),
        ("frist", {"kundigungsfrist"}, 0.8, 0.9),
        ("kundigungsfrist", {"frist"}, 0.2, 0.4),
        ("hagel", {"scheun"}, 0, 0),
        ("§", {"§"}, 1, 1),
        ("a", {"ab"}, 0, 0),
    ],
)
def test_a_word_is_found_whole_or_inside_a_compound(stem: str, there: set[str], least: float, most: float) -> None:
    """Exact words count fully, parts of compounds less, unrelated ones nothing."""
    assert least <= held(Term(stem), there) <= most


def test_a_compound_is_found_in_its_parts() -> None:
    """The rare part counts more than the frequent one."""
    (term,) = WORDS.terms("Kündigungsfrist")
    both, first, second = (held(term, there) for there in ({"kundig", "frist"}, {"kundig"}, {"frist"}))

    assert 0.8 <= both < 1
    assert max(first, second) < both
    (household,) = WORDS.terms("Hausratversicherung")
    assert held(household, {"versicher"}) < 0.6


def test_an_everyday_word_is_found_in_what_statutes_call_it() -> None:
    """It counts less than the word itself, and not the other way round."""
    (fired,) = WORDS.terms("Rausschmiss")
    (dismissal,) = WORDS.terms("Kündigung")

    assert 0 < held(fired, {"kundig"}) < held(dismissal, {"kundig"}) == 1
    assert held(dismissal, {"rausschmiss"}) == 0


def test_a_question_is_read_once_with_its_nouns() -> None:
    """Words in order, each once, function words left out."""
    terms = WORDS.terms("Welche Frist und welche Frist ist 2024 für 1.000 Euro?")

    assert [(term.stem, term.is_noun) for term in terms] == [
        ("frist", True),
        ("2024", False),
        ("1000", False),
        ("euro", True),
    ]


def test_nothing_asked_is_not_covered() -> None:
    """A question of function words alone covers nothing and divides by nothing."""
    assert coverage((), ()) == 0


@pytest.mark.parametrize(
    ("question", "sentence", "kind"),
    [
        ("Wie lange dauert das?", "Die Frist beträgt zwei Wochen.", "duration"),
        ("Wie hoch ist die Summe?", "Sie beträgt 250 Euro.", "amount"),
        ("Wann ist zu zahlen?", "Die Prämie ist unverzüglich zu zahlen.", "time"),
        ("Wer bestellt ihn?", "Der Aufsichtsrat bestellt ihn.", "actor"),
        ("Darf man das?", "Er darf es nicht.", "modal"),
    ],
)
def test_a_question_wants_a_kind_of_answer(question: str, sentence: str, kind: str) -> None:
    """The kind asked for is found in a sentence that gives it and not in one that does not."""
    assert kind in answer_kinds.asked(question)
    assert kind in answer_kinds.given(sentence)
    assert kind not in answer_kinds.given("Grüne Wiese hinter Bäumen.")


def test_the_cited_section_is_told_from_another() -> None:
    """1 for the section, -1 for another one, 0 where none is cited."""
    one = passage("Die Frist beträgt zwei Wochen.", "§ 5 – Fristen")

    assert [figures(text, one)["cited"] for text in ("Was sagt § 5?", "Was sagt § 5a?", "Was gilt?")] == [1, -1, 0]


def test_a_heading_counts_apart_from_the_words() -> None:
    """A word that stands in the heading alone is in no sentence."""
    found = figures("Welche Widerrufsrechte gibt es?", passage("Die Frist beträgt zwei Wochen.", "Widerrufsrechte"))

    assert found["nouns_in_sentence"] == 0
    assert found["heads"] > 0.9
    assert found["heads_asked"] > 0.9


def test_a_missing_noun_counts_apart_from_other_words() -> None:
    """What is asked about is mostly a noun."""
    one = passage("Die Hausratversicherung endet mit dem Umzug.")
    noun, verb = figures("Wann endet der Hagelschaden?", one), figures("Wann explodiert die Hausratversicherung?", one)

    assert noun["nouns_missing"] > 0 == verb["nouns_missing"]
    assert verb["others_missing"] > 0


def test_the_missing_part_of_a_compound_is_told() -> None:
    """Another insurance is not the one asked about."""
    one = passage("Die Lebensversicherung wird in Geld ausgezahlt.")

    assert figures("Wann wird die Lebensversicherung gezahlt?", one)["part_missing"] == 0
    assert figures("Wann wird die Hausratversicherung gezahlt?", one)["part_missing"] > 0.3


@pytest.mark.parametrize(
    ("question", "feature"),
    [
        ("Wie hoch ist der Mindestlohn in Frankreich?", "place_missing"),
        ("Was gilt nach österreichischem Recht?", "place_missing"),
        ("What is the notice period in the Netherlands?", "place_missing"),
        ("Wie hoch war der Beitrag im Jahr 2019?", "year_missing"),
        ("Wann endet die Probezeit von Herrn Kowalski?", "somebody"),
        ("Wie hoch ist der Zinssatz derzeit?", "today"),
        ("Wie viel Urlaub habe ich noch?", "oneself"),
    ],
)
def test_a_question_may_be_about_more_than_its_words(question: str, feature: str) -> None:
    """Each circumstance is told by its own figure, and none of them in a plain question."""
    one = passage("Der Mindestlohn beträgt zwölf Euro.")

    assert figures(question, one)[feature] == 1
    assert figures("Wie hoch ist der Mindestlohn?", one)[feature] == 0


def test_a_place_or_year_that_the_passage_speaks_of_is_not_missing() -> None:
    """However either of them writes it."""
    one = passage("Seit 2019 gilt für französische Unternehmen das Recht des Sitzes.")

    found = figures("Was gilt seit 2019 für Unternehmen in Frankreich?", one)

    assert (found["place_missing"], found["year_missing"]) == (0, 0)


@pytest.mark.parametrize("text", ["", "x" * 5000, "§" * 5000, "1.000 " * 900, "(((" * 1500, "ein Wort " * 500])
def test_any_text_gives_finite_figures(text: str) -> None:
    """Neither an empty text nor a long one breaks a feature."""
    for question in ("", text, "Wie lange?"):
        found = figures(question, passage(text)).values()

        assert all(-1 <= one <= 20 for one in found)


def test_more_of_the_question_in_a_passage_is_better() -> None:
    """The shipped weights reward what is found and punish what is missing."""
    question = "Wie lange ist die Frist für den Widerruf?"
    texts = ["Die Frist für den Widerruf beträgt zwei Wochen.", "Die Frist ist lang.", "Hagel zerstört Scheunen."]
    said = [linear.shipped().probability([*figures(question, passage(text)).values()]) for text in texts]

    assert said == sorted(said, reverse=True)
    assert said[0] > linear.shipped().threshold


def test_weights_of_other_features_are_not_taken() -> None:
    """Weights and rules belong together."""
    held_in_file = json.loads(files("adapters.rerank").joinpath(linear.WEIGHTS).read_bytes())

    with pytest.raises(ValueError, match="other features"):
        linear.parse(json.dumps({**held_in_file, "rules": held_in_file["rules"] + 1}).encode())


def test_extreme_figures_stay_probabilities() -> None:
    """However far a feature lies outside of what was trained on."""
    weights = linear.shipped()
    for far in (-1e9, -1.0, 0.0, 1.0, 1e9):
        assert 0 <= weights.probability([far] * len(features.NAMES)) <= 1
