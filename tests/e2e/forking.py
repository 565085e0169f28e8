"""Runs a command of the program in a fork of a process that waits with everything loaded (``prefork.py``)."""

import atexit
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from tests.servers import ONE_THREAD

_START_SECONDS = 60


def forked(
    arguments: Sequence[str], stdin: str, environment: Mapping[str, str], seconds: float
) -> tuple[int, str, str]:
    """Return exit code, standard output and standard error.

    Raises:
        TimeoutExpired: it took longer, and was killed.
    """
    request = {"arguments": list(arguments), "environment": dict(environment), "folder": str(Path.cwd())}
    with (
        tempfile.TemporaryFile() as given,
        tempfile.TemporaryFile() as out,
        tempfile.TemporaryFile() as err,
        socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as connection,
    ):
        given.write(stdin.encode())
        given.seek(0)
        connection.connect(_host())
        streams = [given.fileno(), out.fileno(), err.fileno()]
        socket.send_fds(connection, [json.dumps(request).encode()], streams)
        process = int(connection.recv(64))
        connection.settimeout(seconds)
        try:
            code = int(connection.recv(64))
        except TimeoutError as error:
            os.kill(process, signal.SIGKILL)
            raise subprocess.TimeoutExpired(list(arguments), seconds) from error
        out.seek(0)
        err.seek(0)
        return code, out.read().decode(), err.read().decode()


@cache
def _host() -> str:
    """Return the socket of this process's host, which ends with it."""
    folder = Path(tempfile.mkdtemp(prefix="fundstelle-fork-"))
    path = folder / "host"
    kept = {key: value for key, value in os.environ.items() if not key.startswith("FUNDSTELLE_DATA")}
    checkout = str(Path(__file__).parents[2])
    host = subprocess.Popen(
        [sys.executable, "-P", "-m", "tests.e2e.prefork", str(path)], env={**kept, **ONE_THREAD, "PYTHONPATH": checkout}
    )

    def end() -> None:
        host.kill()
        host.wait()
        shutil.rmtree(folder, ignore_errors=True)

    atexit.register(end)
    deadline = time.monotonic() + _START_SECONDS
    while not path.exists():
        assert host.poll() is None, "the host of forks did not start"
        assert time.monotonic() < deadline, "the host of forks took too long"
        time.sleep(0.01)
    return str(path)
