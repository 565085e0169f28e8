"""What the journal is called, where its checkpoints go and who confirms them: the section ``[journal]``."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from domain.errors import InputError
from domain.journal.handler import NO_WITNESSES, Witnesses
from domain.journal.notes import BrokenNoteError, Kind, VerifierKey

ENTRIES: Final = frozenset({"origin", "folder", "room", "witnesses", "quorum"})


@dataclass(frozen=True, slots=True)
class JournalChoice:
    """How checkpoints are made and kept.

    Attributes:
        origin: name of the log, without spaces and ``+``; a name of its own without.
        folder: where each checkpoint is published, a place that the operator cannot change alone.
        witnesses: who confirms.
        room: the room on the chat platform that each checkpoint is posted to.
    """

    origin: str | None = None
    folder: Path | None = None
    witnesses: Witnesses = NO_WITNESSES
    room: str | None = None


UNPUBLISHED: Final = JournalChoice()
"""Checkpoints stay where they are made."""


def journal(table: Mapping[str, object], file: Path) -> JournalChoice:
    """Return what the section ``journal`` of a configuration says.

    Raises:
        InputError: ``config_type`` or ``config_value``.
    """
    section = table.get("journal", {})
    if not isinstance(section, dict):
        raise InputError("config_type", file=file, name="journal")
    for name in ("origin", "folder", "room"):
        if not isinstance(section.get(name, ""), str):
            raise InputError("config_type", file=file, name=f"journal.{name}")
    origin, folder = section.get("origin") or None, section.get("folder") or None
    try:
        VerifierKey(origin or "unnamed", bytes(32))
    except BrokenNoteError as error:
        raise InputError("config_value", file=file, name="journal.origin", known="example.org/fundstelle") from error
    room = section.get("room") or None
    if room and (not room.startswith("!") or "matrix" not in table):
        raise InputError("config_value", file=file, name="journal.room", known="!…:example.org ([matrix])")
    return JournalChoice(origin, Path(folder) if folder else None, _witnesses(section, file), room)


def _witnesses(section: Mapping[str, object], file: Path) -> Witnesses:
    names, quorum = section.get("witnesses", []), section.get("quorum", 0)
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise InputError("config_type", file=file, name="journal.witnesses")
    if not isinstance(quorum, int) or isinstance(quorum, bool):
        raise InputError("config_type", file=file, name="journal.quorum")
    try:
        keys = tuple(VerifierKey.of(name) for name in names)
    except BrokenNoteError as error:
        raise InputError("config_value", file=file, name="journal.witnesses", known="NAME+ID+BASE64") from error
    # One witness under two names would be a quorum of its own.
    apart = all(len(different) == len(keys) for different in ({key.name for key in keys}, {key.public for key in keys}))
    if not apart or any(key.kind is not Kind.COSIGNATURE for key in keys):
        raise InputError("config_value", file=file, name="journal.witnesses", known="NAME+ID+BASE64")
    if not (0 <= quorum <= len(keys)) or bool(keys) != bool(quorum):
        raise InputError("config_value", file=file, name="journal.quorum", known=f"1–{len(keys)}" if keys else "–")
    return Witnesses(keys, quorum)
