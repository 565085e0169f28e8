"""Questions for a section itself."""

import pytest

from domain.asking.outcome import AnswerDelivered, AnswerRefused
from domain.asking.sought import asks_for_a_section
from tests.asking_world import World


@pytest.mark.parametrize(
    ("question", "asks"),
    [
        ("Was steht in § 3 BUrlG?", True),
        ("§ 5 VVG", True),
        ("Was regelt § 7 Abs. 2 des Bundesurlaubsgesetzes?", True),
        ("Zeig mir bitte den Wortlaut von Art. 6 DSGVO", True),
        ("What does § 19 VVG say?", True),
        ("Wie lang ist die Frist nach § 8 VVG?", False),
        ("Was sagt § 8 VVG zum Widerruf?", False),
        ("Was steht im Handbuch?", False),
        ("Was?", False),
        ("Was steht in § 3?", False),
    ],
)
def test_only_a_question_for_the_section_itself_is_one(question: str, asks: bool) -> None:  # noqa: FBT001
    """One word about the matter, and it asks something about the section."""
    assert asks_for_a_section(question) is asks


async def test_whoever_asks_for_a_section_reads_how_it_begins() -> None:
    """However little the reranker makes of the few words; a section that is not there stays refused."""
    world = await World().open()
    text = "Er beträgt 24 Tage. Samstage zählen mit. Feiertage nicht. Mehr dazu steht anderswo."
    await world.add("a", "burlg", text, section=("§ 3 Dauer",), title="Bundesurlaubsgesetz (BUrlG)")
    world.reranker.judge = lambda _question, _text: 0.01

    answer = await world.asking().ask(world.question("Was steht in § 3 BUrlG?"))
    missing = await world.asking().ask(world.question("Was steht in § 4 BUrlG?"))

    assert isinstance(answer.end, AnswerDelivered)
    assert [one.text for one in answer.end.sentences] == [
        "Er beträgt 24 Tage.",
        "Samstage zählen mit.",
        "Feiertage nicht.",
    ]
    assert isinstance(missing.end, AnswerRefused)
    assert missing.end.step == "none_found"
