"""The stream of an account, from a server that is told what to say."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from bot.chat.incoming import Batch, Incoming, Invited, Said, Unreadable
from bot.matrix import sync
from bot.matrix.api import RefusedError
from bot.matrix.parse import incoming
from bot.matrix.sync import Stream
from bot.matrix.waiting import Waiting
from domain.errors import PartError
from tests.unit.matrix.replay import ANNA, BOT
from tests.unit.matrix.replay import sync as recorded

ROOM = "!r:kanzlei.example"
Answer = dict[str, Any] | PartError


class Script:
    """Answers in turn; the last one for ever. Serves as the interface of the server."""

    def __init__(self) -> None:
        self.syncs: list[Answer] = []
        self.pages: list[Answer] = []
        self.asked: list[dict[str, str]] = []
        self.paged: list[str] = []

    async def call(self, _: str, path: str, *, query: dict[str, str], **__: Any) -> dict[str, Any]:
        answers = self.syncs if path.endswith("/sync") else self.pages
        if path.endswith("/sync"):
            self.asked.append(query)
        else:
            self.paged.append(query["from"])
        answer = answers.pop(0) if len(answers) > 1 else answers[0]
        if isinstance(answer, PartError):
            raise answer
        return answer


class Opened:
    """Decrypts by a table; what is not in it stays closed. Serves as keys and as machine."""

    account = BOT

    def __init__(self) -> None:
        self.open: dict[str, str] = {}
        self.encrypted: set[str] = set()
        self.knows_nobody = False

    def know_nobody(self) -> None:
        self.knows_nobody = True

    async def take_in(self, answer: dict[str, Any]) -> None:
        """Keys come from elsewhere here."""

    def remember_encrypted(self, room: str) -> None:
        self.encrypted.add(room)

    def can_read(self, event: dict[str, Any], _: str) -> bool:
        return event["event_id"] in self.open

    async def read(self, event: dict[str, Any], _: str) -> dict[str, Any]:
        words = self.open.get(event["event_id"])
        return event if words is None else _message(event["event_id"], words)


def _message(name: str, words: str = "Guten Tag") -> dict[str, Any]:
    return {"event_id": name, "sender": ANNA, "type": "m.room.message", "content": {"msgtype": "m.text", "body": words}}


def _closed(name: str) -> dict[str, Any]:
    return {"event_id": name, "sender": ANNA, "type": "m.room.encrypted", "content": {"ciphertext": "x"}}


def _sync(token: str, *events: dict[str, Any], **timeline: Any) -> dict[str, Any]:
    return {"next_batch": token, "rooms": {"join": {ROOM: {"timeline": {"events": list(events), **timeline}}}}}


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(sync, "_PAUSE", 0.0)
    return iter(())


@pytest.fixture
def script() -> Script:
    return Script()


@pytest.fixture
def keys() -> Opened:
    return Opened()


Listen = Callable[..., Any]


@pytest.fixture
def listen(script: Script, keys: Opened, tmp_path: Path) -> Listen:
    async def _listen(count: int, place: str | None = "t0") -> list[Batch]:
        parts: Any = script, keys, keys
        stream = Stream(*parts, Waiting(tmp_path / "waiting.json"))
        found: list[Batch] = []
        async for batch in stream.batches(place):
            found.append(batch)
            if len(found) == count:
                break
        return found

    return _listen


def _words(batch: Batch) -> list[str]:
    return [event.text for event in batch.events if isinstance(event, Said)]


async def test_an_event_that_comes_twice_is_told_once(script: Script, listen: Listen) -> None:
    """In one batch or in two."""
    script.syncs = [_sync("t1", _message("$1"), _message("$1")), _sync("t2", _message("$1"), _message("$2"))]
    first, second = await listen(2)
    assert [event.event for event in first.events] == ["$1"]
    assert [event.event for event in second.events] == ["$2"]
    assert [query["since"] for query in script.asked] == ["t0", "t1"]


async def test_a_gap_is_filled_in_order(script: Script, listen: Listen) -> None:
    """Page by page, from the newest back to our place."""
    script.syncs = [_sync("t1", _message("$5", "5"), limited=True, prev_batch="p1")]
    script.pages = [
        {"chunk": [_message("$4", "4"), _message("$3", "3")], "end": "p2"},
        {"chunk": [_message("$2", "2"), _message("$1", "1")]},
    ]
    (batch,) = await listen(1)
    assert _words(batch) == ["1", "2", "3", "4", "5"]


async def test_an_empty_page_is_not_the_end_of_a_gap(script: Script, listen: Listen) -> None:
    """A server may hide everything on a page and go on behind it; one that does not get on is not asked for ever."""
    script.syncs = [_sync("t1", _message("$2", "2"), limited=True, prev_batch="p1")]
    script.pages = [{"chunk": [], "end": "p2"}, {"chunk": [_message("$1", "1")], "end": "p3"}, {"end": "p3"}]
    (batch,) = await listen(1)
    assert _words(batch) == ["1", "2"]
    assert script.paged == ["p1", "p2", "p3"]


async def test_who_has_which_devices_is_asked_anew_behind_a_lost_place(
    script: Script, listen: Listen, keys: Opened
) -> None:
    """The server has told of changes that we have not heard of."""
    script.syncs = [RefusedError("M_UNKNOWN_POS", 400, {}), _sync("t1")]
    (batch,) = await listen(1)
    assert (batch.is_baseline, keys.knows_nobody) == (True, True)


async def test_a_gap_that_cannot_be_filled_now_is_filled_later(script: Script, listen: Listen) -> None:
    """Nothing is told, and the place in the stream stays, until it is whole."""
    script.syncs = [_sync("t1", _message("$2", "2"), limited=True, prev_batch="p1")]
    script.pages = [PartError("matrix_unreachable"), {"chunk": [_message("$1", "1")]}]
    (batch,) = await listen(1)
    assert _words(batch) == ["1", "2"]
    assert [query["since"] for query in script.asked] == ["t0", "t0"]


async def test_a_gap_that_can_never_be_filled_holds_up_nobody_for_ever(script: Script, listen: Listen) -> None:
    """What there is is told after some attempts."""
    script.syncs = [_sync("t1", _message("$2", "2"), limited=True, prev_batch="p1")]
    script.pages = [RefusedError("M_UNKNOWN", 400, {})]
    (batch,) = await listen(1)
    assert _words(batch) == ["2"]
    assert len(script.asked) == 6


async def test_what_is_told_when_its_key_comes_is_told_once(script: Script, listen: Listen, keys: Opened) -> None:
    """First that it cannot be read, then what it says."""
    script.syncs = [_sync("t1", _closed("$1")), _sync("t2")]
    (first,) = await listen(1)
    assert isinstance(first.events[0], Unreadable)
    keys.open["$1"] = "Was gilt?"
    second, third = await listen(2, "t1")
    assert _words(second) == ["Was gilt?"]
    assert third.events == ()


async def test_a_key_that_came_is_heard_of_again_after_a_crash(script: Script, listen: Listen, keys: Opened) -> None:
    """As long as nobody has asked for more, the batch was not taken in."""
    script.syncs = [_sync("t1", _closed("$1")), _sync("t2")]
    await listen(2)
    keys.open["$1"] = "Was gilt?"
    assert [_words(batch) for batch in await listen(1, "t1")] == [["Was gilt?"]]
    assert [_words(batch) for batch in await listen(1, "t1")] == [["Was gilt?"]]


async def test_what_is_closed_in_a_baseline_is_never_told_later(script: Script, listen: Listen, keys: Opened) -> None:
    """It is older than we are."""
    script.syncs = [_sync("t1", _closed("$1")), _sync("t2")]
    (baseline,) = await listen(1, None)
    assert baseline.is_baseline
    keys.open["$1"] = "Was galt?"
    assert (await listen(1, "t1"))[0].events == ()


async def test_a_place_that_the_server_does_not_know_gives_a_new_baseline(script: Script, listen: Listen) -> None:
    """Else everything would stand still for ever."""
    script.syncs = [RefusedError("M_UNKNOWN", 400, {}), _sync("t9", _message("$1"))]
    (batch,) = await listen(1)
    assert batch.is_baseline
    assert ["since" in query for query in script.asked] == [True, False]


async def test_a_server_that_is_away_is_waited_for(script: Script, listen: Listen) -> None:
    """Whatever stands in front of it says meanwhile; a refused login ends it."""
    script.syncs = [PartError("matrix_unreachable"), RefusedError("HTTP_404", 404, {}), {}, _sync("t1", _message("$1"))]
    (batch,) = await listen(1)
    assert batch.token == "t1"
    script.syncs = [PartError("matrix_login")]
    with pytest.raises(PartError, match="matrix_login"):
        await listen(1)


async def test_a_room_that_becomes_encrypted_is_remembered(script: Script, listen: Listen, keys: Opened) -> None:
    """From the stream already, before anything is said there."""
    event = {"type": "m.room.encryption", "state_key": "", "event_id": "$1", "sender": ANNA, "content": {}}
    script.syncs = [_sync("t1", event)]
    await listen(1)
    assert keys.encrypted == {ROOM}


@pytest.mark.parametrize("name", ["baseline", "invited", "joined", "talk", "limited", "kicked"])
async def test_what_a_real_server_has_said_is_a_batch(script: Script, listen: Listen, name: str) -> None:
    """With every event in it once."""
    script.syncs, script.pages = [recorded(name)], [{"chunk": []}]
    (batch,) = await listen(1)
    assert batch.token == recorded(name)["next_batch"]
    names = [event.event for event in batch.events if isinstance(event, Said)]
    assert len(names) == len(set(names))


@pytest.mark.parametrize(
    "rooms", [None, [], {"join": {"!r": None}}, {"join": {"!r": {"timeline": {"events": [None, 5]}}}}]
)
async def test_an_answer_of_any_shape_is_a_batch(script: Script, listen: Listen, rooms: object) -> None:
    """What is not as it should be tells nothing."""
    script.syncs = [{"next_batch": "t1", "rooms": rooms, "device_lists": [], "to_device": 3}]
    assert (await listen(1)) == [Batch("t1", ())]


async def test_an_event_that_nobody_foresaw_stops_no_other(
    script: Script, listen: Listen, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would come again at each start, and nobody would be answered any more."""

    def read(event: dict[str, Any], room: str, account: str) -> Incoming | None:
        if event["event_id"] == "$1":
            raise AssertionError(event)
        return incoming(event, room, account)

    monkeypatch.setattr(sync, "incoming", read)
    script.syncs = [_sync("t1", _message("$1", "1"), _message("$2", "2")), _sync("t2", _message("$3", "3"))]
    first, second = await listen(2)
    assert (_words(first), _words(second)) == (["2"], ["3"])


