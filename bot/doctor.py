"""Looks at every part of an installation: does it answer, in which version, with which rights and models."""

import asyncio
import shutil
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from adapters.postgres.database import Database, open_database
from adapters.postgres.dump import describe
from bot.config import Settings
from bot.installation import must_be_initialised, postgres_url
from bot.models import SAMPLE
from bot.wiring import App, open_parts
from domain.asking.drafts import DraftRequest
from domain.asking.ports import DenseEncoder, LabelledText, SparseEncoder
from domain.asking.timings import Timing, step_timings
from domain.errors import FundstelleError, InputError, PartError
from domain.mandates.handler import MANDATE
from domain.mandates.policies import has_lapsed
from domain.mandates.state import Mandate
from domain.recording import Recorded
from domain.verifying.ports import Claim
from projections.passages import documents

LEAST_FREE_BYTES: Final = 500_000_000
"""Below this, PostgreSQL may stop in the middle of a day of ingesting."""

RECENT_EVENTS: Final = 5_000
"""How far back timings look: some hundred questions."""

MOST_NAMED: Final = 20
"""Events that a view could not take in, as far as a line can name them."""

Facts = Mapping[str, str | int | float | None]


@dataclass(frozen=True, slots=True)
class Check:
    """One part: what is known of it, or why it does not work."""

    name: str
    facts: Facts = field(default_factory=dict)
    error: FundstelleError | None = None


async def examine(settings: Settings) -> list[Check]:
    """Return a check for each part that can be reached; what lies behind a broken part is left out.

    Raises:
        InputError: the data folder is not initialised.
    """
    must_be_initialised(settings.data)
    checks = await _behind_the_folder(settings)
    return checks if settings.matrix is None else [*checks, await _check("matrix", lambda: _matrix(settings))]


async def _behind_the_folder(settings: Settings) -> list[Check]:
    checks = [await _check("folder", lambda: _folder(settings)), await _check("disk", lambda: _disk(settings))]
    try:
        database = await asyncio.to_thread(open_database, settings.data, postgres_url(settings))
    except FundstelleError as error:
        return [*checks, Check("database", error=error)]
    async with database:
        checks += [await _check("database", lambda: _database(settings, database))]
        checks += [await _check("roles", lambda: _nothing(database.check()))]
        checks += [await _check("schema", lambda: _nothing(database.must_be_current()))]
        if any(check.error for check in checks[2:]):
            return checks
        return [*checks, *await _behind_the_database(settings)]


async def timings(settings: Settings) -> tuple[Timing, ...]:
    """Return how long the steps of the latest questions took.

    Raises:
        PartError: a part does not answer.
    """
    async with open_parts(settings) as app:
        recorded: list[Recorded] = []
        position = max(0, await app.store.head() - RECENT_EVENTS)
        while batch := await app.store.after(position, RECENT_EVENTS):
            recorded += batch
            position = batch[-1].position
        return step_timings(recorded)


async def _behind_the_database(settings: Settings) -> list[Check]:
    try:
        async with open_parts(settings) as app:
            return [
                await _check("events", lambda: _events(app)),
                await _check("journal", lambda: _journal(app)),
                await _check("erasing", lambda: _erasing(app)),
                await _check("views", app.views.positions),
                await _check("set_aside", lambda: _set_aside(app)),
                await _check("lexical", lambda: _lexical(app)),
                await _check("subwords", lambda: _subwords(app)),
                await _check("encoder", lambda: _encoder(app.bound.dense.configured)),
                await _check("sparse_encoder", lambda: _encoder(app.bound.sparse.configured)),
                await _check("reranker", lambda: _reranker(app)),
                await _check("formulator", lambda: _formulator(app)),
                await _check("judge", lambda: _judge(app)),
                await _check("calibrations", lambda: _calibrations(app)),
            ]
    except FundstelleError as error:
        return [Check("events", error=error)]


async def _check(name: str, look: Callable[[], Awaitable[Facts]]) -> Check:
    try:
        return Check(name, await look())
    except FundstelleError as error:
        return Check(name, error=error)


async def _nothing(work: Awaitable[None]) -> Facts:
    await work
    return {}


async def _folder(settings: Settings) -> Facts:
    for name in ("keys", "secrets"):
        folder = settings.data / name
        if not folder.is_dir() or folder.stat().st_mode & 0o077:
            raise InputError("folder_open", folder=folder)
    return {"path": str(settings.data)}


