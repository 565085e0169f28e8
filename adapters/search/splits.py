"""The parts of words of public statutes, worked out beforehand: HanTa takes a millisecond for a word.

``splits.txt`` ships with the program and is written by ``bench/build_splits.py``: the words of published acts, nothing
of any installation. It names the rules that made it and a hash of its lines. Made by other rules, or damaged, it is not
used, and the parts are worked out as those of all other words are: it saves time and changes nothing.
"""

import hashlib
from collections.abc import Mapping
from importlib.resources import files
from typing import Final

FILE: Final = "splits.txt"


def shipped(rules: str) -> Mapping[str, tuple[str, ...]]:
    """Return the parts of each word in the file that ships; nothing where it does not fit ``rules``."""
    try:
        return read(files("adapters.search").joinpath(FILE).read_text(encoding="utf-8"), rules)
    except (OSError, UnicodeDecodeError):
        return {}


def read(text: str, rules: str) -> Mapping[str, tuple[str, ...]]:
    """Return the parts of each word in ``text``; nothing where it was made by other rules or is damaged."""
    heading, _, lines = text.partition("\n")
    if heading != _heading(lines, rules):
        return {}
    return {word: tuple(parts) for word, *parts in map(str.split, lines.splitlines())}


def written(splits: Mapping[str, tuple[str, ...]], rules: str) -> str:
    """Return what ``read`` reads: a line for each word, with its parts behind it."""
    lines = "".join(f"{' '.join((word, *parts))}\n" for word, parts in sorted(splits.items()))
    return f"{_heading(lines, rules)}\n{lines}"


def _heading(lines: str, rules: str) -> str:
    return f"# {rules} {hashlib.sha256(lines.encode()).hexdigest()}"
