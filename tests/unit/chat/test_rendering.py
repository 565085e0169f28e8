"""An answer as a message: what stands first, what is struck, what is linked, who is told."""

from dataclasses import replace
from datetime import datetime

import pytest

from bot.chat.markup import Node, words
from bot.chat.outgoing import part_of
from bot.chat.rendering import answer as rendered
from bot.text import LANGUAGES, texts
from domain.asking.outcome import AnswerDelivered, AnswerRefused, RunFailed, Sentence
from domain.asking.values import Answer, Source
from domain.verifying.verdict import PARTIALLY, VERIFIED
from tests.unit.chat.reading import plain_words, read
from tests.unit.terminal.answers import PAST, RUN, SHOWN, SOURCE, ZONE, answered, ended, failed, refused

DE = texts("de")
SENTENCES = (
    Sentence("Die Frist beträgt drei Monate.", ("S1",)),
    Sentence("Sie verkürzt sich auf einen Monat.", ("S1",), struck=("content", "einen Monat", "")),
    Sentence("Das gilt für alle Sparten.", ()),
)


def checked(note: str = VERIFIED, sentences: tuple[Sentence, ...] = SENTENCES[:1], dropped: int = 0) -> Answer:
    return ended(AnswerDelivered(note, sentences, (SHOWN,), len(sentences), dropped), [SOURCE])


def one(answer: Answer) -> str:
    (content,) = rendered(answer, DE, mention="@anna:example.org")
    assert read(content).text.split() == plain_words(content)
    return content.plain


def test_a_verified_answer_reads_from_the_note_to_the_run() -> None:
    """The note is a word and stands first; the sources stand below the text, and the run at the end."""
    assert one(checked()) == (
        "✔ Geprüft · 1 Aussage, belegt · Stand 30.11.2026\n\n"
        "Die Frist beträgt drei Monate [S1].\n\n"
        "Quellen (1)\n"
        "- [S1] Handbuch Bestand, Fassung 4\n"
        "  3.2 Kündigung, Abs. 1 · S. 17 · in Kraft seit 01.07.2026\n"
        "    „Die Frist beträgt drei Monate.“\n\n"
        "Lauf 7f3a2c9e…"
    )


def test_the_sources_are_collapsed() -> None:
    """A client shows them when somebody asks for them."""
    (content,) = rendered(checked(), DE, mention=None)
    assert "<details><summary>Quellen (1)</summary><ul><li><strong>[S1] Handbuch Bestand" in content.html
    assert "<blockquote>„Die Frist beträgt drei Monate.“</blockquote>" in content.html


def test_a_struck_sentence_says_why_and_one_without_a_source_says_so() -> None:
    """Neither is told by its look alone."""
    answer = checked(PARTIALLY, SENTENCES, dropped=1)
    (content,) = rendered(answer, DE, mention=None)
    assert one(answer).startswith("◐ Teilweise geprüft: 1 von 3 Aussagen gestrichen")
    assert "<del>Sie verkürzt sich auf einen Monat <strong>[S1]</strong>.</del>" in content.html
    assert "~~Sie verkürzt sich auf einen Monat [S1].~~ (gestrichen: „einen Monat“ steht in keiner Quelle)" in one(
        answer
    )
    assert "Das gilt für alle Sparten. (ohne Beleg)" in one(answer)


def test_the_asker_alone_is_mentioned_and_the_run_is_named() -> None:
    """It is an answer, not a notice."""
    (content,) = rendered(checked(), DE, mention="@anna:example.org")
    assert (content.mentions, content.is_notice, content.run) == (("@anna:example.org",), False, RUN)
    assert rendered(checked(), DE, mention=None)[0].mentions == ()


def test_a_refusal_is_the_fixed_sentence_with_value_threshold_and_what_came_near() -> None:
    """Word for word, and where to read more."""
    assert one(refused()) == (
        "✖ Ich kann diese Frage auf Basis der vorliegenden Quellen nicht verlässlich beantworten. Bitte erweitern Sie "
        "den Suchkontext oder konsultieren Sie die Originalquelle.\n\n"
        "Beste Fundstelle 0,21, nötig 0,35. Am nächsten: Handbuch Schaden „2.1 Fristen, Nr. 2“. Mehr: !warum\n\n"
        "Lauf 7f3a2c9e…"
    )


