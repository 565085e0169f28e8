"""What leads out of an answer."""

import pytest

from domain.asking.links import MOST, linked, neutral

DOMAINS = ("example.org", "xn--mller-kva.example")
WIKI = "https://wiki.example.org/a"


@pytest.mark.parametrize(
    "url",
    [WIKI, "https://example.org", "https://EXAMPLE.org:443/a?b#c", "https://müller.example/§"],
)
def test_a_released_page_is_linked(url: str) -> None:
    """Encrypted on the way, on a domain that was released or below it."""
    assert linked([url], DOMAINS) == [url]


@pytest.mark.parametrize(
    "url",
    [
        None,
        "",
        "http://example.org/a",
        "https://example.com/a",
        "https://badexample.org/a",
        "https://example.org.evil.example/a",
        "https://example.org@evil.example/a",
        "https://anna:geheim@example.org/a",
        "https://evil.example\\@example.org/a",
        "https://evil.example\\.example.org/a",
        "https://example.org:8443/a",
        "https://example.org:99999/a",
        "https://[example.org/a",
        "https://a..example.org/a",
        "javascript:alert(1)//example.org",
        "//example.org/a",
    ],
)
def test_no_other_address_is(url: str | None) -> None:
    """Whatever was stored before its domain was released, in the clear, or only looks like it."""
    assert linked([url], DOMAINS) == [None]
    assert linked([WIKI], ()) == [None]


def test_each_is_linked_once_and_three_at_most() -> None:
    """The first ones stay in their places."""
    pages = [f"{WIKI}{number}" for number in range(MOST + 2)]
    assert linked([pages[0], pages[0], None, *pages[1:]], DOMAINS) == [pages[0], None, None, *pages[1:MOST], None, None]


@pytest.mark.parametrize(
    ("title", "shown"),
    [
        ("[S1] Tarif", "(S1) Tarif"),
        ("[Tarif](https://evil.example)", "(Tarif)(https://evil.example)"),
        ("![x](y) 【S2】 ［Ｓ３］", "!(x)(y) (S2) (Ｓ３)"),
        ("<a href=x>Tarif</a>", "‹a href=x›Tarif‹/a›"),
        ("Tarif (alt), 2 % & mehr", "Tarif (alt), 2 % & mehr"),
    ],
)
def test_a_title_is_words(title: str, shown: str) -> None:
    """No bracket in it makes a link, a label or a tag."""
    assert neutral(title) == shown
