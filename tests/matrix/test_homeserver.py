"""The homeserver that other tests stand on."""

from collections.abc import Iterator

import pytest

from tests.matrix.person import Person, RefusedError
from tests.matrix.synapse import Synapse, homeserver

pytestmark = pytest.mark.synapse


@pytest.fixture(scope="module")
def limited() -> Iterator[Synapse]:
    """A homeserver of this module's own, which limits rates."""
    with homeserver(has_limits=True) as server:
        yield server


async def test_people_talk_in_a_thread_edit_react_and_take_back(synapse: Synapse) -> None:
    """What one says the other reads, in the thread that it stands in."""
    anna, ben = synapse.register("anna"), synapse.register("ben")
    room = await anna.create_room(invite=[ben.id], name="Fristen")
    assert await ben.invitations() == [room]
    await ben.join(room)
    asked = await anna.send(room, "Wie lang ist die Frist?", mentions=[ben.id])
    await ben.send(room, "Drei Monate.", thread=asked, mentions=[anna.id])
    (reply,) = await anna.await_reply(room, asked, ben.id)
    assert reply["content"]["body"] == "Drei Monate."
    await anna.edit(room, asked, "Wie lang ist die Frist genau?")
    await anna.react(room, reply["event_id"], "👍")
    seen = [event["content"] for event in await ben.timeline(room)]
    assert [one["m.new_content"]["body"] for one in seen if "m.new_content" in one] == ["Wie lang ist die Frist genau?"]
    relation = {"rel_type": "m.annotation", "event_id": reply["event_id"], "key": "👍"}
    assert [one for one in seen if one.get("m.relates_to") == relation]
    await anna.redact(room, asked)
    assert not (await ben.event(room, asked))["content"]
    assert len(await ben.said(room)) == 3


async def test_what_was_said_survives_a_stop(limited: Synapse) -> None:
    """A homeserver that was stopped and started answers at the same address and knows the sessions and the rooms."""
    anna = limited.register("anna")
    room = await anna.create_room()
    said = await anna.send(room, "noch da?")
    limited.stop()
    limited.start()
    assert (await anna.event(room, said))["content"]["body"] == "noch da?"


async def test_a_homeserver_with_limits_refuses_who_talks_too_fast(limited: Synapse) -> None:
    """The limits of a delivered homeserver hold where a test asks for them."""
    anna = limited.register("anna")
    room = await anna.create_room()
    with pytest.raises(RefusedError, match="M_LIMIT_EXCEEDED"):
        await _say(anna, room, 20)


async def _say(person: Person, room: str, times: int) -> None:
    for number in range(times):
        await person.send(room, str(number))
