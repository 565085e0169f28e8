"""What a homeserver says about devices is believed as far as signatures carry it."""

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.matrix.signatures import key_id, sign
from bot.matrix.trust import Owner, owners
from tests.unit.matrix import replay
from tests.unit.matrix.people import ANNA, BEN, Someone, answer
from tests.unit.matrix.tampering import JSON, tamper

_ANNA = Someone(ANNA, confirmed=["HANDY", "BROWSER"], unconfirmed=["NEU"])
_BEN = Someone(BEN, confirmed=["LAPTOP"])
_HONEST = answer(_ANNA, _BEN)


def _told(said: Any) -> dict[str, Owner]:
    return {owner.person: owner for owner in owners(said)}


def test_an_honest_answer_confirms_what_owners_have_confirmed() -> None:
    """Devices with an unbroken chain to the master key are confirmed, the others are not."""
    assert _told(_HONEST) == {
        ANNA: Owner(ANNA, _ANNA.master, _ANNA.confirmed),
        BEN: Owner(BEN, _BEN.master, _BEN.confirmed),
    }


def test_what_a_real_homeserver_says_of_clients_of_others() -> None:
    """The signed device of Clara counts, her other one does not, and Dirk has signed nothing."""
    said = replay.sync("devices")
    clara, dirk = "@clara:kanzlei.example", "@dirk:kanzlei.example"
    signed = {name for name, told in said["device_keys"][clara].items() if len(told["signatures"][clara]) == 2}
    told = _told(said)
    assert {device.id for device in told[clara].confirmed} == signed
    assert (len(signed), len(said["device_keys"][clara])) == (1, 2)
    assert told[dirk] == Owner(dirk, None, frozenset())


def test_somebody_without_cross_signing_has_no_confirmed_device() -> None:
    """Who has never set it up is known, and nothing of theirs is confirmed."""
    said = {"device_keys": answer(_ANNA)["device_keys"]}
    assert _told(said) == {ANNA: Owner(ANNA, None, frozenset())}


def test_somebody_whose_server_did_not_answer_is_missing() -> None:
    """An answer that leaves a person out says nothing about that person."""
    assert _told({**answer(_BEN), "failures": {"other.example": {}}}).keys() == {BEN}


def _device(said: dict[str, Any]) -> Any:
    return said["device_keys"][ANNA]["HANDY"]


def _resigned(told: dict[str, Any]) -> None:
    """Let the device sign once more what it now claims, as whoever holds its key can."""
    name = told["device_id"]
    signer = _ANNA.devices["HANDY"]
    bare = {key: value for key, value in told.items() if key not in {"signatures", "unsigned"}}
    told["signatures"][ANNA][key_id(name)] = signer.sign(bare)


def _without_own_signature(said: dict[str, Any]) -> None:
    del _device(said)["signatures"][ANNA][key_id("HANDY")]


def _without_owners_signature(said: dict[str, Any]) -> None:
    del _device(said)["signatures"][ANNA][key_id(_ANNA.keys.public("self_signing"))]


def _signed_by_the_master_key(said: dict[str, Any]) -> None:
    told = _device(said)
    del told["signatures"][ANNA][key_id(_ANNA.keys.public("self_signing"))]
    told["signatures"][ANNA][key_id(_ANNA.master)] = sign(_ANNA.keys.master, told)


def _signed_by_somebody_else(said: dict[str, Any]) -> None:
    told = _device(said)
    signature = sign(_BEN.keys.self_signing, told)
    told["signatures"][ANNA] = {
        key_id("HANDY"): told["signatures"][ANNA][key_id("HANDY")],
        key_id(_BEN.keys.public("self_signing")): signature,
    }


def _another_self_signing_key(said: dict[str, Any]) -> None:
    said["self_signing_keys"][ANNA] = _BEN.keys.published("self_signing")


def _self_signing_key_in_annas_name(said: dict[str, Any]) -> None:
    told = {**_BEN.keys.published("self_signing"), "user_id": ANNA}
    told["signatures"] = {ANNA: {key_id(_BEN.master): sign(_BEN.keys.master, told)}}
    said["self_signing_keys"][ANNA] = told


def _unsigned_self_signing_key(said: dict[str, Any]) -> None:
    del said["self_signing_keys"][ANNA]["signatures"]


def _keys_swapped(said: dict[str, Any]) -> None:
    said["master_keys"][ANNA], said["self_signing_keys"][ANNA] = (
        said["self_signing_keys"][ANNA],
        said["master_keys"][ANNA],
    )


def _master_key_for_all_uses(said: dict[str, Any]) -> None:
    told = {**_ANNA.keys.published("master"), "usage": ["master", "self_signing"]}
    said["master_keys"][ANNA] = told
    said["self_signing_keys"][ANNA] = {
        **told,
        "signatures": {ANNA: {key_id(_ANNA.master): sign(_ANNA.keys.master, told)}},
    }


def _another_persons_device(said: dict[str, Any]) -> None:
    said["device_keys"][ANNA]["HANDY"] = said["device_keys"][BEN]["LAPTOP"]


def _under_another_name(said: dict[str, Any]) -> None:
    said["device_keys"][ANNA]["ANDERES"] = said["device_keys"][ANNA].pop("HANDY")


