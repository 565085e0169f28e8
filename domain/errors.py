"""Every error a person can meet, and the exit code that belongs to it.

FundstelleError
├── InputError       2  the input is wrong; says what and how to put it right
│   └── AccessError  2  not open to the asker: one text for unknown, foreign and forbidden alike
├── PartError        3  a part we need does not answer; nothing is lost
└── ConflictError    -  somebody else recorded first; the handler reads again and decides again

An error carries a key of the locale files and the values for its text, never the text itself: the words stand
in ``bot/locales``, and a log shows key and values only. Values must not be private (no question text, no
document text).
"""

from typing import ClassVar


class FundstelleError(Exception):
    """An error with a fixed text in each language."""

    exit_code: ClassVar[int] = 1

    def __init__(self, key: str, /, **values: object) -> None:
        super().__init__(key, values)
        self.key = key
        self.values = {name: str(value) for name, value in values.items()}

    def __str__(self) -> str:
        """Return key and values, the form for logs."""
        shown = ", ".join(f"{name}={value}" for name, value in self.values.items())
        return f"{self.key}({shown})"


class InputError(FundstelleError):
    """The input is wrong; the text says what and how to put it right."""

    exit_code = 2


class AccessError(InputError):
    """Unknown, foreign or forbidden: deliberately one and the same for all three."""

    def __init__(self) -> None:
        super().__init__("access")


class PartError(FundstelleError):
    """A part we need does not answer; the text names it."""

    exit_code = 3


class ConflictError(FundstelleError):
    """The stream moved on between reading and appending."""

    def __init__(self) -> None:
        super().__init__("conflict")
