"""The stored form read by its description alone (docs/decisions/0002-stored-form.md), with nothing of the program."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from uuid import UUID


@dataclass(frozen=True, slots=True)
class Row:
    """A row of ``stored_events``, column by column."""

    stream: UUID
    version: int
    topic: str
    state: bytes
    position: int


def fields(*parts: bytes) -> bytes:
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)


def hash_of(row: Row) -> bytes:
    return sha256(
        fields(
            b"fundstelle event 1",
            row.stream.bytes,
            row.version.to_bytes(8, "big"),
            row.topic.encode(),
            row.state,
            row.position.to_bytes(8, "big"),
        )
    ).digest()


def faults(rows: Iterable[Row]) -> list[str]:
    """Return what is wrong with the chains of ``rows``, which must be the whole journal in order."""
    found = []
    heads: dict[bytes, tuple[int, bytes]] = defaultdict(lambda: (0, bytes(32)))
    last_time = 0
    for place, row in enumerate(rows, start=1):
        state = row.state
        mandate, number, previous = state[4:20], int.from_bytes(state[20:28], "big"), state[28:60]
        time = int.from_bytes(state[60:68], "big")
        expected_number, expected_previous = heads[mandate][0] + 1, heads[mandate][1]
        checks = {
            "form": state[:4] == b"FSE\x01" and len(state) >= 68 + 32 + 12 + 16,
            "position": row.position == place,
            "number": number == expected_number,
            "previous": previous == expected_previous,
            "time": time >= last_time,
        }
        found += [f"{row.position}: {name}" for name, good in checks.items() if not good]
        heads[mandate] = (number, hash_of(row))
        last_time = time
    return found
