"""A message too large for one event, in parts that each fit and read well alone."""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from bot.chat.markup import Node, html, plain

LARGEST: Final = 60_000
"""Bytes of an event of ours at most: a server takes 65,536 with what it adds itself."""

_ENVELOPE: Final = 1_500
"""Bytes around the words: who is mentioned, the thread, the run."""

BUDGET: Final = LARGEST * 3 // 4 - _ENVELOPE
"""Bytes of the words of a message: an encrypted one grows by a third, and they are written in ASCII before."""

_JOINT: Final = 16
"""Bytes between two pieces: a line break, a mark of a list."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A sentence or a source, which is not divided any more.

    Attributes:
        nodes: what it is; ``lead``: what parts it from the piece before.
    """

    nodes: tuple[Node, ...]
    lead: str = ""


def cost(nodes: Iterable[Node]) -> int:
    """Return the bytes that nodes take in an event, as HTML and as plain text together."""
    told = tuple(nodes)
    return len(json.dumps(html(told))) + len(json.dumps(plain(told)))


def packed(pieces: Sequence[Piece], first: int, later: int) -> list[list[Piece]]:
    """Return pieces in groups, in their order, as many as fit.

    Args:
        pieces: each of them fits alone.
        first: bytes that the first group may take.
        later: likewise each group behind it.
    """
    groups: list[list[Piece]] = [[]]
    left = first
    for piece in pieces:
        size = cost(piece.nodes) + _JOINT
        if size > left:
            groups.append([])
            left = later
        groups[-1].append(piece)
        left -= size
    return [group for group in groups if group]


def divided(text: str, build: Callable[[str], tuple[Node, ...]], budget: int) -> list[str]:
    """Return a text in pieces of which each fits once it is built; parted at a blank where there is one."""
    if cost(build(text)) + _JOINT <= budget or len(text) <= 1:
        return [text]
    middle = len(text) // 2
    blank = max(text.rfind(" ", 0, middle), text.rfind("\n", 0, middle))
    at = blank + 1 if blank > 0 else middle
    return [*divided(text[:at], build, budget), *divided(text[at:], build, budget)]


def fitting(text: str, build: Callable[[str], tuple[Node, ...]], budget: int, mark: str) -> str:
    """Return a text that fits once it is built: itself, or its beginning with ``mark`` behind it."""
    told, kept = text, text
    while kept and cost(build(told)) + _JOINT > budget:
        kept = kept[: len(kept) * 3 // 4]
        told = f"{kept.rstrip()} {mark}"
    return told
