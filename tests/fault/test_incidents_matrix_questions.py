"""Incidents in rooms of a real homeserver: who asks, and how. None is answered twice, none is lost, none leaks."""

from typing import Any

import pytest

from tests.matrix.house import House
from tests.matrix.meddler import Call
from tests.matrix.person import Event
from tests.matrix.scene import ANSWERED, DISCOUNT, MONTHS, NOTHING, NOTICE, PERCENT, Scene, Tally, body

pytestmark = [pytest.mark.synapse, pytest.mark.asyncio(loop_scope="session")]

TOLD = Tally(notices=1)


async def test_a_mention_is_answered_once(home: House) -> None:
    """The usual case, by which all others are measured: one answer in the thread, one run, nothing else."""
    scene = await home.room(home.ben)
    asked = await scene.ask()
    assert MONTHS in body(await scene.answer(asked))
    assert await scene.settled(asked) == ANSWERED


async def test_what_the_server_tells_twice_is_answered_once(home: House) -> None:
    """An event stands twice in one answer of the server, and once more in each of the next ones."""
    scene = await home.room(home.ben)
    seen: list[Any] = []

    async def repeat(call: Call, answer: Any) -> Any:
        if call.is_sync:
            timeline = answer.get("rooms", {}).get("join", {}).get(scene.room, {}).get("timeline", {})
            seen.extend(event for event in timeline.get("events", []) if event not in seen)
            joined = answer.setdefault("rooms", {}).setdefault("join", {}).setdefault(scene.room, {})
            joined.setdefault("timeline", {})["events"] = [*seen, *seen]
        return answer

    async with home.meddler.after(repeat):
        asked = await scene.ask()
        await scene.answer(asked)
        assert await scene.settled(asked) == ANSWERED


FORGED: dict[str, dict[str, Any]] = {
    "name": {},
    "pill": {
        "format": "org.matrix.custom.html",
        "formatted_body": '<a href="https://matrix.to/#/{bot}">Fundstelle</a>',
    },
    "other": {"m.mentions": {"user_ids": ["@anna:kanzlei.example"]}},
    "room": {"m.mentions": {"room": True}},
    "text": {"m.mentions": {"user_ids": ["{bot} ", "@FUNDSTELLE:kanzlei.example"]}},
    "many": {"m.mentions": {"user_ids": [f"@p{number}:kanzlei.example" for number in range(1_500)]}},
}


@pytest.mark.parametrize("how", FORGED)
async def test_what_only_looks_like_a_mention_asks_nothing(home: House, how: str) -> None:
    """A name in the text, a link to us, somebody else who is mentioned, or thousands: only the mention of us counts."""
    scene = await home.room(home.ben)
    content = {"msgtype": "m.text", "body": f"Fundstelle, {home.bot.id}: {NOTICE}"} | FORGED[how]
    forged = _with_us(content, home.bot.id)
    asked = await home.ben.send_event(scene.room, forged)
    assert await scene.settled(asked) == NOTHING


def _with_us(content: Any, bot: str) -> Any:
    if isinstance(content, dict):
        return {key: _with_us(value, bot) for key, value in content.items()}
    if isinstance(content, list):
        return [_with_us(value, bot) for value in content]
    return content.replace("{bot}", bot) if isinstance(content, str) else content


async def test_ten_thousand_mentions_are_no_trouble(home: House) -> None:
    """More than an event of a server that keeps the rules can hold, from one that does not; we are not among them."""
    scene = await home.room(home.ben)
    everybody = {"user_ids": [f"@p{number}:kanzlei.example" for number in range(10_000)]}

    async def multiply(call: Call, answer: Any) -> Any:
        if call.is_sync:
            joined = answer.get("rooms", {}).get("join", {}).get(scene.room, {})
            for event in joined.get("timeline", {}).get("events", []):
                if event["type"] == "m.room.message" and event["content"].get("body") == NOTICE:
                    event["content"]["m.mentions"] = everybody
        return answer

    async with home.meddler.after(multiply):
        asked = await home.ben.send(scene.room, NOTICE)
        assert await scene.settled(asked) == NOTHING


async def test_a_question_of_33_kilobytes_is_told_of(home: House) -> None:
    """It is too long to be asked; whoever asks is told so once, and the next question is answered."""
    scene = await home.room(home.ben)
    long = await scene.ask("Kündigungsfrist " * 2_100)
    asked = await scene.ask()
    await scene.answer(asked)
    assert await scene.settled(long) == Tally(notices=1, elsewhere=1, more_runs=1)


MALFORMED: tuple[dict[str, Any], ...] = (
    {},
    {"msgtype": "m.text"},
    {"msgtype": "m.text", "body": None},
    {"msgtype": "m.text", "body": 7, "m.mentions": {"user_ids": ["{bot}"]}},
    {"msgtype": ["m.text"], "body": NOTICE, "m.mentions": {"user_ids": ["{bot}"]}},
    {"msgtype": "m.text", "body": NOTICE, "m.mentions": {"user_ids": "{bot}"}},
    {"msgtype": "m.text", "body": NOTICE, "m.mentions": {"user_ids": [["{bot}"], None, 3, {}]}},
    {"msgtype": "m.text", "body": NOTICE, "m.mentions": ["{bot}"]},
    {"msgtype": "m.text", "body": "x", "m.relates_to": "m.thread"},
    {"msgtype": "m.text", "body": "x", "m.relates_to": {"rel_type": "m.replace", "event_id": {}}},
    {"msgtype": "m.text", "body": "x", "m.relates_to": {"rel_type": "m.replace"}, "m.new_content": []},
    {"body": "x", "net.fundstelle.run": {"of": "nobody"}, "msgtype": "m.text"},
)


