"""``ask``, ``search`` and ``chat`` through the real program: documents, words, batches, conversations."""

import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.conftest import installed
from tests.e2e.program import Program

TEXT = """# Handbuch

## 1 Fristen

Die Kündigungsfrist für Sachversicherungen beträgt drei Monate zum Jahresende. Katzen schlafen viel.

## 2 Unterlagen

Dem Antrag auf Erstattung sind beizufügen:

1. die Rechnung des Handwerkers,
2. der Nachweis der Zahlung.
"""
QUESTION = "Welche Kündigungsfrist gilt für Sachversicherungen?"
SENTENCE = "Die Kündigungsfrist für Sachversicherungen beträgt drei Monate zum Jahresende."
REFUSAL = (
    "Ich kann diese Frage auf Basis der vorliegenden Quellen nicht verlässlich beantworten. "
    "Bitte erweitern Sie den Suchkontext oder konsultieren Sie die Originalquelle."
)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Program]:
    file = tmp_path_factory.mktemp("texts") / "handbuch.md"
    file.write_text(TEXT, encoding="utf-8")
    with installed() as program:
        program.must("mandate", "open", "M")
        program.must("mandate", "open", "leer")
        program.must("ingest", file, "--mandate", "M", "--level", "internal", "--title", "Handbuch Bestand")
        yield program


def test_an_answer_has_the_keys_of_the_contract(place: Program) -> None:
    """Scripts rely on the names; the anchor cuts the quote out of the file's own text."""
    answer = place.must("ask", QUESTION, "--mandate", "M", "--json").json

    assert set(answer) >= {
        *("run", "question", "outcome", "verdict", "note", "text", "sentences", "sources", "refusal", "gates"),
        *("position", "timings_ms"),
    }
    assert (answer["outcome"], answer["verdict"], answer["refusal"]) == ("answered", "verified", None)
    assert answer["text"] == f"{SENTENCE[:-1]} [S1]."
    assert answer["sentences"] == [
        {"text": SENTENCE, "anchors": ["S1"], "struck": False, "unsupported": False, "reason": None}
    ]
    (source,) = answer["sources"]
    assert set(source) >= {
        *("label", "anchor", "document", "version", "title", "url", "section", "page", "page_label", "start", "end"),
        *("quote", "level", "valid_from", "valid_to", "valid_from_kind", "in_force"),
    }
    assert TEXT[source["start"] : source["end"]] == source["quote"] == SENTENCE
    assert source["section"] == "Handbuch › 1 Fristen"
    assert answer["gates"]["relevance"]["value"] >= answer["gates"]["relevance"]["threshold"]
    assert answer["gates"]["coverage"] == {"value": 1.0, "threshold": 0.8, "rule_version": "anchored_share/1"}


def test_the_note_says_what_was_checked(place: Program) -> None:
    """How many statements, and that each has its source."""
    note = place.must("ask", QUESTION, "--mandate", "M", "--json").json["note"]

    assert note.startswith("Geprüft · 1 Aussage, belegt · Stand ")


def test_an_item_comes_with_what_introduces_it(place: Program) -> None:
    """The quote stays the item; the sentence holds both, and the source says where the introduction stands."""
    answer = place.must(
        "ask", "Ist dem Antrag auf Erstattung der Nachweis der Zahlung beizufügen?", "--mandate", "M", "--json"
    ).json

    (source,) = answer["sources"]
    lead_in = source["lead_in"]
    assert source["quote"] == "2. der Nachweis der Zahlung."
    assert TEXT[lead_in["start"] : lead_in["end"]] == lead_in["quote"] == "Dem Antrag auf Erstattung sind beizufügen:"
    assert answer["sentences"][0]["text"] == f"{lead_in['quote']} {source['quote']}"


def test_a_refusal_is_finished_work(place: Program) -> None:
    """Exit 0, the fixed sentence, value and threshold, and what came near."""
    outcome = place.must("ask", "Wer gewann 1990 die Fußball-Weltmeisterschaft?", "--mandate", "M", "--json")
    refusal = outcome.json["refusal"]

    assert (outcome.json["outcome"], outcome.json["text"]) == ("refused", REFUSAL)
    assert refusal["step"] == "relevance"
    assert refusal["value"] < refusal["threshold"]
    assert {entry["title"] for entry in refusal["nearest"]} == {"Handbuch Bestand"}


def test_an_empty_mandate_finds_nothing(place: Program) -> None:
    """Nothing in scope is another refusal than too little."""
    answer = place.must("ask", QUESTION, "--mandate", "leer", "--json").json

    assert (answer["text"], answer["refusal"]["step"]) == ("Dazu habe ich nichts gefunden.", "none_found")


