"""Keys and anchors: what is written is read back, and nothing else is read."""

from pathlib import PurePosixPath

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from domain.errors import InputError
from domain.knowledge.anchors import Anchor, document_key, key_of_path, parse_anchor
from domain.knowledge.text import Span


@st.composite
def keys(draw: st.DrawFn) -> str:
    try:
        return document_key(draw(st.text(alphabet="aä9:/.-_ %§()🙂é", min_size=1, max_size=20)))
    except InputError:
        assume(False)  # noqa: FBT003
        raise


@given(keys(), st.integers(1, 10**9 - 1), st.integers(0, 10**9), st.integers(1, 10**6))
def test_an_anchor_is_read_back_as_it_was_written(key: str, version: int, start: int, length: int):
    """Writing and reading an anchor are inverse, whatever the key looks like."""
    anchor = Anchor(key, version, Span(start, start + length))
    assert parse_anchor(str(anchor)) == anchor


@given(st.text(alphabet="ab@1:-0 9\n", max_size=20))
def test_text_is_an_anchor_only_if_it_is_written_like_one(text: str):
    """Whatever is accepted is the written form of what was read; everything else is an InputError."""
    try:
        anchor = parse_anchor(text)
    except InputError:
        return
    assert str(anchor) == text.strip()


names = st.text(alphabet="a@%40: .", min_size=1, max_size=8).filter(lambda name: name.strip(". ") == name)


@given(names, names)
def test_two_file_names_never_share_a_key(one: str, other: str):
    """The key made from a path tells apart what the paths tell apart."""
    assume(one != other)
    try:
        keys_made = key_of_path(PurePosixPath(f"x/{one}.md")), key_of_path(PurePosixPath(f"x/{other}.md"))
    except InputError:
        return
    assert keys_made[0] != keys_made[1]


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", "document_key_empty"),
        (" a", "document_key_empty"),
        ("a@b", "document_key_character"),
        ("a\nb", "document_key_character"),
        ("a\u202eb", "document_key_character"),
        ("a" * 201, "document_key_long"),
    ],
)
def test_a_key_that_could_be_misread_is_refused(text: str, error: str):
    """Empty, padded, hidden, too long or ambiguous keys are errors that say why."""
    with pytest.raises(InputError) as caught:
        document_key(text)
    assert caught.value.key == error


def test_a_key_is_stored_composed():
    """A decomposed umlaut names the same document as a composed one."""
    assert document_key("Ku\u0308ndigung") == "K\u00fcndigung"


@pytest.mark.parametrize("text", ["a@1:5-5", "a@1:9-5"])
def test_an_anchor_without_a_character_is_refused(text: str):
    """An anchor holds at least one character."""
    with pytest.raises(InputError) as caught:
        parse_anchor(text)
    assert caught.value.key == "anchor_empty"
