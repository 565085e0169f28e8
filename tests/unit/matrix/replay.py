"""What a real homeserver has said once, as values (``tests/matrix/recording.py`` writes the files)."""

import json
from pathlib import Path
from typing import Any

from bot.chat.incoming import Incoming
from bot.matrix.parse import incoming

_FOLDER = Path(__file__).parent / "data"

ANNA, BEN, BOT = "@anna:kanzlei.example", "@ben:kanzlei.example", "@bot:kanzlei.example"


def sync(name: str) -> dict[str, Any]:
    """Return an answer of ``/sync``."""
    answer: dict[str, Any] = json.loads((_FOLDER / f"{name}.json").read_text("utf-8"))
    return answer


def timeline(name: str, kind: str = "join") -> tuple[str, list[dict[str, Any]]]:
    """Return the only room in an answer, and its events."""
    ((room, section),) = sync(name)["rooms"][kind].items()
    return room, section["timeline"]["events"]


def told(name: str, kind: str = "join") -> list[Incoming]:
    """Return what the events of the only room in an answer tell."""
    room, events = timeline(name, kind)
    return [found for event in events if (found := incoming(event, room, BOT)) is not None]
