"""Make a cluster and start its server. Only called by the holder of ``control.lock`` and ``server.lock``."""

import os
import shutil
from pathlib import Path
from typing import Final, Never

from psycopg.conninfo import make_conninfo
from psycopg.pq import PGconn, Ping

from adapters.postgres import keeper
from adapters.postgres.account import Account
from adapters.postgres.binaries import MAJOR, Binaries, binaries_for
from adapters.postgres.layout import Home
from adapters.postgres.locks import FileLock
from adapters.postgres.settings import PORT, settings_file
from domain.errors import InputError, PartError

SUPERUSER: Final = "postgres"
"""The role that initdb makes; used to make ours, and by nobody else."""

NEEDED_BYTES: Final = 150 * 2**20
"""Space a new cluster takes, with room for its first write-ahead segments."""

_SEGMENT_BYTES: Final = 16 * 2**20
_FULL: Final = "No space left on device"
_START_SECONDS: Final = 60
_LOG_TAIL_BYTES: Final = 4000


def accepts(home: Home) -> bool:
    """Whether the server takes connections, by asking it as a client would; no password is needed for that."""
    place = make_conninfo(host=str(home.socket), port=PORT, user=SUPERUSER, dbname="postgres")
    return PGconn.ping(place.encode()) == Ping.OK


def start(home: Home, server: FileLock, superuser_password: str) -> None:
    """Start the server and return when it is ready; make the cluster first if there is none.

    Raises:
        PartError: it does not start, the disk is full, or the cluster is of another major version.
    """
    binaries = binaries_for(home.account)
    shutil.rmtree(home.folder / "postgres.new", ignore_errors=True)
    if home.pgdata.is_dir():
        _check_version(home)
    else:
        _initialise(home, binaries, server, superuser_password)
    _remove_leftovers(home)
    _write_settings(home)
    # pg_ctl hands its paths to a shell, between double quotes: relative to the home they hold nothing of the user's.
    log = home.log / "start.log"
    places = ("-D", home.pgdata.name, "-l", log.relative_to(home.folder), "-o", "-c config_file=run/postgresql.conf")
    # A crash must not leave a core file: it would hold what people asked.
    limited = ("/bin/sh", "-c", 'ulimit -c 0; exec "$@"', "sh")
    command = (*limited, binaries.pg_ctl, "start", "-w", "-s", "-t", str(_START_SECONDS), *places)
    done = home.account.run(*command, folder=home.folder, pass_fds=(server.descriptor,))
    if done.returncode != 0:
        _explain(home, _tail(log) + done.stderr)


def _check_version(home: Home) -> None:
    try:
        found = (home.pgdata / "PG_VERSION").read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        raise PartError("postgres_damaged", folder=home.pgdata) from None
    if found != str(MAJOR):
        raise PartError("postgres_version", folder=home.pgdata, found=found, needed=MAJOR)


def _initialise(home: Home, binaries: Binaries, server: FileLock, superuser_password: str) -> None:
    free = shutil.disk_usage(home.folder).free
    if free < NEEDED_BYTES:
        raise PartError("disk_low", folder=home.folder, free=free // 2**20, needed=NEEDED_BYTES // 2**20)
    made = home.folder / "postgres.new"
    home.private(made)
    password_file = _readable_by(home.account, home.run / "initdb.password", superuser_password)
    done = home.account.run(
        binaries.initdb,
        f"--pgdata={made}",
        f"--username={SUPERUSER}",
        f"--pwfile={password_file}",
        "--auth=scram-sha-256",
        "--encoding=UTF8",
        "--locale=C",
        "--locale-provider=builtin",
        "--builtin-locale=C.UTF-8",
        "--no-instructions",
        "--sync-method=syncfs",
        pass_fds=(server.descriptor,),
    )
    password_file.unlink()
    if done.returncode != 0:
        shutil.rmtree(made, ignore_errors=True)
        _explain(home, done.stderr)
    made.rename(home.pgdata)


def _readable_by(account: Account, path: Path, secret: str) -> Path:
    """Put a secret into a file that only ``account`` may read."""
    path.unlink(missing_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(secret)
        if account.other:
            os.fchown(file.fileno(), account.uid, account.gid)
    return path


def _remove_leftovers(home: Home) -> None:
    """Remove what a dead server left behind; a number in it may belong to a foreign process by now."""
    found = keeper.postmaster(str(home.pgdata))
    if found is not None:
        os.close(found[1])
        raise InputError("postgres_by_hand", folder=home.pgdata, pid=found[0])
    (home.pgdata / "postmaster.pid").unlink(missing_ok=True)
    for name in (f".s.PGSQL.{PORT}", f".s.PGSQL.{PORT}.lock"):
        (home.socket / name).unlink(missing_ok=True)


def _write_settings(home: Home) -> None:
    target = home.run / "postgresql.conf"
    text = settings_file(home)
    if target.is_file() and target.read_text(encoding="utf-8") == text:
        return
    made = target.with_suffix(".new")
    made.write_text(text, encoding="utf-8")
    if home.account.other:
        os.chown(made, -1, home.account.gid)
    made.chmod(0o640)
    made.replace(target)


def _tail(log: Path) -> str:
    try:
        with log.open("rb") as file:
            file.seek(max(0, log.stat().st_size - _LOG_TAIL_BYTES))
            return file.read().decode("utf-8", "replace")
    except OSError:
        return ""


def _explain(home: Home, said: str) -> Never:
    full = _FULL in said or shutil.disk_usage(home.folder).free < _SEGMENT_BYTES
    raise PartError("disk_full") if full else PartError("postgres_start", log=home.log)
