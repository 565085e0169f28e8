"""Whatever a model replies: it is read, and what comes out can be trusted to be what it says it is."""

import json
import re

from hypothesis import example, given, settings
from hypothesis import strategies as st

from domain.asking.cleaning import clean
from domain.asking.drafts import Draft
from domain.asking.labels import marks
from domain.asking.parsing import MOST_SENTENCES, parse
from tests.examples import examples

FRAGMENTS = (  # noqa: SIM905 - sixty strings in four lines
    "Die Frist beträgt drei Monate. | Sie endet | z. B. | § 5 Abs. 1 |[S1]|[S2, S3]|[S0]|[S1 Abs 1]|(S1)|[|]|(|)|\\|**"
    "|_|`|<b>|</b>|<|>|<!--|-->|<script>|<think>|</think>|&lt;|&amp;|&#0;|https://a.example/b|www.|://|http:|a.com|{|}"
    '|:|,|"|\'|"sentences"|"text"|"labels"|{"sentences": [{"text": "|"}]}|```|\n|\r\n|\n- |\n1. |\n2. |# |> '
    "|Dazu habe ich nichts gefunden.|nicht aus den Quellen ersichtlich|\u202e|\u200b|\U000e0041|\0|\ud800|…|?|S|1"
).split("|")
REPLIES = st.one_of(
    st.text(max_size=300),
    st.lists(st.sampled_from(FRAGMENTS), max_size=40).map("".join),
    st.lists(st.one_of(st.sampled_from(FRAGMENTS), st.text(max_size=5)), max_size=30).map("".join),
)
VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), REPLIES),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(st.sampled_from(["sentences", "text", "labels", "nothing_found", "x"]), inner, max_size=4),
    ),
    max_leaves=12,
)
SENTENCES = [
    "Die Frist beträgt drei Monate",
    "Sie gilt z. B. für Verträge nach § 6 Abs. 1 GmbHG",
    "Am 1. Januar endet sie",
]
CITED = st.lists(
    st.tuples(st.sampled_from(SENTENCES), st.lists(st.integers(1, 8), min_size=1, max_size=3, unique=True)),
    min_size=1,
    max_size=4,
)


def must_be_sound(draft: Draft) -> None:
    assert len(draft.sentences) <= MOST_SENTENCES
    assert bool(draft.problem) <= (not draft.sentences and not draft.nothing_found)
    assert draft.sentences or draft.nothing_found or draft.problem
    draft.reply.encode()
    assert "\0" not in draft.reply
    for one in draft.sentences:
        shown = "\n".join([one.text, *one.labels, *one.malformed])
        shown.encode()
        assert any(map(str.isalnum, one.text))
        assert not re.search(r"://|<[A-Za-z/!?|]|[\0-\x08\u200b-\u200f\u202a-\u202e]", one.text)
        assert "\n" not in one.text
        assert not marks(one.text)
        assert all(re.fullmatch(r"S[1-9][0-9]{0,2}", label) for label in one.labels)
        assert len(set(one.labels)) == len(one.labels)
        assert not any(re.fullmatch(r"\[S[1-9][0-9]{0,2}\]", label) for label in one.malformed) or "[" in draft.reply


@settings(max_examples=examples(200), deadline=None)
@given(REPLIES)
@example("[S[S1]1] gilt.")
@example("&lt&ltA")
@example("<[]A<[S1]A")
@example('[":0. (S0)"] gilt.')
@example("((S1)S1) gilt [S[S0]2].")
@example("hthttp://tp://a.example <<b>b> gilt")
@example("http:/<b>/a.example</b> gilt [S1].")
@example("&amp;amp;amp;amp;amp;amp;amp;amp;amp;lt;b gilt")
def test_any_reply_is_read(reply: str) -> None:
    """No reply raises; no label, link, tag or hidden character is left in the words; what is recorded can be stored."""
    draft = parse(reply)

    must_be_sound(draft)
    assert parse(reply) == draft


@settings(max_examples=examples(100), deadline=None)
@given(VALUES)
def test_any_structure_is_read(value: object) -> None:
    """The same for every JSON value, in the form asked for or not."""
    must_be_sound(parse(json.dumps(value)))


@settings(max_examples=examples(60), deadline=None)
@given(st.sampled_from(FRAGMENTS), st.integers(1, 30))
def test_what_is_repeated_is_read_as_well(fragment: str, times: int) -> None:
    """A model in a loop, up to the length that is looked at."""
    must_be_sound(parse(fragment * (times * 50)))


@settings(max_examples=examples(60), deadline=None)
@given(CITED)
def test_every_style_says_the_same(cited: list[tuple[str, list[int]]]) -> None:
    """Labels before or behind the full stop, in front, in one bracket or in many, in a list, or in a structure."""
    named = [(words, [f"S{number}" for number in numbers]) for words, numbers in cited]
    entries = [{"text": f"{words}.", "labels": labels} for words, labels in named]
    before = " ".join(f"{words} [{', '.join(labels)}]." for words, labels in named)
    behind = " ".join(f"{words}. {''.join(f'[{one}]' for one in labels)}" for words, labels in named)
    front = " ".join(f"[{'; '.join(labels)}] {words}." for words, labels in named)
    items = "\n".join(f"- {words} [{', '.join(labels)}]." for words, labels in named)
    found = [parse(reply).sentences for reply in (before, behind, front, items, json.dumps({"sentences": entries}))]

    assert [(one.text, list(one.labels)) for one in found[0]] == [(f"{words}.", labels) for words, labels in named]
    assert all(other == found[0] for other in found)


@settings(max_examples=examples(60), deadline=None)
@given(st.text(alphabet=st.characters(codec="utf-8", exclude_categories=["Cc", "Cf", "Co"]), max_size=100))
def test_cleaning_twice_changes_nothing_that_is_plain(text: str) -> None:
    """Words without any sign of markup come through as they were, but for blanks and the form of their letters."""
    plain = re.sub(r"[^\w\s]|_", "", text)

    assert clean(clean(plain)) == clean(plain)
