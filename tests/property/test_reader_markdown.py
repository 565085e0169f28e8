"""Text that a reader writes as Markdown comes back as it was."""

from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.readers.markdown import escape
from domain.knowledge.search_text import search_text, shown
from domain.knowledge.stored_text import stored
from tests.examples import examples

WORDS = (
    "a",
    "b_c",
    "*",
    "**",
    "_",
    "__",
    "`",
    "[",
    "]",
    "(x)",
    "[^1]",
    "<b>",
    "<!--",
    "<",
    ">",
    "&amp;",
    "&",
    "|",
    "#",
)
MORE = (
    "\\",
    "{#a}",
    "---",
    "===",
    "- ",
    "+ ",
    "% ",
    "1. ",
    "§ 3",
    " ",
    "  ",
    "\n",
    "~~~",
    "```",
    "!",
    ":",
    "5 * 3",
    ".",
)
TEXTS = st.lists(st.sampled_from(WORDS + MORE), max_size=12).map("".join)


@given(TEXTS)
@settings(max_examples=examples(2000), deadline=None)
def test_escaped_text_is_read_as_the_plain_text(text: str) -> None:
    """Whatever looks like markup in a file of another format is searched and shown as it stood there."""
    plain = stored(text)

    assert shown(escape(plain), "markdown").split() == shown(plain, "plain").split()
    assert search_text(escape(plain), "markdown").text.split() == search_text(plain, "plain").text.split()
