"""One random history: what happens, and what is asked in between and once more at the end."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from pathlib import PurePath
from random import Random
from typing import Any
from uuid import UUID

from adapters.postgres.endpoint import Role
from domain.asking.admission import Admissions
from domain.asking.outcome import AnswerDelivered, AnswerRefused
from domain.asking.run import Run
from domain.asking.values import Answer, Ask, Finding
from domain.errors import FundstelleError
from domain.knowledge.documents import Statement
from domain.knowledge.handler import Material
from domain.recording import Actor
from tests.simulation.model import LEVELS, ZONE, Model, asked
from tests.simulation.system import Clock, Crash, System

KEYS = ("frist", "urlaub", "prämie")
SENTENCES = (
    "Die Frist der Kündigung beträgt drei Monate.",
    "Die Frist der Kündigung beträgt einen Monat.",
    "Der Urlaub dauert dreißig Tage im Jahr.",
    "Der Urlaub dauert vier Wochen im Jahr.",
    "Die Prämie ist am ersten Tag des Monats fällig.",
    "Die Prämie ist bis zum dritten Tag des Monats zu zahlen.",
    "Verträge werden schriftlich geschlossen.",
)
QUESTIONS = ("Wie lang ist die Frist der Kündigung?", "Wie lange dauert der Urlaub?", "Wann ist die Prämie fällig?")
STARTS = (
    datetime(2026, 3, 27, 22, tzinfo=UTC),
    datetime(2026, 10, 23, 22, tzinfo=UTC),
    datetime(2026, 1, 2, tzinfo=UTC),
)
"""An ordinary day, and shortly before both changes of the clock."""

STEPS = 14


@dataclass
class Remembered:
    """A question about the past and the reply that it got, and whether the model gave the same."""

    ask: Ask
    reply: str


@dataclass
class History:
    """What a seed lets happen. ``happened`` is told when something goes wrong."""

    system: System
    seed: int
    happened: list[str] = field(default_factory=list)
    remembered: list[Remembered] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.random = Random(self.seed)  # noqa: S311 - a history, not a secret
        self.own, self.library = f"m{self.seed}", f"l{self.seed}"

    async def run(self) -> None:
        """Let everything happen, then look at all that was asked once more."""
        self.system.clock.now = self.random.choice(STARTS) + timedelta(days=400 * (self.seed % 7))
        await self._begin()
        for _ in range(STEPS):
            await self._step()
        await self.system.reopen()
        for one in self.remembered:
            await self._compare(one.ask, before=one)

    async def _begin(self) -> None:
        people = self.system.recording.people
        self.anna, self.ben = [await people.register(f"{name}{self.seed}") for name in ("anna", "ben")]
        self.by = Actor(self.anna)
        mandates = self.system.mandates
        self.ids = {
            key: (await mandates.open(key, key, "Europe/Berlin", self.by, library=key == self.library)).id
            for key in (self.own, self.library)
        }
        await mandates.admit(self.own, f"ben{self.seed}", "internal", self.by)

    async def _step(self) -> None:
        happens: tuple[tuple[int, Callable[[], Awaitable[None]]], ...] = (
            (7, self._ingest),
            (2, self._correct),
            (1, self._withdraw),
            (2, self._raise_or_lower),
            (2, self._clear),
            (1, self._subscribe),
            (3, self._ask),
            (2, self._crash),
            (2, self._together),
            (1, self._restart),
            (5, self._look),
        )
        chosen = self.random.choices([one for _, one in happens], [weight for weight, _ in happens])[0]
        self.happened.append(f"{self.system.clock.now:%F %T} {chosen.__name__}")
        await chosen()
        self._pass_time()

    def _pass_time(self) -> None:
        seconds = self.random.choice((0, 1, 60, 3_600, 40_000, 90_000, 400_000, -3_700, -90_000))
        self.system.clock.pass_by(timedelta(seconds=seconds))

    # What happens.
    def _material(self) -> tuple[str, Material]:
        mandate, key = self.random.choice((self.own, self.own, self.library)), self.random.choice(KEYS)
        text = " ".join(self.random.sample(SENTENCES, self.random.randint(1, 3)))
        start, end = self._day(), self._day()
        if start and end and end <= start:
            end = start + timedelta(days=1)
        stated = Statement(self.random.choice(LEVELS), valid_from=start, valid_to=end if start else None)
        return mandate, Material(key, PurePath(f"{key}.txt"), text.encode(), stated)

    def _day(self) -> date | None:
        today = self.system.clock.now.astimezone(ZONE).date()
        return self.random.choice((None, today + timedelta(days=self.random.randint(-6, 6))))

    async def _ingest(self) -> None:
        mandate, material = self._material()
        with suppress(FundstelleError):
            await self.system.knowledge.ingest(self.ids[mandate], material, self.by)

    async def _correct(self) -> None:
        """Ingest a text that is there already, with other days."""
        events = [one for one in await self.system.journal() if type(one.event).__name__ == "VersionIngested"]
        own = [one for one in events if one.mandate in self.ids.values()]
        if not own:
            return
        recorded = self.random.choice(own)
        event: Any = recorded.event
        key = next(
            one for one in Model(self.system, await self.system.journal()).documents() if one.stream == recorded.stream
        ).key
        text = await self.system.recording.blobs.get(recorded.mandate, event.blob)
        stated = Statement(event.level, title=self.random.choice((None, "Anderer Titel")), valid_from=self._day())
        with suppress(FundstelleError):
            material = Material(key, PurePath(f"{key}.txt"), text.encode(), stated)
            await self.system.knowledge.ingest(recorded.mandate, material, self.by)

    async def _withdraw(self) -> None:
        with suppress(FundstelleError):
            await self.system.knowledge.withdraw(self.ids[self.own], self.random.choice(KEYS), "überholt", self.by)

    async def _raise_or_lower(self) -> None:
        mandate, level = self.random.choice((self.own, self.library)), self.random.choice(LEVELS)
        with suppress(FundstelleError):
            await self.system.knowledge.assign_level(self.ids[mandate], self.random.choice(KEYS), level, self.by)

    async def _clear(self) -> None:
        with suppress(FundstelleError):
            await self.system.mandates.clear(self.own, f"ben{self.seed}", self.random.choice(LEVELS[:3]), self.by)

    async def _subscribe(self) -> None:
        await self.system.mandates.subscribe(self.own, self.library, self.by)

    async def _restart(self) -> None:
        await self.system.reopen()

    async def _together(self) -> None:
        """Several write at once, and all wait for one whose commit is held back."""
        async with self.system.database.connection(Role.WRITER) as holder:
            await holder.execute("LOCK TABLE stored_events IN EXCLUSIVE MODE")
            writers = [asyncio.create_task(one()) for one in (self._ingest, self._ingest, self._raise_or_lower)]
            await asyncio.sleep(0.02)
        await asyncio.gather(*writers)

    async def _crash(self) -> None:
        """Die before or after the nth append of an ingest or a question; then go on with what is open."""
        store = self.system.store
        store.crash_in, store.after_it = self.random.randint(1, 12), self.random.random() < 0.5
        with suppress(Crash, FundstelleError):
            await self.random.choice((self._ingest, self._put_question))()
        await self.system.reopen()
        for run in await self._open_runs():
            await self.system.again.resume(run, self.anna, self.by)
        assert await self._open_runs() == []

    async def _put_question(self) -> None:
        await self.system.asking.ask(asked(self.own, self.anna, self.random.choice(QUESTIONS)))

    async def _open_runs(self) -> list[UUID]:
        journal = await self.system.journal()
        streams = {one.stream for one in journal if type(one.event).__name__ == "QuestionAsked"}
        runs = [Run([one for one in journal if one.stream == stream]) for stream in sorted(streams)]
        return [run.id for run in runs if run.recorded[0].mandate in self.ids.values() and run.end is None]

    # What is looked at.
    async def _ask(self) -> None:
        await self._compare(self._question())

    async def _look(self) -> None:
        """Ask about the past, and remember it."""
        await self._compare(self._question(past=True), remember=True)

    def _question(self, *, past: bool = False) -> Ask:
        now = self.system.clock.now
        at = None
        if past:
            then = now - timedelta(seconds=self.random.choice((0, 10, 4_000, 100_000, 600_000)))
            at = self.random.choice((then.isoformat(), then.astimezone(ZONE).date().isoformat()))
        person = self.random.choice((self.anna, self.anna, self.ben))
        return asked(self.own, person, self.random.choice(QUESTIONS), at, self._day())

    async def _compare(self, ask: Ask, *, remember: bool = False, before: Remembered | None = None) -> None:
        """Hold the system against the model: what is known, what is found, what is answered."""
        now = self.system.clock.now
        known = await _known(self.system, ask, now)
        model = Model(self.system, await self.system.journal())
        assert known == _expected_known(model, ask, now), self._story(ask)
        expected = await _told(lambda: model.search(ask, now), lambda: model.ask(ask, now))
        found = await _told(lambda: self.system.asking.search(ask), lambda: self.system.asking.ask(ask))
        assert found == expected, f"{self._story(ask)}\n\nFOUND {found}\n\nEXPECTED {expected}"
        if before is not None and before.reply == expected:
            assert found == before.reply, self._story(ask)
        if remember:
            self.remembered.append(Remembered(ask, found))

    def _story(self, ask: Ask) -> str:
        return "\n".join([f"seed {self.seed}", *self.happened, str(ask)])


async def _known(system: System, ask: Ask, now: datetime) -> object:
    try:
        admission = await Admissions(system.mandates).admit(ask, now)
        position = await system.views.reach(admission.position)
        visible = await system.known.visible(admission.horizon(ask, position))
    except FundstelleError as error:
        return error.key
    return sorted((one.key, one.version, one.title, one.level, str(one.mandate)) for one in visible.versions.values())


def _expected_known(model: Model, ask: Ask, now: datetime) -> object:
    try:
        admission = model.admission(ask, now)
    except FundstelleError as error:
        return error.key
    rows = model.rows(model.horizon(admission, ask.valid_on))
    return sorted((one.key, row.version, row.title, row.level, str(one.mandate)) for one, row in rows)


async def _told(search: Callable[[], Awaitable[Finding]], ask: Callable[[], Awaitable[Answer]]) -> str:
    """Return what is found and answered, to the last bit, as text."""
    try:
        return f"{_lists(await search())}\n{_ending(await ask())}"
    except FundstelleError as error:
        return error.key


def _lists(found: Finding) -> str:
    return "\n".join(f"{name}: {[(one.passage, one.score) for one in of]}" for name, of in found.lists.items())


def _ending(answer: Answer) -> str:
    end = answer.end
    if isinstance(end, AnswerDelivered):
        return f"{[one.text for one in end.sentences]} {[(one.ordinal, one.span) for one in end.sources]}"
    if isinstance(end, AnswerRefused):
        return f"{end.step} {end.value} {end.threshold} {[(one.passage, one.score) for one in end.nearest]}"
    return str(end)


async def play(system: System, seed: int) -> None:
    """Play the history of a seed."""
    await History(system, seed).run()


def starting_clock() -> Clock:
    return Clock(STARTS[0])
