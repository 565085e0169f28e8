"""What a question names: sections by number, and acts. Which of the visible documents are meant by it."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, islice
from typing import Final
from uuid import UUID

from domain.asking.visibility import VisibleVersion
from domain.knowledge.acts import (
    ActNames,
    Mention,
    act_mentions,
    folded,
    is_act_abbreviation,
    is_act_word,
    is_like,
    known_mentions,
    names_of,
    stem,
)
from domain.knowledge.citations import Citation, citations
from domain.knowledge.numbered import Numbered
from domain.knowledge.text import Span

MOST_CITED: Final = 100
"""Sections of a question that are looked up; nobody asks about more at once, and each takes time before any search."""

_ACT_LIKE: Final = re.compile(r"§|[A-ZÄÖÜ][^\W_]*[A-ZÄÖÜ]|(?i:gesetz|ordnung|\bsec|\bparagra|\bart)")
_LINK: Final = re.compile(r"\s*(?:,\s*)?(?:(?:des|der|dem|im|vom|von|aus|of|in|the)\s+){0,2}")
_ELSEWHERE: Final = re.compile(r"\s+(?:des|der|dieses|dieser|of\s+the)\s+[A-ZÄÖÜ]")
_WORD: Final = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")


@dataclass(frozen=True, slots=True)
class Document:
    """A document with the stretches of its versions on any day, and what it goes by."""

    id: UUID
    names: ActNames
    versions: tuple[VisibleVersion, ...]


@dataclass(frozen=True, slots=True)
class Wanted:
    """A section that a question cites.

    Attributes:
        section: its number; ``paragraph``: the first paragraph named, empty where none is.
        documents: where it may stand: those named with it, all where none is named.
        act: the act as it is shown, empty where none is named.
        is_direct: the act stands beside the number and not elsewhere in the question.
        is_foreign: the act is none of the documents.
        is_between: it lies inside a range whose ends are named.
    """

    section: Numbered
    paragraph: str
    documents: tuple[Document, ...]
    act: str = ""
    is_direct: bool = False
    is_foreign: bool = False
    is_between: bool = False

    @property
    def shown(self) -> str:
        """Return the section as people write it."""
        return f"{'§' if self.section.sign == '§' else 'Art.'} {self.section.number}"


@dataclass(frozen=True, slots=True)
class Reading:
    """What a question names.

    Attributes:
        wanted: the sections that it cites, in order.
        acts: documents that are acts and are named without a section.
        foreign: acts that are none of the documents, named without a section.
    """

    wanted: tuple[Wanted, ...] = ()
    acts: tuple[tuple[Document, ...], ...] = ()
    foreign: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Place:
    """The documents that a citation means; with an act beside it and no document, the act is none of them."""

    act: str
    documents: tuple[Document, ...]
    is_direct: bool = False


def may_name(text: str) -> bool:
    """Say whether it is worth looking which documents there are; most questions name nothing."""
    return _ACT_LIKE.search(text) is not None


def documents_of(history: Sequence[VisibleVersion]) -> tuple[Document, ...]:
    """Gather the versions of each document; it goes by the title of the one recorded last."""
    ordered = sorted(history, key=lambda one: (one.document, one.ordinal))
    gathered = ((identity, tuple(group)) for identity, group in groupby(ordered, key=lambda one: one.document))
    return tuple(Document(one, names_of(group[-1].key, group[-1].title), group) for one, group in gathered)


def read(text: str, documents: Sequence[Document]) -> Reading:
    """Return what ``text`` names, given the documents that the asker may see on any day."""
    known = _known(text, documents)
    found = tuple(islice(citations(text), MOST_CITED))
    mentions = tuple(act_mentions(text))
    # The sections of a list or a range stand at one place, so they have one act.
    placed = {(one.span, one.act): _place(text, one, known, documents, mentions) for one in found}
    cited = tuple(_wanted(one, placed[one.span, one.act]) for one in found)
    spans = [one.span for one in found]
    loose = (of for span, of in known.items() if not any(_touch(text, span, one) for one in spans))
    acts = (tuple(one for one in of if one.names.is_act) for of in loose)
    return Reading(cited, tuple(of for of in acts if of), _foreign(text, known, spans, documents, mentions))


def _known(text: str, documents: Sequence[Document]) -> Mapping[Span, tuple[Document, ...]]:
    """Return where the documents are named, of names inside one another the longest."""
    found: dict[Span, tuple[Document, ...]] = {}
    for mention, number in known_mentions(text, [one.names for one in documents]):
        found[mention.span] = (*found.get(mention.span, ()), documents[number])
    return {
        span: tuple(dict.fromkeys(of))
        for span, of in found.items()
        if not any(other != span and other.start <= span.start and span.end <= other.end for other in found)
    }


def _wanted(citation: Citation, place: _Place) -> Wanted:
    return Wanted(
        section=Numbered(citation.sign, citation.number),
        paragraph=citation.paragraph,
        documents=place.documents,
        act=place.act,
        is_direct=place.is_direct,
        is_foreign=place.is_direct and not place.documents,
        is_between=citation.between,
    )


def _place(
    text: str,
    citation: Citation,
    known: Mapping[Span, tuple[Document, ...]],
    documents: Sequence[Document],
    mentions: Sequence[Mention],
) -> _Place:
    """Return which act a citation means."""
    named = _by_abbreviation(citation.act, documents) or _alike(citation.act, documents)
    if named or is_act_abbreviation(citation.act):
        return _Place(citation.act, named, is_direct=True)
    beside = _beside(text, citation, known, documents)
    if beside is not None:
        return _Place(_shown(beside), beside, is_direct=True)
    foreign = _foreign_beside(text, citation, documents, mentions)
    if foreign:
        return _Place(foreign, (), is_direct=True)
    if _ELSEWHERE.match(text, citation.span.end):
        return _Place("", ())
    named = tuple(dict.fromkeys(one for of in known.values() for one in of))
    return _Place(_shown(named), named or tuple(documents))


def _by_abbreviation(act: str, documents: Sequence[Document]) -> tuple[Document, ...]:
    return tuple(one for one in documents if act and folded(act) in one.names.abbreviations)


def _alike(word: str, documents: Sequence[Document]) -> tuple[Document, ...]:
    """Return the one document that people may mean by ``word``, none where it may be several."""
    if not is_act_word(stem(word)):
        return ()
    alike = tuple(one for one in documents if is_like(word, [one.names]))
    return alike if len(alike) == 1 else ()


def _beside(
    text: str, citation: Citation, known: Mapping[Span, tuple[Document, ...]], documents: Sequence[Document]
) -> tuple[Document, ...] | None:
    """Return the documents named right behind a citation, or right before it."""
    start = _end_of_link(text, citation.span.end)
    for span, of in known.items():
        if span.start == start or _touch(text, span, citation.span):
            return of
    # Written in small letters, an abbreviation is one only here: "§ 8 vvg".
    word = _WORD.match(text, start)
    return _by_abbreviation(word[0], documents) or _alike(word[0], documents) or None if word else None


def _foreign_beside(text: str, citation: Citation, documents: Sequence[Document], mentions: Sequence[Mention]) -> str:
    start = _end_of_link(text, citation.span.end)
    for mention in mentions:
        if mention.span.start == start or _touch(text, mention.span, citation.span):
            return "" if is_like(mention.name, [one.names for one in documents]) else mention.name
    before = [*_WORD.finditer(text, 0, citation.span.start)]
    if before and not text[before[-1].end() : citation.span.start].strip() and is_act_abbreviation(before[-1][0]):
        return before[-1][0]
    return ""


def _foreign(
    text: str,
    known: Mapping[Span, object],
    cited: Sequence[Span],
    documents: Sequence[Document],
    mentions: Sequence[Mention],
) -> tuple[str, ...]:
    """Return the acts that are named without a section and are none of the documents; only where there are acts."""
    names = [one.names for one in documents]
    if not any(one.is_act for one in names):
        return ()
    found = (mention for mention in mentions if not _is_told(text, mention, known, cited))
    unknown = (one.name for one in found if not is_like(one.name, names))
    return tuple(dict.fromkeys(unknown))


def _is_told(text: str, mention: Mention, known: Mapping[Span, object], cited: Sequence[Span]) -> bool:
    """Say whether a mention is a known one, or belongs to a citation."""
    overlaps = any(span.start < mention.span.end and mention.span.start < span.end for span in [*known, *cited])
    return overlaps or any(mention.span.start == _end_of_link(text, span.end) for span in cited)


def _touch(text: str, name: Span, citation: Span) -> bool:
    """Say whether a name belongs to a citation: inside it, right behind it or right before it."""
    inside = citation.start <= name.start and name.end <= citation.end
    before = name.end <= citation.start and not text[name.end : citation.start].strip(" ,")
    return inside or before or name.start == _end_of_link(text, citation.end)


def _end_of_link(text: str, start: int) -> int:
    link = _LINK.match(text, start)
    return link.end() if link else start


def _shown(documents: Sequence[Document]) -> str:
    return documents[0].names.shown if documents else ""
