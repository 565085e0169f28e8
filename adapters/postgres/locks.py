"""File locks that the kernel frees when their holder dies, however it dies.

``flock`` belongs to the open file, not to the process: a child that inherits the descriptor keeps the lock. Python
opens files close-on-exec, so only a descriptor that is passed on by name is inherited by a program we start.
"""

import fcntl
import os
import time
from pathlib import Path
from typing import Final

_POLL_SECONDS: Final = 0.01


class FileLock:
    """A lock on a file; held until ``release`` or the end of every process that has the descriptor."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._fd: int | None = None

    @property
    def descriptor(self) -> int:
        """The open descriptor, to hand the lock on to a child.

        Raises:
            ValueError: the lock is not held.
        """
        if self._fd is None:
            raise ValueError("lock is not held")
        return self._fd

    @property
    def held(self) -> bool:
        """Whether we hold the lock."""
        return self._fd is not None

    def attempt(self, *, shared: bool = False) -> bool:
        """Take the lock if nobody is in the way."""
        fd = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
        try:
            fcntl.flock(fd, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(fd)
            return False
        except BaseException:
            os.close(fd)
            raise
        self._fd = fd
        return True

    def wait(self, seconds: float, *, shared: bool = False) -> bool:
        """Take the lock within ``seconds``; False if it stayed taken."""
        deadline = time.monotonic() + seconds
        while not self.attempt(shared=shared):
            if time.monotonic() > deadline:
                return False
            time.sleep(_POLL_SECONDS)
        return True

    def release(self) -> None:
        """Let go; children that inherited the descriptor keep the lock."""
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None
