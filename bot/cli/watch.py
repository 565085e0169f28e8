"""``watch``: keeps a folder in step with what is known."""

import argparse
import asyncio
import hashlib
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from adapters.postgres.locks import FileLock
from bot.cli.command import Commands, Result, told_when_stopped
from bot.cli.knowledge import administered
from bot.files import read, shown
from bot.ingesting import Item, Outcome, take
from bot.outcomes import exit_code, outcome_document, show_outcome
from bot.output import Output, done, warning
from bot.source_changes import Consequences
from bot.watching import Kept, Look, Memory, Stamp, Steps, look, stamp_of, steps
from domain.errors import InputError, PartError
from domain.knowledge.anchors import key_of_path
from domain.knowledge.documents import Statement
from domain.mandates.naming import level_among
from domain.mandates.state import Mandate
from domain.recording import Actor

if TYPE_CHECKING:
    from bot.wiring import App

_INTERRUPTED = 130
_SHORTEST_INTERVAL, _LONGEST_INTERVAL = 0.1, 86_400.0


def register(commands: Commands) -> None:
    """Add ``watch``."""
    words = commands.texts
    parser = commands.add("watch", watch)
    parser.add_argument("folder", type=Path, metavar=words("knowledge.folder"), help=words("options.folder"))
    parser.add_argument("--mandate", required=True, metavar="M", help=words("options.mandate"))
    parser.add_argument("--level", required=True, metavar="LEVEL", help=words("options.ingest_level"))
    parser.add_argument("--interval", type=float, default=5.0, metavar="N", help=words("options.interval"))
    parser.add_argument("--once", action="store_true", help=words("options.once"))


async def watch(app: "App", arguments: argparse.Namespace) -> Result:
    """Bring the folder in step, again and again until a signal ends it, or once."""
    if not _SHORTEST_INTERVAL <= arguments.interval <= _LONGEST_INTERVAL:
        raise InputError("watch_interval", interval=arguments.interval)
    if not arguments.folder.is_dir():
        if arguments.folder.exists():
            raise InputError("watch_file", file=shown(arguments.folder))
        raise InputError("watch_folder", folder=shown(arguments.folder))
    actor = await app.actor()
    mandate = await administered(app, arguments.mandate, actor)
    level_among(mandate.levels, arguments.level)
    with _memory(app, mandate, arguments.folder) as memory:
        watcher = Watcher(app, mandate, actor, memory, arguments)
        with told_when_stopped(watcher.tell_incomplete):
            if not arguments.once:
                cut_short = await watcher.on()
                return Result([], exit_code=_INTERRUPTED if cut_short else 0)
            outcomes = await watcher.once()
    return Result([], lambda texts: [] if watcher.busy else [done(texts("watch.nothing"))], min(exit_code(outcomes), 1))


@contextmanager
def _memory(app: "App", mandate: Mandate, folder: Path) -> Iterator[Memory]:
    """Lend the memory of this watch to one process at a time.

    Raises:
        InputError: ``watch_running``.
    """
    place = app.settings.data / "watch"
    place.mkdir(mode=0o700, exist_ok=True)
    name = hashlib.sha256(f"{mandate.id}\0{shown(folder.resolve())}".encode()).hexdigest()[:16]
    lock = FileLock(place / f"{name}.lock")
    if not lock.attempt():
        raise InputError("watch_running")
    try:
        yield Memory(place / f"{name}.json")
    finally:
        lock.release()


