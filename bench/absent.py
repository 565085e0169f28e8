"""Whether the time tells what is not open from what does not exist: the same look at both, one after the other.

    python bench/absent.py [--documents 20] [--rounds 200]

Real parts in a temporary folder: a foreign mandate with documents, members and a run; somebody who belongs to another
one. Medians of alternating rounds; the ratio is of foreign to absent. Only the handlers are timed: a call of the
program starts it first, which takes a hundred times as long.
"""

import argparse
import asyncio
import tempfile
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path, PurePath
from statistics import median
from typing import Final
from uuid import UUID, uuid4

from bot.config import Settings
from bot.installation import initialise
from bot.wiring import App, open_app
from domain.asking.values import Ask
from domain.errors import AccessError
from domain.knowledge.documents import Statement
from domain.knowledge.handler import Material
from domain.recording import Actor

FOREIGN: Final = "FREMD"
ABSENT: Final = "NIRGENDS"
OWN: Final = "EIGEN"
QUESTION: Final = "Wie lang ist die Frist für Haftung 3?"

Look = Callable[[], Awaitable[object]]


async def fill(app: App, documents: int) -> tuple[Actor, UUID]:
    """Open both mandates; return who belongs to one of them, and a run of the other."""
    owner = await app.actor()
    stranger = Actor(await app.people.register("fremde"))
    foreign = await app.mandates.open(FOREIGN, None, "Europe/Berlin", owner, library=False)
    own = await app.mandates.open(OWN, None, "Europe/Berlin", stranger, library=False)
    for mandate, actor, level in ((foreign, owner, "internal"), (own, stranger, "internal"), (own, stranger, "secret")):
        for number in range(documents):
            key = f"{level}-{number}"
            text = f"Die Frist für Haftung {number} beträgt {number + 1} Tage ab Zugang.\n"
            material = Material(key, PurePath(f"{key}.txt"), text.encode(), Statement(level))
            await app.knowledge.ingest(mandate.id, material, actor)
    await app.mandates.admit(OWN, "gast", "internal", stranger)
    guest = Actor(await app.people.register("gast"))
    run = (await app.asking.ask(Ask(FOREIGN, owner.person, owner, QUESTION))).run
    return guest, run


def looks(app: App, guest: Actor, run: UUID) -> dict[str, tuple[Look, Look]]:
    """Return each look, at what is not open and at what does not exist."""

    def ask(mandate: str, *documents: str) -> Look:
        return lambda: app.asking.ask(Ask(mandate, guest.person, guest, QUESTION, documents=documents or None))

    def known(mandate: str) -> Look:
        return lambda: app.admissions.admit(Ask(mandate, guest.person, guest, ""), app.now())

    def show(key: str) -> Look:
        async def shown() -> object:
            admission = await app.admissions.admit(Ask(OWN, guest.person, guest, ""), app.now())
            await app.views.reach(await app.store.head())
            return await app.known.version(admission.scope, admission.levels, key, 1)

        return shown

    return {
        "known, ask or search in a mandate": (known(FOREIGN), known(ABSENT)),
        "ask, whole": (ask(FOREIGN), ask(ABSENT)),
        "ask for a document": (ask(OWN, "secret-1"), ask(OWN, "nichts-1")),
        "show": (show("secret-1"), show("nichts-1")),
        "run show": (lambda: app.runs.show(run, guest.person), lambda: app.runs.show(uuid4(), guest.person)),
    }


async def took(look: Look) -> float:
    """Return how many milliseconds a look takes."""
    begun = time.perf_counter()
    with suppress(AccessError):
        await look()
    return (time.perf_counter() - begun) * 1_000


async def measure(data: Path, documents: int, rounds: int) -> None:
    """Print a line for each look."""
    settings = Settings(data, "de")
    await initialise(settings)
    async with open_app(settings) as app:
        for name, (foreign, absent) in looks(app, *await fill(app, documents)).items():
            for look in (foreign, absent):
                await took(look)
            pairs = [(await took(foreign), await took(absent)) for _ in range(rounds)]
            one, other = (median(several) for several in zip(*pairs, strict=True))
            print(f"{name}: foreign {one:.2f} ms, absent {other:.2f} ms, ratio {one / other:.2f}")


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser()
    for name, default in (("documents", 20), ("rounds", 200)):
        parser.add_argument(f"--{name}", type=int, default=default)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o711)
        asyncio.run(measure(Path(folder) / "data", options.documents, options.rounds))


if __name__ == "__main__":
    main()
