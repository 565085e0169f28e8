"""How long people wait in the rooms of a real homeserver: 20 rooms, 200 questions in a minute, embedded parts.

    python bench/chat.py [--rooms 20] [--questions 200] [--minutes 1.0] [--law FOLDER]

Synapse (tests/matrix/install-synapse.sh), ``fundstelle serve`` as a process, a mandate with the demo's documents and
six acts in all their versions, plain rooms. Times are from the event of a question to the event of its answer, by the
clock of the homeserver. Baselines of the same run: an echo in the same rooms at the same pace, which is what the
homeserver takes by itself, and the same questions asked one by one inside one process without any chat.
"""

import argparse
import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles
from typing import Any, Final

import psutil

from bot.config import Settings
from bot.demo.corpus import CORPUS
from bot.demo.corpus import questions as scripted
from bot.ingesting import Item, items_of_manifest, take
from bot.installation import initialise
from bot.manifest import read_manifest
from bot.wiring import App, open_app
from domain.asking.values import Ask
from domain.recording import Actor
from tests.data import LAW
from tests.matrix.person import Event, Person
from tests.matrix.synapse import PASSWORD, SERVER_NAME, Synapse, homeserver
from tests.models.processes import free_port, wait_for
from tests.servers import postmaster_pid, reachable_folder, wait_until_stopped

MANDATE: Final = "haus"
ACTS: Final = ("VVG", "BUrlG", "ArbZG", "NachwG", "AGG", "KSchG")
PEOPLE: Final = 8
PATIENCE: Final = 600.0
REPOSITORY: Final = Path(__file__).parents[1]


@dataclass(frozen=True)
class Heard:
    """What came of the questions: seconds from each to its answer, and how many had none or more than one."""

    seconds: Sequence[float]
    lost: int
    doubled: int

    def told(self) -> str:
        cuts = quantiles(self.seconds, n=100)
        figures = f"p50 {cuts[49]:.3f} s, p95 {cuts[94]:.3f} s, most {max(self.seconds):.3f} s"
        return f"{len(self.seconds)} answered, {self.lost} lost, {self.doubled} twice; {figures}"


