"""The client of others by which we judge our own encryption."""

from collections.abc import Iterator

import pytest

from tests.matrix.js_client import JsClient
from tests.matrix.synapse import Synapse

pytestmark = [pytest.mark.synapse, pytest.mark.node]


@pytest.fixture(scope="module")
def anna(synapse: Synapse) -> Iterator[JsClient]:
    with JsClient(synapse.register("anna")) as client:
        yield client


async def test_it_talks_with_a_device_that_its_owner_has_signed(synapse: Synapse, anna: JsClient) -> None:
    """Two signed clients read each other, threads and edits too, and the homeserver reads neither."""
    with JsClient(synapse.register("ben")) as ben:
        room = await anna.person.create_room(invite=[ben.person.id], is_encrypted=True)
        await ben.person.join(room)
        asked = await ben.send(room, "Wie lang ist die Frist?", mentions=[anna.person.id])
        (question,) = await anna.await_in(room, sender=ben.person.id, readable=True)
        assert (question["content"]["body"], question["shield"]) == ("Wie lang ist die Frist?", "none")
        answered = await anna.send(room, "Zwei Monate.", thread=asked, mentions=[ben.person.id])
        await anna.edit(room, answered, "Drei Monate.")
        (answer,) = await ben.await_reply(room, asked, anna.person.id)
        assert answer["content"]["m.mentions"] == {"user_ids": [ben.person.id]}
        (edit,) = await ben.await_in(room, target=answered, readable=True)
        assert edit["content"]["m.new_content"]["body"] == "Drei Monate."
        assert {event["type"] for event in await anna.person.said(room)} == {"m.room.encrypted"}
        assert await anna.devices(ben.person.id) == {ben.person.device: {"is_signed": True, "is_verified": False}}


async def test_it_neither_reads_nor_tells_a_device_that_nobody_has_signed(synapse: Synapse, anna: JsClient) -> None:
    """A device without its owner's signature is shut out in both directions."""
    with JsClient(synapse.register("carla"), is_signed=False, is_trusting=True) as carla:
        room = await anna.person.create_room(invite=[carla.person.id], is_encrypted=True)
        await carla.person.join(room)
        await carla.send(room, "Hört ihr mich?")
        await anna.await_in(room, sender=carla.person.id, failure="UNSIGNED_SENDER_DEVICE")
        await anna.send(room, "Nur für bestätigte Geräte.")
        await carla.await_in(room, sender=anna.person.id, failure="MEGOLM_KEY_WITHHELD_FOR_UNVERIFIED_DEVICE")