class Watcher:
    """One folder, what is remembered of it, and what has failed.

    ``busy`` tells whether there was anything to do.
    """

    def __init__(
        self, app: "App", mandate: Mandate, actor: Actor, memory: Memory, arguments: argparse.Namespace
    ) -> None:
        self._app = app
        self._mandate = mandate
        self._actor = actor
        self._memory = memory
        self._folder: Path = arguments.folder
        self._interval: float = arguments.interval
        self._stated = Statement(arguments.level)
        self._out: Output = arguments.out
        self._kept = memory.load()
        self._failed: dict[str, Stamp] = {}
        self._warned: set[str] = set()
        self._stop = asyncio.Event()
        self._interrupted = False
        self._incomplete = False
        self.busy = False

    async def once(self) -> list[Outcome]:
        """Look twice and do what is to be done."""
        before = await self._look()
        await asyncio.sleep(self._interval)
        return await self._step(before, await self._look())

    async def on(self) -> bool:
        """Look again and again until SIGTERM or SIGINT; the file at hand is finished first.

        Returns:
            Whether SIGINT has left files undone.
        """
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGTERM, self._stop.set)
        loop.add_signal_handler(signal.SIGINT, self._interrupt)
        words = self._out.texts("watch.watching", folder=shown(self._folder), interval=f"{self._interval:g}")
        self._out.note(words)
        before: Look | None = None
        while not self._stop.is_set():
            now = await self._look()
            try:
                await self._step(before, now)
            except PartError as error:
                reason = self._out.texts(f"errors.{error.key}", **error.values)
                self._out.note(warning(self._out.texts("watch.waits", reason=reason)))
            before = now
            with suppress(TimeoutError):
                await asyncio.wait_for(self._stop.wait(), self._interval)
        if self._incomplete:
            self.tell_incomplete()
        return self._incomplete and self._interrupted

    def tell_incomplete(self) -> None:
        """Say that the folder has not been gone through to its end."""
        self._out.note(warning(self._out.texts("watch.incomplete")))

    def _interrupt(self) -> None:
        self._interrupted = True
        self._stop.set()

    async def _look(self) -> Look | None:
        return await asyncio.to_thread(look, self._folder, self._app.knowledge.suffixes)

    async def _step(self, before: Look | None, now: Look | None) -> list[Outcome]:
        todo = steps(self._kept, self._failed, before, now)
        if todo.warning:
            self._warn(todo.warning, folder=shown(self._folder))
        else:
            self._warned -= {"missing", "empty"}
        paths = self._without_clashes(todo, now)
        if not paths and not todo.vanished:
            return []
        self.busy = True
        consequences = await Consequences.begin(self._app, self._mandate, self._actor)
        vanished = [self._kept[path].document for path in todo.vanished]
        await self._intend(paths)
        outcomes = []
        for path in paths:
            if self._stop.is_set():
                self._incomplete = True
                break
            if now is not None and (outcome := await self._take(path, now.files[path])) is not None:
                outcomes.append(outcome)
        for path in todo.vanished:
            await self._withdraw(path)
        self._memory.save(self._kept)
        await self._app.views.reach()
        documents = {*vanished, *(one.document for one in outcomes if one.document)}
        await consequences.tell(documents, self._out)
        return outcomes

    def _without_clashes(self, todo: Steps, now: Look | None) -> list[str]:
        """Leave out files whose key is that of another file; who was there first stays."""
        sharing: dict[str, list[str]] = {}
        for path in now.files if now else ():
            with suppress(InputError):
                sharing.setdefault(key_of_path(PurePosixPath(path)), []).append(path)
        clashing = [paths for paths in sharing.values() if len(paths) > 1]
        for paths in clashing:
            self._warn("clash", files=", ".join(sorted(paths)))
        refused = {path for paths in clashing for path in paths if path not in self._kept}
        return [path for path in todo.ingest if path not in refused]

    async def _intend(self, paths: list[str]) -> None:
        """Remember before anything is recorded which documents will be ours, so that a crash does not lose it."""
        for path in paths:
            if path not in self._kept:
                with suppress(InputError):
                    key = key_of_path(PurePosixPath(path))
                    ours = not await self._app.knowledge.answers(self._mandate.id, key)
                    self._kept[path] = Kept(key, None, "", ours)
        self._memory.save(self._kept)

    async def _take(self, path: str, stamp: Stamp) -> Outcome | None:
        """Ingest a file; ``None`` when it has changed meanwhile or its content has not."""
        file, entry = self._folder / path, self._kept.get(path)
        try:
            content = await asyncio.to_thread(read, file)
            if stamp_of(file) != stamp:
                return None
        except (InputError, OSError):
            return None
        digest = hashlib.sha256(content).hexdigest()
        if entry is not None and entry.sha256 == digest:
            self._kept[path] = Kept(entry.document, stamp, digest, entry.ours)
            return None
        item = Item(file, entry.document if entry else None, self._stated)
        outcome = await take(self._app.knowledge, self._mandate.id, item, self._actor, content)
        if outcome.ingested is None:
            self._failed[path] = stamp
            if entry is not None and entry.stamp is None:
                del self._kept[path]
        elif entry is not None:
            self._kept[path] = Kept(entry.document, stamp, digest, entry.ours)
        self._tell(outcome)
        return outcome

    async def _withdraw(self, path: str) -> None:
        entry = self._kept[path]
        shared = any(other.document == entry.document for name, other in self._kept.items() if name != path)
        if entry.ours and not shared and await self._app.knowledge.answers(self._mandate.id, entry.document):
            because = self._out.texts("watch.vanished")
            await self._app.knowledge.withdraw(self._mandate.id, entry.document, because, self._actor)
            self._out.document({"path": shown(self._folder / path), "document": entry.document, "status": "withdrawn"})
            self._out.show(done(self._out.texts("knowledge.withdrawn", document=entry.document)))
        del self._kept[path]

    def _tell(self, outcome: Outcome) -> None:
        self._out.document(outcome_document(outcome, self._out.texts))
        show_outcome(outcome, self._out)

    def _warn(self, what: str, **values: str) -> None:
        """Say something once, until it is over."""
        words = self._out.texts(f"watch.{what}", **values)
        mark = what if what in {"missing", "empty"} else words
        if mark not in self._warned:
            self._warned.add(mark)
            self._out.note(warning(words))
