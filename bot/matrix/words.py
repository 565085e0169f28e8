"""What somebody has written, without what their program has put around it."""

import re
from collections.abc import Iterator, Mapping
from html.parser import HTMLParser
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from bot.matrix.shapes import table, text

_QUOTE_HEAD: Final = re.compile(r"> (\* )?<@[^>\n]+>")
_LONGEST_HTML: Final = 100_000


def without_quote(body: str) -> str:
    """Return a reply without the quote of the message that it answers, which older programs put in front.

    Only the form of the specification is taken away: a quote that a person wrote stays.
    """
    if not _QUOTE_HEAD.match(body):
        return body
    lines = body.split("\n")
    first = next((index for index, line in enumerate(lines) if not line.startswith(">")), len(lines))
    return "\n".join(lines[first:]).lstrip("\n")


def without_mention(body: str, content: Mapping[str, Any], account: str) -> str:
    """Return a message without the words by which it mentions us.

    Args:
        body: plain text.
        content: of the event; its HTML says which words link to us.
        account: our identity.
    """
    for name in (*_linked(text(content.get("formatted_body")), account), account):
        at = body.find(name)
        if at >= 0:
            rest = body[at + len(name) :]
            before = body[:at].rstrip()
            return f"{before} {rest.lstrip()}".strip() if before else rest.lstrip(" ,:;\t\n").rstrip()
    return body.strip()


def mentions(content: Mapping[str, Any], account: str) -> bool:
    """Say whether a message means us, by ``m.mentions`` alone: a name in the text can be anybody's."""
    named = table(content.get("m.mentions")).get("user_ids")
    return isinstance(named, list) and account in named


def _linked(html: str, account: str) -> Iterator[str]:
    """Yield the words that link to us."""
    if not html or len(html) > _LONGEST_HTML or "matrix.to" not in html:
        return
    reader = _Links(account)
    reader.feed(html)
    reader.close()
    yield from (name for name in reader.names if name)


class _Links(HTMLParser):
    def __init__(self, account: str) -> None:
        super().__init__(convert_charrefs=True)
        self._account = account
        self._is_inside = False
        self.names: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "a":
            self._is_inside = _means(dict(attrs).get("href") or "", self._account)
            if self._is_inside:
                self.names.append("")

    def handle_endtag(self, tag: str) -> None:
        if tag == "a":
            self._is_inside = False

    def handle_data(self, data: str) -> None:
        if self._is_inside:
            self.names[-1] += data


def _means(link: str, account: str) -> bool:
    try:
        address = urlsplit(link)
    except ValueError:
        return False
    return address.hostname == "matrix.to" and unquote(address.fragment).split("?")[0].strip("/") == account
