"""Record what a real homeserver says, for tests that replay it: ``python -m tests.matrix.recording``.

Run again when a new version of the homeserver may say it otherwise; ids and times differ each time, so the tests look
for what was said, not for ids.
"""

import asyncio
import json
from pathlib import Path
from typing import Any

from tests.matrix.js_client import JsClient
from tests.matrix.person import Person
from tests.matrix.synapse import Synapse, homeserver

FOLDER = Path(__file__).parents[1] / "unit" / "matrix" / "data"
RUN = "5a1f0a52-7d5e-4c6e-9d0f-2f5b5a3f8c11"


def record() -> None:
    """Write every file anew."""
    with homeserver() as synapse:
        asyncio.run(_record(synapse))
        asyncio.run(_record_devices(synapse))


async def _record(synapse: Synapse) -> None:
    anna, ben, bot = synapse.register("anna"), synapse.register("ben"), synapse.register("bot")
    _write("baseline", place := await _sync(bot))
    room = await anna.create_room(invite=[ben.id, bot.id], name="Fristen", version="12")
    _write("invited", place := await _sync(bot, place))
    await ben.join(room)
    await anna.send(room, "Noch vor dem Beitritt gesagt", mentions=[bot.id])
    await bot.join(room)
    _write("joined", place := await _sync(bot, place))
    await _talk(room, anna, ben, bot)
    _write("talk", place := await _sync(bot, place))
    for number in range(12):
        await anna.send(room, f"Nachricht {number}", mentions=[bot.id])
    _write("limited", place := await _sync(bot, place, limit=5))
    await anna.upgrade(room)
    await anna.kick(room, bot.id)
    _write("kicked", await _sync(bot, place))


async def _talk(room: str, anna: Person, ben: Person, bot: Person) -> None:
    question = await anna.send(room, "Wie lang ist die Frist?", mentions=[bot.id])
    pill = f'<a href="https://matrix.to/#/{bot.id}">Fundstelle</a>: Wie lang?'
    html = {"format": "org.matrix.custom.html", "formatted_body": pill}
    await anna.send(room, "Fundstelle: Wie lang?", mentions=[bot.id], **html)
    await anna.send(room, f"> <{ben.id}> Sechs Monate\n> ab heute\n\nStimmt das?", replies_to=question)
    await ben.send(room, "Fundstelle, bot, @bot:kanzlei.example: gemeint ist niemand")
    answer = await bot.send(room, "Drei Monate.", thread=question, mentions=[anna.id], **{"net.fundstelle.run": RUN})
    await ben.send(room, "Und im Winter?", thread=question, mentions=[bot.id])
    await ben.send(room, "Genauer?", thread=question, replies_to=answer)
    await ben.send(room, "Ein anderes Programm", msgtype="m.notice", mentions=[bot.id])
    await ben.send(room, "forged", **{"net.fundstelle.run": RUN})
    await anna.edit(room, question, "Wie lang ist die Frist genau?", mentions=[bot.id])
    await anna.react(room, answer, "👍")
    mistake = await ben.send(room, "Versehen", mentions=[bot.id])
    await ben.redact(room, mistake)
    await anna.set_state(room, "m.room.topic", {"topic": "Alles über Fristen"})


async def _record_devices(synapse: Synapse) -> None:
    """Record whom clients of others have signed: of Clara one device of two, of Dirk none."""
    clara, dirk = synapse.register("clara"), synapse.register("dirk")
    others = (synapse.log_in(clara.id), dirk)
    with JsClient(clara), JsClient(others[0], is_signed=False), JsClient(others[1], is_signed=False):
        asked = {"device_keys": {clara.id: [], dirk.id: []}}
        _write("devices", await clara.call("POST", "/_matrix/client/v3/keys/query", asked))


async def _sync(bot: Person, place: dict[str, Any] | None = None, limit: int = 100) -> dict[str, Any]:
    chosen = {"room": {"timeline": {"limit": limit}, "ephemeral": {"types": []}}}
    query = {"filter": json.dumps(chosen), "timeout": "0"} | ({"since": place["next_batch"]} if place else {})
    return await bot.call("GET", "/_matrix/client/v3/sync", query=query)


def _write(name: str, answer: dict[str, Any]) -> None:
    text = json.dumps(answer, ensure_ascii=False, indent=1, sort_keys=True)
    (FOLDER / f"{name}.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    record()
