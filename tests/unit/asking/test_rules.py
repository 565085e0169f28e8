"""Sections and acts that a question names: found by number, or said not to be there."""

from datetime import date
from itertools import product

import pytest

from domain.asking.events import CandidatesReranked, RelevanceDecided
from domain.asking.named import MOST_CITED, may_name, read
from domain.asking.naming import NamedSection, SectionsNamed
from domain.asking.outcome import AnswerDelivered, AnswerRefused
from domain.asking.values import Answer
from tests.asking_world import Entry, World

VVG_TITLE = "Gesetz über den Versicherungsvertrag (Versicherungsvertragsgesetz - VVG)"
BGB_TITLE = "Bürgerliches Gesetzbuch (BGB)"
WIDERRUF = "(1) Der Widerruf ist in Textform zu erklären.\n\n(2) Die Frist beträgt vierzehn Tage."


@pytest.fixture
async def world() -> World:
    """Two acts and a handbook that reads much like them."""
    world = await World().open()
    await act(world, "VVG", VVG_TITLE, "§ 8 – Widerrufsrecht", WIDERRUF)
    await act(world, "BGB", BGB_TITLE, "§ 8 – Wohnsitz", "Ein Minderjähriger hat keinen Wohnsitz.")
    await act(world, "BGB2", "Zweites Buch", "§ 355 – Widerruf", "Der Widerruf nach § 8 VVG ist in Textform.")
    await world.add("a", "handbuch", "Nach Art. 33 DSGVO melden wir binnen 72 Stunden.", section=("Datenschutz",))
    return world


async def act(world: World, key: str, title: str, heading: str, text: str, **options: object) -> Entry:
    return await world.add("a", key, text, section=(heading,), title=title, **options)  # type: ignore[arg-type]


async def ask(world: World, text: str, **options: object) -> Answer:
    return await world.asking().ask(world.question(text, **options))


async def first(world: World, text: str, **options: object) -> str:
    """Return the passage at fused rank 1: its document and number."""
    finding = await world.asking().search(world.question(text, **options))
    found = finding.entries("fused")[0]
    return f"{found.version.key} {found.passage.id.number}"


@pytest.mark.parametrize(
    "text",
    [
        "§ 8 Abs. 2 VVG",
        "§8 Abs 2 VVG",
        "§\u00a08\u00a0Abs.\u00a02\u00a0VVG",
        "§ 8 Abs 2 Z 3 lit a VVG",
        "§ 8 (2) VVG",
        "§ 8 II VVG",
        "§ 8 Abs. 2 vvg",
        "Paragraph 8 Absatz 2 VVG",
        "Section 8 (2) of the VVG",
        "nach § 8 Abs. 2 des Versicherungsvertragsgesetzes",
        "Was steht im VVG in § 8 Abs. 2?",
        "Was sagt VVG § 8 Abs. 2 zum Wohnsitz eines Minderjährigen?",
        "Gesetz über den Versicherungsvertrag, § 8 Absatz 2",
        "§§ 8 Abs. 2 bis 9 VVG i. V. m. § 8 BGB",
    ],
)
async def test_a_cited_paragraph_stands_at_rank_one(text: str) -> None:
    """In every notation, whatever else the question says."""
    world = await World().open()
    await act(world, "VVG", VVG_TITLE, "§ 8 – Widerrufsrecht", WIDERRUF)
    await act(world, "VVG9", VVG_TITLE, "§ 9 – Rechtsfolgen", "Die Prämie ist zu erstatten.")
    await act(world, "BGB", BGB_TITLE, "§ 8 – Wohnsitz", "Ein Minderjähriger hat keinen Wohnsitz.")

    assert await first(world, text) == "VVG 1"


