"""English questions in German words, for the searches by words and for the embedded reranker."""

import json
from pathlib import Path

import pytest

from adapters.rerank.embedded import EmbeddedReranker
from adapters.search.english import content, in_german
from adapters.search.subwords import STEM, SubwordEncoder
from domain.asking.language import told_language
from tests.twins import ANALYZER
from tests.unit.rerank.test_embedded import passage

LINES = [line for line in content().decode("utf-8").splitlines() if not line.startswith("#")]
OFF_CORPUS = Path(__file__).parents[2] / "off_corpus.jsonl"
QUESTION = "How long is the notice period for employees?"


class Letters:
    """``DenseEncoder`` that counts the letters a to z."""

    name = version = "letters"
    fingerprint = "letters/1"

    async def encode(self, texts: list[str]) -> list[tuple[float, ...]]:
        counted = [[text.lower().count(chr(97 + at)) + 0.01 for at in range(26)] for text in texts]
        lengths = [sum(one * one for one in row) ** 0.5 for row in counted]
        return [tuple(one / length for one in row) for row, length in zip(counted, lengths, strict=True)]

    async def question(self, text: str) -> tuple[float, ...]:
        return (await self.encode([text]))[0]


RERANKER = EmbeddedReranker(Letters(), ANALYZER)


def test_every_line_of_the_file_can_be_looked_up() -> None:
    """English phrases in lower case without blanks around them, a colon, and German words or nothing."""
    assert len(LINES) > 900
    for line in LINES:
        english, colon, german = line.partition(":")
        assert colon
        assert all(one and one == one.strip() == one.lower() for one in english.replace(", ", ",").split(",")), line
        assert ":" not in german


@pytest.mark.parametrize(
    ("question", "german"),
    [
        (QUESTION, "wie lange Kündigungsfrist Beschäftigte"),
        ("What is the notice period?", "was ist Kündigungsfrist"),
        ("When must the insurer pay?", "wann muss Versicherer Zahlung zahlen"),
        ("When must the insurance pay?", "wann muss Versicherung Zahlung zahlen"),
        ("Who are the policyholders?", "wer Versicherungsnehmer"),
        ("What does § 8 Abs. 2 VVG say about the deposit?", "was § 8 Abs 2 VVG Kaution Sicherheit"),
        ("What is the shareholders’ meeting?", "was ist Gesellschafterversammlung"),
    ],
)
def test_words_are_looked_up_one_after_the_other(question: str, german: str) -> None:
    """The longest phrase first, as it is written before its stem, small words left out, German ones kept."""
    assert in_german(question) == german


def test_what_is_not_known_stays_and_counts_as_a_noun() -> None:
    """It may be what the question is about, so a passage without it is worth less."""
    assert in_german("When does the zeppelin pay?") == "wann Zeppelin Zahlung zahlen"


@pytest.mark.parametrize(
    "question", ["How do Flumpf and Grizzle wobble?", "", "§ 5", "Wie lang ist die Kündigungsfrist?"]
)
def test_a_question_without_known_english_words_is_left_alone(question: str) -> None:
    """German ones above all: nothing changes for them."""
    assert in_german(question) == ""


def test_no_german_question_is_taken_for_english() -> None:
    """Of those that are asked beside the corpus."""
    rows = [json.loads(line) for line in OFF_CORPUS.read_text(encoding="utf-8").splitlines()]
    german = [one["question"] for one in rows if one["language"] == "de"]
    assert [one for one in german if told_language(one) == "en" or in_german(one)] == []


def test_the_searches_by_words_look_for_both() -> None:
    """The English words for an English corpus, the German ones for a German one; passages are taken at their word."""
    asked = SubwordEncoder(ANALYZER).asked(QUESTION)

    assert {"kundigungsfrist", "notic"} <= {one.rstrip("e") for one in ANALYZER.question(QUESTION)}
    assert asked["+kundigungsfrist"] == STEM
    assert "kundigungsfrist" not in ANALYZER.passage(QUESTION)


async def test_a_german_passage_is_read_beside_the_german_words() -> None:
    """It is worth what it is worth for that question in German, and an English one what it was."""
    german = passage("Die Kündigungsfrist für die Beschäftigten beträgt drei Monate.", "Kündigung")
    english = passage("The notice period for the employees is three months.", "Notice")

    both = await RERANKER.scores(QUESTION, [german, english])

    assert await RERANKER.scores(QUESTION, [german]) == both[:1]
    assert await RERANKER.scores(in_german(QUESTION), [german]) == both[:1]
    assert both[0] > (await RERANKER.scores("How long is the xyz of abc?", [german]))[0]


async def test_an_english_passage_is_read_beside_the_english_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if there were no German ones."""
    english = passage("The notice period for the employees is three months.", "Notice")
    with_them = await RERANKER.scores(QUESTION, [english])
    monkeypatch.setattr("adapters.rerank.embedded.in_german", lambda _: "")

    assert await RERANKER.scores(QUESTION, [english]) == with_them
