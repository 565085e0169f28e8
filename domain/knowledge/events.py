"""Events of a document. Each document has its own stream."""

from dataclasses import dataclass
from datetime import date

from domain.knowledge.text import Page, Passage, Span
from domain.recording import BlobRef, Event


@dataclass(frozen=True, slots=True)
class DocumentRegistered(Event):
    """A document is known under its key."""

    key: str


@dataclass(frozen=True, slots=True)
class VersionIngested(Event):
    """A version is recorded.

    Attributes:
        version: 1, 2, 3 ...
        blob: where the stored text lies.
        markup: ``markdown`` or ``plain``.
        characters: length of the stored text in code points.
        valid_from: first day in force, ``None`` for open.
        valid_to: first day no longer in force, ``None`` for open.
        valid_from_kind: ``legal``, ``observed`` or ``assumed``.
        source: name of the file it came from, without folders.
        reader: reader with version; ``segmentation``: rule set of sentences and passages with version.
    """

    version: int
    blob: BlobRef
    markup: str
    characters: int
    title: str
    url: str | None
    level: str
    valid_from: date | None
    valid_to: date | None
    valid_from_kind: str
    source: str
    reader: str
    segmentation: str
    sentences: tuple[Span, ...]
    passages: tuple[Passage, ...]
    pages: tuple[Page, ...]


@dataclass(frozen=True, slots=True)
class ValidPeriod:
    """Half-open interval of days; ``None`` is open."""

    start: date | None
    end: date | None


@dataclass(frozen=True, slots=True)
class VersionSuperseded(Event):
    """Another version takes over; ``remaining`` is the validity that this one keeps (empty: none)."""

    version: int
    by: int
    remaining: tuple[ValidPeriod, ...]


@dataclass(frozen=True, slots=True)
class VersionCorrected(Event):
    """Title, link or validity of a version with unchanged text are put right."""

    version: int
    title: str
    url: str | None
    valid_from: date | None
    valid_to: date | None
    valid_from_kind: str


@dataclass(frozen=True, slots=True)
class LevelAssigned(Event):
    """All versions of the document have this level from now on."""

    level: str


@dataclass(frozen=True, slots=True)
class DocumentWithdrawn(Event):
    """The document no longer answers."""

    because: str


@dataclass(frozen=True, slots=True)
class IngestFailed(Event):
    """A file could not be read; ``error`` is a key of the locale files."""

    source: str
    error: str
