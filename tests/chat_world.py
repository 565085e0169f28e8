"""A conversation in memory: the world of questions, a platform with rooms, and the service between the two."""

from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast
from uuid import uuid4

from bot.chat.conversation import Guests
from bot.chat.desk import Desk
from bot.chat.incoming import Batch, Incoming
from bot.chat.ports import Inbox
from bot.chat.service import Service
from bot.text import texts
from domain.asking.again import Again
from domain.asking.cards import OpenCard
from domain.asking.events import QuestionAsked
from domain.asking.feedback import Feedbacks
from domain.asking.outcome import AnswerDelivered, AnswerRefused
from domain.asking.run import Run
from domain.asking.runs import RunEntry, RunFilter, Runs
from domain.asking.stored import StoredTexts
from domain.asking.values import Source
from domain.journal.viewing import Viewing
from domain.mandates.four_eyes import FourEyes
from domain.mandates.policies import ModelThreshold
from domain.recording import Actor, Event
from tests.asking_world import World
from tests.chat_platform import Death, DyingInbox, InMemoryInbox, InMemoryPlatform, Message, Server, Steps, stepped
from tests.erasers import all_due

US, ANNA, BERT, CARA = "@bot:x", "@anna:x", "@bert:x", "@cara:x"
ROOM = "!team:x"
QUESTION = "Wie lang ist die Frist der Kündigung?"
FRIST = "Die Frist der Kündigung ist drei Monate lang."


class ChatWorld:
    """Mandate ``a`` with Anna, who administers it, and Bert, up to internal; both are in ``ROOM``, which is bound."""

    def __init__(self, inbox: Inbox | None = None) -> None:
        self.world = World()
        self.server = Server()
        self.steps = Steps()
        self.inbox = DyingInbox(inbox or InMemoryInbox(), self.steps)
        self.platform = InMemoryPlatform(self.server, US, self.steps)
        self.batches = 0
        self.slept: list[float] = []
        self.patience = 60.0
        self.guests = Guests(frozenset({ANNA}))

    async def open(self) -> "ChatWorld":
        await self.world.open()
        self.names = {ANNA: self.world.anna, BERT: self.world.bert}
        self.world.people._identities |= self.names
        await self.world.add("a", "handbuch", FRIST)
        self.server.open(ROOM, US, ANNA, BERT)
        await self.world.handler.bind("a", ROOM, "internal", Actor(self.world.anna))
        self.append = self.world.store.append
        cast("Any", self.world.store).append = self._append
        self.start()
        return self

    def start(self, **more: Any) -> Service:
        """Begin anew, as a process does that is started after another has died."""
        self.desk = Desk(
            app=cast("Any", self.app()),
            platform=self.platform,
            inbox=self.inbox,
            texts=texts("de"),
            sleep=self._sleep,
            patience=self.patience,
            elapsed=self._elapsed,
        )
        self.service = Service(self.desk, self.guests, **more)
        return self.service

    def app(self) -> SimpleNamespace:
        world = self.world
        parts = world.parts()
        return SimpleNamespace(
            settings=SimpleNamespace(data=Path("/nonexistent")),
            people=world.people,
            store=world.store,
            mandates=world.handler,
            admissions=parts.admissions,
            asking=world.asking(),
            again=Again(parts),
            runs=Runs(world.store, world.handler, world, world, StoredTexts(world.blobs), world.clock),
            runs_view=self,
            views=world,
            known=world,
            cards=SimpleNamespace(open=self.open_source),
            feedbacks=Feedbacks(world.store, world.handler),
            viewing=Viewing(world.store, uuid4),
            four_eyes=FourEyes(world.store, world.people, world.handler, lambda _: world.model(), all_due),
            bound=SimpleNamespace(threshold_model=lambda _: self._model()),
            source_changes=SimpleNamespace(tell=self._tell),
            now=world.clock,
        )

    async def hear(self, *events: Incoming, is_baseline: bool = False) -> None:
        """Let events come in, and wait until all that they ask is done."""
        self.batches += 1
        await self.service.take(Batch(f"s{self.batches}", events, is_baseline))
        await self.service.settle()

    async def ask(self, text: str = QUESTION, sender: str = ANNA, room: str = ROOM, **more: Any) -> Incoming:
        """Let somebody ask, and wait for what becomes of it."""
        said = self.server.say(room, sender, text, **{"mentions_us": True, **more})
        await self.hear(said)
        return said

    def ours(self, room: str = ROOM) -> list[Message]:
        return self.server.said_by(US, room)

    def last(self, room: str = ROOM) -> Message:
        return self.ours(room)[-1]

    def asked(self) -> list[QuestionAsked]:
        return [one for one in self.world.events() if isinstance(one, QuestionAsked)]

    def recorded(self, kind: type[Event]) -> list[Event]:
        return [one for one in self.world.events() if isinstance(one, kind)]

    async def runs(self, wanted: RunFilter) -> tuple[RunEntry, ...]:
        """Return the runs of the journal, for whoever looks."""
        found = []
        for first in [one for one in self.world.store._journal if isinstance(one.event, QuestionAsked)]:
            run = Run(await self.world.store.read(first.stream))
            is_open = run.asked.asker == wanted.reader or wanted.oversees
            is_wanted = wanted.person in {None, run.asked.asker}
            if is_open and is_wanted and isinstance(run.end, AnswerDelivered | AnswerRefused):
                entry = (first.stream, run.asked.asker, first.logged_at, run.asked.position, run.asked.valid_on)
                found.append(RunEntry(*entry, outcome=None, step=None, changes=0))
        return tuple(found)

    async def open_source(self, source: Source, context: int) -> OpenCard:
        return OpenCard(source, "", f" ({context} Sätze daneben)")

    def _model(self) -> ModelThreshold:
        return self.world.model()

    async def _tell(self, _actor: Actor) -> int:
        return 0

    def _elapsed(self) -> float:
        return self.world.clock.now.timestamp()

    async def _sleep(self, seconds: float) -> None:
        self.slept.append(seconds)

    async def _append(self, *arguments: Any, **more: Any) -> Any:
        async def write() -> Any:
            return await self.append(*arguments, **more)

        return await stepped(self.steps, "store", write)


def answers(said: Sequence[Message]) -> list[Message]:
    """Return the messages that show a run, or a part of its answer."""
    return [one for one in said if one.content is not None and one.run is not None and not one.content.is_notice]


async def dies(chat: ChatWorld, step: int, *, is_long_after: bool = False) -> bool:
    """Let the process die at a step of a question and start it again; false when the question was done before.

    However it was, there is one answer, of one run, and nothing is left to do.
    """
    said = chat.server.say(ROOM, ANNA, QUESTION, mentions_us=True)
    chat.steps.dies_at = chat.steps.taken + step
    has_died = False
    try:
        await chat.hear(said)
    except Death:
        has_died = True
        chat.steps.dies_at = None
        if is_long_after:
            chat.platform.transactions.clear()
        chat.start()
        await chat.service.begin()
        await chat.hear(said)
    assert [one.thread for one in answers(chat.ours())] == [said.event], step
    assert len(chat.asked()) == len(chat.recorded(AnswerDelivered)) == 1, step
    assert await chat.inbox.pending() == (), step
    return has_died
