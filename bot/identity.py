"""Who sits at the command line, told by the operating system, and how a person is named.

An identity is what its platform authenticates: the operating-system user (``anna``), the Matrix id
(``@anna:example.org``) or the Entra object id. The three forms cannot be mistaken for one another.
"""

import errno
import os
import pwd
import re
import unicodedata
from pathlib import Path
from typing import Final
from uuid import UUID

from domain.errors import InputError

_SYSTEM_USER: Final = re.compile(r"[a-z_0-9][a-z0-9_.\-]{0,31}|#\d{1,10}", re.ASCII | re.IGNORECASE)
_UNSEEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})
"""Kinds of characters that no identity has: they would make two of them look alike, or act on a terminal."""

_MATRIX: Final = re.compile(r"@[^\s:@]{1,200}:[^\s@]{1,200}")


def parse(text: str) -> str:
    """Return the identity that a person has written, in the one form it is registered under.

    Raises:
        InputError: ``identity``.
    """
    identity = unicodedata.normalize("NFC", text.strip())
    if _SYSTEM_USER.fullmatch(identity) or (_MATRIX.fullmatch(identity) and _is_seen(identity)):
        return identity
    try:
        return str(UUID(identity))
    except ValueError:
        raise InputError("identity", user=text) from None


def is_like(one: str, other: str) -> bool:
    """Say whether two identities are of the same form, so that one platform can authenticate both."""
    return _form(one) == _form(other)


def _form(identity: str) -> str:
    if identity.startswith("@"):
        return "matrix"
    return "system" if _SYSTEM_USER.fullmatch(identity) else "object"


def _is_seen(identity: str) -> bool:
    return not any(unicodedata.category(character) in _UNSEEN for character in identity)


def system_user() -> str:
    """Return the user that runs this process: by user id, since the environment can say anything."""
    return user_of(os.getuid())


def user_of(uid: int) -> str:
    """Return the identity of a user id; one without a name is written ``#1234``."""
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return f"#{uid}"


def must_reach(folder: Path) -> None:
    """Refuse a data folder that is closed to this user; one that is not there yet is no matter.

    Raises:
        InputError: ``data_folder_owner``, or ``data_folder`` when something else is in the way.
    """
    try:
        owner = folder.stat().st_uid
    except (FileNotFoundError, NotADirectoryError):
        return
    except OSError as error:
        raise InputError("data_folder", folder=folder, reason=error.strerror) from error
    if not os.access(folder, os.R_OK | os.X_OK):
        if owner != os.getuid():
            raise InputError("data_folder_owner", folder=folder)
        raise InputError("data_folder", folder=folder, reason=os.strerror(errno.EACCES))


def must_own(folder: Path, option: str) -> None:
    """Let only the owner of the data folder speak for somebody else.

    Raises:
        InputError: ``not_owner``.
    """
    if folder.stat().st_uid != os.getuid():
        raise InputError("not_owner", option=option, folder=folder)
