"""Errors of PostgreSQL become errors a person can act on, here and nowhere else."""

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
import psycopg_pool
from psycopg import errors

from domain.errors import FundstelleError, PartError


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
