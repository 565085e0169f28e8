"""The one place where ports meet adapters.

Heavy parts (models, search engines) are imported and opened by the property that first asks for them, so that a
simple command stays fast.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING
from uuid import UUID, uuid4

from adapters.encoders.use import UniversalSentenceEncoder
from adapters.journal.keys import KeyFiles, verifies
from adapters.postgres.database import Database, open_database
from adapters.search.passages import StoredPassages
from adapters.search.pgvector import PgvectorIndex
from adapters.search.sections import StoredSections
from adapters.search.sparsevec import SparsevecIndex
from bot import identity, lexical, models
from bot.bound import BoundModels, Choice
from bot.config import Settings
from bot.erasing import InstallationShredder, finish_erasing, folders_under, indexes_among
from bot.installation import master_key, must_be_initialised, open_with_keys, postgres_url
from domain.asking.admission import Admissions
from domain.asking.again import Again
from domain.asking.cards import Cards
from domain.asking.drafts import Formulator
from domain.asking.notifying import SourceChanges
from domain.asking.parts import Parts
from domain.asking.pipeline import Asking
from domain.asking.ports import DenseEncoder, Reranker, SparseEncoder, SparseIndex
from domain.asking.quoting import Quotes
from domain.asking.rehearsal import Rehearsals
from domain.asking.retrieval import Retrieval
from domain.asking.ruling import Rules
from domain.asking.runs import Runs
from domain.asking.searches import Sparse
from domain.asking.stored import StoredTexts
from domain.erasing.eraser import OrderingEraser
from domain.erasing.handler import Erasing
from domain.erasing.holding import Holds
from domain.erasing.proposing import Proposing
from domain.erasing.reviewing import Retention
from domain.errors import AccessError
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
from projections.ended import PostgresEndedVersions
from projections.journal import PostgresJournalTree
from projections.knowledge import KnowledgeProjection
from projections.known import PostgresKnowledge
from projections.live import live_among
from projections.looks import LooksProjection, PostgresLooks
from projections.passages import PassageProjection
from projections.projection import Projection
from projections.runner import ProjectionRunner
from projections.runs import PostgresRuns, RunsProjection
from projections.sections import SectionProjection
from projections.weights import WeightProjection

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

    @cached_property
    def mandates(self) -> Mandates:
        """The commands of mandates."""
        return Mandates(self.store, self.people, uuid4)

    @cached_property
    def four_eyes(self) -> FourEyes:
        """The second person's commands."""
        return FourEyes(self.store, self.people, self.mandates, self.bound.threshold_model)

    @cached_property
    def holds(self) -> Holds:
        """The commands of legal holds."""
        return Holds(self.store, self.people, self.mandates, uuid4)

    @cached_property
    def retention(self) -> Retention:
        """What mandates keep beyond their terms."""
        return Retention(self.store, self.proposing, self.runs_view, PostgresEndedVersions(self.database))

    @cached_property
    def knowledge(self) -> Knowledge:
        """The commands on documents."""
        from adapters.readers.readers import FileReaders  # noqa: PLC0415 - the libraries of ten formats take time

        return Knowledge(self.store, self.blobs, FileReaders(), self.mandates, clock=self.now, new_id=uuid4)

    @cached_property
    def known(self) -> PostgresKnowledge:
        """What is known, read from the view."""
        return PostgresKnowledge(self.database)

    @cached_property
    def analyzer(self) -> "GermanAnalyzer":
        """The rules by which words are told apart, the same for index, question and ranking."""
        from adapters.search.analyzer import GermanAnalyzer  # noqa: PLC0415 - the engine is loaded only to search

        return GermanAnalyzer()

    @cached_property
    def projections(self) -> tuple[Projection, ...]:
        """All that is built from events."""
        from adapters.search.feed import SubwordFeed  # noqa: PLC0415 - the engine is loaded only to search
        from projections.lexical import PartitionProjection  # noqa: PLC0415

        data = self.settings.data
        dense, sparse = self.bound.dense, self.bound.sparse
        return (
            KnowledgeProjection(),
            PassageProjection(self.blobs, live_among([dense.embedded], dense.others), self.text_mac),
            WeightProjection(self.blobs, live_among([], sparse.others), self.text_mac),
            SectionProjection(),
            PartitionProjection("lexical", self.blobs, lexical.feed(self.settings, self.analyzer)),
            PartitionProjection("subwords", self.blobs, SubwordFeed(subword_folder(data), self.subwords)),
            RunsProjection(),
            LooksProjection(),
        )

    @cached_property
    def views(self) -> ProjectionRunner:
        """Keeps the projections in step with the journal."""
        return ProjectionRunner(self.database, self.store, self.projections)

    @cached_property
    def erasures(self) -> Erasures:
        """What was ordered to be erased, done."""
        return Erasures(self.store, self._shredder, Quotes(self.store), uuid4)

    @cached_property
    def erasing(self) -> Erasing:
        """Erasing, once two people have agreed."""
        return Erasing(self.store, self.mandates, self.eraser)

    @cached_property
    def eraser(self) -> OrderingEraser:
        """What erases by order of two people."""
        return OrderingEraser(self.erasures, self.mandates, self.store, self._shredder)

    @cached_property
    def proposing(self) -> Proposing:
        """Erasing, proposed."""
        return Proposing(self.store, self.people, self.mandates, uuid4)

    async def _rebuild(self, name: str) -> None:
        await self.views.rebuild(name)

    @cached_property
    def _shredder(self) -> InstallationShredder:
        return InstallationShredder(
            self.database,
            lambda: [*indexes_among(self.projections), folders_under(self.settings.data / "index")],
            self._rebuild,
            ours=self.settings.postgres_url is None,
        )

    @cached_property
    def lexical(self) -> "TantivyIndex | OpenSearchIndex":
        """The index of words."""
        return lexical.index(self.settings, self.analyzer)

    @cached_property
    def subwords(self) -> "SubwordEncoder":
        """The embedded sparse encoder."""
        from adapters.search.subwords import SubwordEncoder  # noqa: PLC0415 - the engine is loaded only to search

        return SubwordEncoder(self.analyzer)

    @cached_property
    def bound(self) -> BoundModels:
        """The models that can be had, and the searches with those that a mandate has bound."""
        settings = self.settings
        return BoundModels(
            Choice(UniversalSentenceEncoder, lambda: models.dense_encoder(settings)),
            Choice(lambda: self.subwords, lambda: models.sparse_encoder(settings)),
            Choice(self._embedded_reranker, lambda: models.reranker(settings)),
            self.searching_with,
        )

    def searching_with(self, dense: DenseEncoder, sparse: SparseEncoder, reranker: Reranker) -> Retrieval:
        """Return the searches with these models."""
        return Retrieval(
            encoder=dense,
            dense=PgvectorIndex(self.database, dense.fingerprint),
            sparse=Sparse(sparse, self._sparse_index(sparse)),
            bm25=self.lexical,
            texts=StoredPassages(self.database, self.blobs),
            reranker=reranker,
            weights={},
        )

    def formulator(self, reranker: Reranker) -> Formulator:
        """Return what writes the drafts of answers; the embedded one chooses stored sentences by ``reranker``."""
        return models.formulator(self.settings, reranker)

    @cached_property
    def subword_index(self) -> "SubwordIndex":
        """The index of pieces of words."""
        from adapters.search.subwords import SubwordIndex  # noqa: PLC0415 - the engine is loaded only to search

        return SubwordIndex(subword_folder(self.settings.data))

    def _sparse_index(self, encoder: SparseEncoder) -> SparseIndex:
        """Return the index that holds what ``encoder`` makes of passages."""
        if encoder is not self.subwords:
            return SparsevecIndex(self.database, encoder.fingerprint)
        return self.subword_index

    def _embedded_reranker(self) -> Reranker:
        """Return the reranker that the program brings along, as it was trained: with the encoder that comes with it."""
        from adapters.rerank.embedded import EmbeddedReranker  # noqa: PLC0415 - as above

        return EmbeddedReranker(self.bound.dense.embedded, self.analyzer)

    @cached_property
    def admissions(self) -> Admissions:
        """Who may ask what."""
        return Admissions(self.mandates)

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
    def asking_parts(self) -> Parts:
        """Everything that a question needs."""
        return Parts(
            store=self.store,
            admissions=self.admissions,
            views=self.views,
            knowledge=self.known,
            rules=Rules(self.known, StoredSections(self.database)),
            retrievals=self.bound,
            judge=models.judge(self.settings),
            formulator=self.formulator,
            stored=StoredTexts(self.blobs),
            clock=self.now,
            stopwatch=perf_counter,
            new_id=uuid4,
        )

    @cached_property
    def cards(self) -> Cards:
        """Sources opened to their surroundings."""
        return Cards(self.store, self.blobs)

    @cached_property
    def runs(self) -> Runs:
        """Runs shown again."""
        return Runs(self.store, self.mandates, self.views, self.known, StoredTexts(self.blobs), self.now)

    @cached_property
    def citations(self) -> PostgresCitations:
        """What runs cite, and who has been told what has become of it."""
        return PostgresCitations(self.database)

    @cached_property
    def source_changes(self) -> SourceChanges:
        """Runs are told what has become of the versions that they cite."""
        return SourceChanges(self.store, self.mandates, self.views, self.citations)

    @cached_property
    def runs_view(self) -> PostgresRuns:
        """Runs, read from the view."""
        return PostgresRuns(self.database)

    @cached_property
    def journal(self) -> Journal:
        """The journal's checkpoints."""
        choice = self.settings.journal
        signer = KeyFiles(master_key(self.settings.data).parent, choice.origin)
        return Journal(self.store, self._tree, signer, uuid4, verifies=verifies, witnesses=choice.witnesses)

    @cached_property
    def bundles(self) -> Bundles:
        """Audit bundles."""
        parts = (self.store, self.sealed, self.journal, self._tree)
        return Bundles(*parts, mandates=self.mandates, viewing=self.viewing, clock=self.now)

    @cached_property
    def _tree(self) -> PostgresJournalTree:
        return PostgresJournalTree(self.database)

    @cached_property
    def viewing(self) -> Viewing:
        """Records who looks at what."""
        return Viewing(self.store, uuid4)

    @cached_property
    def looks_view(self) -> PostgresLooks:
        """Who looked at what, read from the view."""
        return PostgresLooks(self.database)

    async def close(self) -> None:
        """Close what parts have opened by themselves."""
        if "lexical" in self.__dict__:
            await self.lexical.close()

    @staticmethod
    def now() -> datetime:
        """Return the present instant (UTC)."""
        return datetime.now(UTC)

    async def actor(self, named: str | None = None) -> Actor:
        """Return who causes a change: the operating-system user, or on whose behalf the data folder's owner acts.

        Args:
            named: ``--as``, which goes before ``--actor``.

        Raises:
            InputError: ``identity``, or ``not_owner`` when somebody else speaks for another person.
        """
        ours, theirs = identity.system_user(), self._spoken_for(named)
        if theirs is None or theirs == ours:
            return Actor(await self.people.register(ours))
        return Actor(await self.people.register(theirs), await self.people.register(ours))

    async def asker(self, named: str | None = None) -> UUID | None:
        """Return the pseudonym of who asks or looks, ``None`` for somebody who has none.

        Args:
            named: ``--as``, which goes before ``--actor``.

        Raises:
            InputError: as ``actor``.
        """
        return await self.people.find(self._spoken_for(named) or identity.system_user())

    async def looker(self, named: str | None = None) -> Actor:
        """Return who looks at what may not be their own, and on whose behalf.

        Args:
            named: ``--as``, which goes before ``--actor``.

        Raises:
            AccessError: nobody of this name has ever been seen.
            InputError: as ``actor``.
        """
        person = await self.asker(named)
        if person is None:
            raise AccessError
        return await self.actor(named)

    def _spoken_for(self, named: str | None) -> str | None:
        option, text = ("--as", named) if named is not None else ("--actor", self.settings.on_behalf_of)
        if text is None:
            return None
        person = identity.parse(text)
        if person != identity.system_user():
            identity.must_own(self.settings.data, option)
        return person


