"""The real program in the rooms of a real homeserver: two people, plain and encrypted rooms, a restart."""

import asyncio
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from bot.matrix.pins import Pins
from tests.e2e.program import Program
from tests.e2e.rooms import DISCOUNT, MANDATE, MOON, NOTICE, Served, body, mentioned, served
from tests.matrix.js_client import JsClient
from tests.matrix.page import show
from tests.matrix.person import Event, Person
from tests.matrix.synapse import PASSWORD, Synapse

pytestmark = [pytest.mark.synapse, pytest.mark.node]


@dataclass(frozen=True)
class House:
    """Two people and the program in two rooms.

    Attributes:
        ben: writes from a client that encrypts and trusts only devices that their owners have signed.
        open: a room that is not encrypted.
        closed: one that is, and where who comes later reads nothing of what was said before.
    """

    served: Served
    anna: Person
    ben: JsClient
    open: str
    closed: str

    @property
    def bot(self) -> str:
        return self.served.bot.id

    async def ask(self, text: str) -> str:
        """Let Anna ask in the open room; returns the question."""
        return await self.anna.send(self.open, f"Fundstelle: {text}", mentions=[self.bot])

    async def answer(self, question: str) -> Event:
        """Return the one answer to a question in the open room."""
        (answer,) = await self.anna.await_reply(self.open, question, self.bot)
        return answer

    async def answers(self) -> list[dict[str, Any]]:
        """Return all that the program has said in the open room but progress, hints and edits."""
        said = [event["content"] for event in await self.anna.said(self.open, self.bot)]
        return [content for content in said if content.get("msgtype") == "m.text" and "m.new_content" not in content]

    async def told(self, thread: str, text: str) -> None:
        """Wait until the program has said something in a thread of the open room."""
        await self.anna.await_in(self.open, lambda event: _is_in(event, thread, self.bot) and text in body(event))

    async def settled(self) -> None:
        """Wait until everything that was said in the open room so far is dealt with, since that is done in order."""
        await self.told(await self.anna.send(self.open, "!hilfe"), "Befehle")

    def signs(self, run: UUID) -> dict[str, int]:
        """Return how often an answer is recorded to have helped, and not to have."""
        feedback: dict[str, int] = self.served.program.must("run", "show", str(run), "--json").json["feedback"]
        return feedback

    async def edits(self, target: str, count: int = 1) -> list[Event]:
        """Wait for other texts in the place of a message in the open room."""

        def is_edit(event: Event) -> bool:
            relation = event["content"].get("m.relates_to", {})
            return relation.get("rel_type") == "m.replace" and relation.get("event_id") == target

        return await self.anna.await_in(self.open, is_edit, count=count)


