"""An audit bundle as a file (docs/decisions/0013-audit-bundle.md); ``verifier.py`` checks it without this module."""

import json
from base64 import b64encode
from collections.abc import Callable
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from adapters.eventstore.codec import parse
from adapters.eventstore.shapes import shapes
from adapters.journal.verifier import FILES, FORM, LARGEST, SEAL, packed, sealed_text
from domain.errors import InputError
from domain.journal.bundles import Bundle, Line, SealedRow
from domain.journal.notes import Note

_README, _REPORT, _BUNDLE = FILES
_SHAPES: Final = shapes()


def bundle_file(bundle: Bundle, readme: str, report: str, sealed: Callable[[str], Note]) -> bytes:
    """Return the bytes of the file; the same content gives the same bytes.

    Args:
        bundle: what goes in.
        readme: says what the files are and how they are checked.
        report: the human-readable report (HTML).
        sealed: signs a text with the journal's key.

    Raises:
        InputError: ``bundle_large``.
    """
    document = json.dumps(bundle_document(bundle), sort_keys=True, separators=(",", ":"), allow_nan=False)
    files = {_README: readme.encode(), _REPORT: report.encode(), _BUNDLE: document.encode() + b"\n"}
    content = packed(files | {SEAL: str(sealed(sealed_text(files))).encode()})
    if len(content) > LARGEST:
        raise InputError("bundle_large", limit=f"{LARGEST >> 20} MB")
    return content


def bundle_document(bundle: Bundle) -> dict[str, Any]:
    """Return the content of ``bundle.json``."""
    mandate, wanted = bundle.mandate, bundle.wanted
    topics = {line.row.topic for line in bundle.lines if line.row}
    return {
        "form": FORM,
        "made_at": bundle.made_at.isoformat(),
        "mandate": {
            "id": str(mandate.id),
            "key": mandate.key,
            "name": mandate.name,
            "time_zone": mandate.time_zone,
        },
        "reader": {
            "person": str(bundle.reader),
            "role": bundle.member.role,
            "clearance": bundle.member.clearance,
        },
        "selection": {
            "first": bundle.first,
            "last": bundle.last,
            "from": _instant(wanted.since),
            "to": _instant(wanted.until),
            "run": _id(wanted.run),
            "person": _id(wanted.person),
        },
        "checkpoint": str(bundle.signed.note),
        "earlier": [
            {"size": one.size, "root": _coded(one.root), "proof": [_coded(step) for step in one.path]}
            for one in bundle.earlier
        ],
        "keys": [str(key) for key in bundle.keys],
        "changes": [str(note) for note in bundle.changes],
        "rows": [_row(line) for line in bundle.lines],
        "proof": [_coded(one) for one in bundle.proof],
        "texts": [
            {
                "mandate": str(one.mandate),
                "address": one.address,
                "content": _coded(one.content),
                "key": _coded(one.data_key),
            }
            for one in bundle.texts
        ],
        "quotes": [
            {
                "event": one.event,
                "label": one.label,
                "version": one.version,
                "start": one.start,
                "end": one.end,
                "text": one.text,
            }
            for one in bundle.quotes
        ],
        "schemas": {topic: _SHAPES[topic] for topic in sorted(topics & _SHAPES.keys())},
    }


def _row(line: Line) -> dict[str, Any]:
    entry = line.entry
    shown = {"position": entry.position, "number": entry.number, "hash": _coded(entry.hash)}
    if line.row is None:
        return shown
    return shown | _columns(line.row) | _content(line.row, is_open=line.is_open)


def _columns(row: SealedRow) -> dict[str, Any]:
    one = row.recorded
    return {
        "mandate": str(one.mandate),
        "stream": str(one.stream),
        "version": one.version,
        "topic": row.topic,
        "logged_at": one.logged_at.isoformat(),
        "state": _coded(row.state),
    }


def _content(row: SealedRow, *, is_open: bool) -> dict[str, Any]:
    if not is_open or row.data_key is None or row.plaintext is None:
        return {"erased": row.data_key is None}
    return {"key": _coded(row.data_key), "plain": parse(row.plaintext)}


def _coded(content: bytes) -> str:
    return b64encode(content).decode()


def _instant(instant: datetime | None) -> str | None:
    return None if instant is None else instant.isoformat()


def _id(one: UUID | None) -> str | None:
    return None if one is None else str(one)
