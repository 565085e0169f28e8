"""Everyday words and what statutes call the same thing."""

from adapters.search.everyday import content, everyday
from adapters.search.subwords import STEM, SubwordEncoder
from tests.twins import ANALYZER

LINES = [line for line in content().decode("utf-8").splitlines() if not line.startswith("#")]


def test_the_file_has_words_on_both_sides() -> None:
    """Every line names what is asked and what is said, as single words."""
    assert len(LINES) > 100
    for line in LINES:
        asked, colon, said = line.partition(":")
        assert colon
        assert asked.split()
        assert said.split()
        assert all(word.isalpha() for word in (*asked.split(), *said.split()))


def test_a_word_leads_to_others_and_never_to_itself() -> None:
    """Looked up by stem, so that every inflection is found."""
    found = everyday(ANALYZER.stems)

    assert "kundig" in found["rauswurf"]
    assert all(stem not in others and others for stem, others in found.items())


def test_the_search_by_pieces_looks_for_what_statutes_say() -> None:
    """Beside the pieces of the question, with the weight of a stem; passages are taken at their word."""
    encoder = SubwordEncoder(ANALYZER)

    assert encoder.asked("Rauswurf")["+kundig"] == STEM
    assert "+kundig" not in encoder.features("Rauswurf")
