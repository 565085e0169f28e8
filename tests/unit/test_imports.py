"""The domain stands alone."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import domain

FOLDER = Path(domain.__path__[0])


def _imported(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            # A relative import would have no name here, and count as foreign.
            yield "." if node.level else str(node.module)


def test_the_domain_imports_the_standard_library_and_itself() -> None:
    """No other package, ours or foreign, anywhere in it, inside of functions included."""
    files = sorted(FOLDER.rglob("*.py"))
    open_to_it = {"domain", *sys.stdlib_module_names}
    foreign = {
        (file.relative_to(FOLDER).as_posix(), name)
        for file in files
        for name in _imported(file)
        if name.partition(".")[0] not in open_to_it
    }
    assert len(files) > 50
    assert foreign == set()
