"""Our account, looked at from beside: what is in order, and each thing that is not."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.matrix import looking
from bot.matrix.client import MatrixPlatform, connect
from bot.matrix.cross_signing_keys import KeyFile
from bot.matrix.device_store import Devices
from bot.matrix.files import store_file
from bot.matrix.login import Login
from bot.matrix.looking import Seen, look
from domain.errors import PartError
from tests.matrix.person import Person
from tests.matrix.synapse import PASSWORD, Synapse

pytestmark = pytest.mark.synapse


@pytest.fixture
def account(synapse: Synapse) -> Person:
    return synapse.register("fundstelle")


@pytest.fixture
async def platform(account: Person, tmp_path: Path) -> AsyncIterator[MatrixPlatform]:
    """We, logged in from a signed device; keys and store lie in the test's folder."""
    devices = Devices(tmp_path, PASSWORD, lambda _: None)
    login = Login(account.id, PASSWORD, "Fundstelle")
    async with connect(account.url, login, tmp_path, devices.trust, published=devices.sign) as found:
        yield found


async def test_before_the_first_start_there_is_no_device(account: Person, tmp_path: Path) -> None:
    """The homeserver answers, and that is all that there is to see; nothing is made by looking."""
    assert await look(account.url, tmp_path, KeyFile(tmp_path, account.id)) == Seen(None, is_signed=False)
    assert list(tmp_path.iterdir()) == []


async def test_a_device_in_use_is_seen_signed(platform: MatrixPlatform, account: Person, tmp_path: Path) -> None:
    """Beside whoever answers from it; without the keys of the account it is not."""
    files = KeyFile(tmp_path, account.id)
    assert await look(account.url, tmp_path, files) == Seen(platform.session.device, is_signed=True)
    files.path.rename(tmp_path / "elsewhere")
    with pytest.raises(PartError, match="matrix_unsigned"):
        await look(account.url, tmp_path, files)


async def test_an_ended_session_and_a_broken_store_are_seen(
    platform: MatrixPlatform, account: Person, tmp_path: Path
) -> None:
    """Each under its own name, before somebody starts."""
    files = KeyFile(tmp_path, account.id)
    store = store_file(tmp_path, platform.session.account, platform.session.device)
    whole = store.read_bytes()
    store.write_bytes(whole[:100] + bytes(len(whole) - 100))
    with pytest.raises(PartError, match="matrix_store"):
        await look(account.url, tmp_path, files)
    await account.end_all_sessions()
    with pytest.raises(PartError, match="matrix_login"):
        await look(account.url, tmp_path, files)


async def test_a_homeserver_that_is_down_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Within the patience of somebody who looks."""
    monkeypatch.setattr(looking, "PATIENCE", 0.3)
    with pytest.raises(PartError, match="matrix_unreachable"):
        await look("http://127.0.0.1:9", tmp_path, KeyFile(tmp_path, "@fundstelle:x"))
