"""Whoever is in a room, whoever comes in meanwhile: nobody reads what they may not see."""

import asyncio
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Final, cast

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.chat.outgoing import Content
from domain.recording import Actor
from tests.chat_platform import InMemoryPlatform, State
from tests.chat_world import ANNA, BERT, CARA, QUESTION, ROOM, US, ChatWorld
from tests.examples import examples

DORA: Final = "@dora:x"
CLEARANCES: Final = {ANNA: "secret", BERT: "internal", CARA: "public"}
"""Dora has none."""

LEVELS: Final = ("public", "internal", "confidential", "secret")
SECRETS: Final = {
    "public": "Die Frist der Kündigung hat publicwort.",
    "internal": "Die Frist der Kündigung ist ein internalwort.",
    "confidential": "Die Frist der Kündigung ist ein confidentialwort lang.",
    "secret": "Die Frist der Kündigung ist lang wie ein secretwort.",
}
"""The higher the level, the better the sentence fits the question."""


@dataclass(frozen=True)
class Shape:
    """A room at one moment."""

    members: frozenset[str]
    is_encrypted: bool
    is_closed: bool

    def put_on(self, state: State) -> None:
        state.members = {US, *self.members}
        state.is_encrypted, state.is_closed = self.is_encrypted, self.is_closed


# Mostly rooms in which something can be shown: with strangers or without protection little is.
mostly = st.sampled_from([True, True, True, False])
guests = st.sampled_from([(), (), (BERT,), (BERT,), (CARA,), (BERT, CARA), (DORA,)])
shapes = st.builds(Shape, guests.map(lambda some: frozenset({ANNA, *some})), mostly, mostly)


class Watched(InMemoryPlatform):
    """Holds each message against everybody who can read it; ``leaks`` names levels that somebody read wrongly."""

    open_level = "public"

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.leaks: list[str] = []

    async def send(self, room: str, content: Content, **more: Any) -> str:
        self._watch(room, content)
        return await super().send(room, content, **more)

    async def edit(self, room: str, target: str, content: Content, **more: Any) -> str:
        self._watch(room, content)
        return await super().edit(room, target, content, **more)

    def _watch(self, room: str, content: Content) -> None:
        state = self.server.rooms[room]
        allowed = [CLEARANCES.get(one) for one in state.members - {US}]
        if not (state.is_encrypted and state.is_closed):
            allowed.append(self.open_level)
        for level in LEVELS:
            is_shown = f"{level}wort" in content.plain + content.html
            if is_shown and not all(one is not None and LEVELS.index(one) >= LEVELS.index(level) for one in allowed):
                self.leaks.append(level)


async def world(levels: Collection[str], ceiling: str, open_level: str) -> ChatWorld:
    chat = ChatWorld()
    chat.platform = Watched(chat.server, US, chat.steps)
    chat.platform.open_level = open_level
    await chat.open()
    mandate = chat.world
    mandate.entries.clear()
    for level in levels:
        await mandate.add("a", level, SECRETS[level], level=level)
    actor = Actor(mandate.anna)
    await mandate.handler.admit("a", CARA, "public", actor)
    await mandate.handler.bind("a", ROOM, ceiling, actor)
    if open_level != "public":
        await mandate.handler.give_role("a", "bert", "administrator", actor)
        change = await mandate.handler.set_rule("a", "open_rooms", open_level, "weil", actor)
        assert change.proposal is not None
        await cast("Any", chat.desk.app).four_eyes.approve(change.proposal, Actor(mandate.bert))
    return chat


@settings(max_examples=examples(80))
@given(
    levels=st.sets(st.sampled_from(LEVELS)).map(lambda some: some | {"internal", "confidential"}),
    ceiling=st.sampled_from([*LEVELS, "secret", "secret"]),
    open_level=st.sampled_from(LEVELS[:2]),
    shape=shapes,
    later=shapes,
    alone=st.booleans(),
    asker=st.sampled_from([ANNA, ANNA, ANNA, BERT, CARA]),
)
def test_nobody_reads_what_they_may_not_see(
    levels: set[str], ceiling: str, open_level: str, shape: Shape, later: Shape, *, alone: bool, asker: str
) -> None:
    """At the moment a message is sent: everybody in the room is cleared for every word of it, or it is not there."""

    async def ask() -> None:
        chat = await world(levels, ceiling, open_level)
        state = chat.server.rooms[ROOM]
        shape.put_on(state)
        state.members.add(asker)
        chat.server.open("!allein", US, asker, is_direct=True, is_encrypted=alone)

        def change(room: str) -> None:
            if room == ROOM and chat.asked():
                later.put_on(state)

        chat.platform.before_reading = change
        asked = await chat.ask(sender=asker)
        for command in ("!quelle S1", "!warum", "!gewusst"):
            await chat.ask(command, asker, mentions_us=False, thread=asked.event)
        assert await chat.inbox.pending() == ()
        assert isinstance(chat.platform, Watched)
        assert chat.platform.leaks == []

    asyncio.run(ask())


def test_the_watch_sees_something() -> None:
    """An answer where everybody may see it is shown, so the test before can fail."""

    async def ask() -> str:
        chat = await world(LEVELS, "secret", "public")
        Shape(frozenset({ANNA}), is_encrypted=True, is_closed=True).put_on(chat.server.rooms[ROOM])
        await chat.ask(QUESTION)
        return chat.last().text

    assert "secretwort" in asyncio.run(ask())