@pytest.mark.parametrize(
    ("end", "words"),
    [
        (AnswerRefused("none_found", "none_found", None, None, ()), "✖ Dazu habe ich nichts gefunden.\n"),
        (AnswerRefused("none_found", "none_found_wiki", None, None, ()), "✖ Dazu habe ich im Wiki nichts gefunden.\n"),
        (AnswerRefused("verifier", "verifier", None, None, ()), "✖ Ich kann diese Frage auf Basis der vorliegenden"),
        (RunFailed("model", "model"), "✖ Mein Sprachmodell antwortet gerade nicht. Versuch es gleich noch einmal.\n"),
    ],
)
def test_fixed_sentences_stand_word_for_word(end: AnswerRefused | RunFailed, words: str) -> None:
    """They are those of the terminal."""
    assert one(ended(end)).startswith(words)


def test_a_part_that_does_not_answer_is_named_without_advice_for_operators() -> None:
    """Whoever asks in a room has no command line."""
    told = one(failed("lexical"))
    assert "die Wortsuche" in told
    assert "fundstelle" not in told


def test_looking_back_says_so_and_warns_of_what_is_no_longer_in_force() -> None:
    """The note names the day, and the caution follows it."""
    at = datetime(2026, 1, 1, 23, 59, 59, 999999, tzinfo=ZONE)
    told = one(replace(answered([PAST]), at=at, as_of=at))
    assert told.startswith("⏲ Wörtlich aus den Quellen · 1 Satz · Stand 01.01.2026, gültig am")
    assert told.split("\n\n")[1] == "Achtung: [S1] gilt seit 01.07.2026 nicht mehr."


@pytest.mark.parametrize(
    "url", ["http://wiki.example.org/a", "javascript:alert(1)", "https://a@b.example.org/", "https://x.org/\u202egpj"]
)
def test_only_whole_and_encrypted_addresses_are_linked(url: str) -> None:
    """Whatever a stored address holds."""
    answer = answered([Source(replace(SHOWN, url=url), SOURCE.quote, "")])
    (content,) = rendered(answer, DE, mention=None)
    assert read(content).links == []
    assert url not in content.plain


@pytest.mark.parametrize("piece", ["a", "a.", "@", "@a", "#!", "x-", "a://b.", "ä@"])
def test_words_without_a_blank_are_read_at_once(piece: str) -> None:
    """A document may hold a sentence of any length, and whoever is shown it keeps nobody waiting."""
    told = piece * (60_000 // len(piece))
    assert words_of(words(told)) == told


def words_of(nodes: tuple[Node, ...]) -> str:
    return "".join(one if isinstance(one, str) else words_of(one.children) for one in nodes)


def test_a_link_shows_where_it_leads() -> None:
    """The address itself is its text."""
    answer = answered([Source(replace(SHOWN, url="https://wiki.example.org/a?b=1&c=2"), SOURCE.quote, "")])
    (content,) = rendered(answer, DE, mention=None)
    assert '<a href="https://wiki.example.org/a?b=1&amp;c=2">https://wiki.example.org/a?b=1&amp;c=2</a>' in content.html
    assert "https://wiki.example.org/a?b=1&c=2" in one(answer)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_long_answer_comes_in_numbered_parts(language: str) -> None:
    """First the text, then the sources; the first part mentions somebody, and the last one names the run."""
    sources = [
        replace(SOURCE, shown=replace(SHOWN, label=f"S{n}"), quote=f"Satz {n}. " + "Wörter " * 1500)
        for n in range(1, 9)
    ]
    parts = rendered(answered(sources, [f"Satz {n}." for n in range(1, 9)]), texts(language), mention="@a:b")
    assert len(parts) > 2
    assert [bool(part.mentions) for part in parts] == [True] + [False] * (len(parts) - 1)
    assert [part.run for part in parts] == [part_of(RUN)] * (len(parts) - 1) + [RUN]
    assert "<details>" not in parts[0].html
    assert all("<details>" in part.html for part in parts[1:])
    assert parts[0].plain.startswith("◆ ")
    numbers = [texts(language)("rooms.part_of", number=n, total=len(parts)) for n in range(1, len(parts) + 1)]
    assert parts[0].plain.endswith(numbers[0])
    assert [part.plain.split("\n")[0] for part in parts[1:]] == numbers[1:]
