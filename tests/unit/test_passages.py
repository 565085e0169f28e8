"""Passages: where they are cut, what they carry, what they leave out."""

import pytest

from domain.knowledge.passages import cut
from domain.knowledge.sentences import split
from domain.knowledge.text import Passage


def passages(text: str, markup: str = "markdown") -> tuple[Passage, ...]:
    return cut(text, split(text, markup), markup)


def words(count: int, last: str = ".") -> str:
    return " ".join(["Versicherung"] * count) + last


def test_a_passage_knows_its_heading_path() -> None:
    """The path holds the titles above, outermost first, without markup."""
    text = "# Teil **1**\n\nA.\n\n## § 3 – [Kündigung](#k)\n\nB.\n\n# Teil 2\n\nC."
    assert [passage.section for passage in passages(text)] == [
        ("Teil 1",),
        ("Teil 1", "§ 3 – Kündigung"),
        ("Teil 2",),
    ]


def test_divisions_of_an_act_nest_whatever_their_markup() -> None:
    """Where all headings have one depth, a § still lies below its section, and other titles stand alone."""
    text = "# Abschnitt 1\n\n# § 1 – Zweck\n\nA.\n\n# § 2\n\nB.\n\n# Abschnitt 2\n\n# § 3\n\nC.\n\n# Glossar\n\nD."
    assert [passage.section for passage in passages(text)] == [
        ("Abschnitt 1", "§ 1 – Zweck"),
        ("Abschnitt 1", "§ 2"),
        ("Abschnitt 2", "§ 3"),
        ("Glossar",),
    ]


def test_plain_text_has_numbered_headings() -> None:
    """Deeper numbers lie below shallower ones."""
    text = "3 Vertrag\n\nEr gilt für alle.\n\n3.2 Kündigung\n\nSie ist möglich.\n\n§ 7 Schluss\n\nEnde gut."
    assert [passage.section for passage in passages(text, "plain")] == [
        ("3 Vertrag",),
        ("3 Vertrag", "3.2 Kündigung"),
        ("§ 7 Schluss",),
    ]


def test_the_first_line_of_a_plain_text_is_its_title() -> None:
    """A short line by itself at the top heads what follows and introduces nothing."""
    text = f"Beschwerdemanagement\n\n1. Jede {words(40)}\n2. Eine {words(40)}\n\n2.1 Fristen\n\nVier Wochen."
    assert [(passage.section, passage.lead_in) for passage in passages(text, "plain")] == [
        (("Beschwerdemanagement",), None),
        (("Beschwerdemanagement",), None),
        (("Beschwerdemanagement", "2.1 Fristen"), None),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Die Frist beträgt drei Monate.\n\n1. Sie endet.",
        "Einzureichen sind\n\n1. der Antrag,",
        "Einzureichen:\n\n1. der Antrag,",
        "und zwar so\n\nSie endet.",
        "Eine Zeile\nund eine zweite\n\nSie endet.",
        "Nur dies",
    ],
)
def test_another_first_line_is_text(text: str) -> None:
    """A sentence, an introduction, a line that goes on, and a text of one line are no titles."""
    assert passages(text, "plain")[0].span.start == 0


def test_headings_and_metadata_lie_in_no_passage() -> None:
    """What holds no answer cannot be cited: titles, notes, and sections without a body."""
    text = "% Gesetz\n\n# § 9 – (weggefallen)\n\n# § 10\n\nEs gilt.\n\n(+++ § 10: Zur Anwendung vgl. § 9 +++)"
    assert [passage.span.of(text) for passage in passages(text)] == ["Es gilt."]


def test_a_paragraph_stays_whole() -> None:
    """Numbered paragraphs of fair length are passages of their own."""
    text = f"(1) {words(30)}\n\n(2) {words(30)} {words(10)}"
    assert [(passage.place, passage.sentences) for passage in passages(text)] == [
        ("Abs. 1", (0, 1)),
        ("Abs. 2", (1, 3)),
    ]


def test_short_paragraphs_share_a_passage() -> None:
    """Neighbours that say little alone are searched together."""
    text = "(1) Es gilt.\n\n(2) Es gilt nicht.\n\n(3) Es endet."
    assert [passage.place for passage in passages(text)] == ["Abs. 1 bis 3"]


def test_a_long_paragraph_is_cut_between_sentences() -> None:
    """Each part is at most the target long, and the parts follow without overlap or gap."""
    text = "(1) " + " ".join([words(14)] * 9)
    found = passages(text)
    assert len(found) > 1
    assert all(passage.span.end - passage.span.start <= 600 for passage in found)
    assert [passage.sentences[0] for passage in found[1:]] == [passage.sentences[1] for passage in found[:-1]]


def test_a_long_sentence_is_never_cut() -> None:
    """A sentence beyond every limit of passages is one passage."""
    text = words(120)
    assert [passage.span.of(text) for passage in passages(text)] == [text]


def test_a_heading_is_a_line_that_cannot_act() -> None:
    """Control characters and marks of direction are left out of the section, and its length is bounded."""
    text = f"# Teil\x1b[31m \u202eeins\u2066 {'x' * 1000}\n\nEs gilt."
    (found,) = passages(text)
    assert found.section == (f"Teil[31m eins {'x' * 1000}"[:300],)


