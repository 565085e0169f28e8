"""The folders of a data folder, and where its cluster lives.

``DATA/{postgres,run,secrets,log,keys,index}``. The *home* of a cluster holds its ``postgres``, ``run`` and ``log``;
it is DATA itself, except where root drops to a user that cannot reach DATA: then it is a folder under
``/var/lib/fundstelle/clusters``, and ``DATA/postgres.location`` names it. No folder above DATA is ever changed.
"""

import hashlib
import os
import secrets
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from adapters.postgres.account import Account, account_of, choose_account
from adapters.postgres.binaries import SHARED
from adapters.postgres.failures import folder_usable
from domain.errors import InputError

FOLDERS: Final = ("postgres", "run", "secrets", "log", "keys", "index")
_OURS: Final = frozenset(
    {*FOLDERS, "postgres.location", "config.toml", "format", "watch", "demo", "matrix", "postgres.new", "lost+found"}
)
"""What the whole program puts into a data folder, or looks for in it, and what a file system keeps at its root."""

_SOCKET_NAME_BYTES: Final = len("/.s.PGSQL.5432")
_SOCKET_PATH_BYTES: Final = 107


@dataclass(frozen=True, slots=True)
class Home:
    """Where one cluster lives, and the user that runs it."""

    folder: Path
    account: Account

    @property
    def pgdata(self) -> Path:
        """The data directory of PostgreSQL."""
        return self.folder / "postgres"

    @property
    def run(self) -> Path:
        """Locks and settings."""
        return self.folder / "run"

    @property
    def log(self) -> Path:
        """The server's own log."""
        return self.folder / "log" / "postgresql"

    @property
    def socket(self) -> Path:
        """Private folder of the socket; a short one where the path would not fit into a socket address.

        A comma would make two hosts of the path, for libpq.
        """
        folder = self.run / "socket"
        if len(os.fsencode(folder)) + _SOCKET_NAME_BYTES <= _SOCKET_PATH_BYTES and "," not in str(folder):
            return folder
        digest = hashlib.sha256(os.fsencode(self.folder)).hexdigest()[:16]
        return Path("/tmp") / f"fundstelle-{digest}"  # noqa: S108 - ownership and mode are checked before use

    def prepare(self) -> None:
        """Make the folders: ours are 0700, those the server's user passes through 0710 with its group.

        Raises:
            InputError: a folder is missing and cannot be made, or is not ours.
            PartError: the disk is full.
        """
        with folder_usable(self.folder):
            for folder in (self.folder, self.run, self.folder / "log"):
                folder.mkdir(mode=0o700, exist_ok=True)
                self._let_through(folder)
            self.private(self.log)
            self.private(self.socket)

    def private(self, folder: Path) -> None:
        """Make ``folder`` the server user's own, mode 0700.

        Raises:
            InputError: something of somebody else is in its place.
        """
        folder.mkdir(mode=0o700, exist_ok=True)
        status = folder.lstat()
        if not stat.S_ISDIR(status.st_mode) or status.st_uid not in {os.geteuid(), self.account.uid}:
            raise InputError("data_folder_owner", folder=folder)
        if status.st_uid != self.account.uid:
            os.chown(folder, self.account.uid, self.account.gid, follow_symlinks=False)
        if stat.S_IMODE(status.st_mode) != 0o700:
            folder.chmod(0o700)

    def _let_through(self, folder: Path) -> None:
        """Let the server's user pass through a folder of ours, without letting it look inside."""
        status = folder.stat()
        passable = status.st_mode & 0o001 or (status.st_gid == self.account.gid and status.st_mode & 0o010)
        if self.account.other and not passable:
            os.chown(folder, -1, self.account.gid)
            folder.chmod(0o710)


def prepare_data(data: Path) -> Path:
    """Make the data folder and return its real path.

    Raises:
        InputError: it cannot be made or written, is a file, or belongs to somebody else.
        PartError: the disk is full.
    """
    with folder_usable(data):
        data.mkdir(mode=0o700, parents=True, exist_ok=True)
        data = data.resolve(strict=True)
        names = {entry.name for entry in data.iterdir()}
        status = data.stat()
        if status.st_uid != os.geteuid():
            raise InputError("data_folder_owner", folder=data)
        # A folder that holds things of somebody else keeps its mode; what we put into it is private by itself.
        if names <= _OURS and status.st_mode & (0o067 if os.geteuid() == 0 else 0o077):
            data.chmod(0o700)
        for name in ("secrets", "keys", "index"):
            (data / name).mkdir(mode=0o700, exist_ok=True)
    return data


def holds_other_things(data: Path) -> bool:
    """Say whether a folder holds what no data folder does; one that is not there holds nothing.

    Raises:
        InputError: it cannot be read.
    """
    with folder_usable(data):
        return data.is_dir() and any(entry.name not in _OURS for entry in data.iterdir())


def find_home(data: Path) -> Home:
    """Return the home of the cluster of ``data``, deciding once where it lies.

    Raises:
        InputError: a folder cannot be used, or root finds no user to drop to.
        PartError: the disk is full.
    """
    pointer = data / "postgres.location"
    with folder_usable(data):
        if (data / "postgres").is_dir():
            return Home(data, account_of(data / "postgres"))
        account = choose_account()
        if pointer.is_file():
            return _pointed(pointer, account)
        home = Home(data, account)
        home.prepare()
        if not account.other or account.can_enter(home.log):
            return home
        return _relocate(pointer, account)


def _relocate(pointer: Path, account: Account) -> Home:
    clusters = SHARED / "clusters"
    clusters.mkdir(mode=0o755, parents=True, exist_ok=True)
    folder = clusters / secrets.token_hex(8)
    folder.mkdir(mode=0o700)
    try:
        with pointer.open("x", encoding="utf-8") as file:
            file.write(f"{folder}\n")
    except FileExistsError:
        # Another process decided first: its choice holds.
        folder.rmdir()
        return _pointed(pointer, account)
    return Home(folder, account)


def _pointed(pointer: Path, account: Account) -> Home:
    folder = Path(pointer.read_text(encoding="utf-8", errors="replace").strip())
    if folder.parent != SHARED / "clusters" or not folder.is_dir():
        raise InputError("data_folder", folder=pointer, reason="no such cluster")
    pgdata = folder / "postgres"
    return Home(folder, account_of(pgdata) if pgdata.is_dir() else account)
