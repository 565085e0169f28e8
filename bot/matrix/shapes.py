"""Careful reads from JSON of any shape: what is not of the kind that is meant counts as missing."""

from datetime import UTC, datetime, timedelta
from typing import Any, Final

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_LATEST: Final = 253_402_300_799_000
"""Milliseconds to the end of the year 9999; servers of others may claim any number."""


def table(value: object) -> dict[str, Any]:
    """Return an object of JSON, an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def rows(value: object) -> list[dict[str, Any]]:
    """Return the objects in a list of JSON, none for anything else."""
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def text(value: object) -> str:
    """Return a text without what no text may hold (NUL, halves of surrogate pairs), an empty one for anything else."""
    return value.replace("\0", "").encode("utf-8", "replace").decode("utf-8") if isinstance(value, str) else ""


def instant(milliseconds: object) -> datetime:
    """Return an instant of the server's clock; the epoch for anything that is none."""
    if isinstance(milliseconds, bool) or not isinstance(milliseconds, int):
        return _EPOCH
    return _EPOCH + timedelta(milliseconds=min(max(milliseconds, 0), _LATEST))