@dataclass(frozen=True)
class Rooms:
    """Rooms with people in them who take turns."""

    people: Sequence[Person]
    names: Sequence[str]

    async def ask(self, texts: Sequence[str], bot: str, seconds: float) -> dict[str, list[str]]:
        """Ask everything, evenly spread; returns the events of the questions by room."""
        pause, began = seconds / len(texts), time.monotonic()

        async def one(number: int, text: str) -> tuple[str, str]:
            await asyncio.sleep(max(0.0, began + number * pause - time.monotonic()))
            room = self.names[number % len(self.names)]
            asker = self.people[(number + number // len(self.names)) % len(self.people)]
            return room, await asker.send(room, f"Fundstelle: {text}", mentions=[bot])

        asked: dict[str, list[str]] = {}
        for room, event in await asyncio.gather(*(one(number, text) for number, text in enumerate(texts))):
            asked.setdefault(room, []).append(event)
        return asked

    async def heard(self, asked: dict[str, list[str]], bot: str) -> Heard:
        """Wait for the answers, and a little longer for those that should not come."""
        deadline = time.monotonic() + PATIENCE
        while True:
            timelines = [await self.people[0].timeline(room, 3_000) for room in asked]
            found = [one for timeline in timelines for one in _times(timeline, bot)]
            times = {name: (sent, answers) for name, sent, answers in found}
            questions = [name for names in asked.values() for name in names]
            open_ones = sum(not times[name][1] for name in questions)
            if not open_ones or time.monotonic() > deadline:
                break
            await asyncio.sleep(2)
        await asyncio.sleep(2)
        seconds = [(min(times[name][1]) - times[name][0]) / 1_000 for name in questions if times[name][1]]
        return Heard(seconds, open_ones, sum(len(times[name][1]) > 1 for name in questions))


def _times(timeline: Sequence[Event], bot: str) -> list[tuple[str, int, list[int]]]:
    """Return when each message was said, and when somebody has answered it, in milliseconds of the server."""
    answers: dict[str, list[int]] = {}
    for event in timeline:
        content = event["content"]
        relation = content.get("m.relates_to", {})
        if event["sender"] == bot and content.get("msgtype") == "m.text" and relation.get("rel_type") == "m.thread":
            answers.setdefault(relation["event_id"], []).append(event["origin_server_ts"])
    return [(event["event_id"], event["origin_server_ts"], answers.get(event["event_id"], [])) for event in timeline]


def questions(law: Path, count: int) -> list[str]:
    """Return what is asked: what acts and demo answer, and what neither does."""
    texts = [one.question for one in scripted()]
    for file in (law / "questions.examples.jsonl", REPOSITORY / "tests" / "off_corpus.jsonl"):
        if file.is_file():
            texts += [json.loads(line)["question"] for line in file.read_text(encoding="utf-8").splitlines()]
    # By a step that is prime to the number, so that kinds are mixed.
    return [texts[(number * 7919) % len(texts)] for number in range(count)]


async def teach(app: App, law: Path, people: Sequence[Person], rooms: Sequence[str]) -> None:
    """Open the mandate, ingest, admit everybody, and bind the rooms, which show up to internal."""
    first, second = [Actor(await app.people.register(one.id)) for one in people[:2]]
    mandate = await app.mandates.open(MANDATE, None, "Europe/Berlin", first, library=False)
    for one in people[1:]:
        await app.mandates.admit(MANDATE, one.id, "internal", first)
    await app.mandates.give_role(MANDATE, people[1].id, "administrator", first)
    change = await app.mandates.set_rule(MANDATE, "open_rooms", "internal", "Die Räume stehen im Haus.", first)
    assert change.proposal is not None
    await app.four_eyes.approve(change.proposal, second)
    for item in _items(law):
        if law not in item.path.parents or item.path.name.partition(".")[0] in ACTS:
            outcome = await take(app.knowledge, mandate.id, item, first)
            assert outcome.error is None, (item.path, outcome.error)
    for room in rooms:
        await app.mandates.bind(MANDATE, room, "internal", first)
    await app.views.reach()


def _items(law: Path) -> list[Item]:
    manifests = [*CORPUS.glob("*/manifest.jsonl"), *law.glob("manifest.jsonl")]
    return [item for one in manifests for item in items_of_manifest(read_manifest(one, None))]


class Serving:
    """``fundstelle serve``, ready."""

    def __init__(self, data: Path, synapse: Synapse, bot: Person) -> None:
        folder = data.parent
        self.port, self.log = free_port(), folder / "log"
        (folder / "password").write_text(PASSWORD, encoding="utf-8")
        (folder / "password").chmod(0o600)
        account = {"homeserver": synapse.url, "user": bot.id, "password_file": str(folder / "password")}
        lines = [f"{name} = {json.dumps(value)}" for name, value in account.items()]
        config = folder / "serving.toml"
        listen = ["[serve]", f'listen = "127.0.0.1:{self.port}"']
        config.write_text("\n".join(["[matrix]", *lines, f'servers = ["{SERVER_NAME}"]', *listen]), encoding="utf-8")
        command = [sys.executable, "-P", "-m", "bot", "--data", str(data), "--lang", "de", "serve"]
        with self.log.open("wb") as log:
            began = time.monotonic()
            self.process = subprocess.Popen(
                [*command, "--config", str(config)],
                cwd=REPOSITORY,
                env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        wait_for(self.process, f"http://127.0.0.1:{self.port}/readyz", self.log, PATIENCE)
        self.start_seconds = time.monotonic() - began
        self.seen = psutil.Process(self.process.pid)

    def stop(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        assert self.process.wait(60) == 0, self.log.read_text(encoding="utf-8")

    def told(self) -> Counter[str]:
        """Return what its log says that is no news of a question."""
        lines = self.log.read_text(encoding="utf-8").splitlines()
        told = [json.loads(line) if line.startswith("{") else {"level": "", "what": line} for line in lines]
        return Counter(line["what"] for line in told if line["level"] != "info")


def _homeserver() -> float:
    """Return the processor time of the homeserver so far."""
    own = psutil.Process().children()
    return sum(sum(one.cpu_times()[:2]) for one in own if "synapse.app.homeserver" in one.cmdline())


def _postgres(data: Path) -> float:
    """Return the processor time of the embedded database so far."""
    pid = postmaster_pid(data)
    assert pid is not None
    server = psutil.Process(pid)
    living = [sum(one.cpu_times()[:2]) for one in server.children()]
    return sum(server.cpu_times()[:4]) + sum(living)


async def echo(bot: Person, rooms: Rooms, texts: Sequence[str], seconds: float) -> Heard:
    """Have an account answer at once whatever mentions it."""

    async def listen() -> None:
        query = {"timeout": "0"}
        while True:
            answer = await bot.call("GET", "/_matrix/client/v3/sync", query=query)
            for room, section in answer.get("rooms", {}).get("join", {}).items():
                for event in section["timeline"]["events"] if "since" in query else ():
                    if bot.id in event["content"].get("m.mentions", {}).get("user_ids", ()):
                        await bot.send(room, "Ja.", thread=event["event_id"])
            query = {"timeout": "10000", "since": answer["next_batch"]}

    listening = asyncio.create_task(listen())
    await asyncio.sleep(1)
    asked = await rooms.ask(texts, bot.id, seconds)
    found = await rooms.heard(asked, bot.id)
    listening.cancel()
    return found


async def alone(app: App, asker: Person, others: Sequence[Person], room: str, texts: Sequence[str]) -> list[float]:
    """Ask everything inside this process, one by one, as in a room; returns seconds."""
    pseudonym = await app.people.register(asker.id)
    present = tuple([await app.people.register(one.id) for one in others])
    seconds = []
    for number, text in enumerate([texts[0], *texts]):
        began = time.perf_counter()
        await app.asking.ask(
            Ask(MANDATE, pseudonym, Actor(pseudonym), text, channel=room, room=present, is_open_room=True)
        )
        if number:
            seconds.append(time.perf_counter() - began)
    return seconds


async def measure(options: argparse.Namespace, synapse: Synapse, folder: Path) -> None:
    settings = Settings(folder / "data", "de")
    people = [synapse.register(f"person{number}") for number in range(PEOPLE)]
    bot, parrot = synapse.register("fundstelle"), synapse.register("echo")
    names = []
    for _ in range(options.rooms):
        invited = [one.id for one in (*people[1:], bot, parrot)]
        names.append(await people[0].create_room(invite=invited))
        await asyncio.gather(*(one.join(names[-1]) for one in (*people[1:], parrot)))
    rooms, texts = Rooms(people, names), questions(options.law, options.questions)
    await initialise(settings)
    async with open_app(settings) as app:
        await teach(app, options.law, [*people, parrot], names)
    _note("taught", options)

    serving = await asyncio.to_thread(Serving, settings.data, synapse, bot)
    try:
        for name in names:
            await people[0].await_member(name, bot.id)
        before, memory = serving.seen.cpu_times(), serving.seen.memory_info().rss
        database, homeserver_time = _postgres(settings.data), _homeserver()
        began, asked = time.monotonic(), await rooms.ask(texts, bot.id, options.minutes * 60)
        heard = await rooms.heard(asked, bot.id)
        took = time.monotonic() - began
        spent, after = serving.seen.cpu_times(), serving.seen.memory_info().rss
        database, homeserver_time = _postgres(settings.data) - database, _homeserver() - homeserver_time
    finally:
        serving.stop()
    _note(f"ready after {serving.start_seconds:.1f} s", options)
    print(f"rooms: {heard.told()}")
    own = spent.user + spent.system - before.user - before.system
    parts = f"{own:.1f} s of the program, {database:.1f} s of the database, {homeserver_time:.1f} s of the homeserver"
    print(f"processor time: {parts}, within {took:.0f} s")
    print(f"memory: {memory / 2**20:.0f} MiB ready, {after / 2**20:.0f} MiB after the last answer")
    print(f"warnings: {dict(serving.told())}")

    echoed = await echo(parrot, rooms, texts, options.minutes * 60)
    _note(f"echo: {echoed.told()}", options)
    async with open_app(settings) as app:
        inside = await alone(app, people[0], [*people[1:], parrot], names[0], texts)
    base = median(inside) + median(echoed.seconds)
    _note(f"inside one process: p50 {median(inside):.3f} s, p95 {quantiles(inside, n=20)[-1]:.3f} s", options)
    print(f"rooms against echo + inside, medians: {median(heard.seconds) / base:.2f}")


def _note(what: str, options: argparse.Namespace) -> None:
    print(f"[load {os.getloadavg()[0]:.1f}] {options.rooms} rooms, {options.questions} questions: {what}", flush=True)


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rooms", type=int, default=20)
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--law", type=Path, default=LAW)
    options: Any = parser.parse_args()
    with homeserver() as synapse, reachable_folder() as folder:
        try:
            asyncio.run(measure(options, synapse, folder))
        finally:
            wait_until_stopped(folder / "data")


if __name__ == "__main__":
    main()
