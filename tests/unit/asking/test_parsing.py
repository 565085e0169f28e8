"""What models reply, and the draft that is read out of it."""

import json
from time import process_time
from typing import Any

import pytest

from domain.asking.drafts import Draft, Drafted
from domain.asking.parsing import LONGEST_REPLY, MOST_SENTENCES, is_structured, parse


def one(text: str, *labels: str, malformed: tuple[str, ...] = (), is_gap: bool = False) -> Drafted:
    return Drafted(text, labels, malformed, is_gap)


def wrong(text: str, *malformed: str) -> Drafted:
    return Drafted(text, (), malformed)


def structured(*entries: Any, **more: Any) -> str:
    return json.dumps({"sentences": list(entries), "nothing_found": False, **more}, ensure_ascii=False)


def entry(text: Any, *labels: Any) -> dict[str, Any]:
    return {"text": text, "labels": list(labels)}


FRIST = "Die Frist beträgt drei Monate."
ENDE = "Sie endet am Monatsende."

PROSE = {
    "a label before the full stop": ("Die Frist beträgt drei Monate [S1].", [one(FRIST, "S1")]),
    "a label behind the full stop": ("Die Frist beträgt drei Monate. [S1]", [one(FRIST, "S1")]),
    "a label that touches the word": ("Die Frist beträgt drei Monate[S1].", [one(FRIST, "S1")]),
    "a label in the middle": ("Die Frist [S1] beträgt drei Monate.", [one(FRIST, "S1")]),
    "a label in front": ("[S1] Die Frist beträgt drei Monate.", [one(FRIST, "S1")]),
    "two labels in one bracket": ("Die Frist beträgt drei Monate [S1, S2].", [one(FRIST, "S1", "S2")]),
    "two brackets": ("Die Frist beträgt drei Monate [S1][S2].", [one(FRIST, "S1", "S2")]),
    "two brackets with a comma": ("Die Frist beträgt drei Monate [S1], [S2].", [one(FRIST, "S1", "S2")]),
    "two brackets in words": ("Die Frist beträgt drei Monate [S1] und [S2].", [one(FRIST, "S1", "S2")]),
    "two labels in words": ("Die Frist beträgt drei Monate [S1 und S2].", [one(FRIST, "S1", "S2")]),
    "two labels by semicolon": ("Die Frist beträgt drei Monate [S3;S1].", [one(FRIST, "S3", "S1")]),
    "a label twice": ("Die Frist [S1] beträgt drei Monate [S1].", [one(FRIST, "S1")]),
    "blanks inside the bracket": ("Die Frist beträgt drei Monate [ S1 ].", [one(FRIST, "S1")]),
    "escaped brackets": (r"Die Frist beträgt drei Monate \[S1\].", [one(FRIST, "S1")]),
    "a label nobody gave": ("Die Frist beträgt drei Monate [S9].", [one(FRIST, "S9")]),
    "no label": (FRIST, [one(FRIST)]),
    "labels behind each full stop": (f"{FRIST} [S1] {ENDE} [S2]", [one(FRIST, "S1"), one(ENDE, "S2")]),
    "labels in front of each": (f"[S1] {FRIST} [S2] {ENDE}", [one(FRIST, "S1"), one(ENDE, "S2")]),
    "the second has none": (f"{FRIST} [S1] {ENDE}", [one(FRIST, "S1"), one(ENDE)]),
    "a label on a line of its own": (f"{FRIST}\n[S1]\n{ENDE}\n[S2]", [one(FRIST, "S1"), one(ENDE, "S2")]),
    "a list of sources at the end": (f"{FRIST}\nQuellen: [S1], [S2]", [one(FRIST, "S1", "S2")]),
    "an announced answer": ("Antwort: Die Frist beträgt drei Monate [S1].", [one(FRIST, "S1")]),
    "a line broken in the sentence": ("Die Frist beträgt\ndrei Monate [S1].", [one(FRIST, "S1")]),
    "abbreviations": (
        "Nach § 6 Abs. 1 Nr. 2 GmbHG gilt z. B. die Frist von ca. 90 Tagen [S1]. Sie endet i. d. R. bald [S2].",
        [
            one("Nach § 6 Abs. 1 Nr. 2 GmbHG gilt z. B. die Frist von ca. 90 Tagen.", "S1"),
            one("Sie endet i. d. R. bald.", "S2"),
        ],
    ),
    "a date with full stops": ("Sie gilt ab 1. Januar 2026 [S1].", [one("Sie gilt ab 1. Januar 2026.", "S1")]),
    "a date in front": ("1. Januar 2026 ist der Stichtag [S1].", [one("1. Januar 2026 ist der Stichtag.", "S1")]),
    "a list with dashes": ("- A gilt [S1]\n- B gilt [S2]", [one("A gilt", "S1"), one("B gilt", "S2")]),
    "a numbered list": ("1. A gilt [S1].\n2. B gilt [S2].", [one("A gilt.", "S1"), one("B gilt.", "S2")]),
    "a list of numbers": ("- 3 Monate [S1]\n- 1 Jahr [S2]", [one("3 Monate", "S1"), one("1 Jahr", "S2")]),
    "a number below zero": ("-5 °C ist die Grenze [S1].", [one("-5 °C ist die Grenze.", "S1")]),
    "a list with an introduction": (
        "Die Frist beträgt:\n- drei Monate [S1]\n- für Wohnungen ein Jahr [S2]",
        [one("Die Frist beträgt: drei Monate", "S1"), one("Die Frist beträgt: für Wohnungen ein Jahr", "S2")],
    ),
    "an introduction to nothing": ("Die Frist beträgt:\n- …", [one("Die Frist beträgt:")]),
    "a heading": ("## Frist\nDie Frist beträgt drei Monate [S1].", [one("Frist"), one(FRIST, "S1")]),
    "a rule between lines": (f"{FRIST} [S1]\n---\n{ENDE} [S2]", [one(FRIST, "S1"), one(ENDE, "S2")]),
    "a quotation mark of Markdown": ("> Die Frist beträgt drei Monate [S1].", [one(FRIST, "S1")]),
    "an ellipsis in brackets": (
        "Die Frist […] beträgt drei Monate [S1].",
        [one("Die Frist […] beträgt drei Monate.", "S1")],
    ),
    "another word in brackets": (
        "[Die] Frist beträgt drei Monate [S1].",
        [one("[Die] Frist beträgt drei Monate.", "S1")],
    ),
    "a detail that is missing": (
        f"{FRIST} [S1] Die Höhe der Gebühr ist nicht aus den Quellen ersichtlich.",
        [one(FRIST, "S1"), one("Die Höhe der Gebühr ist nicht aus den Quellen ersichtlich.", is_gap=True)],
    ),
    "a figure behind the prescribed words": (
        "Die Gebühr von 50 € ist nicht aus den Quellen ersichtlich.",
        [one("Die Gebühr von 50 € ist nicht aus den Quellen ersichtlich.")],
    ),
    "a claim behind the prescribed words": (
        "Die Kündigung bedarf der Schriftform und die Frist ist nicht aus den Quellen ersichtlich.",
        [one("Die Kündigung bedarf der Schriftform und die Frist ist nicht aus den Quellen ersichtlich.")],
    ),
    "another language": ("The notice period is three months [S1].", [one("The notice period is three months.", "S1")]),
}

