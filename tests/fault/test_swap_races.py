"""Questions are asked and texts come in while one encoder takes the place of another."""

import asyncio
import shutil
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack
from datetime import UTC, datetime
from math import fsum
from operator import mul
from pathlib import Path, PurePath
from uuid import UUID

import pytest

from bot.config import Settings
from bot.installation import initialise
from bot.swapping import prepare, swap
from bot.wiring import App, open_app
from domain.asking.events import CandidatesRetrieved, QuestionEncoded
from domain.asking.ports import PassageId
from domain.asking.run import Run
from domain.asking.values import Answer, Ask
from domain.errors import ConflictError
from domain.knowledge.documents import Statement
from domain.knowledge.events import VersionIngested
from domain.knowledge.handler import Material
from domain.knowledge.passage_words import search_texts
from domain.mandates.events import ModelBound
from projections.backfill import BATCH_VERSIONS, Backfill
from projections.encodings import DENSE
from tests.servers import wait_until_stopped
from tests.twins import HalvesEncoder

QUESTION = "Wie lang ist die Frist für Fall 7?"


class NewHalves(HalvesEncoder):
    """As many numbers as the old one's, and other ones, so that nothing but fingerprints keeps the two apart."""

    fingerprint = "halves/2"

    async def encode(self, texts: Sequence[str]) -> list[tuple[float, ...]]:
        return await super().encode([f"{text} anders" for text in texts])


class HeldUp(NewHalves):
    """Makes a batch only when others have had a turn meanwhile."""

    def __init__(self, others: Sequence[asyncio.Event]) -> None:
        super().__init__()
        self._others = others

    async def encode(self, texts: Sequence[str]) -> list[tuple[float, ...]]:
        if len(texts) > 1:
            for other in self._others:
                other.clear()
                await other.wait()
        return await super().encode(texts)


ENCODERS = {one.fingerprint: one for one in (HalvesEncoder(), NewHalves())}


@pytest.fixture
async def settings() -> AsyncIterator[Settings]:
    # Not a folder of pytest: those are 0700, and as root the server's user could not reach its data.
    folder = Path(tempfile.mkdtemp(prefix="fundstelle-swap-"))
    folder.chmod(0o711)
    made = Settings(folder / "data", "de")
    await initialise(made)
    yield made
    assert wait_until_stopped(made.data)
    shutil.rmtree(folder)


class Scene:
    """A mandate that reads a library; three programs on one installation, all with the new encoder configured."""

    def __init__(self, swapping: App, ingesting: App, asking: App) -> None:
        self.swapping, self.ingesting, self.asking = swapping, ingesting, asking
        self.asked, self.came_in = asyncio.Event(), asyncio.Event()
        self.answers: list[Answer] = []
        for one in (swapping, ingesting, asking):
            one.bound.dense.__dict__["embedded"] = HalvesEncoder()
            one.bound.dense.__dict__["configured"] = NewHalves()
        swapping.bound.dense.__dict__["configured"] = HeldUp([self.asked, self.came_in])

    async def open(self) -> "Scene":
        app = self.ingesting
        self.actor = await app.actor()
        library = await app.mandates.open("Normen", None, "Europe/Berlin", self.actor, library=True)
        house = await app.mandates.open("Haus", None, "Europe/Berlin", self.actor, library=False)
        await app.mandates.subscribe("Haus", "Normen", self.actor)
        self.house, self.library = house.id, library.id
        for number in range(BATCH_VERSIONS + 3):
            await self.ingest(self.house, number)
        await self.ingest(self.library, 0)
        await self.ask()
        return self

    async def ingest(self, mandate: UUID, number: int) -> None:
        text = f"Für Fall {number} beträgt die Frist {number} Tage."
        material = Material(f"fall-{number}", PurePath("fall.txt"), text.encode(), Statement("public"))
        await self.ingesting.knowledge.ingest(mandate, material, self.actor)

    async def ask(self, at: str | None = None) -> Answer:
        return await self.asking.asking.ask(Ask("Haus", self.actor.person, self.actor, QUESTION, at=at))

    async def keep_ingesting(self, until: asyncio.Event) -> None:
        number = 1000
        while not until.is_set():
            await self.ingest(self.house if number % 2 else self.library, number)
            await self.ingesting.views.reach()
            self.came_in.set()
            number += 1

    async def keep_asking(self, until: asyncio.Event) -> None:
        while not until.is_set():
            self.answers.append(await self.ask())
            self.asked.set()

    async def swap(self) -> str:
        app = self.swapping
        wanted = await prepare(app, "Haus", "dense", "Probe", self.actor)
        return (await swap(app, wanted, self.actor, lambda _: None)).status

    async def found(self, answer: Answer) -> tuple[str, dict[PassageId, float]]:
        """The encoder of a run, and what it found by meaning."""
        run = Run(await self.asking.store.read(answer.run))
        encoded, retrieved = run.of(QuestionEncoded), run.of(CandidatesRetrieved)
        assert encoded is not None
        assert retrieved is not None
        (dense,) = [one.entries for one in retrieved.lists if one.name == "dense"]
        return encoded.fingerprint, {one.passage: one.score or 0.0 for one in dense}

    async def texts(self) -> dict[PassageId, str]:
        """What every passage was encoded from, read from the journal."""
        texts, position = {}, 0
        while batch := await self.asking.store.after(position, 100):
            position = batch[-1].position
            for one in batch:
                if isinstance(one.event, VersionIngested):
                    words = search_texts(one.event, await self.asking.blobs.get(one.mandate, one.event.blob))
                    texts |= {PassageId(one.position, number): text for number, text in enumerate(words)}
        return texts


