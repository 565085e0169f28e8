"""A journal in memory whose rows, texts and tree are real: sealed, chained and signed as the stored form says.

``Chronicle`` fills it with a history of two mandates and a library, and makes bundles of it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from hashlib import sha256
from uuid import UUID, uuid4

from adapters.eventstore.blobs import MAGIC, bound
from adapters.eventstore.codec import encode
from adapters.eventstore.form import NO_EVENT, Header, event_hash
from adapters.eventstore.mapper import Draft, Mapper
from adapters.eventstore.seal import new_key, seal
from adapters.eventstore.topics import TOPICS
from adapters.journal.bundle_file import bundle_file
from adapters.journal.keys import verifies
from domain.asking.events import (
    CandidatesReranked,
    CandidatesRetrieved,
    LabelledPassage,
    PassagesSelected,
    QuestionAsked,
    QuestionEncoded,
    Ranked,
    RankedList,
    RelevanceDecided,
)
from domain.asking.outcome import (
    AnswerDelivered,
    AnswerDrafted,
    AnswerRefused,
    CoverageDecided,
    FeedbackGiven,
    NearPassage,
    Sentence,
    SourceShown,
)
from domain.asking.ports import PassageId
from domain.asking.source_changes import SourceChangeNotified
from domain.asking.verdicts import CheckedClaim, ClaimsChecked, SuspiciousSpot, VerdictReached
from domain.journal.bundles import Bundle, Entry, SealedRow, SealedText, Wanted
from domain.journal.exporting import Bundles
from domain.journal.handler import NO_WITNESSES, Journal
from domain.journal.tree import consistency_path, cover, inclusion_path, leaf_hash, root_of, subtrees_of
from domain.journal.viewing import Viewing
from domain.knowledge.events import DocumentRegistered, LevelAssigned, VersionIngested
from domain.knowledge.text import Passage, Span
from domain.mandates.events import MemberAdmitted, RoleGiven
from domain.mandates.handler import Mandates
from domain.mandates.state import COMPLIANCE
from domain.recording import Actor, BlobRef, Event, Recorded
from tests.memory import InMemoryEventStore, InMemoryPeople
from tests.unit.journal.signing import MemorySigner

TEXT = "Reisekosten werden erstattet. „Das Kilometergeld“ beträgt 0,35 Euro. 🦒 Weiteres regelt der Anhang."
PASSAGES = (Span(0, 29), Span(30, 68), Span(69, len(TEXT)))
CHECKS = (
    QuestionEncoded("bag/1", (0.5, 0.25), "beginnings/1", (("kil", 1.0),)),
    CandidatesReranked("share/1", ()),
    AnswerDrafted(
        "extractive", "1", (Sentence("Es beträgt 0,35 Euro.", ("S2",)), Sentence("Es <b>gilt</b> immer.", ()))
    ),
    CoverageDecided(0.5, 0.8, "default", passed=False),
    ClaimsChecked(
        "deterministic/3",
        "deterministic/3",
        0.8,
        (
            CheckedClaim(0, is_covered=True, confidence=1.0, reason="verbatim"),
            CheckedClaim(1, is_covered=False, confidence=0.2, reason="number", words="0,40"),
        ),
        (SuspiciousSpot(1, "number"),),
        ("", "judge_model"),
    ),
    VerdictReached("partially_verified", 2, 1, 1, 0, "reject"),
)
LEVELS = ("public", "internal", "confidential", "secret")


class Clock:
    def __init__(self) -> None:
        self.now = datetime(2026, 3, 1, 8, tzinfo=UTC)

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=1)
        return self.now


class SealedJournal(InMemoryEventStore):
    """The store, its rows as they would lie in the database, and the tree over them."""

    def __init__(self, clock: Clock, people: InMemoryPeople) -> None:
        super().__init__(clock, people)
        self.stored: list[SealedRow] = []
        self.texts: dict[tuple[UUID, str], SealedText] = {}
        self.heads: dict[UUID, bytes] = {}

    def _record(self, draft: Recorded, subject: UUID | None) -> Recorded:
        one = super()._record(draft, subject)
        assert one.event is not None
        assert one.actor is not None
        key = new_key()
        sealed = Mapper(TOPICS).to_stored_event(Draft(one.event, one.actor, one.mandate, one.stream, one.version, key))
        previous = self.heads.get(one.mandate, NO_EVENT)
        state = Header(one.mandate, one.number, previous, one.logged_at).before(sealed.state)
        self.heads[one.mandate] = event_hash(one.stream, one.version, sealed.topic, state, one.position)
        plaintext = encode(one.event, one.actor)
        self.stored.append(SealedRow(one, sealed.topic, state, self.heads[one.mandate], key, plaintext))
        return one

    def erase(self, position: int) -> None:
        """Delete the data key of an event."""
        row = self.stored[position - 1]
        gone = replace(row.recorded, event=None, actor=None)
        self.stored[position - 1] = replace(row, recorded=gone, data_key=None, plaintext=None)
        self.shred(row.recorded.stream, row.recorded.version)

    def truncate(self, size: int) -> None:
        """Forget all that came after."""
        del self.stored[size:]
        del self._journal[size:]
        self.heads = {row.recorded.mandate: row.hash for row in self.stored}
        left = {row.recorded.stream for row in self.stored}
        self._names = {name: stream for name, stream in self._names.items() if stream in left}

    async def put(self, mandate: UUID, text: str) -> BlobRef:
        key = new_key()
        content = MAGIC + seal(key, text.encode(), bound(mandate))
        address = sha256(content).hexdigest()
        self.texts[mandate, address] = SealedText(mandate, address, content, key, text)
        return BlobRef(address, sha256(text.encode()).hexdigest())

    # SealedStore
    async def span(
        self, mandate: UUID, up_to: int, since: datetime | None, until: datetime | None
    ) -> tuple[int, int] | None:
        numbers = [
            one.number
            for one in (row.recorded for row in self.stored[:up_to])
            if one.mandate == mandate
            and (since is None or one.logged_at >= since)
            and (until is None or one.logged_at <= until)
        ]
        return (min(numbers), max(numbers)) if numbers else None

    async def entries(self, mandate: UUID, first: int, last: int) -> Sequence[Entry]:
        return [
            Entry(one.position, one.number, row.hash, one.logged_at)
            for row in self.stored
            if (one := row.recorded).mandate == mandate and first <= one.number <= last
        ]

    async def rows(self, positions: Sequence[int]) -> Sequence[SealedRow]:
        return [self.stored[position - 1] for position in positions]

    async def text(self, mandate: UUID, address: str) -> SealedText | None:
        return self.texts.get((mandate, address))

    # JournalTree
    async def size(self) -> int:
        return len(self.stored)

    async def root(self, size: int) -> bytes:
        return root_of(self._leaves(size))

    async def inclusion(self, position: int, size: int) -> list[bytes]:
        return inclusion_path(position - 1, size, subtrees_of(self._leaves(size)))

    async def cover(self, positions: Sequence[int], size: int) -> list[bytes]:
        return cover([position - 1 for position in positions], size, subtrees_of(self._leaves(size)))

    async def consistency(self, firsts: Sequence[int], second: int) -> list[list[bytes]]:
        return [consistency_path(first, second, subtrees_of(self._leaves(second))) for first in firsts]

    def _leaves(self, size: int) -> list[bytes]:
        return [leaf_hash(row.hash) for row in self.stored[:size]]


@dataclass
class Chronicle:
    """Mandate ``a`` with Anna (administrator), Bert (member), Cleo (compliance); mandate ``b``; the library ``lib``."""

    clock: Clock = field(default_factory=Clock)
    people: InMemoryPeople = field(default_factory=InMemoryPeople)
    signer: MemorySigner = field(default_factory=MemorySigner)
    ids: dict[str, UUID] = field(default_factory=dict)
    versions: list[int] = field(default_factory=list)
    runs: list[UUID] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.store = SealedJournal(self.clock, self.people)
        self.handler = Mandates(self.store, self.people, uuid4)
        self.journal = Journal(self.store, self.store, self.signer, uuid4, verifies=verifies, witnesses=NO_WITNESSES)
        self.bundles = Bundles(
            self.store,
            self.store,
            self.journal,
            self.store,
            mandates=self.handler,
            viewing=Viewing(self.store, uuid4),
            clock=self.clock,
        )

    async def open(self) -> "Chronicle":
        for name in ("anna", "bert", "cleo", "dora"):
            self.ids[name] = await self.people.register(name)
        for key in ("a", "b", "lib"):
            opened = await self.handler.open(key, key.upper(), "Europe/Berlin", self.as_("anna"), library=key == "lib")
            self.ids[key] = opened.id
        await self.handler.subscribe("a", "lib", self.as_("anna"))
        await self._record("a", self.ids["a"], *self._admissions())
        return self

    def _admissions(self) -> list[Event]:
        return [
            MemberAdmitted(self.ids["bert"], "internal"),
            MemberAdmitted(self.ids["cleo"], "secret"),
            RoleGiven(self.ids["cleo"], COMPLIANCE),
            MemberAdmitted(self.ids["dora"], "internal"),
            RoleGiven(self.ids["dora"], COMPLIANCE),
        ]

    def as_(self, name: str) -> Actor:
        return Actor(self.ids[name])

    async def _record(self, mandate: str, stream: UUID, *events: Event, by: str = "anna") -> tuple[Recorded, ...]:
        before = len(await self.store.read(stream))
        person = self.ids[by]
        return await self.store.append(self.ids[mandate], stream, before, events, Actor(person), subject=person)

    async def ingest(self, mandate: str = "a", level: str = "internal") -> int:
        """Record a document with one version and return its position."""
        blob = await self.store.put(self.ids[mandate], TEXT)
        passages = tuple(Passage(span, (number, number + 1), ("1 Fahrten",)) for number, span in enumerate(PASSAGES))
        version = VersionIngested(
            1, blob, "plain", len(TEXT), "Reisekosten", None, level, None, None, "assumed", "reisekosten.txt", "text/1",
            "de/1", PASSAGES, passages, (),
        )  # fmt: skip
        recorded = await self._record(mandate, uuid4(), DocumentRegistered(f"reise{len(self.versions)}"), version)
        self.versions.append(recorded[-1].position)
        return recorded[-1].position

    async def raise_level(self, position: int, level: str) -> None:
        one = self.store.stored[position - 1].recorded
        mandate = next(name for name, known in self.ids.items() if known == one.mandate)
        await self._record(mandate, one.stream, LevelAssigned(level))

    async def notify(self, run: UUID, version: int) -> None:
        """Tell a run that a version which it cites was superseded."""
        change = SourceChangeNotified(version, self.clock.now, version, ("S2",), "superseded", None, holds=True)
        await self._record("a", run, change)

    async def like(self, run: UUID, by: str) -> None:
        """Let somebody find an answer helpful."""
        await self._record("a", run, FeedbackGiven(self.ids[by], "$answer", "$sign", is_helpful=True), by=by)

    async def ask(
        self,
        version: int,
        *,
        by: str = "anna",
        mandate: str = "a",
        refused: bool = False,
        withheld: bool = False,
        checked: bool = False,
        levels: Sequence[str] = LEVELS,
    ) -> UUID:
        """Record a run over the passages of one version."""
        run, person = uuid4(), self.ids[by]
        scope = (self.ids[mandate], self.ids["lib"])
        horizon = (None, scope, tuple(levels), None, None, date(2026, 3, 1), len(self.store.stored))
        asked = QuestionAsked("Wie hoch ist das Kilometergeld?", person, *horizon)
        await self._record(mandate, run, asked, by=by)
        ids = [PassageId(version, number) for number in range(len(PASSAGES))]
        found = tuple(Ranked(one, rank, 0.9) for rank, one in enumerate(ids, start=1))
        await self._record(mandate, run, CandidatesRetrieved((RankedList("bm25", found),)), by=by)
        selected = PassagesSelected(tuple(LabelledPassage(f"S{one.number + 1}", one, 0.9) for one in ids))
        gate = RelevanceDecided(0.1 if refused else 0.9, 0.35, "share/1", "default", not refused)
        await self._record(mandate, run, selected, gate, by=by)
        if refused:
            near = NearPassage(ids[0], "Reisekosten", ("1 Fahrten",), "", 0.1)
            await self._record(mandate, run, AnswerRefused("relevance", "refused", 0.1, 0.35, (near,)), by=by)
        else:
            draft, answer = _answer(version, self.store.stored[version - 1].recorded.mandate)
            rejected = AnswerRefused("verifier", "verifier", None, None, ())
            before = CHECKS if checked else (draft,)
            await self._record(mandate, run, *before, rejected if withheld else answer, by=by)
        self.runs.append(run)
        return run

    async def bundle(self, wanted: Wanted | None = None, *, reader: str = "cleo", mandate: str = "a") -> Bundle:
        own = await self.handler.find(mandate)
        return await self.bundles.export(own, wanted or Wanted(), self.as_(reader))

    async def file(self, wanted: Wanted | None = None, *, reader: str = "cleo") -> bytes:
        return self.written(await self.bundle(wanted, reader=reader))

    def written(self, bundle: Bundle) -> bytes:
        return bundle_file(bundle, "Lies mich.\n", "<!DOCTYPE html>\n", self.journal.sealed)

    async def checkpoint(self) -> str:
        return str((await self.journal.checkpoint(self.as_("anna"))).note)

    @property
    def key(self) -> str:
        return str(self.signer.key)


def _answer(version: int, mandate: UUID) -> tuple[Event, Event]:
    said = (Sentence("Das Kilometergeld beträgt 0,35 Euro.", ("S2",)),)
    shown = SourceShown(
        "S2", version, mandate, "reise", 1, "Reisekosten", None, ("1 Fahrten",), "", None, None, "plain", PASSAGES[1],
        None, "internal", None, None, "assumed", in_force=True, ended_on=None, in_force_as_known=True,
    )  # fmt: skip
    return AnswerDrafted("extractive", "1", said), AnswerDelivered("verified", said, (shown,), 1)
