"""How sections and articles are cited."""

import pytest

from domain.knowledge.citations import citations


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("§ 19 Abs. 2 Satz 1 Nr. 3 VVG", ["VVG § 19"]),
        ("§ 356a BGB i.V.m. § 8 Abs. 1 VVG", ["BGB § 356a", "VVG § 8"]),
        ("§§ 19 bis 22 VVG", ["VVG § 19", "VVG § 20", "VVG § 21", "VVG § 22"]),
        ("§§ 19–21 VVG", ["VVG § 19", "VVG § 20", "VVG § 21"]),
        ("§ 5a GmbHG und § 5 a GmbHG", ["GmbHG § 5a", "GmbHG § 5a"]),
        ("§ 6 Abs 1 Z 3 lit a GmbHG", ["GmbHG § 6"]),
        ("§§ 3, 5 und 7 Abs. 2 Nr. 1 bis 3 BUrlG", ["BUrlG § 3", "BUrlG § 5", "BUrlG § 7"]),
        ("§§ 1 und 2 Absatz 3 Satz 1 und 2 VVG", ["VVG § 1", "VVG § 2"]),
        ("Art. 5 Abs. 1 lit. a DSGVO", ["DSGVO art 5"]),
        ("Artikel 12 der DSGVO", ["DSGVO art 12"]),
        ("§ 312g Absatz 1 Satz 1 des BGB", ["BGB § 312g"]),
        ("§ 8 SGB IV", ["SGB IV § 8"]),
        ("§ 5 ff. VVG", ["VVG § 5"]),
        ("§ 1 der VVG-InfoV", ["VVG-InfoV § 1"]),
        ("nach § 13 der Satzung", [" § 13"]),
        ("§ 264 Absatz 3 oder § 264b", [" § 264", " § 264b"]),
        ("§ 3 – Versicherungsschein", [" § 3"]),
        ("§ 5 an und § 6 ab", [" § 5", " § 6"]),
        ("Art der Versicherung, 5 Euro, §", []),
        ("§§ 1 bis 2385 BGB", ["BGB § 1", "BGB § 2385"]),
        ("§ 2 i. V. m. § 3 VVG", [" § 2", "VVG § 3"]),
        ("§ 2 i.V.m. § 3 VVG", [" § 2", "VVG § 3"]),
        ("§ 2 iVm § 3 VVG", [" § 2", "VVG § 3"]),
        ("§ 2 i.\u00a0S.\u00a0d. § 3 VVG", [" § 2", "VVG § 3"]),
        ("§ 2 a. F. und § 3 nF", [" § 2", " § 3"]),
        ("§§ 2 f. VVG", ["VVG § 2"]),
        ("§ 675 f BGB, § 2 a. Danach", ["BGB § 675f", " § 2a"]),
        ("§ 008 VVG und §§ 0019 bis 0021 VVG", ["VVG § 8", "VVG § 19", "VVG § 20", "VVG § 21"]),
        ("§ 0 und § 00a", [" § 0", " § 0a"]),
        ("§ ８ VVG", ["VVG § 8"]),
        ("§ ３１２ｇ", [" § 312"]),
        ("Art. ５ DSGVO", ["DSGVO art 5"]),
        ("Paragraf acht VVG", ["VVG § 8"]),
        ("Was steht in Paragraph einundzwanzig des VVG?", ["VVG § 21"]),
        ("nach Paragraf achthundertdreiundzwanzig Absatz eins BGB", ["BGB § 823"]),
        ("Paragraf fünf, dann § 3 und Paragraf dreißig", [" § 5", " § 3", " § 30"]),
        ("Gibt der Paragraf ein Recht, und sagt der Paragraf beiden etwas?", []),
        ("Der Paragraf gilt. Welcher Paragraf regelt das?", []),
    ],
)
def test_a_citation_names_section_and_act(text: str, expected: list[str]) -> None:
    """Lists and ranges are spelt out; the act behind them belongs to all."""
    assert [f"{one.act} {one.sign} {one.number}" for one in citations(text)] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("§ 6 Abs 1 Z 3 lit a GmbHG", ["GmbHG § 6 (1)"]),
        ("§6 Abs 1 GmbHG", ["GmbHG § 6 (1)"]),
        ("§8VVG", ["VVG § 8 ()"]),
        ("§\u00a08\u202fAbs.\u00a02 VVG", ["VVG § 8 (2)"]),
        ("§ 5 (2) VVG", ["VVG § 5 (2)"]),
        ("§ 823 I BGB", ["BGB § 823 (1)"]),
        ("§ 434 IV 1 BGB", ["BGB § 434 (4)"]),
        ("§ 8 Absätze 1 und 2 VVG", ["VVG § 8 (1)"]),
        ("§ 8 Satz 2 VVG", ["VVG § 8 ()"]),
        ("Paragraph 8 VVG", ["VVG § 8 ()"]),
        ("Paragrafen 8 und 9 VVG", ["VVG § 8 ()", "VVG § 9 ()"]),
        ("Section 8 (1) of the VVG", ["VVG § 8 (1)"]),
        ("sections 8 and 9 of the VVG", ["VVG § 8 ()", "VVG § 9 ()"]),
        ("Article 83 GDPR", ["GDPR art 83 ()"]),
        ("Art. 46 Abs. 1 Satz 2 und § 3", [" art 46 (1)", " § 3 ()"]),
        ("Section 3.2 of the handbook, paragraph 4.1", []),
        ("Was steht in Paragraph 5a?", [" § 5a ()"]),
    ],
)
def test_a_citation_names_the_paragraph_too(text: str, expected: list[str]) -> None:
    """Spelt out or abbreviated, in German or English, with whatever blanks."""
    assert [f"{one.act} {one.sign} {one.number} ({one.paragraph})" for one in citations(text)] == expected


def test_a_citation_knows_where_it_stands_and_what_is_not_named_itself() -> None:
    """Sections inside a range are meant but not named; what follows a citation can be read on from its end."""
    text = "Gilt §§ 19 bis 21 VVG noch?"

    found = [*citations(text)]

    assert [(one.number, one.between) for one in found] == [("19", False), ("20", True), ("21", False)]
    assert {one.span.of(text) for one in found} == {"§§ 19 bis 21 VVG"}


@pytest.mark.parametrize("text", ["§ 1," * 20_000, "§ 1 Abs. 1 und " * 10_000, "§" * 50_000, "§ 1 ABab" * 10_000])
def test_repetition_is_read_through(text: str) -> None:
    """A long hostile text ends, and every number in it is § 1."""
    assert {one.number for one in citations(text)} <= {"1"}


@pytest.mark.parametrize("text", ["§§ 1 bis " + "9" * 5_000, "§§ " + "1" * 5_000 + " bis 2", "§§ 1 bis 1000000"])
def test_a_run_of_digits_is_no_range(text: str) -> None:
    """What no act can have is taken as its two ends, and read without failing."""
    assert len([*citations(text)]) == 2