def test_a_person_reads_note_text_and_sources(place: Program) -> None:
    """Piped, it is plain lines in the order note, text, sources; in English the words are English."""
    german = place.must("ask", QUESTION, "--mandate", "M").out
    english = Program(place.data, "en").must("ask", QUESTION, "--mandate", "M", "--timings").out

    order = ["Geprüft · 1 Aussage, belegt · Stand ", "[S1].", "Quellen (1)", "[S1] Handbuch Bestand, Fassung 1"]
    assert sorted(order, key=german.index) == order
    assert "\x1b" not in german
    assert "Verified · 1 statement, supported · as of " in english
    assert "search " in english


def test_a_card_opens_to_its_surroundings(place: Program) -> None:
    """With ``--context`` the neighbouring sentence stands in the card."""
    assert "Katzen schlafen viel." not in place.must("ask", QUESTION, "--mandate", "M").out
    assert "Katzen schlafen viel." in place.must("ask", QUESTION, "--mandate", "M", "--context", "1").out


def test_a_search_tells_every_list(place: Program) -> None:
    """All lists are there, that of cited sections empty, and each entry has the keys of the contract."""
    found = place.must("search", QUESTION, "--mandate", "M", "--json").json

    assert list(found["lists"]) == ["dense", "sparse", "bm25", "cited", "fused", "reranked", "selected"]
    assert found["lists"]["cited"] == []
    assert found["lists"]["sparse"][0]["document"] == "handbuch"
    first = found["lists"]["selected"][0]
    assert set(first) == {"anchor", "document", "version", "start", "end", "text", "score", "rank"}
    assert TEXT[first["start"] : first["end"]] == first["text"]
    assert "handbuch@1:" in place.must("search", QUESTION, "--mandate", "M").out


def test_a_batch_replies_in_order_and_one_bad_line_stops_no_other(place: Program, tmp_path: Path) -> None:
    """Every line gets one reply with its id; the exit code says that some could not be read."""
    lines = [
        '{"id": "gut", "question": "Welche Kündigungsfrist gilt für Sachversicherungen?", "document": ["handbuch"]}',
        '{"id": "unbekannt", "question": "x", "wann": "heute"}',
        "kein JSON",
        '{"id": "ohne"}',
        '{"question": "ohne id"}',
        '{"id": "art", "question": 5}',
        '{"id": "tag", "question": "Frist", "valid_on": "morgen"}',
        '{"id": "leer", "question": "?"}',
        '{"id": "fremd", "question": "Frist", "mandate": "nirgends"}',
        '["Liste"]',
        "[" * 100_000,
        '{"id": NaN, "question": "Frist"}',
        '{"id": 7, "question": "Welche Kündigungsfrist gilt für Sachversicherungen?", "valid_on": "2026-11-30"}',
    ]
    batch = tmp_path / "batch.jsonl"
    batch.write_bytes(b"\xef\xbb\xbf" + "\r\n".join(lines).encode() + b'\n{"id": "bytes", "question": "\xff"}\n')

    outcome = place("ask", "--batch", batch, "--mandate", "M", "--json")

    assert outcome.code == 1
    found = [(one["id"], one.get("outcome") or one["error"]["key"]) for one in outcome.lines]
    assert found == [
        ("gut", "answered"),
        ("unbekannt", "batch_unknown"),
        (None, "batch_json"),
        ("ohne", "batch_missing"),
        (None, "batch_missing"),
        ("art", "batch_type"),
        ("tag", "day"),
        ("leer", "question_empty"),
        ("fremd", "refused"),
        (None, "batch_json"),
        (None, "batch_json"),
        (None, "batch_json"),
        (7, "answered"),
        (None, "batch_json"),
    ]
    assert "wann" in outcome.lines[1]["error"]["message"]


@pytest.mark.parametrize("form", ["--json", "--timings"])
def test_what_cannot_be_written_is_an_error_of_its_line(place: Program, tmp_path: Path, form: str) -> None:
    """Halves of surrogate pairs and numbers without bounds end no batch, as JSON and for people."""
    good = '{"id": "gut", "question": "Welche Kündigungsfrist gilt für Sachversicherungen?"}'
    bad = [
        '{"id": 1, "question": "Frist", "mandate": "\\ud800"}',
        '{"id": 2, "question": "Frist", "as": "@\\ud800:x"}',
        '{"id": 3, "question": "Frist", "\\udfff": "x"}',
        '{"id": "\\ud800", "question": "Frist"}',
        '{"id": 1e999, "question": "Frist"}',
        '{"id": [-1e999], "question": "Frist"}',
    ]
    batch = tmp_path / "batch.jsonl"
    batch.write_text("\n".join([*bad, good]), encoding="utf-8")

    outcome = place("ask", "--batch", batch, "--mandate", "M", form)

    assert outcome.code == 1, outcome
    if form == "--json":
        assert [one["id"] for one in outcome.lines] == [None] * len(bad) + ["gut"]
        assert {one["error"]["key"] for one in outcome.lines[:-1]} == {"batch_json"}
    assert "Sachversicherung" in outcome.out