async def test_malformed_events_are_passed_over(home: House) -> None:
    """Whatever stands in them, from a client or from a server that checks nothing; what comes next is answered."""
    scene = await home.room(home.ben)
    shapes = [_with_us(content, home.bot.id) for content in MALFORMED]
    strange: list[Any] = [None, 3, "x", [], {}, {"type": "m.room.message"}, {"event_id": 1, "sender": [], "type": {}}]
    strange += [
        {
            "type": "m.room.message",
            "event_id": f"$m{n}",
            "sender": home.ben.id,
            "origin_server_ts": "soon",
            "content": c,
        }
        for n, c in enumerate([*shapes, None, [], "x"])
    ]

    async def spoil(call: Call, answer: Any) -> Any:
        if call.is_sync:
            for room in answer.get("rooms", {}).get("join", {}).values():
                timeline = room.setdefault("timeline", {})
                timeline["events"] = [*strange, *timeline.get("events", [])]
            answer["to_device"] = {"events": [None, {}, {"type": "m.room.encrypted", "content": [], "sender": 1}]}
        return answer

    async with home.meddler.after(spoil):
        asked = await scene.ask()
        assert MONTHS in body(await scene.answer(asked))
        assert await scene.settled(asked) == ANSWERED


async def test_a_notice_of_another_program_asks_nothing(home: House) -> None:
    """Though it mentions us, and whatever it says; so two programs that answer each other come to rest."""
    scene = await home.room(home.ben)
    asked = await scene.ask(by=home.ben, msgtype="m.notice")
    command = await scene.command("!frage " + NOTICE, by=home.ben, msgtype="m.notice")
    assert await scene.settled(asked) == NOTHING
    assert await scene.tally(command) == NOTHING


async def test_two_accounts_of_ours_face_each_other(home: House) -> None:
    """Each answers whoever mentions it, and neither answers the other, whatever that says."""
    scene = await home.room(home.ben)
    other = home.account()
    for account in (home.bot, other):
        await home.admit(account.person, "internal")
    await other.start()
    await home.anna.invite(scene.room, other.id)
    await home.anna.await_member(scene.room, other.id)
    asked = await home.anna.send(scene.room, NOTICE, mentions=[home.bot.id, other.id])
    for account in (home.bot, other):
        (answer,) = await home.anna.await_reply(scene.room, asked, account.id)
        assert answer["content"]["m.mentions"] == {"user_ids": [home.anna.id]}
    assert await scene.settled(asked) == Tally(answers=1, runs=1, end="AnswerDelivered", more_runs=1)
    await other.idle()
    of_other = Scene(home, other, scene.room, scene.before, home.anna)
    assert await of_other.tally(asked) == Tally(answers=1, runs=1, end="AnswerDelivered", more_runs=1)
    assert await other.stop() == 0


async def test_what_is_quoted_is_not_asked(home: House) -> None:
    """Neither a command nor a question in the quote before a reply counts; what its writer says does."""
    scene = await home.room(home.ben)
    first = await home.anna.send(scene.room, "Zum Nachlass siehe oben.")
    thanks = f"> <{home.anna.id}> !frage {DISCOUNT}\n> Fundstelle: {DISCOUNT}\n\nDanke."
    quoted = await home.ben.send(scene.room, thanks, replies_to=first)
    reply = f"> <{home.anna.id}> {DISCOUNT}\n\n{NOTICE}"
    asked = await home.ben.send(scene.room, reply, mentions=[home.bot.id], replies_to=first)
    assert MONTHS in body(await scene.answer(asked))
    assert await scene.settled(asked) == ANSWERED
    assert await scene.tally(quoted) == Tally(elsewhere=1, more_runs=1)
    assert PERCENT not in await scene.bodies()


async def test_a_question_in_a_thread_is_answered_there(home: House) -> None:
    """Not in a thread of its own, which many clients would not show."""
    scene = await home.room(home.ben)
    root = await home.anna.send(scene.room, "Thema: Kündigungen")
    asked = await scene.ask(thread=root)
    await scene.answer(root)
    assert await scene.settled(asked, thread=root) == ANSWERED


async def test_a_program_that_repeats_us_does_not_talk_to_us_for_ever(home: House) -> None:
    """Admitted, and in a direct room: as many answers as people get, one hint, and silence; others are answered."""
    await home.bot.restart(most={"minute": 3})
    direct, other = await home.direct(home.ben), await home.room(home.ben)
    words = NOTICE
    for count in range(1, 5):
        await home.ben.send(direct.room, words)
        ours = await home.ben.await_in(direct.room, lambda one: _is_said_by(one, home.bot.id), count=count)
        words = body(ours[-1])
    assert [one["content"]["msgtype"] for one in ours] == ["m.text"] * 3 + ["m.notice"]
    await home.ben.send(direct.room, words)
    await other.answer(await other.ask())
    assert len(await home.ben.said(direct.room, home.bot.id)) == 4
    assert home.asked() == direct.before + 4
    await home.bot.kill()


def _is_said_by(event: Event, sender: str) -> bool:
    return event["type"] == "m.room.message" and event["sender"] == sender
