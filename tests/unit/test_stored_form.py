"""The stored form, pinned byte by byte: a change here would break every journal."""

import hmac
import zlib
from datetime import UTC, datetime
from uuid import UUID

import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.keywrap import aes_key_unwrap
from eventsourcing.persistence import StoredEvent

from adapters.eventstore import seal as sealing
from adapters.eventstore.form import Header, event_hash
from adapters.eventstore.keys import MasterKey, OwnerKind
from adapters.eventstore.mapper import Draft, Mapper
from adapters.eventstore.topics import TOPICS
from domain.knowledge.events import DocumentRegistered, LevelAssigned
from domain.recording import Actor
from tests.stored_form import Row, fields, hash_of

MANDATE, STREAM, PERSON, OPERATOR = (UUID(int=number) for number in (1, 2, 3, 4))
DATA_KEY = bytes(range(32))
NONCE = bytes(range(100, 112))
LOGGED_AT = datetime(2026, 3, 1, 12, 0, 0, 123456, tzinfo=UTC)
GOLDEN_SEAL = (
    "567093d9ee815fd5f20201be3573ea0d321649d283e7eb4f859b43f623bfd6496465666768696a6b6c6d6e6f1c01e874fe17"
    "818b7c9699ff646ced68eb7cd3cd0a"
)
GOLDEN_HASH = "760efac231567385fb7d9af42163c5f74da4071cb5d382a532a0648a40a0f88e"
GOLDEN_STATE = bytes.fromhex(
    "4653450100000000000000000000000000000001000000000000000100000000000000000000000000000000000000000000"
    "0000000000000000000000064bf535b0f240567093d9ee815fd5f20201be3573ea0d321649d283e7eb4f859b43f623bfd649"
    "6465666768696a6b6c6d6e6f1d0d11a7dc3718ae8951b53fbf07eb1f4b5eb6683d5dc6cb341ddd3d36012f6146422174339e"
    "3ed752842327faa4a5bc38a0327233a43285903eb1ca90b85e458f13fdd494a448fdd6c62871d3d9ccb152f1ace3d5d91cbf"
    "84874f313bf9e3"
)


@pytest.fixture
def row(monkeypatch: pytest.MonkeyPatch) -> Row:
    """A row whose random parts are fixed."""
    monkeypatch.setattr(sealing.os, "urandom", lambda length: NONCE[:length])
    draft = Draft(LevelAssigned("secret"), Actor(PERSON, OPERATOR), MANDATE, STREAM, 7, DATA_KEY)
    stored = Mapper(TOPICS).to_stored_event(draft)
    state = Header(MANDATE, 5, b"\x11" * 32, LOGGED_AT).before(stored.state)
    return Row(STREAM, 7, stored.topic, state, 9)


def test_a_state_is_what_the_description_says(row: Row) -> None:
    """Offset by offset, opened by hand with the primitives alone."""
    state = row.state
    micros = int(LOGGED_AT.timestamp()) * 1_000_000 + 123456
    assert state[0:4] == bytes.fromhex("46534501")
    assert state[4:20] == MANDATE.bytes
    assert state[20:28] == (5).to_bytes(8, "big")
    assert state[28:60] == b"\x11" * 32
    assert state[60:68] == micros.to_bytes(8, "big")
    assert state[68:100] == hmac.digest(DATA_KEY, b"fundstelle commit 1", "sha256")
    assert state[100:112] == NONCE

    key = hmac.digest(DATA_KEY, b"fundstelle encrypt 1", "sha256")
    bound = fields(b"FSE\x01", MANDATE.bytes, STREAM.bytes, (7).to_bytes(8, "big"), b"LevelAssigned:1")
    plaintext = AESGCM(key).decrypt(state[100:112], state[112:], bound)
    people = f'"person":"{PERSON}","operator":"{OPERATOR}"'
    document = f'{{"actor":{{{people}}},"event":{{"level":"secret"}}}}'.encode()
    assert plaintext[:1] == b"\x01"
    assert zlib.decompress(plaintext[1:]) == document


def test_a_short_seal_is_not_compressed_and_never_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Golden, with fixed key and nonce."""
    monkeypatch.setattr(sealing.os, "urandom", lambda length: NONCE[:length])
    assert sealing.seal(DATA_KEY, b"text", b"bound").hex() == GOLDEN_SEAL


def test_a_row_of_this_form_can_be_read_for_ever() -> None:
    """Golden: bytes that were written once, zlib inside; read by the program, and hashed by the description too."""
    row = Row(STREAM, 1, "DocumentRegistered:1", GOLDEN_STATE, 9)
    stored = StoredEvent(row.stream, row.version, row.topic, row.state)

    assert Mapper(TOPICS).to_domain_event(stored, MANDATE, DATA_KEY) == (
        DocumentRegistered("handbuch/" * 20),
        Actor(PERSON),
    )
    assert event_hash(row.stream, row.version, row.topic, row.state, row.position).hex() == GOLDEN_HASH
    assert hash_of(row).hex() == GOLDEN_HASH


def test_wrapped_keys_never_change_their_form() -> None:
    """Opened by hand: master key, key of a mandate, data key."""
    master = MasterKey(DATA_KEY)
    row = master.new_owner_key(OwnerKind.MANDATE, MANDATE, STREAM)
    label = fields(b"fundstelle keyring 1", b"mandate", MANDATE.bytes, STREAM.bytes)
    secret = aes_key_unwrap(hmac.digest(DATA_KEY, label, "sha256"), row.wrapped)

    wrapped = master.opened(row).wrap(b"d" * 32, b"event")

    assert aes_key_unwrap(hmac.digest(secret, b"fundstelle wrap 1 event", "sha256"), wrapped) == b"d" * 32


def test_what_stands_for_names_never_changes() -> None:
    """Another code for a name would make every document unknown."""
    master = MasterKey(DATA_KEY)
    names = hmac.digest(DATA_KEY, b"fundstelle names 1", "sha256")
    identities = hmac.digest(DATA_KEY, b"fundstelle identities 1", "sha256")

    expected = hmac.digest(names, fields(b"document", MANDATE.bytes, "Kündigung".encode()), "sha256")
    assert master.first_marking().name_mac("document", MANDATE, "Kündigung") == expected
    assert master.first_marking().identity_mac("anna") == hmac.digest(identities, b"anna", "sha256")
