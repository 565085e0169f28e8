"""What the journal signs, with which key, and whom it believes."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from hashlib import sha256
from uuid import UUID, uuid4

import pytest

from adapters.journal.keys import verifies
from domain.errors import InputError, PartError
from domain.journal.checkpoints import Checkpoint, announced
from domain.journal.events import CheckpointSigned, JournalKeyTaken
from domain.journal.handler import NO_WITNESSES, Journal, Signed, Witnesses
from domain.journal.notes import Note, Signature
from domain.journal.ports import THE_STORE
from domain.knowledge.events import DocumentRegistered
from domain.recording import Actor, Recorded
from tests.memory import InMemoryEventStore
from tests.unit.journal.signing import MemorySigner, MemoryTree, Witness

ACTOR = Actor(uuid4())
ONE, TWO, THREE = Witness(1), Witness(2), Witness(3)
TWO_OF_THREE = Witnesses((ONE.key, TWO.key, THREE.key), 2)


class World:
    """A journal in memory."""

    def __init__(self, witnesses: Witnesses = NO_WITNESSES) -> None:
        self.store = InMemoryEventStore()
        self.signer = MemorySigner()
        self.journal = self.another(witnesses)

    def another(self, witnesses: Witnesses = NO_WITNESSES, signer: MemorySigner | None = None) -> Journal:
        """Return the journal as another process sees it."""
        tree = MemoryTree(self.store)
        return Journal(self.store, tree, signer or self.signer, uuid4, verifies=verifies, witnesses=witnesses)

    async def happens(self) -> None:
        """Record anything."""
        await self.store.append(uuid4(), uuid4(), 0, [DocumentRegistered("D")], ACTOR)

    async def recorded(self) -> list[object]:
        """Return what the journal has said about itself."""
        return [one.event for one in await self.store.after(0, 1_000) if one.mandate == THE_STORE]


async def test_a_checkpoint_covers_all_that_came_before_it() -> None:
    """Its size is the head, its root that of the tree, its signature that of the key."""
    world = World()
    await world.happens()
    signed = await world.journal.checkpoint(ACTOR)
    assert signed.checkpoint == Checkpoint(world.signer.key.name, 2, await MemoryTree(world.store).root(2))
    assert signed.note.signed_by(world.signer.key, verifies)
    first, second = await world.recorded()
    assert first == JournalKeyTaken(str(world.signer.key), "")
    assert second == CheckpointSigned(2, str(signed.note))


async def test_a_head_is_signed_once() -> None:
    """Nothing has happened since: the same checkpoint again, and no event; something has: another."""
    world = World()
    await world.happens()
    first = await world.journal.checkpoint(ACTOR)
    head = await world.store.head()
    assert await world.journal.checkpoint(ACTOR) == first
    assert await world.store.head() == head
    await world.happens()
    assert (await world.journal.checkpoint(ACTOR)).checkpoint.size == head + 1


async def test_two_who_sign_at_once_both_get_a_checkpoint() -> None:
    """One records first, the other decides anew; whatever they return is recorded and holds."""
    world = World()
    await world.happens()
    found = await asyncio.gather(*(world.another().checkpoint(ACTOR) for _ in range(5)))
    log = await world.journal.log()
    assert len(log.keys) == 1
    assert {one.checkpoint for one in found} <= {one.checkpoint for one in log.signed}


async def test_the_old_key_announces_the_new_one() -> None:
    """Both have signed one checkpoint; from then on the new one signs alone, and the old one is gone."""
    world = World()
    old = world.signer.key
    changed = await world.journal.change_key(ACTOR)
    new = world.signer.key
    assert new != old
    assert changed.note.signed_by(old, verifies)
    assert changed.note.signed_by(new, verifies)
    assert announced(changed.note.text) == str(new)
    await world.happens()
    after = await world.journal.checkpoint(ACTOR)
    assert after.note.signed_by(new, verifies)
    assert not after.note.signed_by(old, verifies)
    assert (await world.journal.log()).keys == (old, new)


async def test_a_key_that_the_one_before_has_not_named_is_none() -> None:
    """Anybody can put a signature of their own below a checkpoint of ours; that makes no key of the journal."""
    world = World()
    signed = await world.journal.checkpoint(ACTOR)
    thief = MemorySigner()
    own = Signature(thief.key.name, thief.key.id, thief.sign(signed.note.text.encode()))
    both = Note(signed.note.text, (*signed.note.signatures, own))
    log = await world.journal.log()
    assert log.stream is not None
    taken = JournalKeyTaken(str(thief.key), str(both))
    await world.store.append(THE_STORE, log.stream, log.version, [taken], ACTOR)
    with pytest.raises(InputError, match="checkpoint_broken"):
        await world.journal.log()


async def test_a_change_of_key_that_was_cut_off_is_finished() -> None:
    """Died after recording: the next command takes the recorded key. Died before it: the old one goes on."""
    world = World()
    await world.journal.checkpoint(ACTOR)
    old = world.signer.key
    world.signer.prepare()
    assert (await world.journal.checkpoint(ACTOR)).note.signed_by(old, verifies)
    left_behind = MemorySigner(world.signer.secret, world.signer.next_secret)
    await world.journal.change_key(ACTOR)
    again = await world.another(signer=left_behind).checkpoint(ACTOR)
    assert left_behind.key == world.signer.key
    assert again.note.signed_by(world.signer.key, verifies)


async def test_a_key_of_another_journal_signs_nothing() -> None:
    """A data folder whose key file was exchanged is noticed before anything is signed."""
    world = World()
    await world.journal.checkpoint(ACTOR)
    head = await world.store.head()
    foreign = world.another(signer=MemorySigner())
    for command in (foreign.checkpoint, foreign.change_key):
        with pytest.raises(InputError, match="journal_key_foreign"):
            await command(ACTOR)
    assert await world.store.head() == head


async def test_two_of_three_witnesses_confirm() -> None:
    """One alone does not; two do, even when their signatures come in one after the other."""
    world = World(TWO_OF_THREE)
    await world.happens()
    signed = await world.journal.checkpoint(ACTOR)
    await world.journal.accept(ONE.cosign(signed.note), ACTOR)
    assert world.journal.confirmed(await world.journal.log()) is None
    accepted = await world.journal.accept(THREE.cosign(signed.note), ACTOR)
    assert [one.witness for one in accepted.cosigned] == [THREE.key]
    confirmed = world.journal.confirmed(await world.journal.log())
    assert confirmed is not None
    assert confirmed.checkpoint == signed.checkpoint


async def test_the_same_witness_twice_is_one() -> None:
    """However often it signs, it counts once."""
    world = World(TWO_OF_THREE)
    signed = await world.journal.checkpoint(ACTOR)
    for _ in range(2):
        await world.journal.accept(ONE.cosign(signed.note), ACTOR)
    assert world.journal.confirmed(await world.journal.log()) is None


async def test_a_signature_of_a_stranger_confirms_nothing() -> None:
    """A witness that the configuration does not name, or none at all."""
    world = World(Witnesses((ONE.key,), 1))
    signed = await world.journal.checkpoint(ACTOR)
    for written in (TWO.cosign(signed.note), str(signed.note)):
        with pytest.raises(InputError, match="checkpoint_unsigned"):
            await world.journal.accept(written, ACTOR)


async def test_what_is_not_ours_is_not_taken_in() -> None:
    """Another key, another root under our key, a size that we do not have, and no checkpoint at all."""
    world = World(TWO_OF_THREE)
    signed = await world.journal.checkpoint(ACTOR)
    stranger = World()
    theirs = await stranger.journal.checkpoint(ACTOR)
    for written in (ONE.cosign(theirs.note), "nothing", ""):
        with pytest.raises(InputError, match="checkpoint_broken"):
            await world.journal.accept(written, ACTOR)
    for checkpoint in (
        Checkpoint(signed.checkpoint.origin, 1, bytes(32)),
        Checkpoint(signed.checkpoint.origin, 1_000, signed.checkpoint.root),
    ):
        text, key = str(checkpoint), world.signer.key
        note = Note(text, (Signature(key.name, key.id, world.signer.sign(text.encode())),))
        with pytest.raises(InputError, match="checkpoint_differs"):
            await world.journal.accept(ONE.cosign(note), ACTOR)


async def test_a_journal_whose_record_was_taken_away_signs_nothing() -> None:
    """The name of its stream is there and no event: somebody has cut the database."""
    world = World()
    await world.journal.checkpoint(ACTOR)
    world.store._journal = []
    for command in (world.journal.checkpoint, world.journal.change_key):
        with pytest.raises(PartError, match="journal_damaged"):
            await command(ACTOR)


@pytest.mark.parametrize("sign", [Journal.checkpoint, Journal.change_key])
async def test_a_journal_whose_name_was_taken_away_does_not_begin_anew(
    sign: Callable[[Journal, Actor], Awaitable[Signed]],
) -> None:
    """Its own events tell; where they are gone as well, the key in use does, and nothing is recorded or signed."""
    world = World()
    await world.journal.checkpoint(ACTOR)
    world.store._names.clear()
    with pytest.raises(PartError, match="journal_damaged"):
        await sign(world.journal, ACTOR)
    world.store._journal = []
    with pytest.raises(PartError, match="journal_begun"):
        await sign(world.journal, ACTOR)
    assert await world.recorded() == []


async def test_a_first_checkpoint_that_was_cut_off_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """Died before or after the key was recorded: it is not in use yet, so the next command goes on."""
    world = World()
    key = world.signer.make()
    assert (await world.journal.log()).keys == ()
    with monkeypatch.context() as patched:
        patched.setattr(world.signer, "advance", lambda _: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            await world.journal.checkpoint(ACTOR)
    assert not world.signer.in_use
    assert (await world.journal.checkpoint(ACTOR)).note.signed_by(key, verifies)
    assert (await world.journal.log()).keys == (key,)


@pytest.mark.parametrize("sign", [Journal.checkpoint, Journal.change_key])
async def test_another_history_is_not_signed(sign: Callable[[Journal, Actor], Awaitable[Signed]]) -> None:
    """Whoever has rewritten what was signed before gets no signature for it, and no key takes over on top of it."""
    world = World()
    await world.happens()
    await world.journal.checkpoint(ACTOR)
    await world.happens()
    key, said = world.signer.key, await world.recorded()
    rewritten = Journal(
        world.store, RewrittenTree(world.store), world.signer, uuid4, verifies=verifies, witnesses=NO_WITNESSES
    )
    with pytest.raises(InputError, match="checkpoint_differs"):
        await sign(rewritten, ACTOR)
    assert (world.signer.key, await world.recorded()) == (key, said)
    await sign(world.journal, ACTOR)


class RewrittenTree(MemoryTree):
    """The tree over events of which one has been exchanged."""

    async def root(self, size: int) -> bytes:
        return sha256(await super().root(size)).digest()


async def test_a_record_that_cannot_be_opened_is_damage() -> None:
    """Without its keys it would look as if nothing had ever been signed, and a second first key could be taken."""
    world = World()
    await world.journal.checkpoint(ACTOR)
    read = world.store.read

    async def closed(stream: UUID) -> list[Recorded]:
        return [replace(one, event=None) for one in await read(stream)]

    world.store.read = closed  # type: ignore[assignment,method-assign]
    with pytest.raises(PartError, match="journal_damaged"):
        await world.journal.checkpoint(ACTOR)
