"""An installation whose instances answer in the rooms of a homeserver, and people with clearances who ask there."""

import copy
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import Any
from uuid import UUID

from adapters.postgres import roles
from bot.config import Settings
from bot.installation import initialise
from bot.wiring import App, open_app
from domain.knowledge.documents import Statement
from domain.knowledge.handler import Material
from domain.recording import Actor
from tests.matrix.instance import Account, Nursery
from tests.matrix.meddler import Meddler
from tests.matrix.person import Person
from tests.matrix.scene import Scene
from tests.matrix.synapse import Synapse
from tests.servers import reachable_folder, wait_until_stopped

MANDATE = "haus"

_TEXTS = {
    "handbuch": ("public", "Die Kündigungsfrist für Sachversicherungen beträgt drei Monate zum Jahresende."),
    "nachlass": ("internal", "Der Nachlass für Bestandskunden beträgt höchstens zwölf Prozent der Jahresprämie."),
    "fusion": ("confidential", "Der Kaufpreis für die Nordsee-Kasse beträgt vierzig Millionen Euro."),
}


@dataclass
class House:
    """The mandate ``haus``: what is public, internal and confidential; rooms without protection show up to internal.

    Attributes:
        anna, eve: administrators, who may see everything.
        ben: up to internal.
        cara: up to public.
        mallory: on the homeserver, and in no mandate.
        root: administers the homeserver.
        bot: the account that answers.
    """

    synapse: Synapse
    meddler: Meddler
    nursery: Nursery
    app: App
    data: Path
    folder: Path
    anna: Person
    eve: Person
    ben: Person
    cara: Person
    mallory: Person
    root: Person
    accounts: list[Account] = field(default_factory=list)

    @property
    def bot(self) -> Account:
        return self.accounts[0]

    async def at_work(self) -> None:
        """Have its instance at work, whatever happened to it before."""
        if self.bot.pid is None:
            await self.bot.start()

    def beside(self, account: Account) -> Account:
        """Return the same account with the same files, for an instance beside its own."""
        made = copy.copy(account)
        made.pid = None
        self.accounts.append(made)
        return made

    def account(self, name: str = "fundstelle", **given: Any) -> Account:
        """Make another account of ours."""
        person = self.synapse.register(name, display_name="Fundstelle")
        made = Account(self, person, self.folder / person.id[1:].partition(":")[0], **given)
        self.accounts.append(made)
        return made

    async def actor(self, person: Person) -> Actor:
        return Actor(await self.app.people.register(person.id))

    async def admit(self, person: Person, clearance: str) -> None:
        """Make somebody a member of the mandate."""
        await self.app.mandates.admit(MANDATE, person.id, clearance, await self.actor(self.anna))

    async def bind(self, room: str, ceiling: str = "secret") -> None:
        """Bind a room to the mandate."""
        await self.app.mandates.bind(MANDATE, room, ceiling, await self.actor(self.anna))

    async def learn(self, document: str, level: str, text: str) -> None:
        """Take a text into the mandate, as a document or as its next version."""
        mandate, actor = await self.app.mandates.find(MANDATE), await self.actor(self.anna)
        content = f"# {document.title()}\n\n{text}\n".encode()
        await self.app.knowledge.ingest(
            mandate.id, Material(document, PurePath(f"{document}.md"), content, Statement(level)), actor
        )
        await self.app.views.reach()

    async def room(
        self, *others: Person, bot: Account | None = None, ceiling: str | None = "secret", **how: Any
    ) -> Scene:
        """Open a room of Anna's with others in it and ours, bound unless ``ceiling`` is none."""
        ours = bot or self.bot
        room = await self.anna.create_room(invite=[ours.id, *(one.id for one in others)], **how)
        for one in others:
            await one.join(room)
        if ceiling is not None:
            await self.bind(room, ceiling)
        if ours.pid is not None:
            await self.anna.await_member(room, ours.id)
        return Scene(self, ours, room, self.asked(), self.anna)

    async def direct(self, person: Person) -> Scene:
        """Open a room of somebody with us alone, which is not bound."""
        room = await person.create_room(invite=[self.bot.id], is_direct=True)
        await person.await_member(room, self.bot.id)
        return Scene(self, self.bot, room, self.asked(), person)

    def scene(self, room: str) -> Scene:
        """Take a room that is there."""
        return Scene(self, self.bot, room, self.asked(), self.anna)

    async def recorded(self, run: UUID) -> list[str]:
        """Return the names of what is recorded of a run, in order."""
        return [type(one.event).__name__ for one in await self.app.store.read(run)]

    def asked(self) -> int:
        """Return how many runs there are."""
        with roles.connect(self.app.database.admin) as connection:
            row = connection.execute(
                "SELECT count(*) FROM fundstelle.stored_events WHERE topic LIKE 'QuestionAsked%'"
            ).fetchone()
        assert row is not None
        return int(row[0])


@asynccontextmanager
async def house(synapse: Synapse) -> AsyncIterator[House]:
    """Build one, with an instance that answers."""
    people = [synapse.register(name) for name in ("anna", "eve", "ben", "cara", "mallory")]
    people.append(synapse.register("root", is_admin=True))
    with reachable_folder() as folder:
        data, nursery = folder / "data", Nursery()
        settings = Settings(data, "de")
        await initialise(settings)
        try:
            async with open_app(settings) as app, Meddler(synapse.url).standing() as meddler:
                made = House(synapse, meddler, nursery, app, data, folder, *people)
                await _teach(made)
                # Most incidents need no encryption; those about who has written a command have a strict instance.
                made.account(tell=[made.eve.id], trust_homeserver=True)
                await made.bot.start()
                try:
                    yield made
                finally:
                    for account in made.accounts:
                        await account.kill()
        finally:
            nursery.close()
            assert wait_until_stopped(data), "the embedded server outlived its last client"


async def _teach(made: House) -> None:
    app, anna, eve = made.app, await made.actor(made.anna), await made.actor(made.eve)
    await app.mandates.open(MANDATE, None, "Europe/Berlin", anna, library=False)
    for person, clearance in ((made.eve, "confidential"), (made.ben, "internal"), (made.cara, "public")):
        await app.mandates.admit(MANDATE, person.id, clearance, anna)
    await app.mandates.give_role(MANDATE, made.eve.id, "administrator", anna)
    change = await app.mandates.set_rule(MANDATE, "open_rooms", "internal", "Die Räume stehen im Haus.", anna)
    assert change.proposal is not None
    await app.four_eyes.approve(change.proposal, eve)
    for key, (level, text) in _TEXTS.items():
        await made.learn(key, level, text)


def unspoken(told: str, words: Iterable[str]) -> list[str]:
    """Return those of the words that a log tells."""
    return [word for word in words if word in told]
