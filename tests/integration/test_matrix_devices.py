"""Our device as a real homeserver has it: signed, kept, made anew, reset."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
import pytest

from bot.matrix.api import Api, path
from bot.matrix.cross_signing import Started, reset, start
from bot.matrix.cross_signing_keys import KeyFile
from domain.errors import InputError
from tests.matrix.person import Person
from tests.matrix.synapse import PASSWORD, Synapse
from tests.unit.matrix.own_server import Device

pytestmark = pytest.mark.synapse


class Ours:
    """A session of our account, with a device whose keys are uploaded."""

    def __init__(self, api: Api, device: Device) -> None:
        self.call = api.call
        self.device = device


@asynccontextmanager
async def ours(session: Person) -> AsyncIterator[Ours]:
    """Speak as our account, from the device of a session."""
    async with aiohttp.ClientSession() as connections:
        api = Api(session.url, connections)
        api.token = session.token
        whoami = await api.call("GET", path("account", "whoami"))
        device = Device(whoami["device_id"], session.id)
        await api.call("POST", path("keys", "upload"), {"device_keys": device.keys()})
        yield Ours(api, device)


async def test_a_device_is_signed_once_and_followed_by_another(synapse: Synapse, tmp_path: Path) -> None:
    """The server takes our keys and signatures; a new device is signed by the same, and the former one is gone."""
    session = synapse.register("fundstelle")
    files = KeyFile(tmp_path, session.id)
    async with ours(session) as old, ours(synapse.log_in(session.id)) as new:
        assert await start(old.call, files, old.device, None) == Started(new_identity=True)
        assert await start(old.call, files, old.device, None) == Started()
        started = await start(new.call, files, new.device, PASSWORD)
        assert started == Started(new_device=True, logged_out=(old.device.id,))
        devices = (await new.call("GET", path("devices")))["devices"]
        assert [device["device_id"] for device in devices] == [new.device.id]


async def test_lost_keys_need_a_reset_with_the_password(synapse: Synapse, tmp_path: Path) -> None:
    """Without the file the start refuses; a reset needs the password, and after it all is in order."""
    session = synapse.register("fundstelle")
    files = KeyFile(tmp_path, session.id)
    async with ours(session) as we:
        await start(we.call, files, we.device, PASSWORD)
        files.path.unlink()
        with pytest.raises(InputError, match="matrix_keys_lost"):
            await start(we.call, files, we.device, PASSWORD)
        for wrong in (None, "falsch"):
            with pytest.raises(InputError, match="matrix_password"):
                await reset(we.call, files, we.device, wrong)
        await reset(we.call, files, we.device, PASSWORD)
        assert await start(we.call, files, we.device, PASSWORD) == Started()
