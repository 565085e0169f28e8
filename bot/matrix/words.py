"""What somebody has written, without what their program has put around it."""

import re
from collections.abc import Iterator, Mapping
from html import unescape
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from bot.matrix.shapes import table, text

_QUOTE_HEAD: Final = re.compile(r"> (\* )?<@[^>\n]+>")
# All read each character a bounded number of times, whatever strangers write.
_LINK: Final = re.compile(r"<a\s(?P<attributes>[^<>]{1,2000})>(?P<words>[^<]{1,300})</a\s*>", re.IGNORECASE)
_MARKDOWN: Final = re.compile(r"\[[^\[\]\n]{0,300}\]\((?P<href>[^()\s]{1,1000})\)")
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
    place = _place(body, text(content.get("formatted_body")), account)
    if place is None:
        return body.strip()
    before, rest = body[: place[0]].rstrip(), body[place[1] :]
    return f"{before} {rest.lstrip()}".strip() if before else rest.lstrip(" ,:;\t\n").rstrip()


def _place(body: str, html: str, account: str) -> tuple[int, int] | None:
    """Return where a text mentions us: as a name, or as a link to us, which some programs leave in the plain text."""
    for found in _MARKDOWN.finditer(body):
        if _means(found["href"], account):
            return found.span()
    for start, end, _ in _links(body, account):
        return start, end
    for name in (*(words for _, _, words in _links(html, account)), account):
        found_name = re.search(rf"(?:(?<!\S)@)?{re.escape(name)}", body)
        if found_name is not None:
            return found_name.span()
    return None


def mentions(content: Mapping[str, Any], account: str) -> bool:
    """Say whether a message means us, by ``m.mentions`` alone: a name in the text can be anybody's."""
    named = table(content.get("m.mentions")).get("user_ids")
    return isinstance(named, list) and account in named


def _links(html: str, account: str) -> Iterator[tuple[int, int, str]]:
    """Yield the links to us: where they begin and end, and their words."""
    for found in _LINK.finditer(html):
        target = _TARGET.search(found["attributes"])
        name = unescape(found["words"])
        if target is not None and name.strip() and _means(unescape(target["href"]), account):
            yield *found.span(), name


def _means(link: str, account: str) -> bool:
    try:
        address = urlsplit(link)
    except ValueError:
        return False
    if address.scheme == "matrix":
        return unquote(address.path) == f"u/{account.removeprefix('@')}"
    return address.hostname == "matrix.to" and unquote(address.fragment).split("?")[0].strip("/") == account
