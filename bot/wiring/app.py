"""What a running program consists of, each part made when it is first asked for."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import TYPE_CHECKING
from uuid import UUID, uuid4

from adapters.postgres.database import Database
from bot import lexical, models
from bot.bound import BoundModels
from bot.config import Settings
from bot.wiring import asking, auditing, erasing, searching
from bot.wiring.acting import Acting
from domain.asking.admission import Admissions
from domain.asking.again import Again
from domain.asking.cards import Cards
from domain.asking.drafts import Formulator
from domain.asking.feedback import Feedbacks
from domain.asking.notifying import SourceChanges
from domain.asking.parts import Parts
from domain.asking.pipeline import Asking
from domain.asking.ports import DenseEncoder, Reranker, SparseEncoder
from domain.asking.rehearsal import Rehearsals
from domain.asking.retrieval import Retrieval
from domain.asking.runs import Runs
from domain.erasing.eraser import OrderingEraser
from domain.erasing.handler import Erasing
from domain.erasing.holding import Holds
from domain.erasing.proposing import Proposing
from domain.erasing.reviewing import Retention
from domain.journal.bundles import SealedStore
from domain.journal.erasures import Erasures
from domain.journal.exporting import Bundles
from domain.journal.handler import Journal
from domain.journal.viewing import Viewing
from domain.knowledge.handler import Knowledge
from domain.mandates.four_eyes import FourEyes
from domain.mandates.handler import Mandates
from domain.recording import Actor, BlobStore, EventStore, People
from projections.citations import PostgresCitations
from projections.known import PostgresKnowledge
from projections.looks import PostgresLooks
from projections.projection import Projection
from projections.runner import ProjectionRunner
from projections.runs import PostgresRuns

if TYPE_CHECKING:
    from adapters.search.analyzer import GermanAnalyzer
    from adapters.search.opensearch import OpenSearchIndex
    from adapters.search.subwords import SubwordEncoder, SubwordIndex
    from adapters.search.tantivy import TantivyIndex


@dataclass
class App:
    """The parts of one running program.

    Attributes:
        settings: what this call works with.
        sealed: events and texts as they are stored.
        text_mac: marks a text of a mandate, so that views can tell equal texts without holding them.
    """

    settings: Settings
    database: Database
    store: EventStore
    people: People
    blobs: BlobStore
    sealed: SealedStore
    text_mac: Callable[[UUID, str], bytes]

    # Mandates

    @cached_property
    def mandates(self) -> Mandates:
        """The commands of mandates."""
        return Mandates(self.store, self.people, uuid4)

    @cached_property
    def four_eyes(self) -> FourEyes:
        """The second person's commands."""
        return FourEyes(self.store, self.people, self.mandates, self.bound.threshold_model, erasing.still_due(self))

    @cached_property
    def holds(self) -> Holds:
        """The commands of legal holds."""
        return Holds(self.store, self.people, self.mandates, uuid4)

    # Documents and views

    @cached_property
    def knowledge(self) -> Knowledge:
        """The commands on documents."""
        return asking.knowledge(self)

    @cached_property
    def known(self) -> PostgresKnowledge:
        """What is known, read from the view."""
        return PostgresKnowledge(self.database)

    @cached_property
    def projections(self) -> tuple[Projection, ...]:
        """All that is built from events."""
        return searching.projections(self)

    @cached_property
    def views(self) -> ProjectionRunner:
        """Keeps the projections in step with the journal."""
        return ProjectionRunner(self.database, self.store, self.projections)

    # Searches

    @cached_property
    def analyzer(self) -> "GermanAnalyzer":
        """The rules by which words are told apart, the same for index, question and ranking."""
        return searching.analyzer()

    @cached_property
    def lexical(self) -> "TantivyIndex | OpenSearchIndex":
        """The index of words."""
        return lexical.index(self.settings, self.analyzer)

    @cached_property
    def subwords(self) -> "SubwordEncoder":
        """The embedded sparse encoder."""
        return searching.subword_encoder(self)

    @cached_property
    def subword_index(self) -> "SubwordIndex":
        """The index of pieces of words."""
        return searching.subword_index(self)

    @cached_property
    def bound(self) -> BoundModels:
        """The models that can be had, and the searches with those that a mandate has bound."""
        return searching.bound_models(self)

    def searching_with(self, dense: DenseEncoder, sparse: SparseEncoder, reranker: Reranker) -> Retrieval:
        """Return the searches with these models."""
        return searching.retrieval(self, dense, sparse, reranker)

    # Questions

    @cached_property
    def admissions(self) -> Admissions:
        """Who may ask what."""
        return Admissions(self.mandates)

    @cached_property
    def asking_parts(self) -> Parts:
        """Everything that a question needs."""
        return asking.parts(self)

    def formulator(self, reranker: Reranker) -> Formulator:
        """Return what writes the drafts of answers; the embedded one chooses stored sentences by ``reranker``."""
        return models.formulator(self.settings, reranker)

    @cached_property
    def asking(self) -> Asking:
        """Questions and searches."""
        return Asking(self.asking_parts)

    @cached_property
    def again(self) -> Again:
        """Runs taken up again."""
        return Again(self.asking_parts)

    @cached_property
    def rehearsals(self) -> Rehearsals:
        """Recorded questions asked once more, for comparison."""
        return Rehearsals(self.asking_parts)

    @cached_property
    def feedbacks(self) -> Feedbacks:
        """What people say of answers."""
        return Feedbacks(self.store, self.mandates)

    @cached_property
    def cards(self) -> Cards:
        """Sources opened to their surroundings."""
        return Cards(self.store, self.blobs)

    @cached_property
    def runs(self) -> Runs:
        """Runs shown again."""
        return asking.runs(self)

    @cached_property
    def runs_view(self) -> PostgresRuns:
        """Runs, read from the view."""
        return PostgresRuns(self.database)

    @cached_property
    def citations(self) -> PostgresCitations:
        """What runs cite, and who has been told what has become of it."""
        return PostgresCitations(self.database)

    @cached_property
    def source_changes(self) -> SourceChanges:
        """Runs are told what has become of the versions that they cite."""
        return SourceChanges(self.store, self.mandates, self.views, self.citations)

    # What compliance needs

    @cached_property
    def journal(self) -> Journal:
        """The journal's checkpoints."""
        return auditing.journal(self)

    @cached_property
    def bundles(self) -> Bundles:
        """Audit bundles."""
        return auditing.bundles(self)

    @cached_property
    def viewing(self) -> Viewing:
        """Records who looks at what."""
        return Viewing(self.store, uuid4)

    @cached_property
    def looks_view(self) -> PostgresLooks:
        """Who looked at what, read from the view."""
        return PostgresLooks(self.database)

    @cached_property
    def proposing(self) -> Proposing:
        """Erasing, proposed."""
        return Proposing(self.store, self.people, self.mandates, uuid4)

    @cached_property
    def erasures(self) -> Erasures:
        """What was ordered to be erased, done."""
        return erasing.erasures(self)

    @cached_property
    def eraser(self) -> OrderingEraser:
        """What erases by order of two people."""
        return erasing.eraser(self)

    @cached_property
    def erasing(self) -> Erasing:
        """Erasing, once two people have agreed."""
        return Erasing(self.store, self.mandates, self.eraser)

    @cached_property
    def retention(self) -> Retention:
        """What mandates keep beyond their terms."""
        return erasing.retention(self)

    # Who acts, and when

    @cached_property
    def acting(self) -> Acting:
        """Tells who acts."""
        return Acting(self.settings, self.people)

    async def actor(self, named: str | None = None) -> Actor:
        """Return who causes a change, as ``Acting`` says."""
        return await self.acting.actor(named)

    async def asker(self, named: str | None = None) -> UUID | None:
        """Return the pseudonym of who asks or looks, as ``Acting`` says."""
        return await self.acting.asker(named)

    async def looker(self, named: str | None = None) -> Actor:
        """Return who looks at what may not be their own, as ``Acting`` says."""
        return await self.acting.looker(named)

    @staticmethod
    def now() -> datetime:
        """Return the present instant (UTC)."""
        return datetime.now(UTC)

    async def close(self) -> None:
        """Close what parts have opened by themselves."""
        if "lexical" in self.__dict__:
            await self.lexical.close()