MALFORMED = {
    "a place inside the label": ("Die Frist beträgt drei Monate [S1 Abs 1].", [wrong(FRIST, "[S1 Abs 1]")]),
    "a place behind the comma": (
        "Die Frist beträgt drei Monate [S1, Abs. 1].",
        [one(FRIST, "S1", malformed=("[Abs. 1]",))],
    ),
    "a zero": ("Die Frist beträgt drei Monate [S0].", [wrong(FRIST, "[S0]")]),
    "a leading zero": ("Die Frist beträgt drei Monate [S01].", [wrong(FRIST, "[S01]")]),
    "a small letter": ("Die Frist beträgt drei Monate [s1].", [wrong(FRIST, "[s1]")]),
    "a range": ("Die Frist beträgt drei Monate [S1-S3].", [wrong(FRIST, "[S1-S3]")]),
    "a huge number": ("Die Frist beträgt drei Monate [S1234].", [wrong(FRIST, "[S1234]")]),
    "a word and a number": ("Die Frist beträgt drei Monate [Quelle 2].", [wrong(FRIST, "[Quelle 2]")]),
    "an English word and a number": ("Die Frist beträgt drei Monate [Source 2].", [wrong(FRIST, "[Source 2]")]),
    "a bare number": ("Die Frist beträgt drei Monate [1].", [wrong(FRIST, "[1]")]),
    "a footnote": ("Die Frist beträgt drei Monate [^1].", [wrong(FRIST, "[^1]")]),
    "round brackets": ("Die Frist beträgt drei Monate (S1).", [wrong(FRIST, "(S1)")]),
    "lenticular brackets": ("Die Frist beträgt drei Monate 【S1】.", [wrong(FRIST, "【S1】")]),
    "full-width letters": ("Die Frist beträgt drei Monate [Ｓ１].", [wrong(FRIST, "[Ｓ１]")]),
    "a Cyrillic letter": ("Die Frist beträgt drei Monate [Ѕ1].", [wrong(FRIST, "[Ѕ1]")]),
    "another letter": ("Die Frist beträgt drei Monate [Q2].", [wrong(FRIST, "[Q2]")]),
    "double brackets": ("Die Frist beträgt drei Monate [[S1]].", [wrong(FRIST, "[[S1]]")]),
    "never closed": ("Die Frist beträgt drei Monate [S1", [wrong("Die Frist beträgt drei Monate", "[S1")]),
    "our own mark for a bad label": ("Die Frist beträgt drei Monate [?].", [wrong(FRIST, "[?]")]),
    "a placeholder": ("Die Frist beträgt drei Monate [Sx].", [wrong(FRIST, "[Sx]")]),
    "one good, one bad": ("Die Frist beträgt drei Monate [S1, S0].", [one(FRIST, "S1", malformed=("[S0]",))]),
}

