"""Our encryption against another implementation that trusts only devices which their owners have signed."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from bot.chat.incoming import Incoming, Said
from bot.chat.outgoing import Content
from bot.matrix.client import MatrixPlatform, connect
from bot.matrix.device_store import Devices
from bot.matrix.login import Login
from tests.matrix.js_client import JsClient
from tests.matrix.person import Person
from tests.matrix.synapse import PASSWORD, Synapse

pytestmark = [pytest.mark.synapse, pytest.mark.node]


@dataclass
class Ours:
    """Our account on the homeserver, with the files of its device."""

    person: Person
    folder: Path
    token: str | None = None

    @asynccontextmanager
    async def connected(self) -> AsyncIterator[MatrixPlatform]:
        """Be there as long as the block runs, each time from the same files."""
        keys = self.folder / "keys"
        keys.mkdir(exist_ok=True, mode=0o700)
        devices = Devices(keys, PASSWORD, lambda _told: None)
        login, folder = Login(self.person.id, PASSWORD, "Fundstelle"), self.folder / "matrix"
        async with connect(self.person.url, login, folder, devices.trust, published=devices.sign) as platform:
            yield platform

    async def heard(self, platform: MatrixPlatform, text: str) -> Said:
        """Wait until somebody says ``text``."""
        async for batch in platform.batches(self.token):
            self.token = batch.token
            for event in batch.events:
                if _says(event, text):
                    assert isinstance(event, Said)
                    return event
        raise AssertionError


@pytest.fixture
def ours(synapse: Synapse, tmp_path: Path) -> Ours:
    return Ours(synapse.register("fundstelle"), tmp_path)


@pytest.fixture(scope="module")
def ben(synapse: Synapse) -> Iterator[JsClient]:
    with JsClient(synapse.register("ben")) as client:
        yield client


async def test_a_strict_client_and_we_read_each_other_before_and_after_a_restart(ours: Ours, ben: JsClient) -> None:
    """Our device counts as signed, and what it knows survives with its files."""
    async with ours.connected() as platform:
        room = await ben.person.create_room(invite=[ours.person.id], is_encrypted=True)
        await platform.join(room)
        question = await ben.send(room, "Wie lang ist die Frist?", mentions=[ours.person.id])
        heard = await ours.heard(platform, "Wie lang ist die Frist?")
        assert (heard.event, heard.mentions_us) == (question, True)
        content = Content("Drei Monate.", "<p>Drei Monate.</p>", mentions=(ben.person.id,))
        await platform.send(room, content, transaction="eins", thread=question, only_trusted=True)
        (answer,) = await ben.await_reply(room, question, ours.person.id)
        assert (answer["content"]["body"], answer["shield"]) == ("Drei Monate.", "none")
    asked_meanwhile = await ben.send(room, "Und heute?", mentions=[ours.person.id])
    async with ours.connected() as platform:
        heard = await ours.heard(platform, "Und heute?")
        assert heard.event == asked_meanwhile
        await platform.edit(room, answer["event_id"], content, transaction="zwei", only_trusted=True)
        (edit,) = await ben.await_in(room, target=answer["event_id"], readable=True)
        assert edit["shield"] == "none"
    assert [device["is_signed"] for device in (await ben.devices(ours.person.id)).values()] == [True]


def _says(event: Incoming, text: str) -> bool:
    return isinstance(event, Said) and event.text == text
