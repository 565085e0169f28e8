"""The journal checked as a whole: each stored row, and the tree against every checkpoint that can be had."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from eventsourcing.persistence import PersistenceError

from adapters.eventstore.rows import NO_ROW
from adapters.journal.audit import Findings, Problem, audit
from adapters.postgres.endpoint import Role
from bot.publishing import read_note
from domain.errors import FundstelleError, InputError
from domain.journal.checkpoints import Checkpoint
from domain.journal.handler import Journal, Log
from domain.journal.notes import BrokenNoteError, VerifierKey

if TYPE_CHECKING:
    from bot.wiring import App

DIFFERS: Final = "differs"
"""The tree has another root than a checkpoint says."""

TRUNCATED: Final = "truncated"
"""The journal is shorter than a checkpoint says."""

FORGED: Final = "forged"
"""A checkpoint is none, or no trusted key has signed it; or the journal has never signed with one."""

RECORD: Final = "record"
"""The journal's own record of its keys and checkpoints cannot be read."""


@dataclass(frozen=True, slots=True)
class Audited:
    """What the check has found.

    Attributes:
        external: size of the largest checkpoint held elsewhere that fits, ``None`` without one.
        confirmed: size of the largest one that enough witnesses have signed.
        own: how many recorded checkpoints were compared; ``others``: how many from outside.
    """

    findings: Findings
    external: int | None
    confirmed: int | None
    own: int
    others: int

    @property
    def intact(self) -> bool:
        """Whether nothing is wrong."""
        return not self.findings.counts

    @property
    def unprotected(self) -> int:
        """How many events no checkpoint from outside covers."""
        return self.findings.size - max(self.external or 0, self.confirmed or 0)


async def audited(app: "App", files: Sequence[Path], trusted: Sequence[VerifierKey]) -> Audited:
    """Check the journal.

    Args:
        app: the running program.
        files: checkpoints held elsewhere.
        trusted: keys that may have signed them; those that the journal says to have had where none are given.

    Raises:
        InputError: ``checkpoint_file`` when one of ``files`` cannot be read.
        PartError: the database does not answer.
    """
    journal, problems = app.journal, list[Problem]()
    log = await _log(journal, problems)
    if trusted and log.keys and not set(trusted) & set(log.keys):
        # Whoever writes a journal anew signs it with a key of their own.
        problems.append(Problem(FORGED, "journal"))
    notes = [(file, read_note(file)) for file in files]
    outside = [_outside(journal, file, text, trusted or log.keys, problems) for file, text in notes]
    own = [one.checkpoint for one in log.signed]
    held = [checkpoint for checkpoint in outside if checkpoint is not None]
    sizes = {checkpoint.size for checkpoint in (*own, *held)}
    findings = await asyncio.to_thread(audit, app.database.conninfo(Role.WRITER), sizes)
    for problem in problems:
        findings.add(problem.kind, problem.place)
    for checkpoint in (*own, *held):
        _compare(checkpoint, findings)
    fit = [checkpoint.size for checkpoint in held if _fits(checkpoint, findings)]
    confirmed = journal.confirmed(log)
    size = confirmed.checkpoint.size if confirmed and _fits(confirmed.checkpoint, findings) else None
    return Audited(findings, max(fit, default=None), size, len(own), len(notes))


async def _log(journal: Journal, problems: list[Problem]) -> Log:
    try:
        return await journal.log()
    except (FundstelleError, BrokenNoteError, PersistenceError, *NO_ROW) as error:
        if isinstance(error, FundstelleError) and error.key == "database":
            raise
        problems.append(Problem(RECORD, "journal"))
        return Log()


def _outside(
    journal: Journal, file: Path, text: str, keys: Sequence[VerifierKey], problems: list[Problem]
) -> Checkpoint | None:
    try:
        return journal.read(text, keys).checkpoint
    except InputError:
        problems.append(Problem(FORGED, file.name))
        return None


def _compare(checkpoint: Checkpoint, findings: Findings) -> None:
    if checkpoint.size > findings.size:
        findings.add(TRUNCATED, checkpoint.size)
    elif not _fits(checkpoint, findings):
        findings.add(DIFFERS, checkpoint.size)


def _fits(checkpoint: Checkpoint, findings: Findings) -> bool:
    return findings.roots.get(checkpoint.size) == checkpoint.root
