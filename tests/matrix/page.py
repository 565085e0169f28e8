"""What a person sees of a room: a page with hydrogen-view-sdk in a browser without a screen (``browser/``)."""

import asyncio
import json
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.matrix.person import PATIENCE, Person

FOLDER = Path(__file__).parent / "browser"
"""Its page is built there by ``npm ci && npm run build``."""


@dataclass(frozen=True)
class Tile:
    """A message as it stands in the room."""

    sender: str
    text: str


async def show(
    person: Person,
    password: str,
    room: str,
    texts: Sequence[str],
    *,
    picture: Path | None = None,
    size: tuple[int, int] = (900, 850),
) -> list[Tile]:
    """Log in with the page, open a room, wait until all ``texts`` stand in it, and return its messages.

    Args:
        person: who looks.
        password: of the account.
        room: which; it must be joined.
        texts: parts of messages, each within one line.
        picture: where a picture of the page is put.
        size: width and height of the page in pixels.
    """
    given = {
        "browser": shutil.which("chromium"),
        "query": {"homeserver": person.url, "user": person.id, "password": password, "room": room},
        "texts": list(texts),
        "picture": str(picture) if picture else None,
        "width": size[0],
        "height": size[1],
        "patience": PATIENCE,
    }
    process = await asyncio.create_subprocess_exec(
        str(shutil.which("node")), "show.mjs", cwd=FOLDER, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    output, _ = await process.communicate(json.dumps(given).encode())
    reply = json.loads(output)
    assert "error" not in reply, reply
    return [Tile(tile["sender"], tile["text"].strip()) for tile in reply["tiles"]]


def is_installed() -> bool:
    """Whether Node, the browser and the built page are there."""
    has_programs = all(shutil.which(name) for name in ("node", "chromium"))
    return has_programs and (FOLDER / "dist" / "index.html").is_file()