def test_items_that_stand_apart_carry_their_lead_in() -> None:
    """An item says what introduced the list, and where it stands."""
    text = f"(2) Nicht erfasst sind\n\n1. {words(40, ',')}\n\n2. {words(40, ',')}\n\n3. {words(40)}"
    found = passages(text)
    assert [passage.place for passage in found] == ["Abs. 2", "Abs. 2 Nr. 2", "Abs. 2 Nr. 3"]
    assert [passage.lead_in and passage.lead_in.of(text) for passage in found] == [
        None,
        "Nicht erfasst sind",
        "Nicht erfasst sind",
    ]


def test_a_sentence_knows_its_own_place() -> None:
    """Items that share a passage are cited one by one; where all stand in one place, the passage's is enough."""
    act = "(1) Es gilt.\n\n(2) Erfasst sind\n\n1. Sachen,\n\n3. Rechte\n\na) an Sachen,\n\nb) an Rechten."
    (found,) = passages(act)
    assert found.place == "Abs. 1 bis 2"
    assert found.places == (
        "Abs. 1",
        "Abs. 2",
        "Abs. 2 Nr. 1",
        "Abs. 2 Nr. 3",
        "Abs. 2 Nr. 3 lit. a",
        "Abs. 2 Nr. 3 lit. b",
    )
    assert [passage.places for passage in passages("(1) Es gilt. Es gilt nicht.")] == [()]


def test_the_lead_in_of_a_nested_item_is_the_nearest() -> None:
    """A letter below number 2 is introduced by number 2."""
    text = (
        f"(1) Erfasst sind\n\n1. {words(40, ',')}\n\n2. Verträge über\n\n"
        f"a) {words(40, ',')}\n\nb) {words(40, ',')}\n\nc) {words(40)}"
    )
    last = passages(text)[-1]
    assert last.place == "Abs. 1 Nr. 2 lit. c"
    assert last.lead_in is not None
    assert last.lead_in.of(text) == "2. Verträge über"


def test_a_short_outer_lead_in_right_before_comes_along() -> None:
    """Where nothing stands between them, outer and inner introduction are one span."""
    text = f"(1) Erfasst sind\n\n1. Verträge über\n\na) {words(40, ',')}\n\nb) {words(40, ',')}\n\nc) {words(40)}"
    last = passages(text)[-1]
    assert last.place == "Abs. 1 Nr. 1 lit. c"
    assert last.lead_in is not None
    assert last.lead_in.of(text) == "Erfasst sind\n\n1. Verträge über"


@pytest.mark.parametrize("before", ["Es gilt.", "Gilt es?", "Es gilt …", "Er sagt: „Es gilt.“", "Es **gilt.**"])
def test_a_complete_sentence_introduces_no_list(before: str) -> None:
    """What is said before a list is not said of its items."""
    text = f"{words(90)} {before}\n\n- Keine Belege vorhanden {words(40)}\n- Widersprüche"
    assert [passage.lead_in for passage in passages(text)] == [None, None]


def test_doubled_letters_are_the_third_depth() -> None:
    """Number, letter and doubled letter make the place; the list goes on where it left off."""
    text = f"(1) Es gilt\n\n1. x\n\na) y\n\naa) {words(50)}\n\nbb) {words(50)}\n\nb) {words(50)}\n\n2. {words(50)}"
    assert [passage.place for passage in passages(text)] == [
        "Abs. 1",
        "Abs. 1 Nr. 1 lit. a lit. bb",
        "Abs. 1 Nr. 1 lit. b",
        "Abs. 1 Nr. 2",
    ]


def test_short_neighbouring_items_share_a_passage() -> None:
    """A list of short items is not scattered."""
    text = f"{words(40)} Mitzubringen sind:\n\n" + "\n\n".join(f"{n}. Ding Nummer {n}," for n in range(1, 40))
    found = passages(text)
    assert found[-1].place == f"Nr. {found[-1].place.split()[1]} bis 39"
    assert all(passage.span.end - passage.span.start >= 100 for passage in found)


def test_rows_carry_the_head_of_their_table() -> None:
    """A row far down the table says which columns it fills."""
    rows = "\n".join(f"| Stufe {n} | {n} 000 Euro und einiges mehr an Text |" for n in range(40))
    text = f"# Staffel\n\n| Stufe | Betrag |\n|---|---|\n{rows}"
    found = passages(text)
    assert len(found) > 2
    assert {passage.lead_in and passage.lead_in.of(text) for passage in found[1:]} == {"Stufe | Betrag"}


def test_a_table_of_contents_gives_no_passages() -> None:
    """Rows and lines of a table of contents name sections but answer nothing; a sentence there is kept."""
    text = (
        "# Inhaltsübersicht\n\n| § 1 | Zweck |\n|---|---|\n| § 2 | Umfang |\n\nÜbersicht\n\nSie ist nicht amtlich.\n\n"
        "# § 1 Zweck\n\nEs gilt.\n\nKündigung ........ 12"
    )
    assert [passage.span.of(text) for passage in passages(text)] == ["Sie ist nicht amtlich.", "Es gilt."]


def test_an_empty_text_has_no_passages() -> None:
    """Nothing comes of nothing."""
    assert passages("") == passages("\n\n# \n") == ()
