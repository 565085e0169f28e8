"""One embedded server shared by several processes; the last one out stops it, even if it is killed.

Four lock files lie in ``HOME/run``. All are ``flock`` locks, which the kernel frees with their holder:

- ``clients.lock``: every client holds it *shared* from attach to close.
- ``control.lock``: held *exclusive* by the one client that looks whether a server must be started, and starts it.
- ``server.lock``: held *exclusive* by whoever runs ``initdb`` or the server. The starter takes it and hands the
  descriptor on, so it stays taken until the postmaster *and its last backend* are gone. This, and not the pid file,
  says whether anything of a server is left.
- ``keeper.lock``: held *exclusive* by the keeper (``keeper.py``), a detached process that waits for the exclusive
  ``clients.lock``; when it gets it nobody is left, it stops the server, frees ``keeper.lock``, then ``clients.lock``.

A client takes ``clients`` and then ``control``; the keeper never takes ``control``. So they cannot wait for each
other, and while the keeper stops the server no client is past ``clients.lock``.

What can go wrong, and why it does not:

- *Two starters.* ``control.lock`` makes one of them wait; it then finds the server running.
- *A client arrives while the keeper stops.* It waits on ``clients.lock``, then finds ``keeper.lock`` and
  ``server.lock`` free and starts both again.
- *A client is killed while it starts the server.* The keeper was launched first, so it gets ``clients.lock``; the
  half-started server holds ``server.lock``, so the keeper goes on until a pid shows up and the lock is free.
- *A client is killed during initdb.* ``initdb`` works in ``postgres.new``, renamed when complete; leftovers are
  removed by the next starter, which cannot hold ``server.lock`` before that initdb has ended.
- *The keeper is killed.* The next client that attaches, recovers or closes finds ``keeper.lock`` free and starts
  one; a client that took a dying keeper for a living one notices when it closes. Only if that client is killed
  too does the server idle on, until the next client comes and goes.
- *The postmaster is killed.* Its backends end within seconds and hold ``server.lock`` until then; the next use
  sees the death on a pidfd, waits for the lock and starts again. Nothing acknowledged is lost: fsync is on.
- *A stale, empty, cut-off or foreign ``postmaster.pid``.* With ``server.lock`` in hand nothing of ours runs; unless
  the pid is proven to be a postmaster in this very directory (started by hand), the file is removed. A signal goes
  only to a process so proven, through a pidfd that cannot come to mean another one.
- *A client forks.* The child shares the open lock file and counts as a client until it ends. Programs that we start
  inherit nothing but ``server.lock``, which is passed on by name.
- *Two data folders point to one relocated home* (a copied folder). The locks lie in the home, so they are shared.
"""

import os
import select
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

from adapters.postgres import keeper, starting
from adapters.postgres.failures import folder_usable
from adapters.postgres.layout import Home
from adapters.postgres.locks import FileLock
from domain.errors import PartError

_PATIENCE_SECONDS: Final = 90.0
_POLL_SECONDS: Final = 0.01


class Cluster:
    """Our share in the server of one home. Attach and close from one thread at a time.

    Attributes:
        starts: how many servers we attached to, one after the other.
    """

    def __init__(self, home: Home) -> None:
        self._home = home
        self._clients = FileLock(home.run / "clients.lock")
        self._postmaster: int | None = None
        self._swapping = threading.Lock()
        self.starts = 0

    @property
    def alive(self) -> bool:
        """Whether the postmaster we attached to still runs; costs one system call. Safe from any thread."""
        with self._swapping:
            if self._postmaster is None:
                return False
            watched = select.poll()
            watched.register(self._postmaster, select.POLLIN)
            return not watched.poll(0)

    def attach(self, superuser_password: str) -> None:
        """Become a client and return when the server answers; also after it was killed.

        Args:
            superuser_password: given to a cluster that is made now.

        Raises:
            PartError: the server does not start or stop in time, or the disk is full.
            InputError: a folder cannot be used.
        """
        with folder_usable(self._home.folder):
            self._home.prepare()
            self._attach(superuser_password)

    def close(self) -> None:
        """Stop being a client; the keeper stops the server if we were the last."""
        if self._clients.held:
            # Best effort on the way out: the folder may be gone, the disk full. The next client does it again.
            with suppress(OSError, PartError):
                self._leave_to_keeper()
        self._watch(None)
        self._clients.release()

    def _attach(self, superuser_password: str) -> None:
        if not self._clients.held and not self._clients.wait(_PATIENCE_SECONDS, shared=True):
            raise PartError("postgres_busy", folder=self._home.folder)
        control = FileLock(self._home.run / "control.lock")
        if not control.wait(_PATIENCE_SECONDS):
            raise PartError("postgres_busy", folder=self._home.folder)
        try:
            self._ensure_keeper()
            self._ensure_server(superuser_password)
        finally:
            control.release()

    def _leave_to_keeper(self) -> None:
        control = FileLock(self._home.run / "control.lock")
        # Whoever has it right now is looking for the keeper itself.
        if control.attempt():
            try:
                self._ensure_keeper()
            finally:
                control.release()

    def _ensure_server(self, superuser_password: str) -> None:
        deadline = time.monotonic() + _PATIENCE_SECONDS
        server = FileLock(self._home.run / "server.lock")
        while not server.attempt():
            if starting.accepts(self._home) and self._find():
                return
            if time.monotonic() > deadline:
                raise PartError("postgres_busy", folder=self._home.folder)
            time.sleep(_POLL_SECONDS)
        try:
            starting.start(self._home, server, superuser_password)
        finally:
            server.release()
        if not self._find():
            raise PartError("postgres_start", log=self._home.log)

    def _ensure_keeper(self) -> None:
        """Start a keeper if there is none. Only under ``control.lock``, so that no two test or start at once."""
        lock = FileLock(self._home.run / "keeper.lock")
        if not lock.attempt():
            return
        lock.release()
        account = self._home.account
        script = Path(keeper.__file__)
        places = (self._home.run, self._home.pgdata, self._home.socket)
        done = subprocess.run(
            [sys.executable, "-I", "-S", script, *places, str(account.uid), str(account.gid)],
            check=False,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd="/",
            # Some interpreters find their own library only with its help.
            env={name: value for name, value in os.environ.items() if name == "LD_LIBRARY_PATH"},
            start_new_session=True,
        )
        if done.returncode != 0:
            raise PartError("postgres_start", log=self._home.log)

    def _find(self) -> bool:
        found = keeper.postmaster(str(self._home.pgdata))
        if found is not None:
            self._watch(found[1])
            self.starts += 1
        return found is not None

    def _watch(self, postmaster: int | None) -> None:
        with self._swapping:
            if self._postmaster is not None:
                os.close(self._postmaster)
            self._postmaster = postmaster
