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
_MARKDOWN: Final = re.compile(r"\[(?P<words>[^\[\]\n]{0,300})\]\((?P<href>[^()\s]{1,1000})\)")
_TARGET: Final = re.compile(r"""\bhref\s?=\s?["'](?P<href>[^"']{1,1000})["']""", re.IGNORECASE)

_Link = tuple[int, int, str, str]
"""Where a link begins and ends, its words, and the person whom it means."""


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
    for start, end, _, person in (*_marked(body), *_links(body)):
        if person == account:
            return start, end
    for name in (*(words for _, _, words, person in _links(html) if person == account), account):
        at = body.find(name)
        if at >= 0:
            is_marked = body[max(0, at - 2) : at].strip() == "@"
            return at - is_marked, at + len(name)
    return None


def with_id(words: str, html: str, account: str) -> str:
    """Return a message with the id of the person whom it links to in the place of the words of the link.

    Empty where it links to nobody, or to several: whose the words are is then not certain.

    Args:
        words: plain text, without a mention of us.
        html: the same message; what is quoted in it is not the writer's.
        account: our identity.
    """
    links = [one for one in (*_marked(words), *_links(words)) if one[-1] != account]
    told = [one for one in _links(html.rpartition("</mx-reply>")[2]) if one[-1] != account]
    if len({person for *_, person in (*links, *told)}) != 1:
        return ""
    places = [(start, end) for start, end, *_ in links]
    for _, _, name, _ in told[:1]:
        places += [found.span() for found in re.finditer(rf"(?<!\S)@?{re.escape(name)}(?!\S)", words)]
    return f"{words[: places[0][0]]}{(links or told)[0][-1]}{words[places[0][1] :]}" if places else ""


def mentions(content: Mapping[str, Any], account: str) -> bool:
    """Say whether a message means us, by ``m.mentions`` alone: a name in the text can be anybody's."""
    named = table(content.get("m.mentions")).get("user_ids")
    return isinstance(named, list) and account in named


def _marked(body: str) -> Iterator[_Link]:
    """Yield the links to people in a text that is written in Markdown."""
    for found in _MARKDOWN.finditer(body):
        if person := _person(found["href"]):
            yield *found.span(), found["words"], person


def _links(html: str) -> Iterator[_Link]:
    """Yield the links to people in HTML."""
    for found in _LINK.finditer(html):
        target = _TARGET.search(found["attributes"])
        name = unescape(found["words"])
        person = _person(unescape(target["href"])) if target is not None and name.strip() else ""
        if person:
            yield *found.span(), name, person


def _person(link: str) -> str:
    """Return whom a link means, empty for one that means no person."""
    try:
        address = urlsplit(link)
    except ValueError:
        return ""
    if address.scheme == "matrix":
        kind, _, rest = unquote(address.path).partition("/")
        return f"@{rest}" if kind == "u" else ""
    named = unquote(address.fragment).split("?")[0].strip("/") if address.hostname == "matrix.to" else ""
    return named if named.startswith("@") else ""
