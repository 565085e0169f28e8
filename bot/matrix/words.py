"""What somebody has written, without what their program has put around it."""

import re
from collections.abc import Iterator, Mapping
from html import unescape
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from bot.matrix.shapes import table, text

_QUOTE_HEAD: Final = re.compile(r"> (\* )?<@[^>\n]+>")
# Both read each character a bounded number of times, whatever strangers write.
_LINK: Final = re.compile(r"<a\s(?P<attributes>[^<>]{1,2000})>(?P<words>[^<]{1,300})</a\s*>", re.IGNORECASE)
_TARGET: Final = re.compile(r"""\bhref\s?=\s?["'](?P<href>[^"']{1,1000})["']""", re.IGNORECASE)


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
    for found in _LINK.finditer(html):
        target = _TARGET.search(found["attributes"])
        name = unescape(found["words"])
        if target is not None and name.strip() and _means(unescape(target["href"]), account):
            yield name


def _means(link: str, account: str) -> bool:
    try:
        address = urlsplit(link)
    except ValueError:
        return False
    return address.hostname == "matrix.to" and unquote(address.fragment).split("?")[0].strip("/") == account
