"""The program's process, forked from one that has loaded modules and model: most of a short command is loading them.

``python -m tests.e2e.prefork SOCKET`` listens there. Each connection brings one command with its three streams; a fork
becomes the program, from its arguments to the end of its interpreter, and the connection is told how it ended.
"""

import contextlib
import gc
import importlib
import json
import os
import signal
import socket
import sys
from typing import Any

from tests.warm import read_models

_LONGEST = 1_000_000


def _serve(path: str) -> dict[str, Any]:
    """Listen for ever; return, in a fork, what to run there."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listening:
        # Whoever finds it may connect.
        listening.bind(f"{path}.new")
        listening.listen()
        os.rename(f"{path}.new", path)  # noqa: PTH104 - as cheap as the rest
        while True:
            connection, _ = listening.accept()
            if os.fork() == 0:
                break
            connection.close()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    return _stand_by(connection)


def _stand_by(connection: socket.socket) -> dict[str, Any]:
    """Fork the program, tell its process id, wait, tell its exit status; return in the fork alone."""
    content, streams, _, _ = socket.recv_fds(connection, _LONGEST, 3)
    child = os.fork()
    if child == 0:
        connection.close()
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
            os.close(stream)
        return json.loads(content)
    for stream in streams:
        os.close(stream)
    with contextlib.suppress(BrokenPipeError):
        connection.send(str(child).encode())
        _, status = os.waitpid(child, 0)
        connection.send(str(os.waitstatus_to_exitcode(status)).encode())
    os._exit(0)


def _become(request: dict[str, Any]) -> None:
    os.environ.clear()
    os.environ.update(request["environment"])
    os.chdir(request["folder"])
    sys.argv = ["fundstelle", *request["arguments"]]
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - the streams of a new interpreter
    sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", encoding="utf-8", errors="backslashreplace", buffering=1, closefd=False)  # noqa: SIM115


if __name__ == "__main__":
    for module in ("bot.cli.main", "bot.wiring", "bot.ingesting", "projections.runner"):
        importlib.import_module(module)
    read_models()
    gc.freeze()
    _become(_serve(sys.argv[1]))
    from bot.cli.main import main

    sys.exit(main())
