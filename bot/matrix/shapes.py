"""Careful reads from JSON of any shape: what is not of the kind that is meant counts as missing."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any, Final

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_LATEST: Final = 253_370_764_799_000
"""Milliseconds to the end of the year 9998, since in no time zone there are instants from the year 10000 on; servers of
others may claim any number."""

DEEPEST: Final = 64
"""Objects and lists within each other that are read; the server's own form takes eight."""

LONGEST_ID: Final = 255
"""Bytes of an id of an event, a room or a person at most (Client-Server API, "Identifier Grammar")."""

_SIGN: Final = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"|[\[\]{}]', re.DOTALL)


def shallow(body: bytes) -> bytes:
    """Return JSON in which what lies deeper than ``DEEPEST`` is null, so that nobody can make us run out of stack."""
    if body.count(b"[") + body.count(b"{") <= DEEPEST:
        return body
    kept, end, depth = list[bytes](), 0, 0
    for found in _SIGN.finditer(body):
        if found[0] in {b"[", b"{"}:
            depth += 1
            if depth == DEEPEST + 1:
                kept += [body[end : found.start()], b"null"]
                end = len(body)
        elif found[0] in {b"]", b"}"}:
            if depth == DEEPEST + 1:
                end = found.end()
            depth -= 1
    return b"".join((*kept, body[end:]))


def table(value: object) -> dict[str, Any]:
    """Return an object of JSON, an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def rows(value: object) -> list[dict[str, Any]]:
    """Return the objects in a list of JSON, none for anything else."""
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def text(value: object) -> str:
    """Return a text without what no text may hold (NUL, halves of surrogate pairs), an empty one for anything else."""
    return value.replace("\0", "").encode("utf-8", "replace").decode("utf-8") if isinstance(value, str) else ""


def identifier(value: object) -> str:
    """Return an id, an empty one for what can be none: too long, or with anything but visible characters in it."""
    found = text(value)
    return found if found == value and found.isprintable() and len(found.encode()) <= LONGEST_ID else ""


def instant(milliseconds: object) -> datetime:
    """Return an instant of the server's clock; the epoch for anything that is none."""
    if isinstance(milliseconds, bool) or not isinstance(milliseconds, int):
        return _EPOCH
    return _EPOCH + timedelta(milliseconds=min(max(milliseconds, 0), _LATEST))
