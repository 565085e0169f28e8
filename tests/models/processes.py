"""Servers that tests start: a free port, until one answers, and its end."""

import os
import signal
import socket
import subprocess
import time
from pathlib import Path
from urllib.error import URLError
from urllib.request import ProxyHandler, build_opener

_HERE = build_opener(ProxyHandler({}))


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def wait_for(process: subprocess.Popen[bytes], address: str, log: Path, patience: float) -> None:
    """Return once ``address`` answers; a process that ends before, or takes longer, is a failure."""
    deadline = time.monotonic() + patience
    while time.monotonic() < deadline and process.poll() is None:
        try:
            with _HERE.open(address, timeout=5):
                return
        except (URLError, OSError):
            time.sleep(0.2)
    raise AssertionError(f"{process.args} did not start:\n{log.read_text(errors='replace')[-5_000:]}")


def stop(process: subprocess.Popen[bytes]) -> None:
    """End a server and the processes that it started: they are a group of their own."""
    for end, patience in ((signal.SIGTERM, 20), (signal.SIGKILL, 20)):
        try:
            os.killpg(process.pid, end)
            process.wait(patience)
        except ProcessLookupError:
            return
        except subprocess.TimeoutExpired:
            continue
        if end == signal.SIGTERM:
            time.sleep(1)
