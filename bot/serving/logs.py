"""What happens, one line each on standard error: words for a person, JSON for a program.

Only our own loggers are heard; libraries quote what they work on. Facts are short ids, numbers and keys of errors: no
text of a message and no identity.
"""

import json
import logging
import sys
from datetime import UTC, datetime
from typing import Final, TextIO

from bot import faults

_SHORT: Final = 9
_OURS: Final = ("bot", "domain", "adapters", "projections")


def facts(**values: str | float | bool | None) -> dict[str, object]:
    """Return what a line tells beside its words, for ``extra`` of a logger."""
    return {"facts": values}


def short(identifier: object) -> str:
    """Return the beginning of an id of an event, a room or a run: enough to tell two apart in a log."""
    return str(identifier)[:_SHORT]


class JsonLines(logging.Formatter):
    """A record as one JSON document."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        told: dict[str, object] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "part": record.name,
            "what": record.getMessage(),
            **vars(record).get("facts", {}),
        }
        if record.exc_info and record.exc_info[1] is not None:
            told["error"] = faults.describe(record.exc_info[1])
        return json.dumps(told, ensure_ascii=False)


class Words(logging.Formatter):
    """A record as a line for a person."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        at = datetime.fromtimestamp(record.created).astimezone()
        told = ", ".join(f"{name} {value}" for name, value in vars(record).get("facts", {}).items())
        words = f"{at:%H:%M:%S} {record.getMessage()}{f' ({told})' if told else ''}"
        if record.exc_info and record.exc_info[1] is not None:
            words += f" [{faults.describe(record.exc_info[1])}]"
        return words


def log_to(stream: TextIO = sys.stderr) -> None:
    """Let our own loggers tell on ``stream`` what happens, from ``INFO`` on."""
    handler = logging.StreamHandler(stream)
    handler.setFormatter(Words() if stream.isatty() else JsonLines())
    handler.setLevel(logging.INFO)
    for name in _OURS:
        logger = logging.getLogger(name)
        logger.setLevel(logging.INFO)
        logger.addHandler(handler)
