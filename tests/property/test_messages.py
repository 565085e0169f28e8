"""What holds for every message, whatever documents, models and questions say."""

import json
import re
from dataclasses import replace

from bs4 import BeautifulSoup
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.answers import quote
from bot.chat.hygiene import TAGS, addresses, isolated, link, name, visible
from bot.chat.outgoing import Content
from bot.chat.rendering import answer as rendered
from bot.chat.splitting import LARGEST
from bot.sentences import sentences
from bot.text import texts
from domain.asking.outcome import AnswerDelivered, AnswerRefused, NearPassage, Sentence
from domain.asking.ports import PassageId
from domain.asking.values import Answer, Source
from tests.examples import examples
from tests.unit.chat.reading import read
from tests.unit.terminal.answers import SHOWN, ended

DE = texts("de")
SAFE = "https://wiki.example.org/a"
HOSTILE = (
    "<script>alert(1)</script>", "</details></li>", "<!-- ", "&lt;b&gt;", "<a href='http://x.example'>y</a>", "]]>",
    "https://evil.example/a", "http://evil.example", "EVIL.example", "javascript:alert(1)", "@room",
    "@eva:evil.example", "www.evil.example", "#raum:evil.example", "!warum", "mailto:a@evil.example",
    "\u202e", "\u202d", "\u2066", "\u2069", "\u2069\u202e",
    "\u202c", "\u200b", "\u200f", "\ufeff", "\u2028", "\u2029", "\x00", "\x07", "\x85", "\r\n", "\n", "[S1]", "`",
    "~~", "- ", "**fett**", "Frist", "drei Monate.", "מועד", "الأجل", "👍", "Ä", '"', "'", "&",
)  # fmt: skip
ODD = st.lists(st.one_of(st.sampled_from(HOSTILE), st.text(max_size=8)), max_size=10).map(" ".join)
SOLID = ODD.map(lambda text: f"Wort {text}")
URL = st.one_of(st.none(), st.sampled_from([SAFE, "http://x.org", "javascript:x", f"{SAFE}#\u202e"]), ODD)


@st.composite
def sources(draw: st.DrawFn, label: str, times: int) -> Source:
    named = {"title": draw(SOLID), "section": (draw(SOLID),), "place": draw(ODD), "url": draw(URL)}
    shown = replace(SHOWN, label=label, markup="plain", **named)
    return Source(shown, draw(SOLID) * draw(st.integers(1, times)), "")


@st.composite
def answers(draw: st.DrawFn, times: int = 1) -> Answer:
    labels = [f"S{number}" for number in range(1, draw(st.integers(1, 8)) + 1)]
    cited = [draw(sources(label, times)) for label in labels]
    struck = st.one_of(st.just(()), ODD.map(lambda words: ("content", words, "")))
    of_labels = st.lists(st.sampled_from(labels), max_size=2).map(tuple)
    said = draw(st.lists(st.builds(Sentence, SOLID, of_labels, struck=struck), min_size=1, max_size=4))
    said[0] = replace(said[0], text=said[0].text * draw(st.integers(1, times)))
    note = draw(st.sampled_from(["verified", "partially_verified", "verbatim"]))
    end = AnswerDelivered(note, tuple(said), tuple(one.shown for one in cited), len(said), 0)
    return ended(end, cited)


@st.composite
def refusals(draw: st.DrawFn) -> Answer:
    near = st.builds(NearPassage, st.just(PassageId(1, 1)), SOLID, ODD.map(lambda one: (one,)), ODD, st.just(0.2))
    step = draw(st.sampled_from(["relevance", "coverage", "verifier", "none_found"]))
    return ended(AnswerRefused(step, step, 0.2, 0.35, tuple(draw(st.lists(near, max_size=3)))))


def solid(text: str) -> str:
    """The characters that are to be read, without the signs of a form and of isolation."""
    return "".join(re.sub("[\u2066-\u2069]|~~", "", text).split())


def left_open(text: str) -> list[str]:
    """What directional characters leave open behind a text (Unicode Standard Annex 9, X1 to X8)."""
    stack: list[str] = []
    for character in text:
        if character in "\n\u2029":
            stack = []
        elif character in "\u202a\u202b\u202d\u202e\u2066\u2067\u2068":
            stack.append(character)
        elif character == "\u202c" and stack and stack[-1] < "\u2066":
            stack.pop()
        elif character == "\u2069" and any(one >= "\u2066" for one in stack):
            while stack.pop() < "\u2066":
                pass
    return stack


