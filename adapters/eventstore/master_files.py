"""Where master keys lie: in the environment, or in files that only their owner can read.

While the key is changed there are two: the one in use, and the next one beside it (``master.next.key``, or
``FUNDSTELLE_NEXT_MASTER_KEY``). The database says which of them wraps its keys.
"""

import base64
import binascii
import os
import secrets
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from adapters.durable import sync_folder, write_new
from adapters.eventstore.keys import NEXT_VARIABLE, VARIABLE, MasterKey
from adapters.eventstore.seal import new_key
from domain.errors import PartError


def next_file(file: Path) -> Path:
    """Return where the next key lies while the one in ``file`` is changed."""
    return file.with_name(f"{file.stem}.next{file.suffix}")


def load_master_key(file: Path, environment: Mapping[str, str] = os.environ) -> MasterKey:
    """Return the master key from ``FUNDSTELLE_MASTER_KEY`` (base64) or else from ``file``.

    Raises:
        PartError: ``master_key`` when it is missing or is no key.
    """
    text = environment.get(VARIABLE)
    place = VARIABLE if text else str(file)
    try:
        secret = _decoded(text or file.read_text(encoding="ascii"))
        return MasterKey(secret, place, lambda: _secrets(file, environment))
    except (OSError, ValueError, binascii.Error) as error:
        raise PartError("master_key", place=place) from error


def load_next_master_key(environment: Mapping[str, str] = os.environ) -> MasterKey:
    """Return the next key from ``FUNDSTELLE_NEXT_MASTER_KEY``.

    Raises:
        PartError: ``master_key`` when it is missing or is no key.
    """
    try:
        return MasterKey(_decoded(environment.get(NEXT_VARIABLE, "")), NEXT_VARIABLE)
    except (ValueError, binascii.Error) as error:
        raise PartError("master_key", place=NEXT_VARIABLE) from error


def advance(file: Path, master: MasterKey) -> None:
    """Let the next key take the place of the one in ``file`` if ``master``, which fits the database, is the next one.

    Raises:
        PartError: ``master_key`` when the folder cannot be written.
    """
    coming = next_file(file)
    try:
        if _decoded(coming.read_text(encoding="ascii")) in master:
            coming.replace(file)
            sync_folder(file.parent)
    except (FileNotFoundError, ValueError, binascii.Error):
        # There is none, or another process was faster; or what lies there is no key, so it is not the one that fits.
        return
    except OSError as error:
        raise PartError("master_key", place=str(coming)) from error


def _secrets(file: Path, environment: Mapping[str, str]) -> Iterator[bytes]:
    """Yield every master key that can be found."""
    found = [environment.get(name, "") for name in (VARIABLE, NEXT_VARIABLE)]
    for place in (file, next_file(file)):
        with suppress(OSError, UnicodeDecodeError):
            found.append(place.read_text(encoding="ascii"))
    for text in found:
        with suppress(ValueError, binascii.Error):
            yield _decoded(text)


def _decoded(text: str) -> bytes:
    """Return the key that ``text`` holds.

    Raises:
        ValueError: it holds none.
    """
    secret = base64.b64decode(text.strip(), validate=True)
    MasterKey(secret)
    return secret


def make_master_key(file: Path, environment: Mapping[str, str] = os.environ) -> MasterKey:
    """Return the master key, made on first call: ``file`` appears whole, durable and readable by its owner only.

    Of several processes that call this at once, one makes the key and all return it.

    Raises:
        PartError: ``master_key`` when it cannot be written or read.
    """
    if VARIABLE in environment or file.exists():
        return load_master_key(file, environment)
    draft = file.with_name(f".{file.name}.{secrets.token_hex(8)}")
    try:
        write_new(draft, base64.b64encode(new_key()) + b"\n")
        try:
            os.link(draft, file)
        except FileExistsError:
            return load_master_key(file, environment)
        finally:
            draft.unlink()
            sync_folder(file.parent)
    except OSError as error:
        raise PartError("master_key", place=str(file)) from error
    return load_master_key(file, environment)
