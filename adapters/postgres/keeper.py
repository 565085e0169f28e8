"""The keeper: a tiny process that stops the server when its last client is gone. Run as a script.

Usage: ``python -I -S keeper.py HOME/RUN PGDATA SOCKET UID GID``. Only a few modules are imported, since it lives
as long as the server does. The protocol of the locks stands in ``cluster.py``.
"""

import fcntl
import os
import select
import signal
import sys
import time

_POLL_SECONDS = 0.02
_FAST_SHUTDOWN = signal.SIGINT
# A fast shutdown that meets a recovery can hang. An immediate one loses nothing: the next start recovers.
_IMPATIENT_AFTER_SECONDS = 10.0
_IMMEDIATE_SHUTDOWN = signal.SIGQUIT


def main() -> None:
    """Wait until no client is left, stop the server, free the locks."""
    run, pgdata, socket, uid, gid = sys.argv[1:]
    keeper = _open(run, "keeper.lock")
    clients = _open(run, "clients.lock")
    server = _open(run, "server.lock")
    _drop(int(uid), int(gid))
    fcntl.flock(keeper, fcntl.LOCK_EX)
    # The starter waits for the first process to end: from then on the lock is held.
    if os.fork():
        os._exit(0)
    fcntl.flock(clients, fcntl.LOCK_EX)
    _stop(server, pgdata)
    if not socket.startswith(run):
        _remove(socket)
    # This order: a client that gets past clients.lock must not take us for a living keeper.
    os.close(keeper)
    os.close(clients)


def _open(run: str, name: str) -> int:
    return os.open(os.path.join(run, name), os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)  # noqa: PTH118


def _drop(uid: int, gid: int) -> None:
    os.chdir("/")
    os.umask(0o077)
    if os.geteuid() == 0 and uid != 0:
        os.setgroups([])
        os.setgid(gid)
        os.setuid(uid)


def _stop(server: int, pgdata: str) -> None:
    """Stop the server; it is gone when the lock that it and all its processes hold is free."""
    started = time.monotonic()
    asked: set[tuple[int, int]] = set()
    while not _free(server):
        late = time.monotonic() - started > _IMPATIENT_AFTER_SECONDS
        how = _IMMEDIATE_SHUTDOWN if late else _FAST_SHUTDOWN
        found = postmaster(pgdata)
        if found is not None:
            pid, pidfd = found
            if (pid, how) not in asked:
                asked.add((pid, how))
                _send(pidfd, how)
            select.select([pidfd], [], [], 1.0)
            os.close(pidfd)
        else:
            time.sleep(_POLL_SECONDS)


def _free(server: int) -> bool:
    try:
        fcntl.flock(server, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    fcntl.flock(server, fcntl.LOCK_UN)
    return True


def postmaster(pgdata: str) -> tuple[int, int] | None:
    """Return pid and pidfd of the postmaster, proven by its program, its title and its working directory.

    The pid file is only a hint: it may be stale, cut off or garbage, and its number may be somebody else's by now.
    Without a usable hint all processes are looked through. The caller closes the pidfd, which stays bound to this
    one process.
    """
    hint = _hinted(pgdata)
    for pid in [hint] if hint is not None and _proven(hint, pgdata) else _processes():
        try:
            pidfd = os.pidfd_open(pid)
        except OSError:
            continue
        # Proven once the descriptor is open: from here on the number cannot come to mean another process.
        if _proven(pid, pgdata):
            return pid, pidfd
        os.close(pidfd)
    return None


def _hinted(pgdata: str) -> int | None:
    try:
        with open(os.path.join(pgdata, "postmaster.pid"), "rb") as file:  # noqa: PTH118, PTH123
            pid = int(file.readline(20))
    except (OSError, ValueError):
        return None
    return pid if 0 < pid < 2**31 else None


def _processes() -> list[int]:
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]  # noqa: PTH208


def _proven(pid: int, pgdata: str) -> bool:
    try:
        here = os.stat(f"/proc/{pid}/cwd")  # noqa: PTH116
        there = os.stat(pgdata)  # noqa: PTH116
        program = os.readlink(f"/proc/{pid}/exe").removesuffix(" (deleted)")  # noqa: PTH115
        with open(f"/proc/{pid}/cmdline", "rb") as file:  # noqa: PTH123
            child = file.read(10).startswith(b"postgres: ")
    except OSError:
        return False
    return (here.st_dev, here.st_ino) == (there.st_dev, there.st_ino) and program.endswith("/postgres") and not child


def _send(pidfd: int, how: signal.Signals) -> None:
    try:
        signal.pidfd_send_signal(pidfd, how)
    except ProcessLookupError:
        # It ended by itself between the proof and the signal.
        return


def _remove(socket: str) -> None:
    try:
        os.rmdir(socket)  # noqa: PTH106
    except OSError:
        return


if __name__ == "__main__":
    main()