@pytest.fixture(scope="module")
def house(shared_program: Program, synapse: Synapse, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    anna = synapse.register("anna", display_name="Anna Berg")
    with (
        served(shared_program, synapse, tmp_path_factory.mktemp("rooms")) as one,
        JsClient(synapse.register("ben", display_name="Ben Kurz")) as ben,
    ):
        one.admit(anna, "internal")
        one.admit(ben.person, "internal")
        one.program.must("mandate", "role", MANDATE, ben.person.id, "administrator")
        opened, closed = asyncio.run(_rooms(one.bot, anna, ben.person))
        one.bind(opened, "internal")
        one.bind(closed, "internal")
        one.start()
        yield House(one, anna, ben, opened, closed)


async def _rooms(bot: Person, anna: Person, ben: Person) -> tuple[str, str]:
    """Open both rooms and invite everybody; the program finds its invitations when it starts."""
    opened = await anna.create_room(name="Vertragsrecht", invite=[ben.id, bot.id])
    closed = await ben.create_room(name="Nachlässe", invite=[anna.id, bot.id], is_encrypted=True, history="joined")
    await ben.join(opened)
    await anna.join(closed)
    return opened, closed


async def test_an_answer_stands_in_the_thread_with_its_sources(house: House) -> None:
    """Who asks is notified, alone; anchors stand in the text, and the source opens inside its surroundings."""
    await house.anna.await_member(house.open, house.bot)
    asked = await house.ask(NOTICE)
    answer = await house.answer(asked)
    assert "drei Monate zum Ende des Versicherungsjahres [S1]" in body(answer)
    assert body(answer).startswith("✔ Geprüft")
    assert "<details>" in answer["content"]["formatted_body"]
    assert mentioned(answer) == [house.anna.id]
    assert "verlängert sich" not in body(answer)
    await house.anna.send(house.open, "!quelle S1", thread=asked)
    await house.told(asked, "Der Vertrag verlängert sich um ein Jahr")
    await house.anna.send(house.open, MOON, mentions=[house.bot], thread=asked)
    await house.anna.send(house.open, "!warum", thread=asked)
    await house.told(asked, "Am nächsten lag:")


async def test_what_no_source_says_is_refused(house: House) -> None:
    """The fixed sentence, and on request the values and what came near."""
    asked = await house.ask(MOON)
    refusal = await house.answer(asked)
    assert "nicht verlässlich beantworten" in body(refusal)
    await house.anna.send(house.open, "!warum?", thread=asked)
    await house.told(asked, "Am nächsten lag:")


async def test_a_question_looks_at_what_was_in_force_on_a_day(house: House) -> None:
    """The day before the source there is no answer; and a greeting is none of either."""
    then = await house.anna.send(house.open, f"!stand gültig 01.08.2026 {NOTICE}")
    before = await house.anna.send(house.open, f"!stand gültig 30.06.2026 {NOTICE}")
    answer = body(await house.answer(then))
    assert "gültig am 01.08.2026" in answer.partition("\n")[0]
    assert "drei Monate" in answer
    assert body(await house.answer(before)).startswith("✖")
    hello = await house.anna.send(house.open, "Guten Tag!", mentions=[house.bot])
    await house.told(hello, "Stellen Sie mir eine Frage")


async def test_a_room_that_is_not_protected_shows_only_the_lowest_level(house: House) -> None:
    """What is internal is not said where later ones or the homeserver could read it."""
    answer = await house.answer(await house.ask(DISCOUNT))
    assert body(answer).startswith("✖")
    assert "zwölf Prozent" not in str(answer["content"])


async def test_an_edited_question_is_answered_in_the_same_place(house: House) -> None:
    """The answer is edited, and no second one is given."""
    asked = await house.ask(MOON)
    refusal = await house.answer(asked)
    await house.anna.edit(house.open, asked, f"Fundstelle: {NOTICE}", mentions=[house.bot])
    (edit,) = await house.edits(refusal["event_id"])
    assert "drei Monate" in body(edit)
    await house.settled()
    assert len(await house.anna.await_reply(house.open, asked, house.bot)) == 1
    assert len(await house.edits(refusal["event_id"])) == 1


async def test_the_answer_to_a_question_that_is_taken_back_goes_as_well(house: House) -> None:
    """Both are gone from the room."""
    asked = await house.ask(NOTICE)
    answer = await house.answer(asked)
    await house.anna.redact(house.open, asked)
    target = answer["event_id"]
    await house.anna.await_in(house.open, lambda event: event["type"] == "m.room.redaction" and _of(event) == target)
    assert not (await house.anna.event(house.open, target))["content"]


async def test_a_thumb_below_an_answer_is_recorded_with_its_run(house: House) -> None:
    """Once and as the sign says, whatever sign besides it is put there; taken back, it does not count any more."""
    answer = await house.answer(await house.ask(NOTICE))
    run = UUID(answer["content"]["net.fundstelle.run"])
    await house.anna.react(house.open, answer["event_id"], "🎉")
    thumb = await house.anna.react(house.open, answer["event_id"], "👍")
    await house.settled()
    assert house.signs(run) == {"helpful": 1, "not_helpful": 0}
    await house.ben.person.react(house.open, answer["event_id"], "👎")
    await house.settled()
    assert house.signs(run) == {"helpful": 1, "not_helpful": 1}
    await house.anna.redact(house.open, thumb)
    await house.settled()
    assert house.signs(run) == {"helpful": 0, "not_helpful": 1}


async def test_in_an_encrypted_room_only_its_members_read_along(house: House) -> None:
    """Another implementation reads the answer as from a signed device; the homeserver reads nothing."""
    await house.ben.person.await_member(house.closed, house.bot)
    asked = await house.ben.send(house.closed, f"Fundstelle: {DISCOUNT}", mentions=[house.bot])
    (answer,) = await house.ben.await_reply(house.closed, asked, house.bot)
    assert "zwölf Prozent" in body(answer)
    assert (answer["is_encrypted"], answer["shield"]) == (True, "none")
    assert mentioned(answer) == [house.ben.person.id]
    await house.ben.edit(house.closed, asked, f"Fundstelle: {NOTICE}", mentions=[house.bot])
    (edit,) = await house.ben.await_in(house.closed, target=answer["event_id"], readable=True)
    assert ("drei Monate" in body(edit), edit["shield"]) == (True, "none")
    kinds = {event["type"] for event in await house.anna.said(house.closed, house.bot)}
    assert kinds == {"m.room.encrypted"}
    assert [device["is_signed"] for device in (await house.ben.devices(house.bot)).values() if device] == [True]


async def test_who_administers_is_followed_where_nobody_else_can_have_written_it(house: House) -> None:
    """Not in plain text, which the homeserver could write in their name; encrypted, from their confirmed device.

    Whoever is chosen from a list is meant by the identity behind the name.
    """
    await house.anna.await_member(house.open, house.bot)
    await house.ben.person.await_member(house.closed, house.bot)
    admits = "!mitglied @cara:kanzlei.example public"
    plain = await house.ben.person.send(house.open, admits)
    await house.told(plain, "bestätigten Sitzung")
    chosen = '!mitglied <a href="https://matrix.to/#/@cara:kanzlei.example">Cara von Berg</a> public'
    html = {"format": "org.matrix.custom.html", "formatted_body": chosen}
    secret = await house.ben.send(house.closed, "!mitglied Cara von Berg public", **html)
    (told,) = await house.ben.await_in(house.closed, sender=house.bot, thread=secret, readable=True)
    assert "@cara:kanzlei.example" in body(told)


async def test_keys_are_compared_in_person(house: House) -> None:
    """Theirs and ours, in the form in which Element shows them; another key than the one we know is named so."""
    await house.ben.person.await_member(house.closed, house.bot)
    asked = await house.ben.send(house.closed, "!hilfe")
    await house.ben.await_in(house.closed, sender=house.bot, thread=asked, readable=True)
    ben, device, key = house.ben.person, house.ben.person.device, await _session_key(house.ben.person)
    shown = house.served.program.must("matrix", "devices", ben.id, "--json", *house.served.config).json
    assert (shown["person"], shown["counts"]) == (ben.id, True)
    assert {"device": device, "key": key, "confirmed": True} in shown["devices"]
    told = house.served.program.must("matrix", "devices", ben.id, *house.served.config).out
    assert " ".join(key[start : start + 4] for start in range(0, len(key), 4)) in told
    ours = house.served.program.must("matrix", "devices", "--json", *house.served.config).json
    assert (ours["person"], ours["counts"]) == (house.bot, True)
    assert set(await house.ben.devices(house.bot)) == {one["device"] for one in ours["devices"] if one["confirmed"]}
    pins = Pins(house.served.program.data / "keys")
    pins.forget(ben.id)
    pins.note({ben.id: ours["master"]})
    other = house.served.program.must("matrix", "devices", ben.id, *house.served.config).out
    pins.confirm(ben.id, ours["master"])
    pins.forget(ben.id)
    pins.note({ben.id: shown["master"]})
    assert "Für uns gilt ein anderer" in other
    assert "ja" not in other.split()


async def test_an_administrator_gives_a_role_and_lets_a_room_go_from_within(house: House) -> None:
    """From a signed device in an encrypted room; the command line shows what has come of it."""
    program, ben = house.served.program, house.ben
    program.must("mandate", "role", MANDATE, ben.person.id, "administrator")
    await ben.person.await_member(house.closed, house.bot)

    async def told(command: str) -> str:
        asked = await ben.send(house.closed, command)
        return body((await ben.await_in(house.closed, sender=house.bot, thread=asked, readable=True))[0])

    assert "jetzt die Rolle „Aufsicht“" in await told(f"!rolle {house.anna.id} aufsicht")
    assert "gehört nicht mehr zum Mandat" in await told(f"!mandat {MANDATE} weg")
    shown = program.must("mandate", "show", MANDATE, "--json").json
    assert house.closed not in [one["channel"] for one in shown["channels"]]
    assert house.open in [one["channel"] for one in shown["channels"]]
    assert {"user": house.anna.id, "role": "compliance", "clearance": "internal"} in shown["members"]
    assert "gehört jetzt zum Mandat" in await told(f"!mandat {MANDATE} internal")


async def test_what_is_asked_while_it_is_down_is_answered_once_it_is_up(house: House) -> None:
    """After a restart, too, it is the same device, and nothing is answered twice."""
    devices = await house.ben.devices(house.bot)
    house.served.stop()
    before = await house.answers()
    plain = await house.ask(NOTICE)
    secret = await house.ben.send(house.closed, f"Fundstelle: {NOTICE}", mentions=[house.bot])
    house.served.start()
    assert "drei Monate" in body(await house.answer(plain))
    (answer,) = await house.ben.await_reply(house.closed, secret, house.bot)
    assert (answer["shield"], await house.ben.devices(house.bot)) == ("none", devices)
    await house.settled()
    assert len(await house.answers()) == len(before) + 1


@pytest.mark.browser
async def test_people_see_question_thread_and_answer(house: House, tmp_path: Path) -> None:
    """In a browser the answer stands below its question, with note, text and source."""
    room = await house.anna.create_room(name="Kündigungen", invite=[house.bot])
    house.served.bind(room, "public")
    await house.anna.await_member(room, house.bot)
    # As programs write it when somebody chooses the name from the list.
    pill = {
        "format": "org.matrix.custom.html",
        "formatted_body": f'<a href="https://matrix.to/#/{house.bot}">Fundstelle</a> {NOTICE}',
    }
    asked = await house.anna.send(room, f"Fundstelle {NOTICE}", mentions=[house.bot], **pill)
    (reply,) = await house.anna.await_reply(room, asked, house.bot)
    await house.anna.react(room, reply["event_id"], "👍")
    # FUNDSTELLE_PICTURES=docs renews the picture in the handbook.
    picture = Path(os.environ.get("FUNDSTELLE_PICTURES", tmp_path)) / "chat.png"
    tiles = await show(house.anna, PASSWORD, room, ["drei Monate zum Ende", "👍"], picture=picture)
    (question,) = (tile for tile in tiles if tile.sender == "Anna Berg")
    (answer,) = (tile for tile in tiles if "Quellen (1)" in tile.text)
    assert NOTICE in question.text
    assert answer.sender == "Fundstelle"
    assert all(part in answer.text for part in (NOTICE, "Geprüft", "[S1]", "Handbuch Bestand"))


def test_the_log_tells_nothing_of_what_was_said(house: House) -> None:
    """Neither questions nor answers nor who asked, whatever happened."""
    told = house.served.told()
    assert "a question has ended" in told
    assert not [word for word in ("Kündigung", "Nachlass", "Mond", "drei Monate", house.anna.id) if word in told]


async def _session_key(person: Person) -> str:
    """Return the signing key of somebody's device, as they have published it."""
    answer = await person.call("POST", "/_matrix/client/v3/keys/query", {"device_keys": {person.id: []}})
    return str(answer["device_keys"][person.id][person.device]["keys"][f"ed25519:{person.device}"])


def _is_in(event: Event, thread: str, sender: str) -> bool:
    """Say whether a message of somebody stands in a thread and is no edit."""
    relation = event["content"].get("m.relates_to", {})
    return event["sender"] == sender and (relation.get("rel_type"), relation.get("event_id")) == ("m.thread", thread)


def _of(event: Event) -> str:
    """Return what a redaction is about, which stands in another place since room version 11."""
    return str(event["content"].get("redacts") or event.get("redacts"))
