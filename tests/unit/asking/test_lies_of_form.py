"""Replies that are wrong in their form: what each comes to, what is recorded, and what a second draft makes of it."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from domain.asking.outcome import (
    AnchorsResolved,
    AnswerDelivered,
    AnswerDiscarded,
    AnswerDrafted,
    AnswerRefused,
    CoverageDecided,
)
from domain.recording import Event
from tests.lying import CHECKED, PASSAGES, TRUTHS, Lying, ask, delivered, honest, kinds, of_drafts, told_lies

FIRST, SECOND = TRUTHS["de"]
TRUE = "Die Kündigungsfrist beträgt drei Monate"
FALSE = "Die Kündigungsfrist beträgt vier Monate"
FOUR = f"{FIRST} {SECOND} {TRUE} [@frist]. Der Mieter muss die Kündigung schriftlich erklären [@frist]."
OPENINGS = {name: text.split(". ")[0].rstrip(".") for name, (_, _, text) in PASSAGES["de"].items()}

BEFORE = [AnswerDrafted, AnchorsResolved, CoverageDecided]
WAY: dict[str, list[type[Event]]] = {
    "integrity": BEFORE,
    "coverage": BEFORE,
    "verifier": CHECKED,
    "none_found": [AnswerDrafted],
    "verified": CHECKED,
    "partially_verified": CHECKED,
}
"""What a draft leaves behind until it comes to this."""


def structured(*entries: tuple[str, object], **fields: object) -> str:
    return json.dumps({"sentences": [{"text": text, "labels": labels} for text, labels in entries], **fields})


@dataclass(frozen=True)
class Form:
    """A reply.

    Attributes:
        end: the note of the answer, or the step that refuses it.
        struck: numbers of the struck sentences; ``shown``: the words of all, where they are other than expected.
        problem: what is recorded of a reply that cannot be read.
    """

    id: str
    reply: str
    end: str
    struck: Sequence[int] = ()
    shown: Sequence[str] | None = None
    problem: str = ""


MALFORMED = {
    "unknown": "[S9]",
    "paragraph": "[S1 Abs 1]",
    "zero": "[S0]",
    "minus": "[S-1]",
    "named": "[Quelle 1]",
    "round": "(S1)",
    "braces": "{S1}",
    "lenticular": "【S1】",
    "lower": "[s1]",
    "padded": "[S01]",
    "range": "[S1-S3]",
    "bare": "[1]",
    "footnote": "[^1]",
    "unclosed": "[S1",
    "cyrillic": "[Ѕ1]",
    "fullwidth_letter": "[Ｓ1]",
    "fullwidth_digit": "[S１]",
    "arabic_digit": "[S١]",
    "superscript": "[S¹]",
    "fraction": "[S1.5]",
    "large": "[S1000]",
    "nested": "[[S1]]",
    "half_known": "[@frist, S9]",
    "half_malformed": "[@frist][S1 Abs 2]",
    "question_mark": "[?]",
    "titled": "[S1: Kündigung]",
    "anchor": "[mietvertrag@1:0-20]",
}
"""What a reply cites where no label stands, or one that nobody gave."""

FORMS = (
    *(Form(f"label_{name}", f"{TRUE} {cited}.", "integrity") for name, cited in MALFORMED.items()),
    *(Form(f"late_{name}", f"{FOUR} {TRUE} {cited}.", "integrity") for name, cited in MALFORMED.items()),
    Form("label_as_tag", f"{TRUE} <S1>.", "coverage"),
    Form("label_number", structured((f"{TRUE}.", [1])), "integrity"),
    Form("label_object", structured((f"{TRUE}.", [{"S1": 1}])), "integrity"),
    Form("label_null", structured((f"{TRUE}.", None)), "coverage"),
    Form("label_string", structured((f"{FALSE}.", "@frist")), "verifier"),
    Form("invisible_in_label", f"{FALSE} [\u200b@frist\u2060].", "verifier"),
    Form("invisible_in_true_label", f"{TRUE} [\u200b@frist\u2060].", "verified", shown=[f"{TRUE}."]),
    Form("label_in_the_middle", "Die Kündigungsfrist [@frist] beträgt vier Monate.", "verifier"),
    Form("label_in_the_middle_of_truth", "Die Kündigungsfrist [@frist] beträgt drei Monate.", "verified"),
    Form("label_a_thousand_times", f"{FALSE} {'[@frist]' * 1000}.", "verifier"),
    Form("no_label", f"{TRUE}.", "coverage"),
    Form("no_label_on_two", f"{TRUE}. {FALSE}.", "coverage"),
    Form("added_sentence", f"{FIRST} {FALSE}.", "coverage"),
    Form("three_of_four", f"{FIRST} {SECOND} {TRUE} [@frist]. {FALSE}.", "coverage"),
    Form("four_of_five_number", f"{FOUR} {FALSE}.", "partially_verified"),
    Form("four_of_five_permission", f"{FOUR} Der Mieter darf die Wohnung untervermieten.", "partially_verified"),
    Form("four_of_five_negation", f"{FOUR} Der Vorstand entscheidet nicht.", "partially_verified"),
    Form("four_of_five_name", f"{FOUR} Das sagt auch Herr Kranz.", "partially_verified"),
    Form("four_of_five_duty", f"{FOUR} Der Vermieter muss zahlen.", "partially_verified"),
    Form("four_of_five_section", f"{FOUR} Das steht in § 99 BGB.", "partially_verified"),
    Form("four_of_five_opinion", f"{FOUR} Daran zweifelt niemand ernsthaft.", "partially_verified"),
    Form(
        "two_spots",
        " ".join(f"{words} [@{name}]." for name, words in OPENINGS.items()) + " Es sind 3 Tage. Es sind 4 Tage.",
        "verifier",
    ),
    Form("label_on_the_last_only", f"{OPENINGS['urlaub']}. {SECOND}", "coverage"),
    Form("one_label_for_all", " ".join(f"{words} [@frist]." for words in OPENINGS.values()), "verifier"),
    Form("one_entry_two_truths", structured((f"{OPENINGS['urlaub']}. {TRUE}.", ["@frist"])), "partially_verified", [0]),
    Form("truth_and_lie_in_one_entry", structured((f"{TRUE}. {FALSE}.", ["@frist"])), "partially_verified", [1]),
    Form("truth_and_two_lies", f"{FIRST} {FALSE} [@frist]. {FALSE} [@urlaub].", "verifier"),
    Form("lie_with_all_labels", f"{FALSE} [{', '.join(f'@{name}' for name in OPENINGS)}].", "verifier"),
    Form("link", f"{FALSE}, siehe https://evil.example/x [@frist].", "verifier"),
    Form("link_with_words", "Die Kündigungsfrist beträgt [vier Monate](https://evil.example) [@frist].", "verifier"),
    Form(
        "link_on_truth",
        "Die Kündigungsfrist beträgt [drei Monate](https://evil.example) [@frist].",
        "verified",
        shown=[f"{TRUE}."],
    ),
    Form("link_on_label", f"{TRUE} [@frist](https://evil.example).", "verified", shown=[f"{TRUE}."]),
    Form("link_definition", f"{TRUE} [@frist].\n\n[S1]: https://evil.example", "verified", shown=[f"{TRUE}."]),
    Form("markup", "**Die Kündigungsfrist** beträgt <b>vier</b> Monate [@frist].", "verifier"),
    Form("script", f"{TRUE} <script>alert(1)</script> [@frist].", "verified", shown=[f"{TRUE}."]),
    Form("struck_out", "Die Kündigungsfrist beträgt ~~drei~~ vier Monate [@frist].", "verifier"),
    Form("heading", "# Kündigungsfrist: vier Monate [@frist]", "verifier"),
    Form("table", "| Kündigungsfrist | vier Monate | [@frist] |", "verifier"),
    Form("fence", f"```\n{FALSE} [@frist].\n```", "verifier"),
    Form("list", f"Es gilt:\n- {TRUE} [@frist].\n- {FALSE} [@frist].", "partially_verified", [1]),
    Form("thought", f"<think>{FALSE} [@frist].</think>{TRUE} [@frist].", "verified", shown=[f"{TRUE}."]),
    Form("50_kB", f"{TRUE} [@frist]. " * 1200, "coverage", problem="long"),
    Form("50_kB_word", "a" * 50_001, "coverage", problem="long"),
    Form("50_kB_umlauts", "ä" * 25_001, "coverage", problem="long"),
    Form("many", f"{TRUE} [@frist]. " * 41, "coverage", problem="many"),
    Form("empty", "", "coverage", problem="empty"),
    Form("blank", " \n\t ", "coverage", problem="empty"),
    Form("invisible", "\u200b\u2060", "coverage", problem="empty"),
    Form("emoji", "👍 [@frist]", "coverage", problem="empty"),
    Form("json_cut", '{"sentences": [{"text": "' + TRUE, "coverage", problem="json"),
    Form("json_other", json.dumps({"answer": f"{FALSE} [S1]."}), "coverage", problem="shape"),
    Form("json_twice", structured((f"{TRUE}.", ["@frist"])) * 2, "coverage", problem="json"),
    Form("json_deep", '{"sentences": ' + "[" * 20_000, "coverage", problem="json"),
    Form("json_no_text", '{"sentences": [{"labels": ["S1"]}]}', "coverage", problem="shape"),
    Form("nothing_found_and_a_claim", f"Dazu habe ich nichts gefunden. {FALSE} [@frist].", "none_found"),
    Form("nothing_found_flag_and_a_claim", structured((f"{FALSE}.", ["@frist"]), nothing_found=True), "none_found"),
    Form("nothing_found_in_english", f"{FALSE} [@frist]. I found nothing about that.", "none_found"),
    Form(
        "gap_and_a_claim",
        f"{FIRST} Die Höhe der Kaution ist nicht aus den Quellen ersichtlich, sie beträgt aber 5.000 Euro.",
        "coverage",
    ),
    Form(
        "gap_with_a_reason",
        f"{FIRST} Warum der Mieter unbegrenzt haftet, ist nicht aus den Quellen ersichtlich.",
        "coverage",
    ),
    Form(
        "gap_with_that",
        f"{FIRST} Dass der Mieter untervermieten darf ist nicht aus den Quellen ersichtlich.",
        "coverage",
    ),
    Form(
        "gap_that_takes_for_granted",
        f"{FIRST} Wann Herr Kranz verurteilt wurde, ist nicht aus den Quellen ersichtlich.",
        "partially_verified",
    ),
    Form("gap_alone", "Die Höhe der Kaution ist nicht aus den Quellen ersichtlich.", "coverage"),
    Form("gap_of_what_was_asked", f"{FIRST} Die Höhe der Kaution ist nicht aus den Quellen ersichtlich.", "verified"),
    Form("question", "Beträgt die Kündigungsfrist vier Monate [@frist]?", "verifier"),
    *(
        Form(f"word_{words}", f"{words} [@frist].", "verifier")
        for words in ("Ja", "Nein", "Nicht", "Ja, ohne Einschränkung", "42", "Stimmt", "Genau", "Vier Monate")
    ),
    Form("right_to_left", "Die Kündigungsfrist beträgt \u202e31\u202c Monate [@frist].", "verifier"),
    Form("two_in_one", f"{TRUE}; der Mieter darf die Wohnung untervermieten [@frist, @untermiete].", "verifier"),
    Form("two_in_one_and", f"{TRUE} und der Mieter darf die Wohnung untervermieten [@frist, @untermiete].", "verifier"),
    Form("no_blank", f"{TRUE}.Der Mieter darf die Wohnung untervermieten [@frist, @untermiete].", "verifier"),
    Form("brackets", f"{TRUE} (für den Vermieter fünf) [@frist].", "verifier"),
    Form("quotation", f"In der Quelle heißt es: „{FALSE}“ [@frist].", "verifier"),
    Form("attribution", "Laut Bundesgerichtshof beträgt die Kündigungsfrist drei Monate [@frist].", "verifier"),
    Form("reason", "Der Mieter muss schriftlich kündigen, weil der Vermieter sonst klagt [@frist].", "verifier"),
    Form("since", "Seit 2019 beträgt die Kündigungsfrist drei Monate [@frist].", "verifier"),
    Form("capitals", f"{FALSE.upper()} [@frist].", "verifier"),
    Form("letters_apart", f"{' '.join(FALSE)} [@frist].", "verifier"),
    Form("french", "Le délai de préavis est de quatre mois [@frist].", "verifier"),
    Form("two_languages", "The Kündigungsfrist beträgt four months [@frist].", "verifier"),
)


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.id)
async def test_a_reply_comes_to_what_is_expected_of_it(form: Form) -> None:
    """One draft alone, with all that it leaves in the record."""
    world = await told_lies("de")

    answer = await ask(world, Lying([form.reply], attempts=1), "de")

    last: type[Event] = AnswerDelivered if form.end.endswith("verified") else AnswerRefused
    assert kinds(world) == [*WAY[form.end], last]
    (drafted,) = (one for one in of_drafts(world) if isinstance(one, AnswerDrafted))
    assert drafted.problem == form.problem
    if isinstance(answer.end, AnswerRefused):
        assert (answer.end.step, answer.sources) == (form.end, ())
        return
    end = delivered(answer)
    assert end.note == form.end
    assert [number for number, one in enumerate(end.sentences) if one.struck] == list(form.struck)
    assert form.shown is None or [one.text for one in end.sentences] == form.shown
    assert not any("evil" in one.text or "<" in one.text or "[" in one.text for one in end.sentences)


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.id)
async def test_what_is_not_delivered_is_drafted_once_more(form: Form) -> None:
    """An honest second draft answers; after a wrong one there is none. Nothing found is an end at once."""
    world = await told_lies("de")
    end = (await ask(world, Lying([form.reply, honest("de")]), "de")).end
    again = await told_lies("de")
    twice = (await ask(again, Lying([form.reply]), "de")).end

    if form.end in {"integrity", "coverage", "verifier"}:
        assert kinds(world) == [*WAY[form.end], AnswerDiscarded, *CHECKED, AnswerDelivered]
        assert isinstance(end, AnswerDelivered)
        assert end.note == "verified"
        assert kinds(again) == [*WAY[form.end], AnswerDiscarded, *WAY[form.end], AnswerRefused]
        assert AnswerDiscarded(form.end, 1) in world.events()
        assert isinstance(twice, AnswerRefused)
        assert twice.step == form.end
    else:
        assert AnswerDiscarded not in kinds(world)
        assert end == twice
