"""An installation whose instances answer in the rooms of a homeserver, and people with clearances who ask there."""

import asyncio
import copy
import json
import os
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import Any
from uuid import UUID, uuid5

import aiohttp

from adapters.chat.inbox import PostgresInbox
from adapters.postgres import roles
from bot.chat.desk import _NAMESPACE
from bot.config import Settings
from bot.installation import initialise
from bot.wiring import App, open_app
from domain.knowledge.documents import Statement
from domain.knowledge.handler import Material
from domain.recording import Actor
from tests.matrix.meddler import Meddler
from tests.matrix.person import Person
from tests.matrix.scene import Scene
from tests.matrix.synapse import PASSWORD, SERVER_NAME, Synapse
from tests.models.processes import free_port
from tests.servers import REPOSITORY, reachable_folder, wait_until_stopped

MANDATE = "haus"
PATIENCE = 60.0

_TEXTS = {
    "handbuch": ("public", "Die Kündigungsfrist für Sachversicherungen beträgt drei Monate zum Jahresende."),
    "nachlass": ("internal", "Der Nachlass für Bestandskunden beträgt höchstens zwölf Prozent der Jahresprämie."),
    "fusion": ("confidential", "Der Kaufpreis für die Nordsee-Kasse beträgt vierzig Millionen Euro."),
}


