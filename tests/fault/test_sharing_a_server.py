"""Several processes share one server; the last one out stops it, however it goes."""

import os
import signal
import time
from pathlib import Path

import pytest

from adapters.postgres.database import open_database
from adapters.postgres.endpoint import Role
from domain.errors import PartError
from tests.servers import clients, keeper_pids, postmaster_pid, until, wait_until_stopped


def test_the_last_one_out_stops_the_server(data_folder: Path) -> None:
    """A server lives as long as one of its clients, and not a second longer."""
    with clients(data_folder, 2) as (first, second):
        assert first.ask("open").startswith("opened")
        assert second.ask("open").startswith("opened")
        running = postmaster_pid(data_folder)
        assert first.ask("close") == "closed"
        assert second.ask("query").startswith("answered")
        assert postmaster_pid(data_folder) == running
        assert second.ask("close") == "closed"
        assert wait_until_stopped(data_folder)
    assert postmaster_pid(data_folder) is None
    assert until(lambda: keeper_pids(data_folder) == [])


def test_a_killed_last_client_leaves_no_server(data_folder: Path) -> None:
    """The kernel frees the lock of a killed client, and the keeper does the rest."""
    with clients(data_folder, 2) as (first, second):
        first.ask("open")
        second.ask("open")
        first.kill()
        assert second.ask("query").startswith("answered")
        second.kill()
        assert wait_until_stopped(data_folder)
    assert until(lambda: keeper_pids(data_folder) == [])


def test_two_starters_share_one_server(data_folder: Path) -> None:
    """Twenty times two processes open at the same moment, the first time with nothing there: one server each time."""
    with clients(data_folder, 2) as pair:
        for _ in range(20):
            for client in pair:
                client.tell("open")
            assert [client.reply().split()[0] for client in pair] == ["opened", "opened"]
            assert [client.ask("query").split()[0] for client in pair] == ["answered", "answered"]
            assert until(lambda: len(keeper_pids(data_folder)) == 1)
            # At once, so that the next round finds the server anywhere between running and gone.
            assert [client.ask("close") for client in pair] == ["closed", "closed"]
        assert wait_until_stopped(data_folder)


@pytest.mark.parametrize("delay", [0.0, 0.02, 0.05, 0.1, 0.2, 0.4, 0.8])
def test_a_client_killed_while_it_starts_leaves_nothing(data_folder: Path, delay: float) -> None:
    """Wherever the first start is cut off, no process stays behind and the next client starts as if new."""
    with clients(data_folder, 1) as (client,):
        client.tell("open")
        time.sleep(delay)
        client.kill()
    with clients(data_folder, 1) as (client,):
        assert client.ask("open").startswith("opened")
        assert client.ask("query").startswith("answered")
        assert client.ask("close") == "closed"
        assert wait_until_stopped(data_folder)
    assert until(lambda: keeper_pids(data_folder) == [])


def test_a_killed_keeper_is_replaced(data_folder: Path) -> None:
    """The client that leaves last notices that the keeper is gone and starts another one first."""
    with clients(data_folder, 1) as (client,):
        client.ask("open")
        (keeper,) = keeper_pids(data_folder)
        os.kill(keeper, signal.SIGKILL)
        assert until(lambda: keeper_pids(data_folder) == [])
        assert client.ask("close") == "closed"
        assert until(lambda: postmaster_pid(data_folder) is None)
        assert wait_until_stopped(data_folder)


async def test_a_closed_database_starts_nothing(data_folder: Path) -> None:
    """Whoever uses it after all gets an error, and no server that nobody would leave again."""
    async with open_database(data_folder, None) as database:
        pass
    with pytest.raises(PartError):
        async with database.connection(Role.READER):
            pass
    assert wait_until_stopped(data_folder)
    assert until(lambda: keeper_pids(data_folder) == [])


def test_programs_inherit_no_lock_of_a_client(data_folder: Path) -> None:
    """Server and keeper would keep the client's place for ever; the server holds its own lock and the keeper three."""
    with clients(data_folder, 1) as (client,):
        client.ask("open")
        server, (keeper,) = postmaster_pid(data_folder), keeper_pids(data_folder)
        assert server is not None
        assert _locks(server) == ["server.lock"]
        assert _locks(keeper) == ["clients.lock", "keeper.lock", "server.lock"]
        assert not [name for name in _open_files(keeper) if "pipe" in name or "socket" in name]
        client.ask("close")


def _open_files(pid: int) -> list[str]:
    return [str(entry.readlink()) for entry in Path(f"/proc/{pid}/fd").iterdir()]


def _locks(pid: int) -> list[str]:
    return sorted(Path(name).name for name in _open_files(pid) if name.endswith(".lock") and "socket" not in name)
