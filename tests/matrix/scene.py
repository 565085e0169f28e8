"""A room in which something happens, and what of ours stands there in the end."""

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tests.matrix.person import Event, Person

if TYPE_CHECKING:
    from tests.matrix.house import Account, House

NOTICE = "Wie lang ist die Kündigungsfrist für Sachversicherungen?"
DISCOUNT = "Wie hoch ist der Nachlass für Bestandskunden?"
PRICE = "Wie hoch ist der Kaufpreis für die Nordsee-Kasse?"
"""What is public, internal and confidential."""

MONTHS, PERCENT, MILLIONS = "drei Monate", "zwölf Prozent", "vierzig Millionen"
"""What only their answers say."""

RUN = "net.fundstelle.run"


@dataclass(frozen=True)
class Tally:
    """What became of a question.

    Attributes:
        answers: messages that show its run.
        edits: other texts in the place of something of ours in its thread.
        notices: everything else that we have said in its thread.
        runs: how often it was asked for, by the record.
        end: the last that is recorded of its run, None for nothing.
        elsewhere: what we have said in the room outside of its thread.
        more_runs: runs since the room was opened that are not its own.
    """

    answers: int = 0
    edits: int = 0
    notices: int = 0
    runs: int = 0
    end: str | None = None
    elsewhere: int = 0
    more_runs: int = 0


ANSWERED = Tally(answers=1, runs=1, end="AnswerDelivered")
NOTHING = Tally()


@dataclass
class Scene:
    """A room, ours in it, how many runs there were before, and somebody who is always there."""

    house: "House"
    bot: "Account"
    room: str
    before: int
    host: Person

    async def ask(self, text: str = NOTICE, by: Person | None = None, **more: Any) -> str:
        """Let somebody, the host unless said, mention us with a question; return the question."""
        asking = by or self.host
        return await asking.send(self.room, f"Fundstelle: {text}", mentions=[self.bot.id], **more)

    async def command(self, text: str, by: Person | None = None, **more: Any) -> str:
        """Let somebody, the host unless said, write a command; return the message."""
        return await (by or self.host).send(self.room, text, mentions=[self.bot.id], **more)

    async def answer(self, question: str, **more: Any) -> Event:
        """Wait for the answer in the thread of a question."""
        return (await self.host.await_reply(self.room, question, self.bot.id, **more))[0]

    async def ours(self) -> list[Event]:
        """Return everything that we have said, those of a barrier aside."""
        barriers = {event["event_id"] for event in await self.host.said(self.room) if _is_barrier(event)}
        said = await self.host.said(self.room, self.bot.id)
        return [event for event in said if _relation(event).get("event_id") not in barriers]

    async def is_joined(self, times: int) -> None:
        """Wait until we have come into the room so many times."""

        def is_it(event: Event) -> bool:
            is_ours = event["type"] == "m.room.member" and event.get("state_key") == self.bot.id
            return is_ours and event["content"]["membership"] == "join"

        await self.host.await_in(self.room, is_it, count=times)

    async def settle(self) -> None:
        """Wait until everything that was said in the room so far is dealt with, since a room is dealt with in order."""
        barrier = await self.host.send(self.room, BARRIER, mentions=[self.bot.id])
        await self.bot.done_with(barrier)

    async def tally(self, question: str, *, thread: str | None = None) -> Tally:
        """Return what has become of a question until now; ``thread`` is the one that it was asked in, if any."""
        ours = await self.ours()
        thread_of = thread or question
        said = [event for event in ours if _root(event) == thread_of]
        known = {event["event_id"] for event in said}
        edits = [event for event in ours if _replaces(event) in known]
        answers = [event for event in said if RUN in event["content"] and event["content"]["msgtype"] != "m.notice"]
        recorded = await self.house.recorded(self.bot.run_of(question))
        runs = Counter(recorded)["QuestionAsked"]
        return Tally(
            len(answers),
            len(edits),
            len(said) - len(answers),
            runs,
            recorded[-1] if recorded else None,
            len(ours) - len(said) - len(edits),
            self.house.asked() - self.before - runs,
        )

    async def settled(self, question: str, **more: Any) -> Tally:
        """Return what has become of a question when nothing more will."""
        await self.settle()
        return await self.tally(question, **more)

    async def bodies(self) -> str:
        """Return everything that can be read of ours in the room."""
        return "\n".join(str(event["content"]) for event in await self.ours())


BARRIER = "!hilfe"


def body(event: Event) -> str:
    """Return what a message says in plain text, in its last version if it is an edit."""
    content = event["content"]
    return str(content.get("m.new_content", content)["body"])


def _is_barrier(event: Event) -> bool:
    return event["content"].get("body") == BARRIER


def _relation(event: Event) -> dict[str, Any]:
    relation: dict[str, Any] = event["content"].get("m.relates_to", {})
    return relation


def _root(event: Event) -> str | None:
    relation = _relation(event)
    return relation.get("event_id") if relation.get("rel_type") == "m.thread" else None


def _replaces(event: Event) -> str | None:
    relation = _relation(event)
    return relation.get("event_id") if relation.get("rel_type") == "m.replace" else None
