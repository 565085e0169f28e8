"""A small world in memory: documents, searches and models that are easy to predict, and the questions put to them."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from hashlib import sha256
from math import sqrt
from uuid import UUID, uuid5

from domain.asking.admission import Admission, Admissions
from domain.asking.bound import BoundRetrieval
from domain.asking.formulation import Extractive
from domain.asking.norms import StoredNorms
from domain.asking.parts import Parts
from domain.asking.pipeline import Asking
from domain.asking.ports import Hit, PassageId, PassageText
from domain.asking.retrieval import Retrieval
from domain.asking.ruling import Rules
from domain.asking.searches import Sparse
from domain.asking.sections import SectionPassage
from domain.asking.stored import StoredTexts
from domain.asking.values import Ask
from domain.asking.visibility import Horizon, Visible, VisibleVersion
from domain.errors import PartError
from domain.knowledge.events import DocumentRegistered
from domain.knowledge.numbered import Numbered, numbered_sections, paragraphs
from domain.knowledge.text import Span
from domain.mandates.handler import Mandates
from domain.mandates.policies import ModelThreshold
from domain.recording import Actor, Event
from domain.verifying.ports import DeterministicJudge
from tests.memory import InMemoryBlobs, InMemoryEventStore, InMemoryPeople

NAMESPACE = UUID("00000000-0000-0000-0000-00000000f0f0")
TODAY = datetime(2026, 11, 30, 12, tzinfo=UTC)
_PARAGRAPH = re.compile(r"\((\d+)\) ")
_SENTENCE = re.compile(r"\S[^\n]*?(?:[.:;](?=\s)|(?=\n)|\Z)", re.DOTALL)


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())


@dataclass
class Clock:
    now: datetime = TODAY

    def __call__(self) -> datetime:
        return self.now


@dataclass
class Stopwatch:
    seconds: float = 0.0

    def __call__(self) -> float:
        self.seconds += 0.001
        return self.seconds


@dataclass
class Entry:
    """A version with its text and the stretch of positions at which it was known."""

    version: VisibleVersion
    text: str
    section: tuple[str, ...]
    known_from: int
    known_to: int | None = None
    passages: list[PassageText] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class OneRetrieval:
    """The same searches whatever is bound."""

    retrieval: Retrieval

    def bound(self, _admission: Admission) -> BoundRetrieval:
        return BoundRetrieval(self.retrieval)


class World:
    """Mandates ``a`` (Anna's), ``b`` (Bert's) and the library ``lib``, which ``a`` reads; Bert sees ``a`` to internal.

    ``failing`` names parts that do not answer.
    """

    def __init__(self) -> None:
        self.clock = Clock()
        self.people = InMemoryPeople()
        self.store = InMemoryEventStore(self.clock, self.people)
        self.blobs = InMemoryBlobs()
        self.ids = 0
        self.handler = Mandates(self.store, self.people, self.new_id)
        self.entries: list[Entry] = []
        self.failing: set[str] = set()
        self.encoder = Encoder(self)
        self.sparse_encoder = SparseEncoder(self)
        self.reranker = Reranker(self)

    async def open(self) -> "World":
        self.anna, self.bert = await self.people.register("anna"), await self.people.register("bert")
        self.mandates: dict[str, UUID] = {}
        for key, owner in (("a", self.anna), ("b", self.bert), ("lib", self.anna)):
            opened = await self.handler.open(key, key.upper(), "Europe/Berlin", Actor(owner), library=key == "lib")
            self.mandates[key] = opened.id
        await self.handler.subscribe("a", "lib", Actor(self.anna))
        await self.handler.admit("a", "bert", "internal", Actor(self.anna))
        return self

    async def add(
        self,
        mandate: str,
        key: str,
        text: str,
        *,
        version: int = 1,
        level: str = "internal",
        valid_from: date | None = None,
        valid_to: date | None = None,
        section: tuple[str, ...] = ("Abschnitt 1",),
        title: str | None = None,
    ) -> Entry:
        """Record a version; each paragraph is a passage."""
        owner = self.mandates[mandate]
        blob = await self.blobs.put(owner, text)
        event = DocumentRegistered(key)
        stream = uuid5(NAMESPACE, f"{mandate} {key}")
        before = len(await self.store.read(stream))
        recorded = await self.store.append(owner, stream, before, [event], Actor(self.anna))
        ordinal = recorded[0].position
        known = VisibleVersion(
            ordinal,
            owner,
            stream,
            key,
            version,
            title or f"Titel {key}",
            None,
            level,
            blob,
            valid_from,
            valid_to,
            "legal",
            recorded[0].logged_at,
        )
        entry = Entry(known, text, section, ordinal)
        entry.passages = list(cut_into_passages(ordinal, text, section))
        self.entries.append(entry)
        return entry

    def asking(self) -> Asking:
        return Asking(self.parts())

    def parts(self) -> Parts:
        retrieval = Retrieval(
            encoder=self.encoder,
            dense=Dense(self),
            bm25=Bm25(self),
            sparse=Sparse(self.sparse_encoder, SparseSearch(self)),
            texts=Texts(self),
            reranker=self.reranker,
            weights={"dense": 0.3},
        )
        return Parts(
            store=self.store,
            admissions=self.admissions(),
            views=self,
            knowledge=self,
            rules=Rules(self, HeadingSections(self)),
            norms=StoredNorms(Rules(self, HeadingSections(self))),
            retrievals=OneRetrieval(retrieval),
            judge=DeterministicJudge(),
            formulator=Extractive,
            stored=StoredTexts(self.blobs),
            clock=self.clock,
            stopwatch=Stopwatch(),
            new_id=self.new_id,
        )

    def admissions(self) -> Admissions:
        return Admissions(self.handler)

    def question(self, text: str, mandate: str = "a", asker: UUID | None = None, **options: object) -> Ask:
        person = asker or self.anna
        return Ask(mandate, person, Actor(person), text, **options)  # type: ignore[arg-type]

    def model(self) -> ModelThreshold:
        return ModelThreshold(self.reranker.fingerprint, self.reranker.threshold)

    def events(self) -> list[Event]:
        """Return the events of all runs, in order."""
        found = (recorded.event for recorded in self.store._journal if recorded.event is not None)
        return [event for event in found if type(event).__module__.startswith("domain.asking.")]

    def tick(self) -> str:
        """Let a minute pass and return an instant within it."""
        self.clock.now += timedelta(minutes=1)
        return (self.clock.now - timedelta(seconds=30)).isoformat()

    # Views
    async def reach(self, position: int | None = None) -> int:
        self.must_work("views")
        return await self.store.head() if position is None else position

    async def bring(self, *_names: str) -> int:
        self.must_work("views")
        return await self.store.head()

    # KnowledgeView
    async def visible(self, horizon: Horizon) -> Visible:
        self.must_work("knowledge")
        return Visible(horizon, {e.version.ordinal: e.version for e in self.entries if _inside(e, horizon)})

    async def documents(self, horizon: Horizon) -> frozenset[str]:
        return frozenset(
            e.version.key
            for e in self.entries
            if _inside(e, replace(horizon, valid_on=e.version.valid_from or date.min))
        )

    async def history(self, horizon: Horizon) -> tuple[VisibleVersion, ...]:
        return tuple(
            e.version for e in self.entries if _inside(e, replace(horizon, valid_on=e.version.valid_from or date.min))
        )

    def must_work(self, part: str) -> None:
        if part in self.failing:
            raise PartError(part)

    def entry(self, ordinal: int) -> Entry:
        return next(entry for entry in self.entries if entry.version.ordinal == ordinal)

    def new_id(self) -> UUID:
        self.ids += 1
        return uuid5(NAMESPACE, f"run {self.ids}")


def _inside(entry: Entry, horizon: Horizon) -> bool:
    version, day = entry.version, horizon.valid_on
    return (
        version.mandate in horizon.scope
        and version.level in horizon.levels
        and entry.known_from <= horizon.position
        and (entry.known_to is None or horizon.position < entry.known_to)
        and (version.valid_from is None or version.valid_from <= day)
        and (version.valid_to is None or day < version.valid_to)
        and (horizon.documents is None or version.key in horizon.documents)
    )


def cut_into_passages(ordinal: int, text: str, section: tuple[str, ...]) -> Sequence[PassageText]:
    found = []
    for number, paragraph in enumerate(re.finditer(r"(?:[^\n]+\n?)+", text)):
        span = Span(paragraph.start(), paragraph.start() + len(paragraph[0].rstrip()))
        cut = span.of(text)
        sentences = tuple(
            Span(span.start + match.start(), span.start + match.end()) for match in _SENTENCE.finditer(cut)
        )
        found.append(
            PassageText(
                id=PassageId(ordinal, number),
                span=span,
                text=cut,
                mark="",
                markup="plain",
                section=section,
                place=f"Abs. {opening[1]}" if (opening := _PARAGRAPH.match(cut)) else "",
                lead_in="",
                lead_in_span=None,
                sentences=sentences,
                page=None,
                page_label=None,
                search_text=" ".join([*section, cut]),
            )
        )
    return found


@dataclass
class Encoder:
    """A bag of words in 64 drawers."""

    world: World
    name = "bag"
    version = "1"
    fingerprint = "bag/1"

    async def encode(self, texts: Sequence[str]) -> list[tuple[float, ...]]:
        self.world.must_work("encoder")
        return [bag(text) for text in texts]

    async def question(self, text: str) -> tuple[float, ...]:
        return (await self.encode([text]))[0]


def bag(text: str) -> tuple[float, ...]:
    drawers = [0.0] * 64
    for word in words(text):
        drawers[sha256(word.encode()).digest()[0] % 64] += 1.0
    length = sqrt(sum(value * value for value in drawers)) or 1.0
    return tuple(value / length for value in drawers)


@dataclass
class SparseEncoder:
    """The letters that words begin with, three each."""

    world: World
    name = "beginnings"
    version = "1"
    fingerprint = "beginnings/1"

    async def encode(self, texts: Sequence[str]) -> list[dict[str, float]]:
        self.world.must_work("sparse_encoder")
        return [dict.fromkeys((word[:3] for word in words(text)), 1.0) for text in texts]

    async def question(self, text: str) -> dict[str, float]:
        return (await self.encode([text]))[0]


@dataclass
class Reranker:
    """The share of the question's words that a passage holds. ``judge`` replaces it."""

    world: World
    name = "share"
    version = "1"
    fingerprint: str = "share/1"
    threshold: float | None = 0.35
    judge: Callable[[str, str], float] | None = None

    async def scores(self, question: str, passages: Sequence[PassageText]) -> list[float]:
        self.world.must_work("reranker")
        judge = self.judge or share
        return [judge(question, passage.search_text) for passage in passages]


