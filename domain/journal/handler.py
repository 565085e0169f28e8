"""The commands of the journal: sign its head, change the key, take in what witnesses have signed."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final
from uuid import UUID

from domain.errors import ConflictError, InputError, PartError
from domain.journal.checkpoints import (
    Checkpoint,
    Cosigned,
    announced,
    announcing,
    cosignatures,
    read_checkpoint,
)
from domain.journal.events import CheckpointCosigned, CheckpointSigned, JournalKeyTaken
from domain.journal.notes import BrokenNoteError, Note, Signature, VerifierKey, Verifies
from domain.journal.ports import THE_STORE, JournalTree, Signer
from domain.recording import ATTEMPTS, Actor, Event, EventStore, Recorded, StreamName

_STREAM: Final = StreamName("journal", "journal")


@dataclass(frozen=True, slots=True)
class Witnesses:
    """Who else confirms checkpoints, and how many of them it takes."""

    keys: tuple[VerifierKey, ...] = ()
    quorum: int = 0


NO_WITNESSES: Final = Witnesses()


@dataclass(frozen=True, slots=True)
class Signed:
    """A checkpoint with its signatures."""

    checkpoint: Checkpoint
    note: Note
    cosigned: tuple[Cosigned, ...] = ()


@dataclass(frozen=True, slots=True)
class Log:
    """What the journal has said about itself.

    Attributes:
        keys: the public keys it has signed with, oldest first.
        signed: its checkpoints in the order of their recording.
    """

    stream: UUID | None = None
    version: int = 0
    keys: tuple[VerifierKey, ...] = ()
    signed: tuple[Signed, ...] = field(default=())

    @property
    def changes(self) -> tuple[Note, ...]:
        """Return the checkpoints by which a key has named the next one."""
        return tuple(one.note for one in self.signed if announced(one.note.text) is not None)


class Journal:
    """Signs heads of the journal and keeps what was signed.

    Args:
        store: where events are recorded.
        tree: the tree over them.
        signer: the signing keys.
        new_id: makes random ids.
        verifies: Ed25519.
        witnesses: who else confirms.
    """

    def __init__(
        self,
        store: EventStore,
        tree: JournalTree,
        signer: Signer,
        new_id: Callable[[], UUID],
        *,
        verifies: Verifies,
        witnesses: Witnesses,
    ) -> None:
        self._store = store
        self._tree = tree
        self._signer = signer
        self._verifies = verifies
        self._witnesses = witnesses
        self._new_id = new_id

    @property
    def key(self) -> VerifierKey:
        """The public key that checkpoints are signed with."""
        return self._signer.key

    def sealed(self, text: str) -> Note:
        """Sign a text that is no checkpoint with the key in use."""
        key = self._signer.key
        return Note(text, (Signature(key.name, key.id, self._signer.sign(text.encode())),))

    async def log(self) -> Log:
        """Return what was signed so far.

        Raises:
            InputError: ``checkpoint_broken`` when a recorded checkpoint does not hold.
            PartError: ``journal_damaged`` when what it has said about itself is gone.
        """
        stream = await self._store.find(_STREAM)
        if stream is None and (await self._store.batch(0, 1, (JournalKeyTaken,))).events:
            # Name and first event are recorded together, maybe just now; where the name stays away, it was taken away.
            stream = await self._store.find(_STREAM)
            if stream is None:
                raise PartError("journal_damaged")
        if stream is None:
            return Log()
        recorded = await self._store.read(stream)
        if not recorded:
            # The name is claimed together with the first event: where one is left, the other was taken away.
            raise PartError("journal_damaged")
        return self._read(recorded)

    async def checkpoint(self, actor: Actor) -> Signed:
        """Sign the head, record it and return it; a head that was signed already is returned again.

        Raises:
            InputError: ``journal_key_foreign``, ``journal_empty``, or ``checkpoint_differs`` when the journal is not
                the one that was signed before.
        """
        for _ in range(ATTEMPTS):
            log = await self._with_key(actor)
            size = await self._tree.size()
            if log.signed and _only_said(log, size):
                return log.signed[-1]
            await self._must_extend(log)
            signed = await self._sign(size, [(self._signer.key, self._signer.sign)])
            if await self._record(log, CheckpointSigned(size, str(signed.note)), actor):
                return signed
        raise ConflictError

    async def change_key(self, actor: Actor) -> Signed:
        """Take another key; the checkpoint that names it and that both have signed is recorded and returned.

        The next key is on disk before it is recorded and takes over after that, so a death in between leaves either
        the old state or the new one, and the next command finishes what was begun.

        Raises:
            InputError: ``journal_key_foreign`` or ``checkpoint_differs``, as for a checkpoint.
        """
        for _ in range(ATTEMPTS):
            log = await self._with_key(actor)
            key = self._signer.prepare()
            size = await self._tree.size()
            await self._must_extend(log)
            both = [(self._signer.key, self._signer.sign), (key, self._signer.sign_next)]
            signed = await self._sign(size, both, next_key=key)
            if await self._record(log, JournalKeyTaken(str(key), str(signed.note)), actor):
                self._signer.advance(key)
                return signed
        raise ConflictError

    async def accept(self, written: str, actor: Actor) -> Signed:
        """Take in a checkpoint of ours that witnesses have signed.

        Raises:
            InputError: ``checkpoint_broken`` when it is none of ours or a signature does not fit,
                ``checkpoint_unsigned`` when no witness that we know has signed, ``checkpoint_differs`` when our
                journal has another root at that size.
        """
        for _ in range(ATTEMPTS):
            log = await self._with_key(actor)
            signed = self.read(written, log.keys)
            if not signed.cosigned:
                raise InputError("checkpoint_unsigned")
            await self.must_agree(signed.checkpoint)
            names = tuple(one.witness.name for one in signed.cosigned)
            if await self._record(log, CheckpointCosigned(signed.checkpoint.size, written, names), actor):
                return signed
        raise ConflictError

    def read(self, written: str, keys: Sequence[VerifierKey]) -> Signed:
        """Read a checkpoint that one of ``keys`` has signed.

        Raises:
            InputError: ``checkpoint_broken``.
        """
        try:
            note = Note.of(written)
            checkpoint = read_checkpoint(note, keys, self._verifies)
            return Signed(checkpoint, note, cosignatures(note, self._witnesses.keys, self._verifies))
        except BrokenNoteError as error:
            raise InputError("checkpoint_broken", reason=error) from error

    async def must_agree(self, checkpoint: Checkpoint) -> None:
        """Refuse a checkpoint that is not one of this journal.

        Raises:
            InputError: ``checkpoint_differs``.
        """
        if checkpoint.size > await self._tree.size() or await self._tree.root(checkpoint.size) != checkpoint.root:
            raise InputError("checkpoint_differs", size=checkpoint.size)

    def confirmed(self, log: Log) -> Signed | None:
        """Return the largest checkpoint that as many witnesses have signed as it takes, however the notes came in."""
        witnessed: dict[Checkpoint, set[str]] = {}
        for one in log.signed:
            witnessed.setdefault(one.checkpoint, set()).update(each.witness.name for each in one.cosigned)
        enough = {found for found, names in witnessed.items() if len(names) >= max(1, self._witnesses.quorum)}
        fit = [one for one in log.signed if one.checkpoint in enough]
        return max(fit, key=lambda one: one.checkpoint.size, default=None)

    async def _with_key(self, actor: Actor) -> Log:
        """Return the log, with our first key recorded and a change of keys brought to its end.

        A key is recorded before it is in use. One that is in use while none is recorded tells of a journal that was
        here before this one.

        Raises:
            PartError: ``journal_begun``.
        """
        log = await self.log()
        if not log.keys and self._signer.in_use:
            log = await self.log()  # Somebody else may have recorded it since.
            if not log.keys:
                raise PartError("journal_begun")
        if not log.keys:
            # Whether or not somebody else was faster: there is one now.
            await self._record(log, JournalKeyTaken(str(self._signer.make()), ""), actor)
            return await self._with_key(actor)
        self._signer.advance(log.keys[-1])
        if self._signer.key != log.keys[-1]:
            raise InputError("journal_key_foreign")
        return log

    async def _must_extend(self, log: Log) -> None:
        """Refuse to sign another history than the one that was signed before.

        Raises:
            InputError: ``checkpoint_differs``.
        """
        if log.signed:
            await self.must_agree(max((one.checkpoint for one in log.signed), key=lambda one: one.size))

    async def _sign(
        self,
        size: int,
        signers: Sequence[tuple[VerifierKey, Callable[[bytes], bytes]]],
        next_key: VerifierKey | None = None,
    ) -> Signed:
        checkpoint = Checkpoint(self._signer.key.name, size, await self._tree.root(size))
        text = str(checkpoint) if next_key is None else announcing(str(checkpoint), next_key)
        signatures = tuple(Signature(key.name, key.id, sign(text.encode())) for key, sign in signers)
        return Signed(checkpoint, Note(text, signatures))

    async def _record(self, log: Log, event: Event, actor: Actor) -> bool:
        """Whether ``event`` was recorded; not when somebody else was faster."""
        stream = log.stream or self._new_id()
        name = _STREAM if log.stream is None else None
        try:
            await self._store.append(THE_STORE, stream, log.version, [event], actor, name=name)
        except ConflictError:
            return False
        return True

    def _read(self, recorded: Sequence[Recorded]) -> Log:
        keys: list[VerifierKey] = []
        signed: list[Signed] = []
        for one in recorded:
            match one.event:
                case JournalKeyTaken(key, note):
                    signed += [self._announced(key, note, keys[-1:])] if note or keys else []
                    keys.append(VerifierKey.of(key))
                case CheckpointSigned(note=note) | CheckpointCosigned(note=note):
                    signed.append(self.read(note, keys))
                case _:
                    # No key of the store's own mandate is ever deleted by an erasure, so none of this may be closed.
                    raise PartError("journal_damaged")
        return Log(recorded[0].stream, len(recorded), tuple(keys), tuple(signed))

    def _announced(self, key: str, note: str, before: Sequence[VerifierKey]) -> Signed:
        """Read the checkpoint by which the key ``before`` names the next one."""
        signed = self.read(note, before)
        if announced(signed.note.text) != key:
            raise InputError("checkpoint_broken", reason="another key is named")
        return signed


def _only_said(log: Log, size: int) -> bool:
    """Whether nothing was recorded since the last checkpoint but that checkpoint itself."""
    return size == log.signed[-1].checkpoint.size + 1
