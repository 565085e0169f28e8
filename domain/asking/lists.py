"""Enumerations: one item where the question means that one, the whole list where it asks what the list is about."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from domain.asking.candidates import Candidate, words_of
from domain.asking.fit import has_what_is_asked
from domain.asking.policies import LIST_CHARACTERS, LIST_ITEMS
from domain.asking.words import content_words, named_in
from domain.knowledge.block import Kind
from domain.knowledge.text import Span

_ADJOINING: Final = 8
"""Code points between an introduction and its first item at most: white space and a mark."""

_STOPS: Final = (".", "!", "?", "…")


def with_whole_lists(
    question: str, chosen: Sequence[Candidate], sentences: Sequence[Candidate]
) -> tuple[Candidate, ...]:
    """Put the list in the place of each chosen item that fits ``question`` no better than its neighbours do.

    Of a long list come the first items, unless the chosen one is none of them.
    """
    found: list[Candidate] = []
    for one in chosen:
        whole = one if _stands_out(question, one, sentences) else _whole(one, sentences)
        if not any(_holds(other, whole) for other in found):
            found = [*(other for other in found if not _holds(whole, other)), whole]
    return tuple(found)


def _stands_out(question: str, item: Candidate, sentences: Sequence[Candidate]) -> bool:
    """Say whether the item names, or has, what is asked, and at most half of its list does so too."""
    members = [one for one in sentences if _is_sibling(one, item)]
    if item.kind not in {Kind.ITEM, Kind.ROW} or item.is_named or len(members) == 1:
        return True
    if item.lead_in is None and item.own.endswith(_STOPS):
        return True
    rest = content_words(question)
    rest -= named_in(rest, " ".join([item.introduction, *item.passage.section]))
    own = named_in(rest, item.own)
    naming = [one for one in members if own <= named_in(rest, one.own)]
    having = [one for one in members if has_what_is_asked(question, one.own)]
    return (bool(own) and 2 * len(naming) <= len(members)) or (item in having and 2 * len(having) <= len(members))


def _whole(item: Candidate, sentences: Sequence[Candidate]) -> Candidate:
    """Return the list of ``item`` as far as it lies in the same passage and is not too long."""
    members = [one for one in sentences if _is_sibling(one, item) or _is_below(one, item)]
    first = members[0]
    kept = [one for one in members[:LIST_ITEMS] if one.span.end - first.span.start <= LIST_CHARACTERS]
    if item not in kept:
        return item
    span = Span(first.span.start, kept[-1].span.end)
    opening = "" if item.lead_in is None else words_of(item.passage, item.lead_in) + "\n"
    is_last = kept[-1].span.end == item.passage.span.end
    return replace(
        item,
        span=span,
        text=opening + words_of(item.passage, span),
        form="rows" if item.kind is Kind.ROW else "list",
        is_late=_is_late(first),
        is_cut=len(kept) < len(members) or (is_last and item.passage.goes_on),
    )


def _is_sibling(one: Candidate, item: Candidate) -> bool:
    return (one.passage.id, one.kind, one.lead_in) == (item.passage.id, item.kind, item.lead_in)


def _is_below(one: Candidate, item: Candidate) -> bool:
    """Say whether an item belongs to a list inside the list."""
    inside = one.passage.id == item.passage.id and one.kind is item.kind is Kind.ITEM
    return inside and one.lead_in is not None and item.lead_in is not None and one.lead_in.start > item.lead_in.end


def _is_late(first: Candidate) -> bool:
    """Say whether items lie between the introduction and the first that is cited."""
    lead_in, passage = first.lead_in, first.passage
    if lead_in is None or lead_in != passage.lead_in_span:
        return False
    return first.kind is Kind.ROW or first.span.start - lead_in.end > _ADJOINING


def _holds(outer: Candidate, inner: Candidate) -> bool:
    same = outer.passage.id == inner.passage.id
    return same and outer.span.start <= inner.span.start and inner.span.end <= outer.span.end
