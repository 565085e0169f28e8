"""``fundstelle serve``: our account on a platform, and the conversation on it."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING, Final

from adapters.chat.inbox import PostgresInbox
from adapters.chat.lease import PostgresLease
from adapters.chat.posts import PostgresPosts
from adapters.postgres.database import Database
from adapters.postgres.endpoint import Role
from bot import identity
from bot.chat.conversation import Guests
from bot.chat.desk import Desk
from bot.chat.ports import Platform
from bot.chat.service import Service
from bot.faults import write_down
from bot.matrix_config import MatrixChoice
from bot.serving.checkpoints import Posting
from bot.serving.counting import CountedAgain, CountedAsking
from bot.serving.endpoints import told_at
from bot.serving.forgetting import Forgetting
from bot.serving.health import Health
from bot.serving.life import Instance, Life, Side
from bot.serving.logs import facts
from bot.serving.metrics import UNFORESEEN, Metrics
from bot.serving.troubles import Troubles
from bot.text import Texts, texts
from bot.wiring.matrix import connected
from bot.wiring.warming import warm_up
from domain.errors import FundstelleError, InputError, PartError
from domain.recording import People

if TYPE_CHECKING:
    from bot.wiring.app import App

_LOG: Final = logging.getLogger(__name__)


@asynccontextmanager
async def serving(app: "App", choice: MatrixChoice) -> AsyncIterator[Life]:
    """Open what answers on an account, ready to run; health and metrics are told from now on.

    Raises:
        InputError: ``serve_listen`` when nobody can listen there.
    """
    words = texts(app.settings.language)
    account = f"matrix {choice.user}"
    metrics, troubles = Metrics(), Troubles(choice.tell)
    lease, inbox = PostgresLease(app.database, account), PostgresInbox(app.database, app.people, account)
    health = Health(partial(_answers, app.database), lambda: lease.is_held)
    metrics.gauge(
        "sync_age_seconds", "Since the platform has answered; +Inf without a connection.", lambda: health.silence
    )
    metrics.gauge("lease", "Whether the account is ours to answer for.", lambda: float(lease.is_held))
    app.asking = CountedAsking(app.asking_parts, metrics)
    app.again = CountedAgain(app.asking_parts, metrics)
    fault = _faults(app, metrics, words)
    guests = Guests(frozenset(choice.inviters), frozenset(choice.servers))

    def converse(platform: Platform) -> Service:
        wants = not choice.trust_homeserver
        return Service(Desk(app, platform, inbox, words, asyncio.sleep, wants_assurance=wants), guests, choice.tell)

    sides: list[Side] = [troubles.tell]
    room = app.settings.journal.room
    if room is not None:
        posting = Posting(app.journal.log, PostgresPosts(app.database, account), room, words, app.store)
        sides.append(partial(posting.keep_posting, fault=fault))
    forgetting = Forgetting(app.erasures.of_people, partial(_is_known, app.people), fault)
    connect = partial(connected, app.settings, choice, troubles, forgetting)
    life = Life(Instance(lease, inbox, connect, converse, health, metrics, fault, sides, partial(warm_up, app)))
    async with told_at(app.settings.serve, health, metrics) as url:
        _LOG.info("health and metrics are told", extra=facts(url=url))
        if choice.trust_homeserver:
            _LOG.warning("who writes a command is taken from the homeserver: whoever runs it can command in any name")
        yield life


async def _is_known(people: People, written: str) -> bool:
    """Say whether a Matrix id is that of somebody who is known, in the very form that they are registered under."""
    try:
        person = identity.parse(written)
    except InputError:
        return False
    return person == written and await people.find(person) is not None


def _faults(app: "App", metrics: Metrics, words: Texts) -> Callable[[Exception], None]:
    def fault(error: Exception) -> None:
        if isinstance(error, FundstelleError):
            metrics.failed(error.key)
            told = words(f"errors.{error.key}", **error.values)
            _LOG.warning("what we need does not work", extra=facts(error=error.key, told=told))
            return
        metrics.failed(UNFORESEEN)
        write_down(error, app.settings.data)
        _LOG.error("an error that nobody foresaw", extra=facts(kind=type(error).__name__))

    return fault


async def _answers(database: Database) -> bool:
    """Say whether the database answers."""
    try:
        async with asyncio.timeout(2), database.connection(Role.WRITER) as connection:
            await connection.execute("SELECT 1")
    except (PartError, TimeoutError):
        return False
    return True
