"""A process that dies between two statements of its choice: ``python -m tests.crashing``.

It reads a JSON line with the database and a folder, then one line ``SCENARIO K`` at a time. For each it forks a child
that runs the scenario and kills itself before its K-th statement, or its K-th commit; it answers with what the child
had acknowledged until then, and ``done`` or ``killed``. Pipelines are off in the child: each statement reaches the
server by itself.
"""

import asyncio
import json
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path, PurePath
from types import SimpleNamespace
from typing import Any
from uuid import UUID, uuid4

import psycopg
from psycopg import AsyncConnection

from adapters.chat.inbox import PostgresInbox
from adapters.chat.lease import PostgresLease
from adapters.eventstore.keys import MasterKey
from adapters.eventstore.recording import Recording, open_recording
from adapters.eventstore.topics import TOPICS
from adapters.postgres.database import Database
from adapters.postgres.endpoint import Endpoint, Role
from adapters.readers.readers import FileReaders
from bot.erasing import InstallationShredder
from domain.asking.events import QuestionEncoded
from domain.asking.quoting import Quotes
from domain.inbox import Noted
from domain.journal.erasures import Erasures
from domain.journal.events import ErasureOrdered
from domain.knowledge.documents import Statement
from domain.knowledge.events import DocumentRegistered, LevelAssigned
from domain.knowledge.handler import Knowledge, Material
from domain.knowledge.preparation import digest
from domain.mandates.four_eyes import FourEyes
from domain.mandates.handler import Mandates
from domain.mandates.policies import ModelThreshold
from domain.recording import Actor, Recorded, StreamName
from projections import runner
from tests.crashing_searches import partitions, scenarios, tick_in_folders
from tests.erasers import all_due

MASTER = MasterKey(bytes(32))
ACTOR = Actor(UUID(int=7))
PRIVATE = QuestionEncoded("model", (0.5,))
DOCUMENT = (DocumentRegistered("key"), LevelAssigned("secret"))


class Seen:
    """Writes down the positions it has seen, with the version of the code."""

    name, takes = "seen", TOPICS.classes()

    def __init__(self, version: int) -> None:
        self.version = version

    async def clear(self, connection: AsyncConnection) -> None:
        await connection.execute("DELETE FROM seen")

    async def apply(self, connection: AsyncConnection, events: Sequence[Recorded]) -> None:
        for recorded in events:
            await connection.execute("INSERT INTO seen VALUES (%s, %s)", (recorded.position, self.version))


def acknowledge(kind: str, *values: object) -> None:
    os.write(1, json.dumps([kind, *map(str, values)]).encode() + b"\n")


async def write(database: Database) -> None:
    """Record with a new mandate, a name, a person and a text."""
    recording = await open_recording(database, MASTER)
    mandate, stream, run = uuid4(), uuid4(), uuid4()
    name = StreamName("document", str(stream), mandate)
    await recording.events.append(mandate, stream, 0, DOCUMENT, ACTOR, name=name)
    acknowledge("document", mandate, stream)
    person = await recording.people.register(str(run))
    acknowledge("person", person, run)
    ref = await recording.blobs.put(mandate, str(run))
    acknowledge("text", mandate, ref.address, ref.sha256, run)
    await recording.events.append(mandate, run, 0, [PRIVATE], ACTOR, subject=person)
    acknowledge("run", run)
    os._exit(0)


async def project(database: Database, version: int) -> None:
    """Bring a projection to the head, building it anew when its version is new."""
    runner.BATCH_EVENTS = 2  # type: ignore[misc]
    recording = await open_recording(database, MASTER)
    await runner.ProjectionRunner(database, recording.events, [Seen(version)]).reach()
    os._exit(0)


async def ingest(database: Database) -> None:
    """Bring another text into the document ``handbuch`` of the mandate ``m``."""
    recording = await open_recording(database, MASTER)
    mandates = Mandates(recording.events, recording.people, uuid4)
    knowledge = Knowledge(
        recording.events, recording.blobs, FileReaders(), mandates, clock=lambda: datetime.now(UTC), new_id=uuid4
    )
    text = f"Die Frist beträgt {uuid4()} Tage."
    acknowledge("intended", digest(text))
    material = Material("handbuch", PurePath("handbuch.txt"), text.encode(), Statement("internal"))
    await knowledge.ingest((await mandates.find("m")).id, material, ACTOR)
    acknowledge("ingested")
    os._exit(0)


async def approve(database: Database) -> None:
    """Agree, as the second administrator, to the change that waits in the mandate ``m``."""
    recording = await open_recording(database, MASTER)
    mandates = Mandates(recording.events, recording.people, uuid4)
    (waiting,) = (await mandates.find("m")).proposals
    four_eyes = FourEyes(recording.events, recording.people, mandates, lambda _: ModelThreshold("", None), all_due)
    await four_eyes.approve(waiting.change, Actor(await recording.people.register("second")))
    acknowledge("approved", waiting.change)
    os._exit(0)


