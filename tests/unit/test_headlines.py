"""Titles and links as they are recorded."""

import pytest

from domain.errors import InputError
from domain.knowledge.headlines import TITLE_LENGTH, title_line, web_link


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("  Handbuch\n\tSchaden ", "Handbuch Schaden"),
        ("Ku\u0308ndigung", "K\u00fcndigung"),
        ("Hand\u200b\u202ebuch\x1b[31m", "Handbuch[31m"),
        ("x" * 500, "x" * TITLE_LENGTH),
        ("\n\u200b", ""),
    ],
)
def test_a_title_is_one_line_without_anything_hidden(text: str, line: str):
    """Line breaks, direction marks and terminal controls do not reach a source card."""
    assert title_line(text) == line


@pytest.mark.parametrize("text", ["https://wiki.example.org/a?b=ü#c", " http://intranet/handbuch "])
def test_the_address_of_a_page_is_a_link(text: str):
    """Web addresses pass, without the blanks around them."""
    assert web_link(text) == text.strip()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "wiki/a",
        "javascript:alert(1)",
        "file:///etc/passwd",
        "https://",
        "https://a b",
        "https://[x",
        "//a.example",
        "https://anna:geheim@a.example/",
    ],
)
def test_whatever_else_a_click_could_start_is_refused(text: str):
    """Scripts, local files and broken addresses are errors."""
    with pytest.raises(InputError) as caught:
        web_link(text)
    assert caught.value.key == "url"