MARKUP = {
    "a link of Markdown keeps its words": (
        "Die [Frist](https://evil.example/a?b=(c)) beträgt drei Monate [S1].",
        [one(FRIST, "S1")],
    ),
    "a label that is a link stays a label": (
        "Die Frist beträgt drei Monate [S1](https://evil.example).",
        [one(FRIST, "S1")],
    ),
    "an image": ("Die ![Bild](https://evil.example/p.png) Frist beträgt drei Monate [S1].", [one(FRIST, "S1")]),
    "a bare address": ("Die Frist https://evil.example/x,y beträgt drei Monate [S1].", [one(FRIST, "S1")]),
    "an address at the end": ("Die Frist beträgt drei Monate [S1] https://evil.example.", [one(FRIST, "S1")]),
    "an address in angle brackets": ("Die Frist <https://evil.example> beträgt drei Monate [S1].", [one(FRIST, "S1")]),
    "an address without scheme": ("Die Frist (www.evil.example/x) beträgt drei Monate [S1].", [one(FRIST, "S1")]),
    "a bare host": ("Die Frist evil-bank.com/login beträgt drei Monate [S1].", [one(FRIST, "S1")]),
    "a script as an address": ("Die [Frist](javascript:alert(1)) beträgt drei Monate [S1].", [one(FRIST, "S1")]),
    "a reference": (
        "Die Frist beträgt drei Monate [S1].\n[link]: https://evil.example",
        [one(FRIST, "S1")],
    ),
    "HTML": ("<p>Die <b>Frist</b> beträgt<br/> drei Monate [S1].</p>", [one(FRIST, "S1")]),
    "an event in a tag": ('Die <img src=x onerror="alert(1)">Frist beträgt drei Monate [S1].', [one(FRIST, "S1")]),
    "a script": ("<script>alert('Die Frist')</script>Die Frist beträgt drei Monate [S1].", [one(FRIST, "S1")]),
    "a comment": ("Die Frist <!-- [S2] gilt nicht --> beträgt drei Monate [S1].", [one(FRIST, "S1")]),
    "entities": ("Die &lt;b&gt;Frist&lt;/b&gt; betr&auml;gt drei Monate [S1].", [one(FRIST, "S1")]),
    "emphasis": ("Die **Frist** beträgt *drei* ~~Monate~~ [S1].", [one(FRIST, "S1")]),
    "a calculation is no emphasis": (
        "Das sind 5 * 3 = 15 Tage * Jahre [S1].",
        [one("Das sind 5 * 3 = 15 Tage * Jahre.", "S1")],
    ),
    "a comparison is no tag": (
        "Das gilt bei < 5 und > 3 Jahren [S1].",
        [one("Das gilt bei < 5 und > 3 Jahren.", "S1")],
    ),
    "invisible characters": (
        "Die Fr\u200bist\u202e beträgt\u00ad drei\U000e0041 Monate [S\u200b1].",
        [one(FRIST, "S1")],
    ),
    "control characters": ("Die Frist\x00 beträgt\x1b drei Monate [S1].", [one(FRIST, "S1")]),
    "a decomposed umlaut": ("Die Frist betra\u0308gt drei Monate [S1].", [one(FRIST, "S1")]),
    "a special token": ("Die Frist beträgt drei Monate [S1].<|im_end|></s>", [one(FRIST, "S1")]),
    "thoughts": ("<think>Steht in [S2]? Nein.</think>\nDie Frist beträgt drei Monate [S1].", [one(FRIST, "S1")]),
    "thoughts without a beginning": ("Ich überlege.</think>Die Frist beträgt drei Monate [S1].", [one(FRIST, "S1")]),
    "a fence around prose": ("```\nDie Frist beträgt drei Monate [S1].\n```", [one(FRIST, "S1")]),
}