class Nursery:
    """The process that the instances are forked from."""

    def __init__(self) -> None:
        environment = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.matrix.nursery"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=REPOSITORY,
            env=environment,
            text=True,
        )
        self._ended: dict[int, int] = {}
        assert self._read() == "ready"

    def fork(self, given: dict[str, Any]) -> int:
        """Return the pid of a new instance."""
        self._write(json.dumps(given))
        return int(self._read())

    def wait(self, pid: int) -> int:
        """Return the exit code of an instance, negative for a signal, when it has ended."""
        while pid not in self._ended:
            self._write("")
            ended, code = self._read()
            self._ended[ended] = code
        return self._ended[pid]

    def close(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(20)
        self._process.stdout.close()

    def _write(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()

    def _read(self) -> Any:
        assert self._process.stdout is not None
        return json.loads(self._process.stdout.readline())


class Account:
    """An account of ours with the files of its device, and the instance that answers for it.

    Attributes:
        person: the account, as somebody who only looks.
        log: what its instances have told.
    """

    def __init__(self, house: "House", person: Person, folder: Path, **given: Any) -> None:
        self.house, self.person, self.folder, self.given = house, person, folder, given
        self.log = folder / "log"
        self.port = 0
        self.pid: int | None = None
        folder.mkdir(mode=0o700)
        (folder / "keys").mkdir(mode=0o700)
        (folder / "password").write_text(PASSWORD, encoding="utf-8")
        (folder / "password").chmod(0o600)

    @property
    def id(self) -> str:
        return self.person.id

    async def start(self, *, is_ready: bool = True, **more: Any) -> None:
        """Start an instance, and wait until it can answer unless told not to."""
        self.port = free_port()
        usual = {"servers": [SERVER_NAME], "homeserver": self.house.meddler.url, "user": self.id}
        places = {"folder": str(self.folder), "data": str(self.house.data), "log": str(self.log), "port": self.port}
        self.pid = await asyncio.to_thread(self.house.nursery.fork, {**usual, **places, **self.given, **more})
        if is_ready:
            await self.ready()

    async def ready(self, *, is_it: bool = True) -> None:
        """Wait until it says that it can answer, or that it cannot."""
        deadline = time.monotonic() + PATIENCE
        while (await self.get("/readyz"))[0] != (200 if is_it else 503):
            assert time.monotonic() < deadline, self.told()
            assert self.pid is not None, "it was not started"
            assert Path(f"/proc/{self.pid}/fd").exists(), self.told()
            await asyncio.sleep(0.05)

    async def get(self, path: str) -> tuple[int, str]:
        """Return what it tells a monitor; status 0 where nobody listens."""
        try:
            async with aiohttp.request("GET", f"http://127.0.0.1:{self.port}{path}") as reply:
                return reply.status, await reply.text()
        except aiohttp.ClientError:
            return 0, ""

    def kill_now(self) -> None:
        """End it as by the power switch; its end is waited for by ``buried``."""
        if self.pid is not None:
            os.kill(self.pid, signal.SIGKILL)

    async def buried(self) -> int:
        """Wait for its end, and return its exit code."""
        assert self.pid is not None
        code = await asyncio.to_thread(self.house.nursery.wait, self.pid)
        self.pid = None
        return code

    async def kill(self) -> None:
        if self.pid is not None:
            self.kill_now()
            await self.buried()

    async def stop(self) -> int:
        """Ask it to end in its own way, and return its exit code."""
        assert self.pid is not None
        os.kill(self.pid, signal.SIGTERM)
        return await self.buried()

    async def restart(self, **more: Any) -> None:
        await self.kill()
        await self.start(**more)

    def told(self) -> str:
        """Return its log."""
        return self.log.read_text(encoding="utf-8") if self.log.exists() else ""

    async def says(self, what: str) -> None:
        """Wait until its log tells something."""
        deadline = time.monotonic() + PATIENCE
        while what not in self.told():
            assert time.monotonic() < deadline, self.told()
            await asyncio.sleep(0.05)

    def run_of(self, question: str) -> UUID:
        """Return the run that a question is answered by."""
        return uuid5(_NAMESPACE, f"run {self.id} {question}")

    async def log_out(self) -> None:
        """End all sessions of the account, as an administrator of the homeserver does."""
        devices = f"/_synapse/admin/v2/users/{self.id}/delete_devices"
        path = f"/_synapse/admin/v2/users/{self.id}/devices"
        known = [one["device_id"] for one in (await self.house.root.call("GET", path))["devices"]]
        await self.house.root.call("POST", devices, {"devices": known})
        self.person = await asyncio.to_thread(self.house.synapse.log_in, self.id)

    async def direct_room(self, person: Person) -> str:
        """Return the last room that was opened for this person alone."""
        place = f"/_matrix/client/v3/user/{self.id}/account_data/m.direct"
        return str((await self.person.call("GET", place))[person.id][-1])

    @property
    def inbox(self) -> PostgresInbox:
        """What has come in for it."""
        return PostgresInbox(self.house.app.database, self.house.app.people, f"matrix {self.id}")

    async def done_with(self, event: str) -> None:
        """Wait until an event has come in, and nothing is left to deal with."""
        deadline = time.monotonic() + PATIENCE
        while await self.inbox.noted(event) is None or await self.inbox.pending():
            assert time.monotonic() < deadline, self.told()
            await asyncio.sleep(0.05)

    async def idle(self) -> None:
        """Wait until nothing is left to deal with."""
        deadline = time.monotonic() + PATIENCE
        while await self.inbox.pending():
            assert time.monotonic() < deadline, self.told()
            await asyncio.sleep(0.05)


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
                made.account(tell=[made.eve.id])
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
    mandate = await app.mandates.open(MANDATE, None, "Europe/Berlin", anna, library=False)
    for person, clearance in ((made.eve, "confidential"), (made.ben, "internal"), (made.cara, "public")):
        await app.mandates.admit(MANDATE, person.id, clearance, anna)
    await app.mandates.give_role(MANDATE, made.eve.id, "administrator", anna)
    change = await app.mandates.set_rule(MANDATE, "open_rooms", "internal", "Die Räume stehen im Haus.", anna)
    assert change.proposal is not None
    await app.four_eyes.approve(change.proposal, eve)
    for key, (level, text) in _TEXTS.items():
        material = Material(key, PurePath(f"{key}.md"), f"# {key.title()}\n\n{text}\n".encode(), Statement(level))
        await app.knowledge.ingest(mandate.id, material, anna)
    await app.views.reach()


def unspoken(told: str, words: Iterable[str]) -> list[str]:
    """Return those of the words that a log tells."""
    return [word for word in words if word in told]


def a_secret() -> str:
    """Return a word that stands nowhere else."""
    return secrets.token_hex(8)
