"""From a text that was read to the events that make it known."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import chain
from typing import Final

from domain.knowledge.documents import Document, KnownText, NewVersion, Statement, document
from domain.knowledge.events import DocumentRegistered, LevelAssigned, VersionCorrected, VersionIngested
from domain.knowledge.headlines import title_line
from domain.knowledge.passages import RULES as PASSAGE_RULES
from domain.knowledge.passages import cut
from domain.knowledge.sentences import RULES as SENTENCE_RULES
from domain.knowledge.sentences import split
from domain.knowledge.text import Extract, Passage, Span
from domain.knowledge.versions import takeovers
from domain.recording import BlobRef, Event

SEGMENTATION: Final = f"{SENTENCE_RULES} {PASSAGE_RULES}"
"""The rule sets that cut texts, recorded with each version."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """A text cut into sentences and passages and stored; ``source`` is the name of its file."""

    extract: Extract
    source: str
    sentences: tuple[Span, ...]
    passages: tuple[Passage, ...]
    blob: BlobRef


def digest(text: str) -> str:
    """Return the SHA-256 of the stored text, hexadecimal."""
    return sha256(text.encode()).hexdigest()


def segment(extract: Extract) -> tuple[tuple[Span, ...], tuple[Passage, ...]]:
    """Cut a text into sentences and passages."""
    sentences = split(extract.text, extract.markup)
    return sentences, cut(extract.text, sentences, extract.markup)


def consequences(
    state: Document, decision: NewVersion | KnownText, key: str, prepared: Prepared | None
) -> tuple[Event, ...]:
    """Return the events that follow from ``decision``, in order; none for an unchanged text."""
    if isinstance(decision, KnownText):
        events: Sequence[Event] = decision.events
    else:
        if prepared is None:
            raise ValueError("a new version needs its prepared text")
        events = (_version(decision, key, prepared),)
    if not any(isinstance(event, VersionIngested | VersionCorrected) for event in events):
        return tuple(events)
    registered = [DocumentRegistered(key)] if state.key is None else []
    after = document(events, state)
    return tuple(chain(registered, events, takeovers(state.claims, after.claims, decision.number)))


def surprises(
    before: Document, events: Sequence[Event], decision: NewVersion | KnownText, stated: Statement
) -> tuple[str, ...]:
    """Return what became of an ingest that whoever asked for it may not have meant; see ``Ingested.notes``."""
    version = next(one for one in document(events, before).versions if one.number == decision.number)
    found = {
        "revived": bool(events) and bool(before.versions) and not before.live,
        "level_kept": version.level != stated.level,
        "level_raised": bool(events) and all(isinstance(event, LevelAssigned) for event in events),
    }
    return tuple(name for name, holds in found.items() if holds)


def _version(decision: NewVersion, key: str, prepared: Prepared) -> VersionIngested:
    extract = prepared.extract
    return VersionIngested(
        version=decision.number,
        blob=prepared.blob,
        markup=extract.markup,
        characters=len(extract.text),
        title=decision.title or title_line(extract.title or "") or key,
        url=decision.url,
        level=decision.level,
        valid_from=decision.valid.start,
        valid_to=decision.valid.end,
        valid_from_kind=decision.valid_from_kind,
        source=prepared.source,
        reader=extract.reader,
        segmentation=SEGMENTATION,
        sentences=prepared.sentences,
        passages=prepared.passages,
        pages=extract.pages,
    )
