"""How much of a question's words a passage holds."""

import pytest

from adapters.rerank.words import Wanted
from tests.twins import ANALYZER


@pytest.mark.parametrize(
    ("question", "text", "least", "most"),
    [
        ("Kündigung", "Kündigungen sind schriftlich.", 1.0, 1.0),
        ("Frist", "Die Kündigungsfrist", 1.0, 1.0),
        ("Ausschlagungsfrist", "Die Ausschlagung hat eine Frist", 0.7, 0.95),
        ("Kündigung und Urlaub", "Kündigung", 0.4, 0.6),
        ("§ 5a VVG", "§ 5 VVG", 0.0, 0.5),
        ("§ 5a VVG", "nach § 5 a VVG", 1.0, 1.0),
        ("Art. 83 DSGVO", "Die DSGVO", 0.0, 0.3),
        ("Was ist das?", "Was ist das?", 0.0, 0.0),
        ("Gesellschaft", "Hier gilt schaft nicht als Wort", 0.0, 0.5),
    ],
)
def test_the_share_of_words(question: str, text: str, least: float, most: float) -> None:
    """All words, words inside compounds and parts of compounds count in proportion."""
    assert least <= Wanted(question, ANALYZER).share(text) <= most