def _another_signing_key(said: dict[str, Any]) -> None:
    _device(said)["keys"][key_id("HANDY")] = _ANNA.devices["NEU"].ed25519


def _another_identity_key(said: dict[str, Any]) -> None:
    _device(said)["keys"]["curve25519:HANDY"] = _ANNA.devices["NEU"].curve25519
    _resigned(_device(said))


def _no_identity_key(said: dict[str, Any]) -> None:
    del _device(said)["keys"]["curve25519:HANDY"]
    _resigned(_device(said))


def _two_devices_with_one_key(said: dict[str, Any]) -> None:
    twin = said["device_keys"][ANNA]["NEU"]
    twin["keys"]["curve25519:NEU"] = _ANNA.devices["HANDY"].curve25519
    bare = {key: value for key, value in twin.items() if key not in {"signatures", "unsigned"}}
    twin["signatures"][ANNA][key_id("NEU")] = _ANNA.devices["NEU"].sign(bare)


def _wrong_algorithm(said: dict[str, Any]) -> None:
    signatures = _device(said)["signatures"][ANNA]
    _device(said)["signatures"][ANNA] = {name.replace("ed25519", "ed448"): one for name, one in signatures.items()}


def _confirmed_anew(told: dict[str, Any]) -> None:
    """Let device and owner sign what the device now claims: a client of theirs that is broken or was made so."""
    bare = {key: value for key, value in told.items() if key not in {"signatures", "unsigned"}}
    owner: Any = _ANNA.keys.vouched(bare)["signatures"]
    told["signatures"] = {ANNA: {key_id("HANDY"): _ANNA.devices["HANDY"].sign(bare), **owner[ANNA]}}


def _in_bens_name(said: dict[str, Any]) -> None:
    _device(said)["user_id"] = BEN
    _confirmed_anew(_device(said))


def _with_another_name_inside(said: dict[str, Any]) -> None:
    _device(said)["device_id"] = "ANDERES"
    _confirmed_anew(_device(said))


def _with_an_identity_key_that_is_none(said: dict[str, Any]) -> None:
    _device(said)["keys"]["curve25519:HANDY"] = "x"
    _confirmed_anew(_device(said))


def _signed_by_the_key_for_people(said: dict[str, Any]) -> None:
    said["self_signing_keys"][ANNA] = _ANNA.keys.published("user_signing")
    told = _device(said)
    told["signatures"][ANNA][key_id(_ANNA.keys.public("user_signing"))] = sign(_ANNA.keys.user_signing, told)


@pytest.mark.parametrize(
    "forge",
    [
        _without_own_signature,
        _without_owners_signature,
        _signed_by_the_master_key,
        _signed_by_somebody_else,
        _another_self_signing_key,
        _self_signing_key_in_annas_name,
        _unsigned_self_signing_key,
        _keys_swapped,
        _master_key_for_all_uses,
        _another_persons_device,
        _under_another_name,
        _another_signing_key,
        _another_identity_key,
        _no_identity_key,
        _two_devices_with_one_key,
        _wrong_algorithm,
        _in_bens_name,
        _with_another_name_inside,
        _with_an_identity_key_that_is_none,
        _signed_by_the_key_for_people,
    ],
)
def test_what_is_forged_is_not_confirmed(forge: Callable[[dict[str, Any]], None]) -> None:
    """Where one link of the chain is missing, swapped or made by somebody else, the device is not confirmed."""
    said = copy.deepcopy(_HONEST)
    forge(said)
    confirmed = _told(said)[ANNA].confirmed
    assert _ANNA.device("HANDY") not in confirmed
    assert confirmed <= _ANNA.confirmed
    assert _told(said)[BEN].confirmed == _BEN.confirmed


@given(JSON)
def test_whatever_a_server_sends_is_no_error(said: Any) -> None:
    """An answer of any shape is read, and tells of nobody."""
    assert all(not owner.confirmed for owner in owners(said))
    for part in ("device_keys", "master_keys", "self_signing_keys"):
        for owner in owners({**_HONEST, part: {ANNA: said}}):
            assert owner.confirmed <= _ANNA.confirmed | _BEN.confirmed


@given(st.data())
def test_no_change_to_an_answer_confirms_more_than_before(data: st.DataObject) -> None:
    """Whatever is taken out, put elsewhere or swapped, a device that its owner has not confirmed stays unconfirmed."""
    said = copy.deepcopy(_HONEST)
    for _ in range(data.draw(st.integers(1, 3))):
        tamper(said, data)
    for owner in owners(said):
        honest = {ANNA: _ANNA, BEN: _BEN}.get(owner.person)
        if honest is not None and owner.master == honest.master:
            assert owner.confirmed <= honest.confirmed
        else:
            assert not owner.confirmed


def test_an_answer_that_is_deep_is_no_error() -> None:
    """A device that is nested beyond measure is left out."""
    deep = json.loads('{"a":' * 500 + "1" + "}" * 500)
    said = copy.deepcopy(_HONEST)
    _device(said)["deep"] = deep
    assert _told(said)[ANNA].confirmed == _ANNA.confirmed - {_ANNA.device("HANDY")}