@asynccontextmanager
async def open_app(settings: Settings) -> AsyncIterator[App]:
    """Open the parts over an initialised data folder and close them again.

    Raises:
        InputError: ``not_initialised`` or ``newer_format``.
        PartError: a part does not answer.
    """
    must_be_initialised(settings.data)
    async with open_parts(settings) as app:
        await finish_erasing(app.erasures)
        yield app


@asynccontextmanager
async def open_parts(settings: Settings) -> AsyncIterator[App]:
    """Open the parts over a database of this program; one that is older or newer is told before it is read.

    Raises:
        InputError: the master key or the database may be read by others.
        PartError: a part does not answer, or the database is not current.
    """
    async with await asyncio.to_thread(open_database, settings.data, postgres_url(settings)) as database:
        await database.must_be_current()
        recording = await open_with_keys(database, settings.data)
        try:
            app = App(
                settings,
                database,
                recording.events,
                recording.people,
                recording.blobs,
                recording.sealed,
                recording.text_mac,
            )
            try:
                yield app
            finally:
                await app.close()
        finally:
            await recording.close()


def subword_folder(data: Path) -> Path:
    """Return where the index of pieces of words lies, one folder for each set of rules that it is made under."""
    from adapters.search.analyzer import RULES  # noqa: PLC0415 - the engine is loaded only to search

    return data / "index" / "subwords" / str(RULES)
