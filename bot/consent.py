"""A second person's consent as a file of theirs.

A data folder belongs to one user, so on one machine the second person often cannot start the program on it. Whom a file
belongs to is what the operating system says: on a local file system nobody but root can make one in somebody else's
name. (A share, or a file system that a user has mounted, may name any owner; docs/operations.md says so.) So the second
person writes down what they agree to, and whoever runs the installation hands the file in.
"""

import json
import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from uuid import UUID

from bot.identity import user_of
from domain.errors import InputError

_FORM: Final = "fundstelle consent 1"
_LONGEST: Final = 10_000
_OTHERS_MAY_WRITE: Final = 0o022


@dataclass(frozen=True, slots=True)
class Statement:
    """What somebody agrees to, as ``policy pending`` shows it.

    Attributes:
        value: empty where the change has none.
    """

    change: UUID
    kind: str
    subject: str
    value: str

    def matches(self, document: Mapping[str, Any]) -> bool:
        """Say whether it is about a change as it is shown."""
        return (self.kind, self.subject, self.value) == (
            document["kind"],
            document["subject"] or "",
            document["value"] or "",
        )


def write_consent(file: Path, statement: Statement) -> None:
    """Write a new file with the consent of whoever runs this.

    Raises:
        InputError: ``consent_not_written``.
    """
    content = {"form": _FORM, **_entries(statement)}
    try:
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o644)
        with os.fdopen(descriptor, "w", encoding="utf-8") as opened:
            opened.write(json.dumps(content, ensure_ascii=False) + "\n")
            # Under a narrow umask whoever hands it in could not read it; it holds nothing secret.
            os.fchmod(opened.fileno(), 0o644)
    except OSError as error:
        raise InputError("consent_not_written", file=file, reason=error.strerror) from error


def read_consent(file: Path) -> tuple[str, Statement]:
    """Return who agrees, by whom the file belongs to, and to what.

    Raises:
        InputError: ``consent_unreadable``, or ``consent_open`` when others may have written it.
    """
    try:
        descriptor = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(descriptor, "rb") as opened:
            status = os.fstat(opened.fileno())
            content = opened.read(_LONGEST) if stat.S_ISREG(status.st_mode) else b""
    except OSError as error:
        raise InputError("consent_unreadable", file=file) from error
    if status.st_mode & _OTHERS_MAY_WRITE:
        raise InputError("consent_open", file=file)
    return user_of(status.st_uid), _statement(file, content)


def _statement(file: Path, content: bytes) -> Statement:
    try:
        found = json.loads(content)
        statement = Statement(UUID(found["change"]), found["kind"], found["subject"], found["value"])
        if found == {"form": _FORM, **_entries(statement)}:
            return statement
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        pass
    raise InputError("consent_unreadable", file=file)


def _entries(statement: Statement) -> dict[str, str]:
    change, kind = str(statement.change), statement.kind
    return {"change": change, "kind": kind, "subject": statement.subject, "value": statement.value}
