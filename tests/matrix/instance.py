"""Instances of ours as a test starts, watches and ends them, and the accounts that they answer for."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid5

import aiohttp

from adapters.chat.inbox import PostgresInbox
from bot.chat.desk import _NAMESPACE
from tests.matrix.nursery import CLOCK
from tests.matrix.person import Person, RefusedError
from tests.matrix.synapse import PASSWORD, SERVER_NAME
from tests.models.processes import free_port
from tests.servers import ONE_THREAD, REPOSITORY

if TYPE_CHECKING:
    from tests.matrix.house import House

PATIENCE = 60.0


class Nursery:
    """The process that the instances are forked from."""

    def __init__(self) -> None:
        environment = {**os.environ, **ONE_THREAD}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.matrix.nursery"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=REPOSITORY,
            env=environment,
            text=True,
        )
        self._ended: dict[int, int] = {}
        assert self._read() == "ready"

    def fork(self, given: dict[str, Any]) -> int:
        """Return the pid of a new instance."""
        self._write(json.dumps(given))
        return int(self._read())

    def wait(self, pid: int) -> int:
        """Return the exit code of an instance, negative for a signal, when it has ended."""
        while pid not in self._ended:
            self._write("")
            ended, code = self._read()
            self._ended[ended] = code
        return self._ended[pid]

    def close(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(20)
        self._process.stdout.close()

    def _write(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()

    def _read(self) -> Any:
        assert self._process.stdout is not None
        return json.loads(self._process.stdout.readline())


class Account:
    """An account of ours with the files of its device, and the instance that answers for it.

    Attributes:
        person: the account, as somebody who only looks.
        log: what its instances have told.
    """

    def __init__(self, house: "House", person: Person, folder: Path, **given: Any) -> None:
        self.house, self.person, self.folder, self.given = house, person, folder, given
        self.log = folder / "log"
        self.port = 0
        self.pid: int | None = None
        folder.mkdir(mode=0o700)
        (folder / "keys").mkdir(mode=0o700)
        (folder / "password").write_text(PASSWORD, encoding="utf-8")
        (folder / "password").chmod(0o600)

    @property
    def id(self) -> str:
        return self.person.id

    async def start(self, *, is_ready: bool = True, **more: Any) -> None:
        """Start an instance, and wait until it can answer unless told not to."""
        self.port = free_port()
        usual = {"servers": [SERVER_NAME], "homeserver": self.house.meddler.url, "user": self.id}
        places = {"folder": str(self.folder), "data": str(self.house.data), "log": str(self.log), "port": self.port}
        self.pid = await asyncio.to_thread(self.house.nursery.fork, {**usual, **places, **self.given, **more})
        if is_ready:
            await self.ready()

    async def ready(self, *, is_it: bool = True) -> None:
        """Wait until it says that it can answer, or that it cannot."""
        deadline = time.monotonic() + PATIENCE
        while (await self.get("/readyz"))[0] != (200 if is_it else 503):
            assert time.monotonic() < deadline, self.told()
            assert self.pid is not None, "it was not started"
            assert Path(f"/proc/{self.pid}/fd").exists(), self.told()
            await asyncio.sleep(0.05)

    async def get(self, path: str) -> tuple[int, str]:
        """Return what it tells a monitor; status 0 where nobody listens."""
        try:
            async with aiohttp.request("GET", f"http://127.0.0.1:{self.port}{path}") as reply:
                return reply.status, await reply.text()
        except aiohttp.ClientError:
            return 0, ""

    def kill_now(self) -> None:
        """End it as by the power switch; its end is waited for by ``buried``."""
        if self.pid is not None:
            os.kill(self.pid, signal.SIGKILL)

    async def buried(self) -> int:
        """Wait for its end, and return its exit code."""
        assert self.pid is not None
        code = await asyncio.to_thread(self.house.nursery.wait, self.pid)
        self.pid = None
        return code

    async def kill(self) -> None:
        if self.pid is not None:
            self.kill_now()
            await self.buried()

    async def stop(self) -> int:
        """Ask it to end in its own way, and return its exit code."""
        self.terminate()
        return await self.buried()

    def terminate(self) -> None:
        """Ask it to end."""
        assert self.pid is not None
        os.kill(self.pid, signal.SIGTERM)

    @contextmanager
    def clock_set(self, hours: float) -> Iterator[None]:
        """Set the clock of its instances forward or back as long as the block runs."""
        file = self.folder / CLOCK
        file.write_text(str(hours), encoding="utf-8")
        try:
            yield
        finally:
            file.unlink()

    async def restart(self, **more: Any) -> None:
        await self.kill()
        await self.start(**more)

    def told(self) -> str:
        """Return its log."""
        return self.log.read_text(encoding="utf-8") if self.log.exists() else ""

    async def says(self, what: str) -> None:
        """Wait until its log tells something."""
        deadline = time.monotonic() + PATIENCE
        while what not in self.told():
            assert time.monotonic() < deadline, self.told()
            await asyncio.sleep(0.05)

    def run_of(self, question: str) -> UUID:
        """Return the run that a question is answered by."""
        return uuid5(_NAMESPACE, f"run {self.id} {question}")

    async def log_out(self) -> None:
        """End all sessions of the account, as an administrator of the homeserver does."""
        devices = f"/_synapse/admin/v2/users/{self.id}/delete_devices"
        path = f"/_synapse/admin/v2/users/{self.id}/devices"
        known = [one["device_id"] for one in (await self.house.root.call("GET", path))["devices"]]
        await self.house.root.call("POST", devices, {"devices": known})
        self.person = await asyncio.to_thread(self.house.synapse.log_in, self.id)

    async def direct_room(self, person: Person) -> str:
        """Wait for a room for this person and us alone that is protected, and return the last one."""
        place, deadline = f"/_matrix/client/v3/user/{self.id}/account_data/m.direct", time.monotonic() + PATIENCE
        while True:
            with suppress(RefusedError, KeyError):
                for room in reversed((await self.person.call("GET", place))[person.id]):
                    if await self._is_protected(room):
                        return str(room)
            assert time.monotonic() < deadline, self.told()
            await asyncio.sleep(0.1)

    async def _is_protected(self, room: str) -> bool:
        history = await self.person.state(room, "m.room.history_visibility")
        is_encrypted = bool(await self.person.state(room, "m.room.encryption"))
        return is_encrypted and history.get("history_visibility") in {"joined", "invited"}

    @property
    def inbox(self) -> PostgresInbox:
        """What has come in for it."""
        return PostgresInbox(self.house.app.database, self.house.app.people, f"matrix {self.id}")

    async def done_with(self, event: str) -> None:
        """Wait until an event has come in, and nothing is left to deal with."""
        deadline = time.monotonic() + PATIENCE
        while await self.inbox.noted(event) is None or await self.inbox.pending():
            assert time.monotonic() < deadline, self.told()
            await asyncio.sleep(0.05)

    async def idle(self) -> None:
        """Wait until nothing is left to deal with."""
        deadline = time.monotonic() + PATIENCE
        while await self.inbox.pending():
            assert time.monotonic() < deadline, self.told()
            await asyncio.sleep(0.05)
