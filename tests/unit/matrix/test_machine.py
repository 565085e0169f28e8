"""Encryption between devices in memory: what opens, for whom, and what an attacker gets."""

import json
from collections.abc import Iterator
from copy import copy, deepcopy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.matrix.crypto import Device
from bot.matrix.machine import MEGOLM, Machine
from bot.matrix.parse import incoming
from bot.matrix.signatures import is_signed
from domain.errors import PartError
from tests.unit.matrix.net import ROOM, Net
from tests.unit.matrix.replay import ANNA, BEN, BOT

TEXT = {"msgtype": "m.text", "body": "Guten Tag"}


@pytest.fixture
def net(tmp_path: Path) -> Iterator[Net]:
    found = Net(tmp_path)
    yield found
    found.close()


def _say(machine: Machine, name: str = "$1", **more: Any) -> dict[str, Any]:
    content = machine.encrypt(ROOM, "m.room.message", {**TEXT, **more})
    return {"event_id": name, "sender": machine.account, "type": "m.room.encrypted", "content": content}


def test_who_has_the_key_reads(net: Net) -> None:
    """We too, what we have said ourselves; nobody else."""
    anna, ben, bot = net.device(ANNA), net.device(BEN), net.device(BOT)
    net.share(bot, anna)
    event = _say(bot)
    for reader in (anna, bot):
        plain = reader.decrypt(event, ROOM)
        assert plain is not None
        assert (plain["type"], plain["content"], plain["sender"]) == ("m.room.message", TEXT, BOT)
    assert not ben.has_key(event, ROOM)
    assert ben.decrypt(event, ROOM) is None


def test_what_was_read_once_is_read_again_after_a_restart(net: Net) -> None:
    """From the store."""
    anna, bot = net.device(ANNA), net.device(BOT)
    net.share(anna, bot)
    event = _say(anna)
    assert bot.decrypt(event, ROOM) is not None
    bot.close()
    plain = net.device(BOT).decrypt(event, ROOM)
    assert plain is not None
    assert plain["content"] == TEXT


def test_nobody_can_put_words_in_the_mouth_of_another(net: Net) -> None:
    """The server may pass what Ben has written off as Anna's; the key tells whose it is."""
    anna, ben, bot = net.device(ANNA), net.device(BEN), net.device(BOT)
    net.share(ben, bot, anna)
    event = _say(ben)
    assert bot.has_key(event, ROOM)
    assert bot.decrypt(event | {"sender": ANNA}, ROOM) is None
    assert bot.decrypt(event | {"sender": BOT}, ROOM) is None
    assert bot.decrypt(event, ROOM) is not None


def test_an_old_message_cannot_be_said_again(net: Net) -> None:
    """The same ciphertext under another event is a replay; the same event may come twice."""
    anna, bot = net.device(ANNA), net.device(BOT)
    net.share(anna, bot)
    event = _say(anna)
    assert bot.decrypt(event, ROOM) is not None
    assert bot.decrypt(event, ROOM) is not None
    assert bot.decrypt(event | {"event_id": "$2"}, ROOM) is None


def test_nobody_takes_back_for_others_under_cover_of_encryption(net: Net) -> None:
    """No server has looked at what is taken back there: it tells nothing, and no key is waited for."""
    anna, bot = net.device(ANNA), net.device(BOT)
    net.share(anna, bot)
    content = anna.encrypt(ROOM, "m.room.redaction", {"redacts": "$question"})
    event = {"event_id": "$1", "sender": ANNA, "type": "m.room.encrypted", "content": content, "redacts": "$question"}
    plain = bot.decrypt(event, ROOM)
    assert plain is not None
    assert incoming(plain, ROOM, BOT) is None


def test_a_message_of_another_room_does_not_open(net: Net) -> None:
    """Its key belongs to its room."""
    anna, bot = net.device(ANNA), net.device(BOT)
    net.share(anna, bot)
    assert bot.decrypt(_say(anna), "!other:kanzlei.example") is None


def test_a_message_without_the_deprecated_names_opens(net: Net) -> None:
    """The specification lets senders leave out which device they are."""
    anna, bot = net.device(ANNA), net.device(BOT)
    net.share(anna, bot)
    event = _say(anna)
    del event["content"]["sender_key"], event["content"]["device_id"]
    assert bot.decrypt(event, ROOM) is not None


