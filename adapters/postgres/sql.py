"""Named SQL: statements live in ``.sql`` files beside the adapter that uses them.

A file is a row of blocks, each opened by a line ``-- name: the_name``; comments inside a block stay with it.
"""

import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Final, LiteralString

_NAME: Final = re.compile(r"^-- name: (\w+)[ \t]*$", re.MULTILINE)


class Statements:
    """The statements of one file, by name: ``statements["append"]``."""

    def __init__(self, text: str, source: str) -> None:
        self._source = source
        self._blocks: dict[str, LiteralString] = {}
        for name, block in _blocks(text):
            if name in self._blocks:
                raise ValueError(f"{source}: two statements are named {name}")
            # psycopg takes literal strings only; a file shipped with the program is as good as a literal.
            self._blocks[name] = block

    def __getitem__(self, name: str) -> LiteralString:
        """Return the statement called ``name``.

        Raises:
            KeyError: the file has no such statement.
        """
        try:
            return self._blocks[name]
        except KeyError:
            raise KeyError(f"{self._source} has no statement named {name}") from None

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names in the order of the file."""
        return iter(self._blocks)


@cache
def statements(package: str, file: str) -> Statements:
    """Return the statements of ``file`` in ``package``, for instance ``("adapters.postgres", "roles.sql")``."""
    return Statements(files(package).joinpath(file).read_text(encoding="utf-8"), f"{package}/{file}")


def _blocks(text: str) -> list[tuple[str, str]]:
    marks = list(_NAME.finditer(text))
    ends = [*(mark.start() for mark in marks), len(text)][1:]
    return [(mark[1], text[mark.end() : end].strip()) for mark, end in zip(marks, ends, strict=False)]
