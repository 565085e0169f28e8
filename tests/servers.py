"""What tests do with PostgreSQL servers that the program never does."""

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import psycopg

from adapters.postgres import keeper
from adapters.postgres.account import Account, choose_account
from adapters.postgres.binaries import Binaries, wheel_binaries
from adapters.postgres.layout import find_home
from adapters.postgres.locks import FileLock

REPOSITORY = Path(__file__).parents[1]

ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
"""Environment of a process that is forked from: threads do not come along."""


@contextlib.contextmanager
def reachable_folder() -> Iterator[Path]:
    """A temporary folder that every user may pass through; pytest's own folders are closed to all but ourselves."""
    folder = Path(tempfile.mkdtemp(prefix="fundstelle-tests-"))
    folder.chmod(0o711)
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


def until(true: Callable[[], bool], seconds: float = 20.0) -> bool:
    """Whether ``true`` becomes so within ``seconds``."""
    deadline = time.monotonic() + seconds
    while not true():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


def wait_until_stopped(data: Path, seconds: float = 20.0) -> bool:
    """Whether the server of ``data`` and its keeper are gone within ``seconds``."""
    run = find_home(data).run
    return all(_becomes_free(run / name, seconds) for name in ("keeper.lock", "server.lock"))


def _becomes_free(path: Path, seconds: float) -> bool:
    lock = FileLock(path)
    free = lock.wait(seconds)
    lock.release()
    return free


def postmaster_pid(data: Path) -> int | None:
    """Return the pid of the server of ``data``, or None."""
    found = keeper.postmaster(str(find_home(data).pgdata))
    if found is None:
        return None
    os.close(found[1])
    return found[0]


def keeper_pids(data: Path) -> list[int]:
    """Return the pids of the keepers of ``data``."""
    found = []
    for entry in Path("/proc").iterdir():
        with contextlib.suppress(OSError):
            words = (entry / "cmdline").read_bytes().split(b"\0") if entry.name.isdigit() else []
            if str(find_home(data).run).encode() in words and any(word.endswith(b"keeper.py") for word in words):
                found.append(int(entry.name))
    return found


class Client:
    """A process of its own that has the database of a folder open (``tests/client.py``)."""

    def __init__(
        self,
        data: Path,
        python: Path | None = None,
        paths: Sequence[Path] = (),
        user: Account | None = None,
        variables: Mapping[str, str] | None = None,
    ) -> None:
        self.process = subprocess.Popen(
            [python or sys.executable, "-m", "tests.client", str(data)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd="/",
            env={**os.environ, **(variables or {}), "PYTHONPATH": os.pathsep.join(map(str, paths or (REPOSITORY,)))},
            user=user and user.uid,
            group=user and user.gid,
            extra_groups=user and [],
        )

    def tell(self, command: str) -> None:
        """Send a command without waiting for its reply."""
        assert self.process.stdin is not None
        self.process.stdin.write(f"{command}\n")
        self.process.stdin.flush()

    def reply(self) -> str:
        """Return the next line that the process writes; empty when it has ended."""
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def ask(self, command: str) -> str:
        """Send a command and return the reply."""
        self.tell(command)
        return self.reply()

    def kill(self) -> None:
        """End it as by the power switch."""
        self.process.kill()
        self.process.wait(20)
        self._close()

    def end(self) -> None:
        """Let it end in its own way."""
        self._close()
        self.process.wait(20)

    def _close(self) -> None:
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                stream.close()


@contextlib.contextmanager
def clients(data: Path, count: int) -> Iterator[list[Client]]:
    """Some clients that have not opened anything yet; gone at the end, whatever happened."""
    made = [Client(data) for _ in range(count)]
    try:
        assert [client.reply() for client in made] == ["started"] * count
        yield made
    finally:
        for client in made:
            if client.process.poll() is None:
                client.kill()


@dataclass(frozen=True)
class ExternalServer:
    """A server that is not ours, on a network address with SCRAM."""

    port: int
    password: str

    def url(self, database: str = "postgres", user: str = "postgres", password: str | None = None) -> str:
        """Return the address of a database of it."""
        return f"postgresql://{user}:{password or self.password}@127.0.0.1:{self.port}/{database}"

    def execute(self, *commands: str, database: str = "postgres") -> None:
        """Run commands as its superuser."""
        with psycopg.connect(self.url(database), autocommit=True) as connection:
            for command in commands:
                connection.execute(command)


@contextlib.contextmanager
def external_server(installation: str = "pginstall18") -> Iterator[ExternalServer]:
    """Run the binaries of the wheel as somebody else would run a server."""
    binaries = Binaries(wheel_binaries().folder.parents[1] / installation / "bin")
    account = choose_account()
    with reachable_folder() as folder:
        if account.other:
            os.chown(folder, account.uid, account.gid)
        server = ExternalServer(free_port(), "external-secret")
        secret = folder / "password"
        secret.write_text(server.password)
        secret.chmod(0o644)
        pgdata = folder / "data"
        _run(
            account,
            binaries.initdb,
            "-D",
            pgdata,
            "-U",
            "postgres",
            f"--pwfile={secret}",
            "-A",
            "scram-sha-256",
            "-N",
            "-EUTF8",
        )
        options = f"-p {server.port} -h 127.0.0.1 -k {folder} -c fsync=off"
        _run(account, binaries.pg_ctl, "start", "-w", "-s", "-D", pgdata, "-l", folder / "log", "-o", options)
        try:
            yield server
        finally:
            _run(account, binaries.pg_ctl, "stop", "-w", "-s", "-m", "immediate", "-D", pgdata)


def _run(account: Account, *command: str | Path) -> None:
    done = account.run(*command)
    assert done.returncode == 0, done.stderr


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
