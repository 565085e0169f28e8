"""The words people read, from ``locales/*.toml``, German and English side by side."""

import errno
import os
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Final

from domain.asking.language import told_language

LANGUAGES: Final = ("de", "en")

_REASONS: Final[Mapping[str, str]] = {
    os.strerror(number): f"system.{name}"
    for name, number in {
        "missing": errno.ENOENT,
        "denied": errno.EACCES,
        "forbidden": errno.EPERM,
        "folder": errno.EISDIR,
        "no_folder": errno.ENOTDIR,
        "exists": errno.EEXIST,
        "full": errno.ENOSPC,
        "read_only": errno.EROFS,
        "name_long": errno.ENAMETOOLONG,
        "in_use": errno.EADDRINUSE,
        "not_here": errno.EADDRNOTAVAIL,
    }.items()
}
"""What the operating system says, in English whatever the language of its user, and our word for it."""


class Texts:
    """Texts of one language by dotted key, with named placeholders.

    Args:
        language: ``de`` or ``en``.
        entries: the texts.
        is_chosen: somebody has asked for this language (``--lang``); else it is that of their system.
    """

    def __init__(self, language: str, entries: dict[str, str], *, is_chosen: bool = False) -> None:
        self.language = language
        self.is_chosen = is_chosen
        self._entries = entries

    def __call__(self, key: str, /, **values: object) -> str:
        """Return the text under ``key`` with its placeholders filled in; a ``reason`` of the system in our words.

        Raises:
            KeyError: the key or one of its placeholders is missing (a fault of ours, found by the tests).
        """
        reason = _REASONS.get(str(values.get("reason", "")))
        told = values if reason is None else {**values, "reason": self._entries[reason]}
        return self._entries[key].format(**told)

    def __contains__(self, key: str) -> bool:
        """Say whether there is a text under ``key``."""
        return key in self._entries

    def counted(self, noun: str, count: int) -> str:
        """Return a number with its noun in the right form, "1 Satz" or "2 Sätze"."""
        return self(f"count.{noun}") if count == 1 else self(f"count.{noun}s", count=count)

    def answering(self, question: str) -> "Texts":
        """Return the texts that an answer to ``question`` comes in: its language, unless another one was chosen."""
        told = None if self.is_chosen else told_language(question)
        return self if told is None or told == self.language else texts(told)


@cache
def texts(language: str, *, is_chosen: bool = False) -> Texts:
    """Return the texts of ``de`` or ``en``; ``is_chosen`` as for ``Texts``."""
    table = tomllib.loads(files("bot.locales").joinpath(f"{language}.toml").read_text(encoding="utf-8"))
    return Texts(language, dict(_flat(table, "")), is_chosen=is_chosen)


def _flat(table: dict[str, object], prefix: str) -> list[tuple[str, str]]:
    entries: list[tuple[str, str]] = []
    for key, value in table.items():
        if isinstance(value, dict):
            entries.extend(_flat(value, f"{prefix}{key}."))
        else:
            entries.append((f"{prefix}{key}", str(value)))
    return entries
