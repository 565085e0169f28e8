"""Encryption with a client of others that trusts only devices that their owners have signed, as Element does."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bot.chat.outgoing import Content
from bot.matrix.client import MatrixPlatform, connect
from bot.matrix.cross_signing import Started
from bot.matrix.device_store import Devices
from bot.matrix.login import Login
from bot.matrix.pins import KeyChanged, Pins
from tests.matrix.js_client import JsClient
from tests.matrix.synapse import PASSWORD, Synapse

pytestmark = [pytest.mark.synapse, pytest.mark.node]

_ANSWER = Content("Drei Monate.", "Drei Monate.")


class Installation:
    """An account of ours on a homeserver, with its folders, over several starts."""

    def __init__(self, synapse: Synapse, folder: Path) -> None:
        self.url = synapse.url
        self.account = synapse.register("fundstelle").id
        self.keys, self.store = folder / "keys", folder / "matrix"
        self.keys.mkdir()
        self.told: list[Started | KeyChanged] = []

    @asynccontextmanager
    async def start(self) -> AsyncIterator[MatrixPlatform]:
        devices = Devices(self.keys, PASSWORD, self.told.append)
        login = Login(self.account, PASSWORD, "Fundstelle")
        async with connect(self.url, login, self.store, devices.trust, published=devices.sign) as platform:
            yield platform


@pytest.fixture
def installation(synapse: Synapse, tmp_path: Path) -> Installation:
    return Installation(synapse, tmp_path)


@pytest.fixture(scope="module")
def anna(synapse: Synapse) -> Iterator[JsClient]:
    with JsClient(synapse.register("anna")) as client:
        yield client


async def _room(platform: MatrixPlatform, *clients: JsClient) -> str:
    """Open an encrypted room for clients and us."""
    first = clients[0].person
    others = [client.person for client in clients[1:]]
    room = await first.create_room(
        invite=[platform.account, *(other.id for other in others)], is_encrypted=True, history="joined"
    )
    await platform.join(room)
    for other in others:
        await other.join(room)
    return room


async def test_what_is_for_trusted_devices_stays_closed_to_others(
    installation: Installation, anna: JsClient, synapse: Synapse
) -> None:
    """In one room, a device without its owner's signature reads what all may read and nothing else."""
    async with installation.start() as platform:
        with JsClient(synapse.register("carla"), is_signed=False, is_trusting=True) as carla:
            room = await _room(platform, anna, carla)
            for number, only_trusted in enumerate((False, True, False)):
                content = Content(str(number), str(number))
                await platform.send(room, content, transaction=str(number), only_trusted=only_trusted)
            read = await anna.await_in(room, sender=platform.account, count=3, readable=True)
            assert [event["content"]["body"] for event in read] == ["0", "1", "2"]
            read = await carla.await_in(room, sender=platform.account, count=2, readable=True)
            assert [event["content"]["body"] for event in read] == ["0", "2"]
            await carla.await_in(room, sender=platform.account, failure="MEGOLM_KEY_WITHHELD_FOR_UNVERIFIED_DEVICE")


async def test_a_lost_store_makes_a_new_device_that_is_signed_and_told(
    installation: Installation, anna: JsClient
) -> None:
    """The account stays the same to others; administrators hear of the new device, and the former one is gone."""
    async with installation.start() as platform:
        room = await _room(platform, anna)
        await platform.send(room, _ANSWER, transaction="1", only_trusted=True)
        former = platform.session.device
    installation.store.rename(installation.store.with_name("lost"))
    async with installation.start() as platform:
        await platform.send(room, _ANSWER, transaction="1", only_trusted=True)
        read = await anna.await_in(room, sender=platform.account, count=2, readable=True)
        assert [event["shield"] for event in read] == ["none", "none"]
        assert list(await anna.devices(platform.account)) == [platform.session.device]
        assert not await anna.has_changed(platform.account)
    assert installation.told[1:] == [Started(new_device=True, logged_out=(former,))]


async def test_somebody_with_new_keys_reads_nothing_until_an_administrator_confirms(
    installation: Installation, synapse: Synapse
) -> None:
    """Somebody who is signed by another master key than before may be somebody else; administrators are told once."""
    with JsClient(synapse.register("dora")) as dora:
        async with installation.start() as platform:
            room = await _room(platform, dora)
            await platform.send(room, Content("0", "0"), transaction="0", only_trusted=True)
            await dora.await_in(room, sender=platform.account, readable=True)
    with JsClient(synapse.log_in(dora.person.id)) as dora:
        async with installation.start() as platform:
            await platform.send(room, Content("1", "1"), transaction="1", only_trusted=True)
            (changed,) = [told for told in installation.told if isinstance(told, KeyChanged)]
            assert changed.person == dora.person.id
            Pins(installation.keys).confirm(changed.person, changed.found)
            await platform.send(room, Content("2", "2"), transaction="2", only_trusted=True)
            read = await dora.await_in(room, sender=platform.account, readable=True)
            assert [event["content"]["body"] for event in read] == ["2"]