STRUCTURED = {
    "as asked": (structured(entry(FRIST, "S1")), [one(FRIST, "S1")]),
    "two sentences": (
        structured(entry(FRIST, "S1"), entry(ENDE, "S1", "S2")),
        [one(FRIST, "S1"), one(ENDE, "S1", "S2")],
    ),
    "two sentences in one entry": (structured(entry(f"{FRIST} {ENDE}", "S1")), [one(FRIST, "S1"), one(ENDE, "S1")]),
    "a label in the text as well": (
        structured(entry("Die Frist beträgt drei Monate [S2].", "S1")),
        [one(FRIST, "S2", "S1")],
    ),
    "labels with brackets": (structured(entry(FRIST, "[S1]", "[S2, S3]")), [one(FRIST, "S1", "S2", "S3")]),
    "labels in one string": (structured({"text": FRIST, "labels": "S1, S2"}), [one(FRIST, "S1", "S2")]),
    "no labels": (structured(entry(FRIST)), [one(FRIST)]),
    "labels left out": (structured({"text": FRIST}), [one(FRIST)]),
    "labels are null": (structured({"text": FRIST, "labels": None}), [one(FRIST)]),
    "a malformed label": (structured(entry(FRIST, "S1 Abs 1")), [wrong(FRIST, "[S1 Abs 1]")]),
    "words as a label": (structured(entry(FRIST, "Handbuch")), [wrong(FRIST, "[Handbuch]")]),
    "more than a label": (structured(entry(FRIST, "[S1] Handbuch")), [one(FRIST, "S1", malformed=("[S1] Handbuch",))]),
    "a number as a label": (structured(entry(FRIST, 1)), [wrong(FRIST, "[1]")]),
    "a label that is empty": (structured(entry(FRIST, "")), [wrong(FRIST, "[]")]),
    "an object as a label": (structured(entry(FRIST, {"a": 1})), [wrong(FRIST, "[{'a': 1}]")]),
    "a fence": (f"```json\n{structured(entry(FRIST, 'S1'))}\n```", [one(FRIST, "S1")]),
    "words around": (f"Gern!\n{structured(entry(FRIST, 'S1'))}\nNoch Fragen?", [one(FRIST, "S1")]),
    "thoughts before": (f"<think>{{}}</think>{structured(entry(FRIST, 'S1'))}", [one(FRIST, "S1")]),
    "a bare list": (json.dumps([entry(FRIST, "S1")]), [one(FRIST, "S1")]),
    "a list in a fence": (f"```json\n{json.dumps([entry(FRIST, 'S1')])}\n```", [one(FRIST, "S1")]),
    "sentences as strings": (structured("Die Frist beträgt drei Monate [S1]."), [one(FRIST, "S1")]),
    "a string of JSON": (json.dumps("Die Frist beträgt drei Monate [S1]."), [one(FRIST, "S1")]),
    "markup in the text": (structured(entry("Die **Frist** <b>beträgt</b> drei Monate.", "S1")), [one(FRIST, "S1")]),
    "a lone surrogate": (
        '{"sentences": [{"text": "Die Frist\\ud800 beträgt drei Monate.", "labels": ["S1"]}]}',
        [one(FRIST, "S1")],
    ),
    "further fields": (structured({**entry(FRIST, "S1"), "score": 1}, note="x"), [one(FRIST, "S1")]),
    "an entry without words": (structured(entry("…", "S1"), entry(FRIST, "S1")), [one(FRIST, "S1")]),
}

NOTHING = [
    "Dazu habe ich nichts gefunden.",
    "„Dazu habe ich nichts gefunden.“",
    "**Dazu habe ich nichts gefunden**",
    '"Dazu habe ich nichts gefunden."',
    "Antwort: Dazu habe ich nichts gefunden. [S1]",
    "Dazu habe ich im Wiki nichts gefunden.",
    "I found nothing about that.",
    '{"sentences": [], "nothing_found": true}',
    '{"nothing_found": true}',
    '{"sentences": null, "nothing_found": "ja"}',
    structured(entry("Dazu habe ich nichts gefunden.")),
]