def encrypted_size(content: Content) -> int:
    """Bytes of the content in an encrypted room: written in ASCII, and grown by a third."""
    body = {"body": content.plain, "formatted_body": content.html, "format": "org.matrix.custom.html"}
    return len(json.dumps(body)) * 4 // 3


@given(st.one_of(answers(), refusals()))
@settings(max_examples=examples(100), deadline=None)
def test_html_is_whole_and_says_what_the_plain_text_says(answer: Answer) -> None:
    """Allowed tags alone, closed in order, and links to safe addresses alone, whatever a document says."""
    for content in rendered(answer, DE, mention=None):
        reader = read(content)
        assert set(reader.links) <= {SAFE}
        found = [tag.name for tag in BeautifulSoup(content.html, "lxml").find_all() if tag.name not in {"html", "body"}]
        assert found == reader.tags
        assert set(found) <= TAGS
        marks = re.compile(r"(?m)^ *- ")
        assert solid(marks.sub("", reader.text)) == solid(marks.sub("", content.plain))
        assert not re.search(r"evil\.example|@room|@eva:", reader.unlinked, re.IGNORECASE)


@given(st.one_of(answers(), refusals()))
@settings(max_examples=examples(100), deadline=None)
def test_no_line_leaves_the_direction_turned(answer: Answer) -> None:
    """What a document opens ends before our own words go on, and it closes nothing of ours."""
    for content in rendered(answer, DE, mention=None):
        for line in content.plain.split("\n"):
            assert left_open(line) == []


@given(ODD)
@settings(max_examples=examples(300), deadline=None)
def test_a_quote_is_isolated_and_not_altered(text: str) -> None:
    """It stands in our own words as if it were one sign, and none of its characters is missing."""
    ours, line = "\u202a", "".join(isolated(text).splitlines())
    assert left_open(ours + line)[:1] == [ours] or not re.sub("[\n\u2029]", "", text)
    assert re.sub("[\u2066-\u2069]", "", isolated(text)) == re.sub("[\u2066-\u2069]", "", text)
    assert "".join(piece for piece, _ in addresses(text)) == text


@given(ODD)
@settings(max_examples=examples(200), deadline=None)
def test_a_name_is_one_line_and_neither_link_nor_mention(text: str) -> None:
    """No client finds in it what it would act on."""
    told = name(text)
    assert len(told.splitlines()) <= 1
    assert not re.search(r"evil\.example|@\w|#\w|://|[\[\]<>]", told, re.IGNORECASE)
    assert left_open(told) == []


@given(st.one_of(ODD, ODD.map(lambda odd: f"https://wiki.example.org/{odd}")))
@settings(max_examples=examples(200), deadline=None)
def test_what_is_linked_is_a_plain_address(url: str) -> None:
    """Encrypted on the way, nothing hidden in it, and nothing that ends an attribute."""
    assert link(url) == "" or re.fullmatch(r"https://[!#-&(-;=?-\[\]_a-z~]+", link(url), re.IGNORECASE)


@given(answers(times=3_000))
@settings(max_examples=examples(15), deadline=None)
def test_every_part_fits_and_nothing_is_lost(answer: Answer) -> None:
    """Also encrypted; a quote that does not fit alone is cut and says so."""
    parts = rendered(answer, DE, mention="@anna:example.org")
    assert all(encrypted_size(part) <= LARGEST for part in parts)
    assert all(read(part).tags for part in parts)
    frame = r"Teil\d+von\d+|DieQuellen\(\d+\)stehenindennächstenTeilen\.|Lauf7f3a2c9e…"
    whole = re.sub(frame, "", "".join(solid(part.plain) for part in parts))
    for one in sentences(answer, DE):
        assert solid(visible(one.words)) in whole
    for source in answer.sources:
        told = solid(visible(quote(source, DE)))
        assert told in whole or (whole.count("[…gekürzt]") and told[:2_000] in whole)
        assert f"[{source.shown.label}]{solid(name(source.shown.title))}" in whole