async def test_a_cited_paragraph_stays_first_when_others_are_scored_higher(world: World) -> None:
    """The reranker knows nothing of numbers; its score stays what it is, and the gate reads the best one."""
    world.reranker.judge = lambda _question, text: 0.2 if "Textform zu erklären" in text else 0.6

    finding = await world.asking().search(world.question("Was verlangt § 8 Abs. 1 VVG?"))

    ranked = [(f"{one.version.key} {one.passage.id.number}", one.score) for one in finding.entries("reranked")]
    assert ranked[0] == ("VVG 0", 0.2)
    assert {score for _, score in ranked[1:]} == {0.6}


async def test_sections_of_several_acts_come_in_turn(world: World) -> None:
    """The first of each before the second of any."""
    finding = await world.asking().search(world.question("§ 8 BGB i.V.m. § 8 Abs. 1 VVG"))

    assert [str(one.anchor).partition(":")[0] for one in finding.entries("cited")] == ["BGB@1", "VVG@1", "VVG@1"]
    assert [one.rank for one in finding.entries("cited")] == [1, 2, 3]


async def test_a_number_alone_pins_only_what_is_unique(world: World) -> None:
    """With "§ 8" in two acts nobody knows which is meant."""
    alone = await world.asking().search(world.question("Was regelt § 355?"))
    doubtful = await world.asking().search(world.question("Was regelt § 8?"))

    assert [one.version.key for one in alone.entries("cited")] == ["BGB2"]
    assert doubtful.entries("cited") == ()


@pytest.mark.parametrize(
    ("text", "reason", "named"),
    [
        ("Was steht in § 2500 BGB?", "section_unknown", ("BGB", "§ 2500")),
        ("Was steht in § 8a VVG zum Widerruf?", "section_unknown", ("VVG", "§ 8a")),
        ("Gilt § 8 VVG auch für § 900 BGB?", "section_unknown", ("BGB", "§ 900")),
        ("Was regelt § 263 StGB?", "act_foreign", ("StGB", "§ 263")),
        ("Welche Strafe droht nach dem Strafgesetzbuch?", "act_foreign", ("Strafgesetzbuch", "")),
        ("Welches Bußgeld sieht Art. 83 EUDSG vor?", "act_foreign", ("EUDSG", "Art. 83")),
        ("Was regelt § 4711?", "section_unknown", ("", "§ 4711")),
    ],
)
async def test_what_is_not_there_is_said(world: World, text: str, reason: str, named: tuple[str, str]) -> None:
    """The refusal comes before anything is scored, and names what is missing."""
    answer = await ask(world, text)

    assert isinstance(answer.end, AnswerRefused)
    assert (answer.end.step, answer.end.reason) == ("none_found", reason)
    assert [(one.act, one.section) for one in answer.named if one.standing != "in_force"] == [named]
    kinds = [type(event) for event in world.events()]
    assert SectionsNamed in kinds
    assert CandidatesReranked not in kinds
    assert RelevanceDecided not in kinds


async def test_a_handbook_may_explain_an_act_that_is_not_there(world: World) -> None:
    """A document that is no act speaks of the article: then the words decide."""
    answer = await ask(world, "Wann melden wir nach Art. 33 DSGVO?")

    assert isinstance(answer.end, AnswerDelivered)
    assert answer.sources[0].shown.document == "handbuch"


@pytest.mark.parametrize(
    ("day", "since", "until"),
    [(date(2023, 1, 1), date(2024, 1, 1), None), (date(2026, 6, 1), None, date(2026, 1, 1))],
)
async def test_a_section_that_is_not_in_force_is_said_with_the_days(
    world: World, day: date, since: date | None, until: date | None
) -> None:
    """The act is in force on the day, the section is not."""
    await act(world, "VAG", "Versicherungsaufsichtsgesetz (VAG)", "§ 1 – Zweck", "Aufsicht.", valid_to=date(2024, 1, 1))
    stretch = {"valid_from": date(2024, 1, 1), "valid_to": date(2026, 1, 1)}
    await act(world, "VAG", "Versicherungsaufsichtsgesetz (VAG)", "§ 7 – ORSA", "Beurteilung.", version=2, **stretch)
    await act(
        world, "VAG", "Versicherungsaufsichtsgesetz (VAG)", "§ 1 – Zweck", "A.", version=3, valid_from=date(2026, 1, 1)
    )

    answer = await ask(world, "Was regelt § 7 VAG?", valid_on=day)

    assert isinstance(answer.end, AnswerRefused)
    assert answer.end.reason == "section_not_in_force"
    (named,) = answer.named
    assert (named.since, named.until) == (since, until)
    assert (await ask(world, "Was regelt § 7 VAG?", valid_on=date(2025, 1, 1))).named[0].standing == "in_force"


