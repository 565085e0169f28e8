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
    ],
)
def test_a_citation_names_section_and_act(text: str, expected: list[str]) -> None:
    """Lists and ranges are spelt out; the act behind them belongs to all."""
    assert [f"{one.act} {one.sign} {one.number}" for one in citations(text)] == expected


@pytest.mark.parametrize("text", ["§ 1," * 20_000, "§ 1 Abs. 1 und " * 10_000, "§" * 50_000, "§ 1 ABab" * 10_000])
def test_repetition_is_read_through(text: str) -> None:
    """A long hostile text ends, and every number in it is § 1."""
    assert {one.number for one in citations(text)} <= {"1"}
