"""The page on which we look at rooms as people see them."""

import pytest

from tests.matrix.page import show
from tests.matrix.synapse import PASSWORD, Synapse

pytestmark = [pytest.mark.synapse, pytest.mark.browser]


async def test_it_shows_a_question_and_the_reply_in_its_thread(synapse: Synapse) -> None:
    """Both stand on the page with their senders, and the reply says what it answers."""
    anna = synapse.register("anna", display_name="Anna Berg")
    ben = synapse.register("ben", display_name="Ben Kurz")
    room = await anna.create_room(invite=[ben.id], name="Fristen")
    await ben.join(room)
    asked = await anna.send(room, "Wie lang ist die Frist?")
    await ben.send(room, "Drei Monate.", thread=asked)
    question, reply = await show(anna, PASSWORD, room, ["Drei Monate."])
    assert question.sender == "Anna Berg"
    assert "Wie lang ist die Frist?" in question.text
    assert reply.sender == "Ben Kurz"
    assert "Wie lang ist die Frist?" in reply.text
