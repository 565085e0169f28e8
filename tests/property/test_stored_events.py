"""What goes into a seal comes out of it, and nothing else does."""

from dataclasses import fields as fields_of
from datetime import UTC, date, datetime, timedelta
from uuid import UUID, uuid4

import pytest
from eventsourcing.persistence import StoredEvent
from hypothesis import given
from hypothesis import strategies as st

from adapters.eventstore.form import NO_EVENT, Header, event_hash, seal_of
from adapters.eventstore.mapper import Draft, Mapper
from adapters.eventstore.seal import BrokenSealError, new_key, seal, unseal
from adapters.eventstore.topics import TOPICS
from domain.knowledge.events import DocumentRegistered
from domain.recording import Actor, Event

MAPPER = Mapper(TOPICS)
MANDATE, STREAM, ACTOR = uuid4(), uuid4(), Actor(uuid4())
LOGGED_AT = datetime(2026, 1, 1, tzinfo=UTC)

st.register_type_strategy(float, st.floats(allow_nan=False, allow_infinity=False))
st.register_type_strategy(str, st.text(st.characters()))
st.register_type_strategy(date, st.dates())
st.register_type_strategy(datetime, st.datetimes(timezones=st.just(UTC)))


def stored(event: Event, data_key: bytes, version: int = 1) -> StoredEvent:
    """Return the whole row of an event."""
    sealed = MAPPER.to_stored_event(Draft(event, ACTOR, MANDATE, STREAM, version, data_key))
    state = Header(MANDATE, 1, NO_EVENT, LOGGED_AT).before(sealed.state)
    return StoredEvent(STREAM, version, sealed.topic, state)


@pytest.mark.parametrize("cls", TOPICS.classes(), ids=lambda cls: cls.__name__)
@given(data=st.data())
def test_every_event_comes_back_equal(cls: type[Event], data: st.DataObject) -> None:
    """For each registered class, with values of every kind its fields allow, lone surrogates included."""
    event = data.draw(st.builds(cls, **{field.name: st.from_type(field.type) for field in fields_of(cls)}))  # type: ignore[arg-type]
    data_key = new_key()

    assert MAPPER.to_domain_event(stored(event, data_key), MANDATE, data_key) == (event, ACTOR)


@given(place=st.floats(0, 1, exclude_max=True), bit=st.integers(0, 7), text=st.text(max_size=80))
def test_any_flipped_bit_of_a_seal_is_found(place: float, bit: int, text: str) -> None:
    """In the commitment, the nonce, the ciphertext and the tag alike."""
    data_key = new_key()
    row = stored(DocumentRegistered(text), data_key)
    sealed = bytearray(seal_of(row.state))
    sealed[int(place * len(sealed))] ^= 1 << bit
    damaged = StoredEvent(STREAM, 1, row.topic, row.state[: -len(sealed)] + bytes(sealed))

    with pytest.raises(BrokenSealError):
        MAPPER.to_domain_event(damaged, MANDATE, data_key)


@given(place=st.integers(0, 200), bit=st.integers(0, 7))
def test_any_flipped_bit_of_a_row_changes_its_hash(place: int, bit: int) -> None:
    """The header too, which the seal does not cover."""
    row = stored(DocumentRegistered("a" * 90), new_key())
    state = bytearray(row.state)
    state[place % len(state)] ^= 1 << bit

    assert event_hash(STREAM, 1, row.topic, bytes(state), 1) != event_hash(STREAM, 1, row.topic, row.state, 1)


def test_a_seal_opens_only_where_it_was_made() -> None:
    """Another mandate, stream, version, topic or key is found out."""
    data_key = new_key()
    row = stored(DocumentRegistered("a"), data_key, version=2)
    assert MAPPER.to_domain_event(row, MANDATE, data_key)[0] == DocumentRegistered("a")

    moved = [
        (row, uuid4(), data_key),
        (row, MANDATE, new_key()),
        (StoredEvent(uuid4(), 2, row.topic, row.state), MANDATE, data_key),
        (StoredEvent(STREAM, 3, row.topic, row.state), MANDATE, data_key),
        (StoredEvent(STREAM, 2, "LevelAssigned:1", row.state), MANDATE, data_key),
    ]
    for stored_event, mandate, key in moved:
        with pytest.raises(BrokenSealError):
            MAPPER.to_domain_event(stored_event, mandate, key)


@given(content=st.binary(max_size=300), bound=st.binary(max_size=20))
def test_a_seal_gives_back_any_bytes(content: bytes, bound: bytes) -> None:
    """Compressed where that is shorter, as they are otherwise."""
    key = new_key()
    sealed = seal(key, content, bound)

    assert unseal(key, sealed, bound) == content
    assert len(sealed) <= 32 + 12 + 1 + len(content) + 16


def test_long_texts_are_compressed_before_they_are_encrypted() -> None:
    """A thousand equal words take less room than a hundred."""
    assert len(seal(new_key(), b"Frist " * 1000, b"")) < 600


def test_cut_off_seals_are_found() -> None:
    """However much is missing."""
    key = new_key()
    sealed = seal(key, b"content", b"")
    for length in range(len(sealed)):
        with pytest.raises(BrokenSealError):
            unseal(key, sealed[:length], b"")


@given(
    mandate=st.uuids(),
    number=st.integers(1, 2**63),
    previous=st.binary(min_size=32, max_size=32),
    logged_at=st.datetimes(datetime(1970, 1, 1), datetime(9000, 1, 1), timezones=st.just(UTC)),  # noqa: DTZ001
)
def test_a_header_comes_back_equal(mandate: UUID, number: int, previous: bytes, logged_at: datetime) -> None:
    """Down to the microsecond."""
    header = Header(mandate, number, previous, logged_at + timedelta(microseconds=1))
    assert Header.of(header.before(b"seal")) == header
    assert seal_of(header.before(b"seal")) == b"seal"


@pytest.mark.parametrize("state", [b"", b"FSE\x02" + bytes(100), b"FSE\x01" + bytes(63)])
def test_what_is_no_stored_form_is_refused(state: bytes) -> None:
    """Another version of the form, or a fragment."""
    with pytest.raises(ValueError, match="no stored form"):
        Header.of(state)