def test_a_line_without_an_id_is_shown_without_one(place: Program, tmp_path: Path) -> None:
    """A person reads what is wrong and in which line, not the name of nothing."""
    batch = tmp_path / "batch.jsonl"
    batch.write_text("{broken\n", encoding="utf-8")

    told = place("ask", "--batch", batch, "--mandate", "M").out

    assert "Zeile 1" in told
    assert "None" not in told


def test_a_good_batch_ends_with_zero(place: Program, tmp_path: Path) -> None:
    """A refusal is done; searches come in batches as well."""
    batch = tmp_path / "batch.jsonl"
    batch.write_text(json.dumps({"id": "1", "question": "Wer gewann 1990 die Weltmeisterschaft?"}), encoding="utf-8")

    assert place.must("ask", "--batch", batch, "--mandate", "M", "--json").json["outcome"] == "refused"
    assert place.must("search", "--batch", batch, "--mandate", "M", "--json").json["id"] == "1"


def test_a_chat_goes_on_until_its_end(place: Program) -> None:
    """Questions, commands and a mistake, one a line; what stands behind the end is not asked."""
    talk = f"!warum\n{QUESTION}\n[S1]\n!quelle 4\n!zeiten\n?\n!foo\n!hilfe\n!ende\n{QUESTION}\n"

    outcome = place("chat", "--mandate", "M", stdin=talk)

    assert outcome.out.count(f"{SENTENCE[:-1]} [S1].") == 1
    for words in ("Noch wurde nichts gefragt", "Katzen schlafen", "Vorhanden: S1", "kodieren", "!foo", "!quelle 1"):
        assert words in outcome.out
    assert "weder Buchstaben noch Ziffern" in outcome.err
    assert outcome.code == 1


def test_a_chat_takes_bytes_that_are_no_text_for_a_mistake(place: Program) -> None:
    """The next line is answered all the same."""
    done = subprocess.run(
        place.command("chat", "--mandate", "M", "--json"),
        check=False,
        capture_output=True,
        input=b"Frist \xff?\n" + QUESTION.encode(),
        timeout=120,
        env=place.environment(),
    )

    replies = [json.loads(line) for line in done.stdout.splitlines()]
    assert [one.get("outcome") or one["error"]["key"] for one in replies] == ["question_encoding", "answered"]


def test_a_run_that_is_listed_can_be_shown(place: Program) -> None:
    """With its question, for whoever may see it; a list of nothing says so."""
    run = place.must("ask", QUESTION, "--mandate", "M", "--json").json["run"]

    listed = place.must("run", "list", "--mandate", "M", "--json").out
    told = place.must("run", "list", "--mandate", "M").out
    shown = place.must("run", "show", run).out

    assert run in listed
    assert {one["question"] for one in json.loads(listed)["runs"] if one["run"] == run} == {QUESTION}
    assert f"{QUESTION}\n" in told
    assert "(relevance)" not in told
    assert QUESTION in shown
    assert SENTENCE[:-1] in shown
    assert place.must("run", "list", "--mandate", "M", "--person", "niemand", "--json").json == {"runs": []}
    assert "keine Läufe" in place.must("run", "list", "--mandate", "M", "--person", "niemand").out
    assert run in place.must("run", "list", "--mandate", "M", "--from", "2026-01-01").out


def test_a_part_that_does_not_answer_is_named(place: Program) -> None:
    """Without the indexes of words there is no lesser answer: exit 3, the run is recorded, and later it works again."""
    index, aside = place.data / "index", place.data / "index-aside"
    index.rename(aside)
    try:
        outcome = place("ask", QUESTION, "--mandate", "M", "--json")
    finally:
        shutil.rmtree(index, ignore_errors=True)
        aside.rename(index)

    failed = outcome.json
    assert (outcome.code, failed["outcome"], failed["refusal"]["step"]) == (3, "failed", "degraded")
    assert any(name in failed["text"] for name in ("die Wortsuche", "die Suche nach Wortteilen"))
    assert place.must("run", "show", failed["run"], "--json").json["text"] == failed["text"]
    assert place.must("ask", QUESTION, "--mandate", "M", "--json").json["outcome"] == "answered"
