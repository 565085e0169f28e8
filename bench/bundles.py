"""How long an audit bundle of a mandate takes in a journal with many signed checkpoints.

    python bench/bundles.py [CHECKPOINTS]

Real parts in a temporary folder, default 2,000 checkpoints with five events of the mandate before each; the median of
five bundles of the whole mandate, without writing the file. The checkpoints are recorded one by one without what
``journal checkpoint`` looks at before: that reads all earlier ones each time.
"""

import asyncio
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Final
from uuid import uuid4

from adapters.journal.keys import KeyFiles
from bot.config import Settings
from bot.installation import initialise, master_key
from bot.wiring import App, open_app
from domain.journal.bundles import Wanted
from domain.journal.checkpoints import Checkpoint
from domain.journal.events import CheckpointSigned
from domain.journal.notes import Note, Signature
from domain.journal.ports import THE_STORE
from domain.journal.viewing import RUN_LIST, RecordViewed
from domain.mandates.state import Mandate
from projections.journal import PostgresJournalTree

EVENTS: Final = 5
ROUNDS: Final = 5


async def fill(app: App, mandate: Mandate, checkpoints: int) -> None:
    """Record the events, and sign after each few of them."""
    actor, tree = await app.actor(), PostgresJournalTree(app.database)
    await app.journal.checkpoint(actor)
    log = await app.journal.log()
    signer = KeyFiles(master_key(app.settings.data).parent, app.settings.journal.origin)
    for number in range(checkpoints):
        await app.store.append(mandate.id, uuid4(), 0, [RecordViewed(RUN_LIST)] * EVENTS, actor)
        size = await tree.size()
        text = str(Checkpoint(signer.key.name, size, await tree.root(size)))
        note = Note(text, (Signature(signer.key.name, signer.key.id, signer.sign(text.encode())),))
        signed = CheckpointSigned(size, str(note))
        await app.store.append(THE_STORE, log.stream or uuid4(), log.version + number, [signed], actor)


async def measured(data: Path, checkpoints: int) -> str:
    """Return the figure."""
    settings = Settings(data, "de")
    await initialise(settings)
    async with open_app(settings) as app:
        actor = await app.actor()
        mandate = await app.mandates.open("M", None, "Europe/Berlin", actor, library=False)
        await fill(app, mandate, checkpoints)
        seconds = []
        for _ in range(ROUNDS):
            begun = perf_counter()
            bundle = await app.bundles.export(mandate, Wanted(), actor)
            seconds.append(perf_counter() - begun)
        return f"{len(bundle.lines)} events, {len(bundle.earlier)} earlier checkpoints: {median(seconds):.1f} s"


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o711)
        print(asyncio.run(measured(Path(folder) / "data", int(sys.argv[1]) if len(sys.argv) > 1 else 2_000)))
