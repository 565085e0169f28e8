"""Runs commands in this process: the program's own parser and handlers, on parts that stay open between commands."""

import asyncio
import io
import os
import re
import secrets
import shutil
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import ExitStack, asynccontextmanager, contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

from psycopg import sql

import bot.wiring
from adapters.encoders.use import UniversalSentenceEncoder
from adapters.eventstore import recording
from adapters.eventstore.master_files import make_master_key
from adapters.postgres import roles
from adapters.postgres.database import DATABASE, Database
from adapters.rerank.embedded import EmbeddedReranker
from adapters.search.analyzer import GermanAnalyzer
from bot import identity
from bot.cli import main as program
from bot.cli import policies
from bot.cli.grammar import Parser, speak
from bot.config import Settings
from bot.erasing import finish_erasing
from bot.installation import master_key, open_with_keys
from bot.text import Texts
from bot.wiring import App, searching

_COPY = sql.SQL("CREATE DATABASE {} TEMPLATE {} STRATEGY FILE_COPY")
_DROP = sql.SQL("DROP DATABASE {} WITH (FORCE)")
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_STEADY = (
    (re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(\+\d\d:\d\d|Z)?"), "INSTANT"),
    (re.compile(r"\b\d{1,2}:\d\d(:\d\d)?\b"), "CLOCK"),
    (re.compile(r"\b[0-9a-f]{8}\.consent"), "ID.consent"),
    (re.compile(r'("timings_ms": )\{[^}]*\}'), r"\1TIMES"),
    # What counts or seals the journal of all mandates together.
    (re.compile(r'("(?:position|from_position|to_position|recorded_position|size|bytes)": )\d+'), r"\1NUMBER"),
    (re.compile(r'"root": "[0-9a-f]+", "key": "[^"]+"'), "HASHES"),
    # A bundle shows on purpose that there is more than it opens, and how much.
    (re.compile(r'("(?:first|last|hidden)": )\d+'), r"\1NUMBER"),
    (re.compile(r"\d+ Ereignisse?: |\d+ events?: |\d+ (nur als Hash|as a hash only)"), "NUMBER "),
)
"""What differs between any two runs of the same command, or is told of what is closed."""

_PATIENCE = 60.0
"""Seconds for which a command waits for a connection."""


class Seen(NamedTuple):
    """What somebody sees of a command."""

    code: int
    out: str
    err: str


@dataclass
class World:
    """An installation with a database of its own.

    Attributes:
        names: ids and instants by what they are called in both worlds.
    """

    data: Path
    database: Database
    names: dict[str, str] = field(default_factory=dict)
    app: App | None = None

    def steady(self, text: str) -> str:
        """Take out of an output what differs between any two runs; ids are numbered as they come."""
        numbers: dict[str, str] = {}
        text = _UUID.sub(lambda one: numbers.setdefault(one[0], f"ID{len(numbers)}"), text)
        for pattern, instead in _STEADY:
            text = pattern.sub(instead, text)
        return text.replace(str(self.data), "DATA")


class Stage:
    """Where worlds are made, copied and acted in."""

    def __init__(self, server: Database, folder: Path) -> None:
        self._server = server
        self._folder = folder
        self._loop = asyncio.new_event_loop()
        self._world: World | None = None
        self._person = ""
        self._stdin = ""

    @contextmanager
    def set_up(self) -> Iterator["Stage"]:
        """Let the program run here for as long as the block does."""
        dense, analyzer = cache(UniversalSentenceEncoder), cache(GermanAnalyzer)
        reranker = cache(lambda: EmbeddedReranker(dense(), analyzer()))
        with ExitStack() as patches:
            for target, name, value in (
                (asyncio, "run", self._loop.run_until_complete),
                (bot.wiring, "open_app", self._opened),
                (identity, "system_user", lambda: self._person),
                (policies, "system_user", lambda: self._person),
                (program, "build_parser", _once(program.build_parser)),
                (program, "log_into", lambda _: None),
                # Who ends the tests does not mean the command at hand.
                (self._loop, "add_signal_handler", lambda *_: None),
                # A machine that is busy elsewhere makes no difference between two worlds.
                (recording, "_WAIT_SECONDS", _PATIENCE),
                # Loading models takes most of the time of a question.
                (searching, "UniversalSentenceEncoder", dense),
                (searching, "analyzer", analyzer),
                (searching, "_embedded_reranker", lambda _: reranker()),
            ):
                patches.enter_context(patch.object(target, name, value))
            patches.enter_context(patch.dict(os.environ, {"COLUMNS": "120"}))
            try:
                yield self
            finally:
                self._loop.run_until_complete(self._loop.shutdown_default_executor())
                self._loop.close()

    @contextmanager
    def fresh(self) -> Iterator[World]:
        """An empty installation."""
        with self._database(DATABASE) as database:
            data = self._folder / secrets.token_hex(6)
            (data / "keys").mkdir(parents=True)
            (data / "format").write_text("1\n", encoding="ascii")
            make_master_key(master_key(data))
            yield World(data, database)

    @contextmanager
    def copied(self, model: World) -> Iterator[World]:
        """An installation that begins as a closed one has ended."""
        with self._database(model.database.admin.dbname) as database:
            data = self._folder / secrets.token_hex(6)
            shutil.copytree(model.data, data)
            try:
                with self.open(World(data, database, dict(model.names))) as world:
                    yield world
            finally:
                shutil.rmtree(data)

    def run(self, world: World, person: str, words: Sequence[str], stdin: str = "") -> Seen:
        """Run a command as a user of the system and return what they see."""
        out, err = io.StringIO(), io.StringIO()
        self._world, self._person = world, person
        with patch.object(sys, "stdin", io.StringIO(stdin)), redirect_stdout(out), redirect_stderr(err):
            code = program.main(["--data", str(world.data), *words])
        return Seen(code, out.getvalue(), err.getvalue())

    @contextmanager
    def _database(self, model: str) -> Iterator[Database]:
        name = f"test_{secrets.token_hex(6)}"
        with roles.connect(self._server.admin.in_database("postgres")) as connection:
            connection.execute(_COPY.format(sql.Identifier(name), sql.Identifier(model)))
        copy = self._server.in_database(name)
        try:
            yield copy
        finally:
            self._loop.run_until_complete(copy.close())
            with roles.connect(self._server.admin.in_database("postgres")) as connection:
                connection.execute(_DROP.format(sql.Identifier(name)))

    @contextmanager
    def open(self, world: World) -> Iterator[World]:
        """Lend the parts of an installation; nobody can copy it meanwhile."""
        opened = self._loop.run_until_complete(open_with_keys(world.database, world.data))
        world.app = App(
            Settings(world.data, "de"),
            world.database,
            opened.events,
            opened.people,
            opened.blobs,
            opened.sealed,
            opened.text_mac,
        )
        try:
            yield world
        finally:
            self._loop.run_until_complete(world.app.close())
            self._loop.run_until_complete(opened.close())
            self._loop.run_until_complete(world.database.close())
            world.app = None

    @asynccontextmanager
    async def _opened(self, settings: Settings) -> AsyncIterator[App]:
        """Stand in for ``open_app``."""
        app = self._world.app if self._world else None
        assert app is not None
        app.settings = settings
        app.__dict__.pop("acting", None)
        await finish_erasing(app.erasures)
        yield app


def _once(build: Callable[[Texts], Parser]) -> Callable[[Texts], Parser]:
    """Build a parser once for each language."""
    built: dict[str, Parser] = {}

    def parser(words: Texts) -> Parser:
        speak(words)
        if words.language not in built:
            built[words.language] = build(words)
        return built[words.language]

    return parser
