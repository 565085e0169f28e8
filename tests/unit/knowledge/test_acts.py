"""What acts are called, and which words name one."""

import pytest

from domain.knowledge.acts import act_mentions, is_act_abbreviation, is_like, known_mentions, names_of

VVG = names_of("VVG", "Gesetz über den Versicherungsvertrag (Versicherungsvertragsgesetz - VVG)")
BGB = names_of("BGB", "Bürgerliches Gesetzbuch (BGB)")
WORKING_TIME = names_of("ArbZG", "Working time")
HANDBOOK = names_of("handbuch-bestand", "Handbuch Bestand")


@pytest.mark.parametrize(
    "text",
    [
        "nach dem VVG",
        "des Versicherungsvertragsgesetzes",
        "im Versicherungsvertragsgesetz",
        "Gesetz über den Versicherungsvertrag",
    ],
)
def test_a_document_goes_by_each_of_its_names(text: str) -> None:
    """Title, short title and abbreviation, in any inflection."""
    assert {number for _, number in known_mentions(text, [BGB, VVG])} == {1}


@pytest.mark.parametrize(
    "text", ["des Bürgerlichen Gesetzbuchs", "im Bürgerlichen Gesetzbuch", "dem Bürgerlichen Gesetzbuche"]
)
def test_every_word_of_a_name_may_be_inflected(text: str) -> None:
    """The title "Bürgerliches Gesetzbuch" is rarely written in the nominative."""
    assert [number for _, number in known_mentions(text, [BGB])] == [0]


def test_a_name_may_be_shortened_by_its_kind() -> None:
    """Only the name that the title itself has, and the shown abbreviation stays."""
    proof = names_of("NachwG", "Gesetz über den Nachweis wesentlicher Bedingungen (Nachweisgesetz - NachwG)")
    code = names_of("HGB", "Handelsgesetzbuch (HGB)")
    rule = names_of("MindZV", "Verordnung über die Mindestzuführung (Mindestzuführungsverordnung - MindZV)")
    known = [VVG, proof, code, rule]

    texts = ("§ 2 NachweisG", "nach dem HandelsGB", "die MindestzuführungsV", "das VersicherungsvertragsG")
    assert [number for text in texts for _, number in known_mentions(text, known)] == [1, 2, 3, 0]
    assert [*known_mentions("§ 2 NachwesG, § 3 VersicherungsG", known)] == []
    assert proof.shown == "NachwG"


@pytest.mark.parametrize("text", ["die VVG-Reform", "vvg", "der Versicherungsvertrag", "das Gesetzbuch", "Handbuch"])
def test_parts_of_names_are_no_names(text: str) -> None:
    """A word that occurs in a title says nothing yet."""
    assert not [*known_mentions(text, [BGB, VVG, HANDBOOK])]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Was steht im StGB?", "StGB"),
        ("nach dem Strafgesetzbuch", "Strafgesetzbuch"),
        ("Inhalt des Strafgesetzbuches", "Strafgesetzbuch"),
        ("laut Einkommensteuergesetz", "Einkommensteuergesetz"),
        ("gemäß der Anlageverordnung", "Anlageverordnung"),
        ("gemäß Betriebsverfassungsgesetz", "Betriebsverfassungsgesetz"),
        ("Einkommensteuergesetz Freibetrag", "Einkommensteuergesetz"),
        ("EStG: Freibetrag?", "EStG"),
        ("Freibetrag EStG?", "EStG"),
        ("nach der Zivilprozessordnung", "Zivilprozessordnung"),
        ("Art. 83 DSGVO", "DSGVO"),
        ("§ 18 SGB IV", "SGB IV"),
        ("nach der AnlV", "AnlV"),
    ],
)
def test_names_of_acts_are_known_by_how_they_are_built(text: str, name: str) -> None:
    """No list of acts is needed."""
    assert [one.name for one in act_mentions(text)] == [name]


@pytest.mark.parametrize(
    "text",
    [
        "Was regelt das Gesetz?",
        "nach der Rechtsordnung",
        "auf der Tagesordnung",
        "in der Hausordnung",
        "eine Verordnung des Bundes",
        "nach den Steuergesetzen",
        "durch Rechtsverordnung",
        "die AG und der VVaG",
        "das BAG hat entschieden",
        "der CEO",
        "von der UNESCO",
        "die PKV",
        "die bAV",
        "ein Naturgesetz",
        "die AGB",
        "nach § 5 AVB",
        "§ 35 GmbH-Geschäftsführer",
        "Newtons Gravitationsgesetz",
    ],
)
def test_other_words_name_no_act(text: str) -> None:
    """A wrong word would refuse a good question."""
    assert not [*act_mentions(text)]


@pytest.mark.parametrize(
    ("word", "known"),
    [
        ("Arbeitszeitgesetz", True),
        ("Vertragsgesetz", True),
        ("Versicherungsvertraggesetz", True),
        ("Strafgesetzbuch", False),
    ],
)
def test_a_name_that_may_be_meant_for_a_document_is_not_strange(word: str, *, known: bool) -> None:
    """Colloquial and misspelt names are left to the searches."""
    assert is_like(word, [VVG, BGB, WORKING_TIME]) is known


@pytest.mark.parametrize("word", ["AG", "GmbH", "EUR", "BaFin", "CEO", "OLG", "PDF", "IT-Systeme", ""])
def test_shorthands_are_not_taken_for_acts(word: str) -> None:
    """Neither legal forms nor units nor courts."""
    assert not is_act_abbreviation(word)
