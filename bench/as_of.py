"""What looking back costs: the same searches as of the middle of a history and today, at many versions a document.

    python bench/as_of.py [--documents 20] [--versions 100] [--rounds 40]

Real parts in a temporary folder. Each version replaces the one before from its day on, so at any time as many passages
can be seen. Medians of alternating rounds; the ratio is against the same exact search today.
"""

import argparse
import asyncio
import tempfile
import time
from datetime import date, timedelta
from pathlib import Path, PurePath
from statistics import median
from typing import Final

from bot.config import Settings
from bot.installation import initialise
from bot.wiring import App, open_app
from domain.asking.values import Ask
from domain.knowledge.documents import Statement
from domain.knowledge.handler import Material
from domain.recording import Actor

MANDATE: Final = "M"
FIRST: Final = date(2020, 1, 1)
TOPICS: Final = (
    "Kündigung",
    "Prämie",
    "Urlaub",
    "Haftung",
    "Anzeige",
    "Rente",
    "Verzug",
    "Deckung",
    "Beitrag",
    "Prüfung",
)


async def fill(app: App, actor: Actor, documents: int, versions: int) -> str:
    """Ingest every version, and return an instant at which half of them were known."""
    mandate = await app.mandates.open(MANDATE, None, "Europe/Berlin", actor, library=False)
    middle = ""
    for version in range(versions):
        for number in range(documents):
            text = f"Die Frist für {TOPICS[number % len(TOPICS)]} {number} beträgt {version + 1} Tage ab Zugang.\n"
            stated = Statement("internal", valid_from=FIRST + timedelta(days=version))
            material = Material(f"d{number}", PurePath(f"d{number}.txt"), text.encode(), stated)
            await app.knowledge.ingest(mandate.id, material, actor)
        if version == versions // 2:
            middle = app.now().isoformat()
    await app.views.reach()
    return middle


async def searched(app: App, ask: Ask) -> float:
    """Return how many seconds a search takes."""
    begun = time.perf_counter()
    await app.asking.search(ask)
    return time.perf_counter() - begun


async def measure(data: Path, documents: int, versions: int, rounds: int) -> tuple[float, float]:
    """Return the medians of today and as of the middle, in milliseconds."""
    settings = Settings(data, "de")
    await initialise(settings)
    async with open_app(settings) as app:
        actor = await app.actor()
        middle = await fill(app, actor, documents, versions)
        question = "Wie lang ist die Frist für Haftung 3?"
        today = Ask(MANDATE, actor.person, actor, question)
        past = Ask(MANDATE, actor.person, actor, question, at=middle)
        for ask in (today, past):
            await searched(app, ask)
        pairs = [(await searched(app, today), await searched(app, past)) for _ in range(rounds)]
    now, then = (median(one) * 1_000 for one in zip(*pairs, strict=True))
    return now, then


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser()
    for name, default in (("documents", 20), ("versions", 100), ("rounds", 40)):
        parser.add_argument(f"--{name}", type=int, default=default)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o711)
        now, then = asyncio.run(measure(Path(folder) / "data", options.documents, options.versions, options.rounds))
    print(f"{options.documents} documents, {options.versions} versions each")
    print(f"today {now:.1f} ms, as of the middle {then:.1f} ms, ratio {then / now:.2f}")


if __name__ == "__main__":
    main()
