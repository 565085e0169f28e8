"""Errors of PostgreSQL and of its folders become errors a person can act on, here and nowhere else."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import psycopg
import psycopg_pool
from psycopg import errors

from domain.errors import FundstelleError, InputError, PartError

_FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT})


def failure(error: Exception) -> FundstelleError | None:
    """Return the error to raise instead of ``error``, or None if it is a fault of the statement itself."""
    match error:
        case errors.DiskFull():
            return PartError("disk_full")
        case errors.InvalidPassword() | errors.InvalidAuthorizationSpecification():
            return PartError("database_password")
        case psycopg_pool.PoolTimeout() | psycopg_pool.TooManyRequests() | psycopg_pool.PoolClosed():
            return PartError("database")
        case psycopg.OperationalError() if error.sqlstate is None or error.sqlstate.startswith(("08", "57P", "53")):
            return PartError("database_password" if "authentication failed" in str(error) else "database")
        case _:
            return None


@contextmanager
def translated() -> Iterator[None]:
    """Translate what psycopg raises inside the block.

    Raises:
        PartError: the server cannot be reached, refused the password, or has no space left.
    """
    try:
        yield
    except (psycopg.Error, psycopg_pool.PoolClosed) as error:
        found = failure(error)
        if found is None:
            raise
        raise found from error


@contextmanager
def folder_usable(folder: Path) -> Iterator[None]:
    """Translate what the operating system says about files inside the block.

    Raises:
        PartError: the disk is full.
        InputError: anything else about ``folder``: no right to write, a file in the way, a read-only disk.
    """
    try:
        yield
    except OSError as error:
        if error.errno in _FULL:
            raise PartError("disk_full") from error
        raise InputError("data_folder", folder=error.filename or folder, reason=error.strerror) from error