def test_a_relation_stays_readable_to_the_server(net: Net) -> None:
    """Else there would be no threads; what is said stays hidden."""
    anna, bot = net.device(ANNA), net.device(BOT)
    net.share(bot, anna)
    relation = {"rel_type": "m.thread", "event_id": "$q"}
    event = _say(bot, **{"m.relates_to": relation})
    assert event["content"]["m.relates_to"] == relation
    assert "Guten Tag" not in str(event)
    plain = anna.decrypt(event, ROOM)
    assert plain is not None
    assert plain["content"]["m.relates_to"] == relation


def test_a_key_that_is_shared_again_closes_nothing(net: Net) -> None:
    """Shared a second time it opens only what follows; what it opened before stays open, after a restart too."""
    anna, bot = net.device(ANNA), net.device(BOT)
    net.share(anna, bot)
    first = _say(anna)
    session = anna.olm.outbound_group_sessions[ROOM]
    session.users_shared_with.clear()
    key = {"algorithm": MEGOLM, "room_id": ROOM, "session_id": session.id, "session_key": session.session_key}
    bot.olm.create_group_session(anna.curve25519, anna.ed25519, ROOM, session.id, key["session_key"])
    assert bot.decrypt(first, ROOM) is not None
    bot.close()
    assert net.device(BOT).decrypt(first, ROOM) is not None


def test_a_key_goes_to_no_device_but_those_named(net: Net) -> None:
    """Not to another device of the same person, and not to one that nobody knows."""
    bot, anna, ben = net.device(BOT), net.device(ANNA), net.device(BEN)
    net.share(bot, anna, ben)
    messages = list(bot.share(ROOM, [Device(BEN, ben.id, ben.ed25519)]))
    assert [set(one["messages"]) for one in messages] == [{BEN}]
    assert not list(bot.share(ROOM, [Device(BEN, "DX", ben.ed25519)]))


def test_a_device_that_comes_back_is_there_again(net: Net) -> None:
    """One answer without it does not shut it out for ever."""
    anna, bot = net.device(ANNA), net.device(BOT)
    bot.learn(ANNA, {})
    assert not list(bot.devices({ANNA}))
    bot.learn(ANNA, {anna.id: net.listed[ANNA]})
    assert list(bot.devices({ANNA})) == [Device(ANNA, anna.id, anna.ed25519)]


def test_a_device_whose_signature_does_not_hold_is_none(net: Net) -> None:
    """Nor one that another person's list claims; the others in the list stay."""
    anna, bot = net.device(ANNA), net.device(BOT)
    forged = deepcopy(net.listed[ANNA])
    forged["device_id"] = "DX"
    bot.learn(ANNA, {anna.id: net.listed[ANNA], "DX": forged, "DY": net.listed[ANNA], "DZ": None})
    assert [one.id for one in bot.devices({ANNA})] == [anna.id]
    bot.learn(BEN, {anna.id: net.listed[ANNA]})
    assert not list(bot.devices({BEN}))


def test_keys_are_on_the_disk_before_the_server_has_them(tmp_path: Path) -> None:
    """After a crash in between, what others encrypt to them opens."""
    folder = tmp_path / "crash"
    folder.mkdir()
    machine = Machine(BOT, "DC", folder)
    keys = machine.keys_to_upload()
    assert keys is not None
    machine.close()
    again = Machine(BOT, "DC", folder)
    offered = again.keys_to_upload()
    assert offered is not None
    assert offered["device_keys"]["keys"] == keys["device_keys"]["keys"]
    assert keys["one_time_keys"].items() <= offered["one_time_keys"].items()
    again.close()


