"""Instances of ``fundstelle serve`` that begin within a moment: ``python -m tests.matrix.nursery``.

It reads all models and imports everything once. For each line of JSON, which says what an instance consists of, it
forks a child that is this instance, and answers with its pid; an empty line asks for the next that ends, and how.
"""

import asyncio
import json
import os
import signal
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta, tzinfo
from functools import partial
from pathlib import Path
from typing import Any, cast

import aiohttp
from nio.crypto import olm_machine, sessions

import bot.matrix.client
import bot.matrix.device_store  # noqa: F401 - what each child would import
from adapters.eventstore import recording
from bot import faults
from bot.chat import afterwards, desk, pace, service
from bot.config import Settings
from bot.matrix import api, sync
from bot.matrix_config import MatrixChoice
from bot.serve_config import ServeChoice
from bot.serving import forgetting
from bot.serving import life as lives
from bot.serving.logs import log_to
from bot.serving.signals import until_signalled
from bot.wiring import app as apps
from bot.wiring import chatting, open_app
from domain.asking.verdicts import ClaimsChecked
from domain.recording import EventStore
from tests.warm import read_models

GATE = "/gate"
"""Where an instance asks whether it may go on with the verification of an answer."""

CLOCK = "clock"
"""File in the folder of an account: the hours by which its clock is wrong."""


def hold(store: EventStore, gate: str) -> None:
    """Let nothing be recorded of the verification of an answer before somebody allows it."""
    append = store.append

    async def held(*given: Any, **more: Any) -> Any:
        if any(isinstance(event, ClaimsChecked) for event in given[3]):
            async with aiohttp.request("GET", gate, timeout=aiohttp.ClientTimeout(None)):
                pass
        return await append(*given, **more)

    store.append = held


async def serve(given: Mapping[str, Any]) -> None:
    """Be an instance until a signal comes."""
    folder = Path(given["folder"])
    password = folder / "password"
    choice = MatrixChoice(
        given["homeserver"],
        given["user"],
        password,
        tuple(given.get("inviters", ())),
        tuple(given.get("servers", ())),
        tuple(given.get("tell", ())),
        trust_homeserver=given.get("trust_homeserver", False),
    )
    settings = Settings(Path(given["data"]), "de", matrix=choice, serve=ServeChoice(port=given["port"]))
    _hasten(given)
    _connect_from(folder)
    _set_clock_by(folder / CLOCK)
    async with open_app(settings) as app:
        hold(app.store, given["homeserver"] + GATE)
        async with chatting.serving(app, choice) as life:
            await until_signalled(life)


def _connect_from(folder: Path) -> None:
    """Keep the files of the account apart from those of others on the same installation."""
    usual = chatting.connected
    chatting.connected = lambda settings, *more: usual(replace(settings, data=folder), *more)


def _set_clock_by(file: Path) -> None:
    """Let the clock of this process be wrong by the hours in a file, from the moment on when it is written."""

    def wrong() -> timedelta:
        with suppress(OSError, ValueError):
            return timedelta(hours=float(file.read_text(encoding="utf-8")))
        return timedelta()

    class Clock(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> datetime:
            return datetime.now(tz) + wrong()

    usual = time.time
    time.time = lambda: usual() + wrong().total_seconds()
    for module in (apps, faults, recording, sessions, olm_machine):
        module.datetime = Clock  # type: ignore[attr-defined]


def _hasten(given: Mapping[str, Any]) -> None:
    """Shorten what people would wait for, and show no progress unless a test is about it."""
    usual = desk.Desk
    chatting.Desk = partial(usual, patience=given.get("patience", 3600.0))
    forgetting.LOOK_SECONDS = 0.5
    lives.LOOK_SECONDS = given.get("look_seconds", lives.LOOK_SECONDS)
    afterwards.KEY_SECONDS = given.get("key_seconds", afterwards.KEY_SECONDS)
    service.MOVING_SECONDS = given.get("moving_seconds", service.MOVING_SECONDS)
    cast("dict[str, int]", pace.MOST).update(given.get("most", {}))
    sync._AT_ONCE = given.get("at_once", sync._AT_ONCE)
    seconds = given.get("server_patience")
    if seconds is not None:
        sync._PAUSE = seconds / 4
        sync._HELD = seconds / 2
        api.Api.call.__kwdefaults__["patience"] = seconds


def _be(given: Mapping[str, Any]) -> None:
    """Turn this process into the instance."""
    log = os.open(given["log"], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(log, 1)
    os.dup2(log, 2)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    log_to(sys.stderr)
    asyncio.run(serve(given))


def main() -> None:
    read_models()
    for line in sys.stdin:
        if not line.strip():
            pid, status = os.wait()
            print(json.dumps([pid, os.waitstatus_to_exitcode(status)]), flush=True)
            continue
        child = os.fork()
        if child == 0:
            _be(json.loads(line))
            os._exit(0)
        print(json.dumps(child), flush=True)


if __name__ == "__main__":
    print(json.dumps("ready"), flush=True)
    main()
