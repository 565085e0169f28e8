"""What others have written, made fit to stand among our own words.

Documents, questions and names of rooms are data. Nothing in them makes a tag, a link, or a mention that notifies
somebody, and nothing in them turns the order of what is read beside them.
"""

import re
from typing import Final
from urllib.parse import urlsplit

from domain.asking.links import neutral

TAGS: Final = frozenset(
    {"a", "blockquote", "br", "code", "del", "details", "em", "li", "p", "pre", "strong", "summary", "ul"}
)
"""The tags of our messages: a part of those that the Matrix specification recommends clients to show."""

LONGEST_NAME: Final = 300
"""Code points of a title, a place or a name at most."""

JOINER: Final = "\N{WORD JOINER}"
"""Cannot be seen and parts no line; what it stands in is neither an address nor a mention any more."""

_RAW: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_UNSEEN: Final = re.compile(
    r"[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\U000e0000-\U000e007f]"
)
_LINKING: Final = re.compile(r"[@#!+$](?=\w)|(?<=\w)\.(?=[^\W\d])|:(?=//)|(?<=\w):(?=[^\W\d])")
# Every part is bounded, so that a text without a blank is read in time in proportion to its length.
_ADDRESS: Final = re.compile(
    r"[a-z][a-z0-9+.-]{0,31}://\S+|mailto:\S+|[@#!+]\S{1,255}:\S+|@room\b|\w[\w.+-]{0,63}@\w[\w.-]*"
    r"|(?:[\w-]{1,63}\.){1,16}[^\W\d_]{2,}(?:[/:]\S*)?",
    re.IGNORECASE,
)
_TURNING: Final = re.compile(
    r"[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc"
    r"\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
_LINE: Final = re.compile(r"([\n\u2028\u2029])")
_OPENING: Final = "\u2066\u2067\u2068"
_FIRST_STRONG: Final = "\u2068"
_CLOSING: Final = "\u2069"


def visible(text: str) -> str:
    """Return text in which control characters can be seen; nothing else is altered."""
    return _RAW.sub("\N{REPLACEMENT CHARACTER}", text.replace("\r\n", "\n"))


def isolated(text: str) -> str:
    """Return text that turns the order of nothing around it; nothing inside it is altered.

    What it opens ends with it, and what it closes without having opened it closes nothing of ours (Unicode Standard
    Annex 9, X5c and X6a). A line break ends either way.
    """
    return "".join(_isolated(one) for one in _LINE.split(text))


def _isolated(line: str) -> str:
    if not _TURNING.search(line):
        return line
    is_open = is_foreign = 0
    for character in line:
        if character in _OPENING:
            is_open += 1
        elif character == _CLOSING and is_open:
            is_open -= 1
        elif character == _CLOSING:
            is_foreign += 1
    return _FIRST_STRONG * (is_foreign + 1) + line + _CLOSING * (is_open + 1)


def name(text: str) -> str:
    """Return a title or another name on one line, of a bounded length, that is neither link nor mention.

    Unlike a quote it may be altered: characters that cannot be seen are left out.
    """
    return names(shortened(bare(text), LONGEST_NAME))


def line(text: str) -> str:
    """Return words of ours with names of others in them: control characters can be seen, and nothing is turned."""
    return isolated(visible(text))


def names(text: str) -> str:
    """Return several titles in one line, likewise neither links nor mentions."""
    return isolated(unlinked(neutral(bare(text))))


def fitted(value: str) -> str:
    """Return a value that stands in a sentence of ours: bounded, on one line, and without the sign of code."""
    return shortened(bare(value), LONGEST_NAME).replace("`", "'")


def bare(text: str) -> str:
    """Return a text on one line, without the characters that cannot be seen."""
    return " ".join(_UNSEEN.sub("", visible(text)).split())


def unlinked(text: str) -> str:
    """Return a text of which no client makes a link or a mention."""
    return _LINKING.sub(lambda found: found[0] + JOINER, text)


def shortened(text: str, longest: int) -> str:
    """Return at most ``longest`` code points of a text; an ellipsis says that there were more."""
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def link(url: str | None) -> str:
    """Return an address that may be followed; empty for every other one.

    Whether it lies on a released domain was decided when the answer was recorded.
    """
    if not url or len(url) > LONGEST_NAME * 4 or not url.isascii() or re.search(r"[\s\x00-\x20\x7f\"'<>\\^`{|}]", url):
        return ""
    try:
        parts = urlsplit(url)
        is_plain = parts.scheme == "https" and bool(parts.hostname) and parts.port in {None, 443}
    except ValueError:
        return ""
    return url if is_plain and "@" not in parts.netloc else ""


def addresses(text: str) -> list[tuple[str, bool]]:
    """Return a text in pieces, each with whether a client could take it for an address or for a mention."""
    pieces, end = list[tuple[str, bool]](), 0
    for found in _ADDRESS.finditer(text):
        pieces += [(text[end : found.start()], False), (found[0], True)]
        end = found.end()
    return [piece for piece in (*pieces, (text[end:], False)) if piece[0]]
