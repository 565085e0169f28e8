"""A store that lies from the beginning: its tree, its checkpoint and its bundle fit together, and still it is found.

Each lie is found by the one check that is made for it, so none of them can be left out.
"""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta
from hashlib import sha256

import pytest

from adapters.eventstore.blobs import MAGIC, bound
from adapters.eventstore.form import Header, associated, event_hash
from adapters.eventstore.seal import new_key, seal
from adapters.journal.verifier import Key, verify
from domain.journal.bundles import SealedRow
from domain.recording import BlobRef
from tests.sealed_journal import TEXT, Chronicle, SealedJournal

Lie = Callable[[Chronicle], Awaitable[None]]


def rewrite(store: SealedJournal, position: int, change: Callable[[SealedRow], SealedRow]) -> None:
    """Change a row, seal it anew under its own key, and let all rows of its mandate behind it follow it."""
    changed = change(store.stored[position - 1])
    mandate = changed.recorded.mandate
    heads: dict[object, bytes] = {}
    for place, row in enumerate(store.stored, start=1):
        row = changed if place == position else row  # noqa: PLW2901 - the changed row takes its place
        if row.recorded.mandate == mandate and place >= position:
            row = _sealed(row, heads.get(mandate, Header.of(row.state).previous))  # noqa: PLW2901 - as above
        store.stored[place - 1] = row
        heads[row.recorded.mandate] = row.hash
    store.heads = {row.recorded.mandate: row.hash for row in store.stored}


def _sealed(row: SealedRow, previous: bytes) -> SealedRow:
    one = row.recorded
    assert row.data_key is not None
    assert row.plaintext is not None
    content = seal(row.data_key, row.plaintext, associated(one.mandate, one.stream, one.version, row.topic))
    state = Header(one.mandate, one.number, previous, one.logged_at).before(content)
    return replace(row, state=state, hash=event_hash(one.stream, one.version, row.topic, state, one.position))


async def changed_row(chronicle: Chronicle) -> None:
    """The tree has the hash of a row that is no longer the one stored; nobody can open it any more."""
    position = await chronicle.ingest()
    chronicle.store.erase(position)
    row = chronicle.store.stored[position - 1]
    chronicle.store.stored[position - 1] = replace(row, state=row.state[:-1] + bytes([row.state[-1] ^ 1]))


async def other_mandate_before(chronicle: Chronicle) -> None:
    """An event follows another one than the mandate's last, as if that had never been."""
    chronicle.store.heads[chronicle.ids["a"]] = bytes(31) + b"x"
    await chronicle.ingest()


async def clock_set_back(chronicle: Chronicle) -> None:
    """An event bears a time before that of the event before it."""
    position = await chronicle.ingest()
    await chronicle.ingest()
    rewrite(
        chronicle.store,
        position,
        lambda row: replace(row, recorded=replace(row.recorded, logged_at=row.recorded.logged_at - timedelta(hours=1))),
    )


async def event_left_out_of_its_stream(chronicle: Chronicle) -> None:
    """A run had an event between two others that was never recorded among the mandate's."""
    run = await chronicle.ask(await chronicle.ingest())
    position = (await chronicle.store.read(run))[-1].position
    rewrite(
        chronicle.store,
        position,
        lambda row: replace(row, recorded=replace(row.recorded, version=row.recorded.version + 1)),
    )


async def other_text_under_its_address(chronicle: Chronicle) -> None:
    """The same words, sealed once more: not what the event names."""
    await chronicle.ask(await chronicle.ingest())
    for key, text in chronicle.store.texts.items():
        data_key = new_key()
        content = MAGIC + seal(data_key, TEXT.encode(), bound(key[0]))
        chronicle.store.texts[key] = replace(text, content=content, data_key=data_key)


async def other_words_than_recorded(chronicle: Chronicle) -> None:
    """The stored text is none that was ever ingested."""

    async def put(mandate: object, text: str) -> BlobRef:
        ref = await SealedJournal.put(chronicle.store, mandate, text)  # type: ignore[arg-type]
        return BlobRef(ref.address, sha256(b"other words").hexdigest())

    chronicle.store.put = put  # type: ignore[method-assign]
    await chronicle.ask(await chronicle.ingest())


async def number_of_another(chronicle: Chronicle) -> None:
    """The header bears another number than the row is listed under."""
    position = await chronicle.ingest()
    row = chronicle.store.stored[position - 1]
    rewrite(chronicle.store, position, lambda row: replace(row, recorded=replace(row.recorded, number=99)))
    chronicle.store.stored[position - 1] = replace(chronicle.store.stored[position - 1], recorded=row.recorded)


async def event_of_nobody(chronicle: Chronicle) -> None:
    """A quote's version lies in no stream of a document: an event of another kind stands in its place."""
    version = await chronicle.ingest("lib", "public")
    await chronicle.ask(version)
    rewrite(chronicle.store, version, lambda row: replace(row, topic="LevelAssigned:1"))


LIES: dict[str, tuple[Lie, set[str]]] = {
    "hash": (changed_row, {"hash"}),
    "previous": (other_mandate_before, {"previous"}),
    "times": (clock_set_back, {"times"}),
    "stream": (event_left_out_of_its_stream, {"stream"}),
    "address": (other_text_under_its_address, {"address"}),
    "text": (other_words_than_recorded, {"text", "quotes", "quote"}),
    "header": (number_of_another, {"header"}),
    "stranger": (event_of_nobody, {"stranger", "uncited", "quotes", "quote"}),
}


@pytest.mark.parametrize("check", LIES)
async def test_a_false_history_is_found(check: str) -> None:
    """Signed by the true key, with every proof that such a history can have."""
    lie, expected = LIES[check]
    chronicle = Chronicle()
    await chronicle.open()
    await lie(chronicle)
    found = verify(await chronicle.file(), [Key.of(chronicle.key)])
    assert {fault for fault, _ in found.faults} == expected


async def test_the_rewriting_itself_is_faultless() -> None:
    """A row sealed anew with nothing changed makes a history that nobody can tell from a true one."""
    chronicle = Chronicle()
    await chronicle.open()
    position = await chronicle.ingest()
    await chronicle.ask(position)
    rewrite(chronicle.store, position, lambda row: row)
    assert verify(await chronicle.file(), [Key.of(chronicle.key)]).faults == []


async def test_a_checkpoint_of_another_journal_is_told_apart() -> None:
    """The name of the log is part of what is compared."""
    one = Chronicle()
    await one.open()
    held = (await one.checkpoint()).replace("example.org/journal\n", "example.org/other\n", 1)
    faults = {fault for fault, _ in verify(await one.file(), [Key.of(one.key)], held).faults}
    assert faults == {"held_signature", "held_origin"}