async def _disk(settings: Settings) -> Facts:
    free = shutil.disk_usage(settings.data).free
    if free < LEAST_FREE_BYTES:
        raise PartError("disk_nearly_full", free=free // 1_000_000, needed=LEAST_FREE_BYTES // 1_000_000)
    return {"free_bytes": free}


async def _matrix(settings: Settings) -> Facts:
    from bot.wiring.matrix import seen  # noqa: PLC0415 - only where a platform is configured

    found = await seen(settings)
    trusts = settings.matrix is not None and settings.matrix.trust_homeserver
    return {"device": found.device, "commands": "by_homeserver" if trusts else "by_device"}


async def _database(settings: Settings, database: Database) -> Facts:
    found = await asyncio.to_thread(describe, database.admin)
    kind = "embedded" if settings.postgres_url is None else "external"
    return {"kind": kind, "version": found.version, "pgvector": found.pgvector, "bytes": found.size}


async def _events(app: App) -> Facts:
    return {"position": await app.store.head()}


async def _journal(app: App) -> Facts:
    """Return up to where the journal is signed, and with which key; none is made here."""
    log = await app.journal.log()
    if not log.keys:
        return {"signed": None}
    if app.journal.key not in log.keys:
        raise InputError("journal_key_foreign")
    return {"signed": max((one.checkpoint.size for one in log.signed), default=None), "key": str(log.keys[-1])}


async def _erasing(app: App) -> Facts:
    if open_ones := await app.erasures.unfinished():
        raise PartError("erasing_open", count=open_ones)
    # Of single records nothing stands in the store's own history, so no command goes on with them by itself.
    begun = sum(one.change in mandate.begun for mandate in await _mandates(app) for one in mandate.erasing)
    if begun:
        raise PartError("erasing_begun", count=begun)
    return {}


async def _set_aside(app: App) -> Facts:
    if found := await app.views.set_aside():
        events = ", ".join(f"{one.projection} {one.position} ({one.kind}, {one.mandate})" for one in found[:MOST_NAMED])
        raise PartError("set_aside", count=len(found), events=events)
    return {"set_aside": 0}


async def _lexical(app: App) -> Facts:
    return {**await app.lexical.describe(), "documents": await _held(app, "lexical", app.lexical.count)}


async def _subwords(app: App) -> Facts:
    return {"documents": await _held(app, "subwords", app.subword_index.count)}


async def _held(app: App, name: str, count: Callable[[], Awaitable[int]]) -> int:
    """Return how many documents an index holds; what came in up to its position has to be there."""
    # The position is read first: what is written behind it meanwhile is no gap.
    built = (await app.views.positions())[name]
    if built <= 0:
        return 0
    left_out = [one.position for one in await app.views.set_aside() if one.projection == name]
    wanted, held = await documents(app.database, built, left_out), await count()
    if held < wanted:
        raise PartError(name)
    return held


async def _encoder(encoder: DenseEncoder | SparseEncoder) -> Facts:
    await encoder.encode(["Fundstelle"])
    return {"fingerprint": encoder.fingerprint}


async def _reranker(app: App) -> Facts:
    model = app.bound.reranker.configured
    await model.scores("Fundstelle", [SAMPLE])
    return {"fingerprint": model.fingerprint, "threshold": model.threshold}


async def _formulator(app: App) -> Facts:
    sample = LabelledText("S1", SAMPLE, 1.0)
    formulator = app.formulator(app.bound.reranker.configured)
    await formulator.draft(DraftRequest("Was ist eine Fundstelle?", "de", [sample]))
    return {"fingerprint": formulator.fingerprint, "wording": formulator.version}


async def _judge(app: App) -> Facts:
    judge = app.asking_parts.judge
    await judge.judge([Claim(SAMPLE.text, SAMPLE.search_text)])
    return {"fingerprint": judge.fingerprint}


async def _calibrations(app: App) -> Facts:
    """Count only: whoever looks after the installation need not be a member of any mandate."""
    lapsed = sum(has_lapsed(one, app.bound.threshold_model(one)) for one in await _mandates(app))
    if lapsed:
        raise InputError("calibration_lapsed", count=lapsed)
    return {"lapsed": 0}


async def _mandates(app: App) -> list[Mandate]:
    found = [await app.mandates.by_id(stream) for stream in await app.store.named(MANDATE)]
    return [one for one in found if one is not None]
