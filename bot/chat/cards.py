"""A source as a card: what it is, where it stands, what it says, where it leads."""

from datetime import date

from bot.answers import gap, place, quote
from bot.chat.hygiene import fitted, name
from bot.chat.markup import Node, anchor, element, parted, words
from bot.chat.splitting import BUDGET, cost, fitting
from bot.text import Texts
from domain.asking.cards import OpenCard
from domain.asking.values import Source
from domain.knowledge.search_text import shown as as_shown


def card(source: Source, asked_on: date, texts: Texts, budget: int = BUDGET) -> tuple[Node, ...]:
    """Return a source with its quote; of one that is too long, as much as fits, and that it is cut."""

    def with_quote(told: str) -> tuple[Node, ...]:
        return (*_head(source, asked_on, texts), element("blockquote", *words(told)), *anchor(source.shown.url))

    return with_quote(fitting(quote(source, texts), with_quote, budget, texts("rooms.shortened")))


def opened(card: OpenCard, asked_on: date, texts: Texts) -> tuple[Node, ...]:
    """Return a source inside its surroundings, from which the quote stands out."""
    source, markup = card.source, card.source.shown.markup
    before, after = (_around(as_shown(one, markup), texts) for one in (card.before, card.after))
    places = parted([(element("code", fitted(str(source.anchor))),), anchor(source.shown.url)], element("br"))

    def with_quote(told: str) -> tuple[Node, ...]:
        cited = element("strong", *words(texts("answer.quoted", quote=told)))
        inside = (*before, gap(card.before, source.quote), cited, gap(source.quote, card.after), *after)
        return (*_head(source, asked_on, texts), element("blockquote", *inside), *places)

    return with_quote(fitting(as_shown(source.quote, markup), with_quote, BUDGET, texts("rooms.shortened")))


def _head(source: Source, asked_on: date, texts: Texts) -> tuple[Node, ...]:
    shown = source.shown
    title = texts("answer.version", title=name(shown.title), version=shown.version)
    where = name(place(shown, asked_on, texts))
    return (element("strong", f"[{shown.label}] {title}"), *((element("br"), where) if where else ()))


def _around(told: str, texts: Texts) -> tuple[Node, ...]:
    """Return what stands around a quote; nothing of it where it would leave the quote no room."""
    return words(told) if cost(words(told)) < BUDGET // 4 else (texts("rooms.shortened"),)
