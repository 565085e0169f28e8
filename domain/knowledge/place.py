"""The citation place of a passage or a sentence inside its section.

"Abs. 2 Nr. 3 lit. a", or "Abs. 3 A III Nr. 1" of an outline.
"""

from collections.abc import Sequence

from domain.knowledge.outline import Piece


def place(pieces: list[Piece]) -> str:
    """Return what the sentences of a passage have in common, and the range where they part."""
    paths = [_path(piece) for piece in pieces]
    common: list[tuple[str, str]] = []
    for steps in zip(*paths, strict=False):
        label, first = steps[0]
        last_label, last = steps[-1]
        if any(step != steps[0] for step in steps):
            if label == last_label and first != last:
                common.append((label, f"{first} bis {last}"))
            break
        common.append(steps[0])
    return " ".join(f"{label} {number}".strip() for label, number in common)


def joint(places: Sequence[str], whole: str) -> str:
    """Return where several sentences stand, each place once; the place of them all where one has none of its own."""
    return ", ".join(dict.fromkeys(places)) if all(places) else whole


def _path(piece: Piece) -> list[tuple[str, str]]:
    steps = [("Abs.", piece.paragraph)] if piece.paragraph else []
    return steps + [_step(mark) for mark in piece.path]


def _step(mark: str) -> tuple[str, str]:
    bare = mark.strip("().")
    if not bare[0].isdigit():
        return ("" if bare[0].isupper() else "lit.", bare)
    return ("Ziff." if "." in bare else "Nr.", bare)
