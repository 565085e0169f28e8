"""The folders of a data folder, and where its cluster lives.

``DATA/{postgres,run,secrets,log,keys,index}``. The *home* of a cluster holds its ``postgres``, ``run`` and ``log``;
it is DATA itself, except where root drops to a user that cannot reach DATA: then it is a folder under
``/var/lib/fundstelle/clusters``, and ``DATA/postgres.location`` names it. No folder above DATA is ever changed.
"""

import hashlib
import os
import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from adapters.postgres.account import Account, account_of, choose_account
from adapters.postgres.binaries import SHARED
from domain.errors import InputError

FOLDERS: Final = ("postgres", "run", "secrets", "log", "keys", "index")
_OURS: Final = frozenset({*FOLDERS, "postgres.location", "config.toml"})
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
        """Private folder of the socket; a short one where the path would not fit into a socket address."""
        folder = self.run / "socket"
        if len(os.fsencode(folder)) + _SOCKET_NAME_BYTES <= _SOCKET_PATH_BYTES:
            return folder
        digest = hashlib.sha256(os.fsencode(self.folder)).hexdigest()[:16]
        return Path("/tmp") / f"fundstelle-{digest}"  # noqa: S108 - ownership and mode are checked before use

    def prepare(self) -> None:
        """Make the folders: ours are 0700, those the server's user passes through 0710 with its group.

        Raises:
            InputError: a folder is missing and cannot be made, or is not ours.
        """
        self._passage(self.folder)
        self._passage(self.run)
        self._passage(self.folder / "log")
        self.private(self.log)
        self.private(self.socket)

    def private(self, folder: Path) -> None:
        """Make ``folder`` the server user's own, mode 0700."""
        try:
            folder.mkdir(mode=0o700, exist_ok=True)
            status = folder.lstat()
            if status.st_uid not in {os.geteuid(), self.account.uid} or not folder.is_dir() or folder.is_symlink():
                raise InputError("data_folder_owner", folder=folder)
            if status.st_uid != self.account.uid:
                os.chown(folder, self.account.uid, self.account.gid, follow_symlinks=False)
            if status.st_mode & 0o777 != 0o700:
                folder.chmod(0o700)
        except OSError as error:
            raise InputError("data_folder", folder=folder, reason=error.strerror) from error

    def _passage(self, folder: Path) -> None:
        try:
            folder.mkdir(mode=0o700, exist_ok=True)
            if self.account.other and os.geteuid() == 0:
                os.chown(folder, -1, self.account.gid)
                folder.chmod(0o710)
        except OSError as error:
            raise InputError("data_folder", folder=folder, reason=error.strerror) from error


def prepare_data(data: Path) -> Path:
    """Make the data folder and return its real path.

    Raises:
        InputError: it cannot be made or written, is a file, or belongs to somebody else.
    """
    try:
        if not data.exists():
            data.mkdir(mode=0o700, parents=True, exist_ok=True)
        data = data.resolve(strict=True)
        names = {entry.name for entry in data.iterdir()}
        if data.stat().st_uid != os.geteuid():
            raise InputError("data_folder_owner", folder=data)
        # A folder that holds things of somebody else keeps its mode; what we put into it is private by itself.
        if names <= _OURS and data.stat().st_mode & 0o067:
            data.chmod(data.stat().st_mode & 0o710)
        for name in ("secrets", "keys", "index"):
            (data / name).mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise InputError("data_folder", folder=data, reason=error.strerror) from error
    return data


def find_home(data: Path) -> Home:
    """Return the home of the cluster of ``data``, deciding once where it lies."""
    pointer = data / "postgres.location"
    if (data / "postgres").is_dir():
        return Home(data, account_of(data / "postgres"))
    account = choose_account()
    if pointer.is_file():
        home = Home(Path(pointer.read_text(encoding="utf-8").strip()), account)
        return Home(home.folder, account_of(home.pgdata)) if home.pgdata.is_dir() else home
    home = Home(data, account)
    home.prepare()
    if not account.other or account.can_enter(home.socket):
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
        return Home(Path(pointer.read_text(encoding="utf-8").strip()), account)
    return Home(folder, account)