async def test_an_act_that_is_not_in_force_is_said(world: World) -> None:
    """Named as a whole, without a section."""
    await act(world, "PflVG", "Pflichtversicherungsgesetz", "§ 1", "Der Halter.", valid_to=date(2024, 1, 1))

    answer = await ask(world, "Wer muss sich nach dem Pflichtversicherungsgesetz versichern?")

    assert isinstance(answer.end, AnswerRefused)
    assert answer.end.reason == "act_not_in_force"
    assert answer.named == (
        NamedSection("PflVG", "", "not_in_force", None, date(2024, 1, 1), answer.named[0].ordinals),
    )


async def test_what_is_hidden_looks_like_what_does_not_exist() -> None:
    """A section above the clearance, in another mandate, and one that nobody has: one and the same refusal."""

    async def refused(where: str, level: str, heading: str) -> object:
        world = await World().open()
        await act(world, "VVG", VVG_TITLE, "§ 8 – Widerrufsrecht", WIDERRUF)
        await world.add(where, "VVG-neu", "Geheim.", section=(heading,), title=VVG_TITLE, level=level)
        answer = await world.asking().ask(world.question("Was regelt § 77 VVG?", asker=world.bert))
        return answer.end, answer.named

    nobody = await refused("a", "internal", "§ 78 – Anderes")
    assert await refused("a", "secret", "§ 77 – Verdeckt") == await refused("b", "internal", "§ 77 – Fremd")
    assert (await refused("a", "secret", "§ 77 – Verdeckt"))[1] == nobody[1]  # type: ignore[index]


async def test_narrowing_narrows_the_rules(world: World) -> None:
    """What stands outside the documents asked for does not exist for the question."""
    answer = await ask(world, "Was regelt § 8 VVG?", documents=("BGB",))

    assert isinstance(answer.end, AnswerRefused)
    assert answer.end.reason == "act_foreign"
    assert await first(world, "§ 8", documents=("VVG",)) == "VVG 0"


@pytest.mark.parametrize("text", ["Wie lang ist die Frist?", "Welche Kündigungsfrist gilt für Sachversicherungen?"])
def test_most_questions_name_nothing(text: str) -> None:
    """For them nobody looks which documents there are."""
    assert not may_name(text)


def test_a_question_full_of_sections_is_read_in_no_time() -> None:
    """What costs is how many sections are looked up, and that has an end, however long the question."""
    text = "".join(f"§§ 1 bis 60 {''.join(letters)}G, " for letters in product("ABCDEFGHIJ", repeat=2))

    assert len(read(text, ()).wanted) == MOST_CITED


async def test_an_answer_is_taken_from_the_section_that_the_question_cites(world: World) -> None:
    """Not from one that departs from it in the same words; where the cited one does not pass the gate, it may be."""
    departing = "Abweichend von § 8 beträgt die Frist für den Widerruf dreißig Tage."
    await act(world, "LVVG", "Leben", "§ 152 – Widerruf", departing)

    answer = await ask(world, "Wie viele Tage beträgt die Frist nach § 8 Abs. 2 VVG?")
    other = await ask(world, "Beträgt die Frist dreißig Tage abweichend von § 8 Abs. 1 BGB?")

    assert [source.shown.document for source in answer.sources] == ["VVG"]
    assert [source.shown.document for source in other.sources] == ["LVVG"]