async def tell(database: Database) -> None:
    """Tell runs what has become of their sources."""
    # The world imports this module.
    from tests.cited_world import CitedWorld  # noqa: PLC0415

    await (await CitedWorld.open(database)).changes.tell(ACTOR)
    os._exit(0)


async def note(database: Database) -> None:
    """Note what came in on a chat platform, in two batches."""
    recording = await open_recording(database, MASTER)
    inbox = PostgresInbox(database, recording.people, "matrix @bot:example.org")
    last = int(await inbox.token() or 0)
    for token in (last + 1, last + 2):
        sent = (f"@{token}:example.org", datetime.now(UTC), "Said")
        await inbox.take_in(str(token), [Noted(f"${token}{part}", "!room", *sent) for part in "abc"])
        acknowledge("noted", token)
    os._exit(0)


async def lease(database: Database) -> None:
    """Take the lease on an account and answer with it."""
    held = PostgresLease(database, "matrix @bot:example.org")
    await held.acquire()
    while True:
        await held.check()
        await asyncio.sleep(0.05)


def erasures(database: Database, recording: Recording, folder: Path) -> Erasures:
    """What erases, with one index beside the database."""
    index = partitions("lexical", recording.blobs, folder / "lexical" / "1")

    async def nothing(_name: str) -> None:
        """No index keeps words of single versions here."""

    shredder = InstallationShredder(database, lambda: [index.forget], nothing, ours=False)
    return Erasures(recording.events, shredder, Quotes(recording.events), uuid4)


async def erase(database: Database, folder: Path) -> None:
    """Erase the mandate ``m``."""
    recording = await open_recording(database, MASTER)
    mandate = await Mandates(recording.events, recording.people, uuid4).find("m")
    order = ErasureOrdered(uuid4(), "mandate", mandate.id, None, None, "Ende")
    await erasures(database, recording, folder).carry_out(order, ACTOR)
    os._exit(0)


async def erase_person(database: Database, folder: Path) -> None:
    """Erase the person ``victim``."""
    recording = await open_recording(database, MASTER)
    person = await recording.people.find("victim")
    assert person is not None
    order = ErasureOrdered(uuid4(), "person", person, None, None, "gewünscht")
    await erasures(database, recording, folder).carry_out(order, ACTOR)
    os._exit(0)


SCENARIOS = {
    "approve": approve,
    "lease": lease,
    "note": note,
    "tell": tell,
    "write": write,
    "ingest": ingest,
    "project": lambda database: project(database, 1),
    "rebuild": lambda database: project(database, 2),
}


ERASING = {"erase": erase, "erase_person": erase_person}


def die_before(number: int, *, commits: str | None) -> None:
    """Arm the trap: the process kills itself before its step of this number, counted from 1.

    Steps are statements; or, where ``commits`` names a role, only its commits: nobody sees anything of a transaction
    before, so a death between two of them is a death anywhere between them. Steps in folders count either way.
    """
    count = 0

    def tick() -> None:
        nonlocal count
        count += 1
        if count == number:
            os.kill(os.getpid(), signal.SIGKILL)

    def ticking(real: Any) -> Any:
        def wrapped(*args: Any, **kwargs: Any) -> Any:
            if commits is None or (args[1:2] == (b"COMMIT",) and args[0].info.user == commits):
                tick()
            return real(*args, **kwargs)

        return wrapped

    @contextmanager
    def unpipelined(_: object) -> Iterator[SimpleNamespace]:
        yield SimpleNamespace(sync=lambda: None)

    tick_in_folders(tick)
    # BEGIN and COMMIT go through the connection, everything else through cursors.
    for owner, method in (
        (psycopg.Connection, "_exec_command"),
        (psycopg.AsyncConnection, "_exec_command"),
        (psycopg.Cursor, "execute"),
        (psycopg.AsyncCursor, "execute"),
    ):
        setattr(owner, method, ticking(getattr(owner, method)))
    psycopg.Connection.pipeline = unpipelined  # type: ignore[method-assign,assignment]


def main() -> None:
    place = json.loads(sys.stdin.readline())
    endpoint = Endpoint(*place["endpoint"], extra=())
    searches = scenarios()
    for line in sys.stdin:
        scenario, number = line.split()
        child = os.fork()
        if child == 0:
            database = Database(endpoint, place["prefix"], Path(place["secrets"]), None)
            die_before(int(number), commits=database.role_name(Role.PROJECTOR) if scenario in searches else None)
            if scenario in ERASING:
                asyncio.run(ERASING[scenario](database, Path(place["folder"])))
            elif scenario in searches:
                asyncio.run(searches[scenario](database, Path(place["folder"])))
            else:
                asyncio.run(SCENARIOS[scenario](database))
        _, status = os.waitpid(child, 0)
        killed = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL
        acknowledge("killed" if killed else "done" if status == 0 else f"status {status}")


if __name__ == "__main__":
    main()
