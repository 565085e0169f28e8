"""What statutes call the things that people name otherwise: "rausschmeißen" is "Kündigung"."""

from collections.abc import Callable
from functools import cache
from importlib.resources import files
from typing import Final

EVERYDAY: Final = "everyday.txt"

Stems = Callable[[list[str]], list[str]]


@cache
def content() -> bytes:
    """Return the file of everyday words as it ships."""
    return files("adapters.search").joinpath(EVERYDAY).read_bytes()


def everyday(stems: Stems) -> dict[str, tuple[str, ...]]:
    """Return for the stem of each everyday word the stems of what statutes call it.

    Args:
        stems: gives the stem of each word.
    """
    found: dict[str, dict[str, None]] = {}
    for line in content().decode("utf-8").splitlines():
        asked, _, said = line.partition(":")
        if line.startswith("#") or not said:
            continue
        for stem in stems(asked.split()):
            found.setdefault(stem, {}).update((other, None) for other in stems(said.split()) if other != stem)
    return {stem: tuple(others) for stem, others in found.items() if others}