UNREADABLE = {
    "": "empty",
    "  \n\t ": "empty",
    "…": "empty",
    "[S1]": "empty",
    "https://evil.example": "empty",
    "<think>Ich überlege noch": "empty",
    "{}": "shape",
    "[]": "empty",
    structured(): "empty",
    structured(entry("")): "empty",
    "{": "json",
    '{"sentences": [{"text": "Die Frist': "json",
    '{"sentences": [{"text": "Die Frist" "labels": []}]}': "json",
    "{'sentences': []}": "json",
    structured(entry(FRIST, "S1")) * 2: "json",
    '{"sentences": ' + "[" * 20_000: "json",
    '{"sentences": ' + "9" * 20_000: "json",
    '{"answer": "Die Frist beträgt drei Monate."}': "shape",
    '{"sentences": "Die Frist beträgt drei Monate."}': "shape",
    '{"sentences": [1]}': "shape",
    structured(entry(1, "S1")): "shape",
    structured([FRIST]): "shape",
    "[1]" * 3: "empty",
    f"{FRIST} [S1] " * (MOST_SENTENCES + 1): "many",
    structured(*[entry(FRIST, "S1")] * (MOST_SENTENCES + 1)): "many",
    "Lang. " * 10_000: "long",
    "ä" * (LONGEST_REPLY // 2 + 1): "long",
}


@pytest.mark.parametrize(("reply", "sentences"), PROSE.values(), ids=PROSE)
def test_prose_is_read_with_its_labels(reply: str, sentences: list[Drafted]) -> None:
    """Wherever they stand, each sentence has its own; their words stay as they were."""
    assert parse(reply) == Draft(tuple(sentences), reply=reply)


@pytest.mark.parametrize(("reply", "sentences"), MALFORMED.values(), ids=MALFORMED)
def test_what_only_looks_like_a_label_is_kept_apart(reply: str, sentences: list[Drafted]) -> None:
    """It is never guessed at, and never left in the text, where it would pass for an anchor."""
    assert parse(reply) == Draft(tuple(sentences), reply=reply)


@pytest.mark.parametrize(("reply", "sentences"), MARKUP.values(), ids=MARKUP)
def test_links_and_markup_go_and_words_stay(reply: str, sentences: list[Drafted]) -> None:
    """Nothing is left that a chat client or a browser would act upon."""
    assert parse(reply).sentences == tuple(sentences)


@pytest.mark.parametrize(("reply", "sentences"), STRUCTURED.values(), ids=STRUCTURED)
def test_a_structured_reply_is_read(reply: str, sentences: list[Drafted]) -> None:
    """In the form that was asked for, and where a server does not hold a model to it, near that form."""
    assert parse(reply) == Draft(tuple(sentences), reply=reply)


@pytest.mark.parametrize("reply", NOTHING)
def test_the_fixed_sentence_is_recognised(reply: str) -> None:
    """In either language and form; it is no sentence of an answer."""
    assert parse(reply) == Draft(nothing_found=True, reply=reply)


def test_an_answer_beside_the_fixed_sentence_is_none() -> None:
    """What else was written is kept for the record only."""
    prose = parse(f"Dazu habe ich nichts gefunden. {FRIST} [S1]")
    both = parse(structured(entry(FRIST, "S1"), nothing_found=True))

    assert (prose.nothing_found, both.nothing_found) == (True, True)
    assert prose.sentences == both.sentences == (one(FRIST, "S1"),)


@pytest.mark.parametrize(("reply", "problem"), UNREADABLE.items(), ids=range(len(UNREADABLE)))
def test_what_cannot_be_read_is_no_answer_and_says_why(reply: str, problem: str) -> None:
    """Broken structure never passes for prose, and nothing is shortened to fit."""
    draft = parse(reply)

    assert (draft.sentences, draft.nothing_found, draft.problem) == ((), False, problem)


def test_a_reply_is_kept_as_it_can_be_recorded() -> None:
    """No database takes a lone surrogate or NUL; of an endless reply the beginning is enough."""
    assert parse("Die Frist\ud800\0 gilt [S1].").reply == "Die Frist?\ufffd gilt [S1]."
    assert len(parse("x" * (LONGEST_REPLY + 1)).reply) == LONGEST_REPLY


def test_structure_is_told_from_prose() -> None:
    """Also where it was cut off."""
    assert is_structured('Gern: {"sentences": [')
    assert not is_structured("Die Frist [S1]")


@pytest.mark.parametrize(
    "piece", ["<", "&lt;", "<a", "[", "[S1", "S1]", "`", "*", "_", "(", "[a](", "- ", "1. ", "http:"]
)
def test_repetition_is_read_through(piece: str) -> None:
    """No rule looks at the same stretch of a hostile reply again and again: quadratic time would take seconds."""
    reply = piece * ((LONGEST_REPLY - 1) // len(piece))
    began = process_time()
    parse(reply)
    assert process_time() - began < 3
