"""As whom the embedded server runs: PostgreSQL refuses to run as root, so root hands it to another user."""

import os
import pwd
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from domain.errors import InputError

_VARIABLE: Final = "FUNDSTELLE_POSTGRES_USER"
_CANDIDATES: Final = ("fundstelle", "postgres", "nobody")
_ENVIRONMENT: Final = {"LC_ALL": "C", "PATH": "/usr/bin:/bin"}


@dataclass(frozen=True, slots=True)
class Account:
    """A user of the operating system.

    Attributes:
        uid: user that owns and runs the server.
        gid: its primary group.
        name: user name.
    """

    uid: int
    gid: int
    name: str

    @property
    def other(self) -> bool:
        """Whether this is another user than ourselves."""
        return self.uid != os.geteuid()

    def run(
        self, *command: str | Path, folder: Path = Path("/"), pass_fds: tuple[int, ...] = ()
    ) -> subprocess.CompletedProcess[str]:
        """Run a program to its end as this user, in ``folder``, with a bare environment and output captured.

        Raises:
            OSError: the program cannot be started, for instance because the user may not reach it.
        """
        return subprocess.run(
            [str(part) for part in command],
            check=False,
            capture_output=True,
            text=True,
            errors="replace",
            stdin=subprocess.DEVNULL,
            cwd=folder,
            env=_ENVIRONMENT,
            pass_fds=pass_fds,
            user=self.uid if self.other else None,
            group=self.gid if self.other else None,
            extra_groups=[] if self.other else None,
        )

    def can_enter(self, folder: Path) -> bool:
        """Whether this user reaches ``folder``, found out by trying."""
        return self.run("/bin/sh", "-c", 'cd -- "$1"', "sh", folder).returncode == 0

    def can_execute(self, program: Path) -> bool:
        """Whether ``program --version`` runs as this user, found out by trying."""
        try:
            return self.run(program, "--version").returncode == 0
        except OSError:
            return False


def account_of(folder: Path) -> Account:
    """Return the user that owns ``folder``."""
    status = folder.stat()
    return _account(pwd.getpwuid(status.st_uid)) if _known(status.st_uid) else Account(status.st_uid, status.st_gid, "")


def choose_account() -> Account:
    """Return ourselves, or as root the user to drop to.

    Raises:
        InputError: ``FUNDSTELLE_POSTGRES_USER`` names nobody or root, or root finds no user to drop to.
    """
    if os.geteuid() != 0:
        return Account(os.geteuid(), os.getegid(), "")
    named = os.environ.get(_VARIABLE)
    for name in (named,) if named else _CANDIDATES:
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        if entry.pw_uid != 0:
            return _account(entry)
    raise InputError("postgres_user", user=named or ", ".join(_CANDIDATES))


def _account(entry: pwd.struct_passwd) -> Account:
    return Account(entry.pw_uid, entry.pw_gid, entry.pw_name)


def _known(uid: int) -> bool:
    try:
        pwd.getpwuid(uid)
    except KeyError:
        return False
    return True