@pytest.fixture
async def scene(settings: Settings) -> AsyncIterator[Scene]:
    async with AsyncExitStack() as stack:
        yield await Scene(*[await stack.enter_async_context(open_app(settings)) for _ in range(3)]).open()


async def test_no_question_meets_two_encoders_and_no_text_is_left_out(scene: Scene) -> None:
    """Each question is searched with one encoder, first always the old one, from the switch on the new one.

    What came in before, during and after the backfill has the vectors of both, the library's texts included.
    """
    over = asyncio.Event()
    working = [asyncio.create_task(one(over)) for one in (scene.keep_ingesting, scene.keep_asking)]
    before, instant = await scene.ask(), datetime.now(UTC).isoformat()
    status = await scene.swap()
    scene.answers.append(await scene.ask())
    over.set()
    await asyncio.gather(*working)

    position = await scene.ingesting.store.head()
    await scene.ingesting.views.reach(position)
    backfill = Backfill(scene.asking.database, scene.asking.store, scene.asking.blobs, scene.asking.text_mac, DENSE)
    for fingerprint in ENCODERS:
        for mandate in (scene.house, scene.library):
            assert await backfill.waiting(mandate, fingerprint) == ()
    bound = [one for one in await scene.asking.store.read(scene.house) if isinstance(one.event, ModelBound)]
    used, texts = set(), await scene.texts()
    for answer in scene.answers:
        fingerprint, hits = await scene.found(answer)
        used.add(fingerprint)
        asked_under = Run(await scene.asking.store.read(answer.run)).asked.mandate_version or 0
        assert (fingerprint == NewHalves.fingerprint) is (asked_under >= bound[-1].version)
        encoder = ENCODERS[fingerprint]
        asked = await encoder.question(QUESTION)
        vectors = await encoder.encode([texts[passage] for passage in hits])
        assert hits
        assert list(hits.values()) == [fsum(map(mul, asked, vector)) for vector in vectors]
    assert status == "done"
    assert used == set(ENCODERS)
    assert await scene.found(await scene.ask(instant)) == await scene.found(before)


async def test_a_library_that_joins_meanwhile_is_encoded_before_the_switch(scene: Scene) -> None:
    """A swap that has not seen it binds nothing; the next one does."""
    app = scene.swapping
    app.bound.dense.__dict__["configured"] = NewHalves()
    wanted = await prepare(app, "Haus", "dense", "Probe", scene.actor)
    await app.mandates.open("Bescheide", None, "Europe/Berlin", scene.actor, library=True)
    await app.mandates.subscribe("Haus", "Bescheide", scene.actor)

    with pytest.raises(ConflictError):
        await swap(app, wanted, scene.actor, lambda _: None)
    assert (await scene.found(await scene.ask()))[0] == HalvesEncoder.fingerprint
    assert await scene.swap() == "done"
    assert (await scene.found(await scene.ask()))[0] == NewHalves.fingerprint