_VALUES = st.none() | st.integers() | st.text(max_size=9) | st.lists(st.integers(), max_size=2) | st.just({})
_CIPHER = st.fixed_dictionaries({"type": st.sampled_from([0, 1, 2]), "body": _VALUES}) | _VALUES
_OLM = st.fixed_dictionaries(
    {
        "type": st.just("m.room.encrypted"),
        "sender": st.just(ANNA) | _VALUES,
        "content": st.fixed_dictionaries(
            {
                "algorithm": st.just("m.olm.v1.curve25519-aes-sha2") | _VALUES,
                "sender_key": _VALUES,
                "ciphertext": st.dictionaries(
                    st.just("OWN"),
                    st.fixed_dictionaries({"type": st.sampled_from([0, 1, 2]), "body": _VALUES}) | _VALUES,
                ),
            }
        )
        | _VALUES,
    }
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(events=st.lists(_OLM | _VALUES, max_size=3) | _VALUES, keys=_VALUES | st.dictionaries(st.just(ANNA), _VALUES))
def test_what_other_servers_send_raises_nothing(net: Net, events: Any, keys: Any) -> None:
    """Of any shape; it opens nothing either."""
    machine = net.machines.get(BOT) or net.device(BOT)
    for event in events if isinstance(events, list) else []:
        content = event.get("content") if isinstance(event, dict) else None
        if isinstance(content, dict) and "OWN" in content.get("ciphertext", {}):
            content["ciphertext"][machine.curve25519] = content["ciphertext"].pop("OWN")
    machine.receive(events)
    machine.met({ANNA: keys})
    machine.met(keys)
    machine.learn(ANNA, keys)
    machine.counted(keys)
    assert machine.decrypt({"sender": ANNA, "content": keys}, ROOM) is None


def test_who_passes_a_key_on_as_their_own_closes_nothing(net: Net) -> None:
    """Everybody in a room has its keys: what somebody else has said stays readable, now and after a restart."""
    anna, ben, bot = net.device(ANNA), net.device(BEN), net.device(BOT)
    net.share(ben, bot)
    net.share(anna, ben, bot)
    copied = anna.olm.inbound_group_store.get(ROOM, anna.curve25519, anna.room_key_name(ROOM))
    stolen = copy(bot.olm.inbound_group_store.get(ROOM, anna.curve25519, copied.id))
    stolen.sender_key, stolen.ed25519 = ben.curve25519, ben.ed25519
    bot.olm.inbound_group_store.add(stolen)
    bot.olm.save_inbound_group_session(stolen)

    event = _say(anna)
    event["content"].pop("sender_key", None)
    assert bot.decrypt(event, ROOM) is not None
    bot.close()
    assert net.device(BOT).decrypt(event, ROOM) is not None


def test_nobody_has_devices_without_end(net: Net, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each gets every key by a message of its own, so that thousands of them would keep everybody else waiting."""
    anna, bot = net.device(ANNA), net.device(BOT)
    (tmp_path / "other").mkdir()
    other = Machine(ANNA, "DZWEI", tmp_path / "other")
    listed = [net.listed[ANNA], (other.keys_to_upload() or {})["device_keys"]]
    monkeypatch.setattr("bot.matrix.machine.MOST_DEVICES", 1)
    bot.learn(ANNA, {"broken": {}, **{one["device_id"]: one for one in listed}})
    assert [device.id for device in bot.devices([ANNA])] == [anna.id]
    other.close()


def test_what_is_sent_to_a_device_says_who_we_are(net: Net) -> None:
    """Our device's keys with all signatures go with a room key, inside of what only that device opens."""
    anna, bot = net.device(ANNA), net.device(BOT)
    told = bot.keys()
    assert is_signed(told, BOT, bot.id, bot.ed25519)
    introduced = {**told, "signatures": {BOT: {**told["signatures"][BOT], "ed25519:selbst": "x"}}}
    bot.introduce(introduced)
    opened: list[Any] = []
    usual = anna.olm._verify_olm_payload
    anna.olm._verify_olm_payload = lambda sender, said: (opened.append(said), usual(sender, said))[1]
    net.share(bot, anna)
    assert [said["sender_device_keys"] for said in opened] == [json.loads(json.dumps(introduced))]
    assert anna.decrypt(_say(bot), ROOM) is not None


@pytest.mark.parametrize("count", [-1_000, -(2**70)])
def test_a_server_that_claims_to_owe_us_keys_gets_a_store_of_them(net: Net, count: int) -> None:
    """As many as when it has none: making more would stop everything else."""
    bot = net.device(BOT)
    bot.counted({"signed_curve25519": count})
    assert len((bot.keys_to_upload() or {})["one_time_keys"]) == 50
    bot.uploaded({"signed_curve25519": count})
    assert len((bot.keys_to_upload() or {})["one_time_keys"]) == 50


def test_a_full_disk_is_a_part_that_does_not_answer(net: Net) -> None:
    """Whatever would be kept is not done; when there is room again it is, with the same store, and after a restart."""
    anna, bot = net.device(ANNA), net.device(BOT)
    store = bot._store.database
    store.execute_sql("PRAGMA max_page_count = 1")
    deeds = (
        lambda: [bot.remember_encrypted(f"!{number:0200}:x") for number in range(500)],
        lambda: [net.share(anna, bot) for _ in range(500)],
    )
    for deed in deeds:
        with pytest.raises(PartError, match="matrix_disk"):
            deed()
    store.execute_sql("PRAGMA max_page_count = 100000")
    net.share(anna, bot)
    event = _say(anna)
    assert bot.decrypt(event, ROOM) is not None
    bot.close()
    assert net.device(BOT).decrypt(event, ROOM) is not None