def share(question: str, text: str) -> float:
    asked = set(words(question))
    return len(asked & set(words(text))) / len(asked)


@dataclass
class Dense:
    world: World

    async def search(self, vector: Sequence[float], visible: Visible, limit: int) -> tuple[Hit, ...]:
        self.world.must_work("dense")
        hits = [
            Hit(passage.id, sum(a * b for a, b in zip(vector, bag(passage.search_text), strict=True)))
            for passage in _all(self.world, visible)
        ]
        return _best(hits, limit)

    async def vectors(self, passages: Sequence[PassageId], visible: Visible) -> list[tuple[float, ...]]:
        found = {passage.id: bag(passage.search_text) for passage in _all(self.world, visible)}
        return [found[passage] for passage in passages]


@dataclass
class Bm25:
    world: World

    async def search(self, text: str, visible: Visible, limit: int) -> tuple[Hit, ...]:
        self.world.must_work("bm25")
        asked = set(words(text))
        hits = [Hit(one.id, float(len(asked & set(words(one.search_text))))) for one in _all(self.world, visible)]
        return _best([hit for hit in hits if hit.score], limit)


@dataclass
class SparseSearch:
    world: World

    async def search(self, weights: Mapping[str, float], visible: Visible, limit: int) -> tuple[Hit, ...]:
        self.world.must_work("sparse")
        passages = _all(self.world, visible)
        held = await self.world.sparse_encoder.encode([one.search_text for one in passages])
        hits = [
            Hit(one.id, sum(map(weights.__getitem__, weights.keys() & has)))
            for one, has in zip(passages, held, strict=True)
        ]
        return _best([hit for hit in hits if hit.score], limit)


