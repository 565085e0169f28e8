"""What holds for the judge whatever the sentence: verbatim is carried, a changed number or section is not."""

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from domain.verifying.judge import judge
from tests.examples import examples

SENTENCES = (
    "Die Frist nach § 12 Absatz 2 beträgt 14 Tage.",
    "Der Versicherer kann den Vertrag innerhalb von 3 Monaten kündigen.",
    "Das Stammkapital der Gesellschaft muss mindestens 25 000 Euro betragen.",
    "Im Jahr 2019 wurden 932 Anträge nicht bewilligt.",
    "The tenant must not sublet the premises for more than 6 weeks.",
    "Article 17 applies to 38 per cent of all requests.",
)
HEADS = {True: "Abschnitt 9", False: "Part nine"}


def passage(number):
    is_german = not SENTENCES[number].startswith(("The", "Article"))
    same = [one for one in SENTENCES if one.startswith(("The", "Article")) != is_german]
    return "\n".join((HEADS[is_german], *same))


@settings(max_examples=examples(40))
@given(st.integers(0, len(SENTENCES) - 1))
def test_verbatim_is_always_carried(number):
    """A sentence of the passage is carried by it, for certain."""
    judged = judge(SENTENCES[number], passage(number))
    assert judged.is_supported
    assert judged.confidence == 1.0


@settings(max_examples=examples(200))
@given(st.integers(0, len(SENTENCES) - 1), st.data())
def test_a_changed_number_is_never_carried(number, data):
    """Another number, section or year in a copied sentence is found."""
    found = list(re.finditer(r"\d+", SENTENCES[number]))
    one = data.draw(st.sampled_from(found))
    other = data.draw(st.integers(1, 9999).filter(lambda value: value != int(one[0])))
    changed = SENTENCES[number][: one.start()] + str(other) + SENTENCES[number][one.end() :]
    assert not judge(changed, passage(number)).is_supported


@settings(max_examples=examples(40))
@given(st.sampled_from([number for number, one in enumerate(SENTENCES) if re.search(r"\b(?:nicht|not)\b", one)]))
def test_a_dropped_negation_is_never_carried(number):
    """A copied sentence without its negation is found."""
    assert not judge(re.sub(r"\b(?:nicht|not) ", "", SENTENCES[number]), passage(number)).is_supported


@settings(max_examples=examples(100))
@given(st.text(max_size=120), st.text(max_size=200))
def test_any_text_is_judged(claim, evidence):
    """No text, however odd, keeps the judge from a judgement between 0 and 1."""
    assert 0.0 <= judge(claim, evidence).confidence <= 1.0


@settings(max_examples=examples(100))
@given(
    st.text(alphabet="0123456789., '/§()-%€ab", max_size=30),
    st.sampled_from(["Die Frist beträgt {}.", "The fee is {}."]),
)
def test_any_number_is_judged(digits, frame):
    """Digits that no rule groups are read as something."""
    text = frame.format(digits)
    assert 0.0 <= judge(text + " x", text).confidence <= 1.0
