"""Documents and questions."""

from time import perf_counter
from typing import TYPE_CHECKING
from uuid import uuid4

from adapters.search.sections import StoredSections
from bot import models
from domain.asking.norms import StoredNorms
from domain.asking.parts import Parts
from domain.asking.ruling import Rules
from domain.asking.runs import Runs
from domain.asking.stored import StoredTexts
from domain.knowledge.handler import Knowledge

if TYPE_CHECKING:
    from bot.wiring.app import App


def knowledge(app: "App") -> Knowledge:
    """Return the commands on documents."""
    from adapters.readers.readers import FileReaders  # noqa: PLC0415 - the libraries of ten formats take time

    return Knowledge(app.store, app.blobs, FileReaders(), app.mandates, clock=app.now, new_id=uuid4)


def parts(app: "App") -> Parts:
    """Return everything that a question needs."""
    rules = Rules(app.known, StoredSections(app.database))
    return Parts(
        store=app.store,
        admissions=app.admissions,
        views=app.views,
        knowledge=app.known,
        rules=rules,
        norms=StoredNorms(rules),
        retrievals=app.bound,
        judge=models.judge(app.settings),
        formulator=app.formulator,
        stored=StoredTexts(app.blobs),
        clock=app.now,
        stopwatch=perf_counter,
        new_id=uuid4,
    )


def runs(app: "App") -> Runs:
    """Return runs shown again."""
    return Runs(app.store, app.mandates, app.views, app.known, StoredTexts(app.blobs), app.now)