@dataclass
class HeadingSections:
    """Sections by the headings of passages."""

    world: World

    async def find(
        self, wanted: Collection[Numbered], versions: Collection[VisibleVersion], scope: Sequence[UUID]
    ) -> tuple[SectionPassage, ...]:
        self.world.must_work("sections")
        return tuple(one for one in self._all(versions, scope) if one.section in wanted)

    async def numbered(self, versions: Collection[VisibleVersion], scope: Sequence[UUID]) -> frozenset[int]:
        return frozenset(one.passage.ordinal for one in self._all(versions, scope))

    def _all(self, versions: Collection[VisibleVersion], scope: Sequence[UUID]) -> list[SectionPassage]:
        return [
            SectionPassage(section, passage.id, paragraphs(passage.place, passage.places))
            for ordinal in sorted({version.ordinal for version in versions if version.mandate in scope})
            for passage in self.world.entry(ordinal).passages
            for section in numbered_sections(passage.section)
        ]


@dataclass
class Texts:
    world: World

    async def texts(self, passages: Sequence[PassageId], visible: Visible) -> tuple[PassageText, ...]:
        self.world.must_work("texts")
        found = {passage.id: passage for passage in _all(self.world, visible)}
        return tuple(found[passage] for passage in passages)


def _all(world: World, visible: Visible) -> list[PassageText]:
    return [passage for ordinal in visible.versions for passage in world.entry(ordinal).passages]


def _best(hits: Sequence[Hit], limit: int) -> tuple[Hit, ...]:
    return tuple(sorted(hits, key=lambda hit: (-hit.score, hit.passage))[:limit])