async def test_a_room_without_a_name_is_left_out(script: Script, listen: Listen) -> None:
    """What can be no id of a room reaches no database."""
    strange = {"timeline": {"events": [_message("$1")]}}
    script.syncs = [{"next_batch": "t1", "rooms": {"join": {"!r\0:x": strange, "!" + "x" * 300: strange}}}]
    (batch,) = await listen(1)
    assert batch.events == ()


async def test_open_invitations_are_found_without_the_stream(script: Script, keys: Opened, tmp_path: Path) -> None:
    """Whatever place it has reached; nothing else is read of the answer."""
    recorded_invitation = recorded("invited")
    script.syncs = [PartError("matrix_unreachable"), recorded_invitation]
    parts: Any = script, keys, keys
    (asked,) = await Stream(*parts, Waiting(tmp_path / "waiting.json")).invitations()
    assert isinstance(asked, Invited)
    assert all("since" not in query for query in script.asked)


async def test_a_server_that_holds_nothing_back_is_asked_less_and_less_often(
    script: Script, listen: Listen, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such as behind a broken proxy: pauses grow to a bound, what is said then is heard, and they start anew."""
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    monkeypatch.setattr(sync, "_PAUSE", 5.0)
    monkeypatch.setattr(sync.asyncio, "sleep", sleep)
    empty = {"next_batch": "t0"}
    script.syncs = [*[empty] * 9, _sync("t1", _message("$1")), {"next_batch": "t2"}, {"next_batch": "t3"}]
    batches = await listen(12)
    assert slept == [0.25, 0.5, 1.0, 2.0, 4.0, 5.0, 5.0, 5.0]
    assert _words(batches[9]) == ["Guten Tag"]
    assert sum(len(batch.events) for batch in batches) == 1


async def test_the_same_answer_again_and_again_is_a_broken_one(
    script: Script, listen: Listen, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A cache between us and the server repeats what was said once: it is told once, and we do not spin."""
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    monkeypatch.setattr(sync, "_PAUSE", 5.0)
    monkeypatch.setattr(sync.asyncio, "sleep", sleep)
    script.syncs = [_sync("t1", _message("$1"))]
    batches = await listen(5)
    assert [len(batch.events) for batch in batches] == [1, 0, 0, 0, 0]
    assert slept == [0.25, 0.5]
