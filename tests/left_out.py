"""A pytest plug-in: leaves out tests whose part is missing and says so; in CI a missing part is an error."""

import os
from collections import Counter

import pytest

from tests.parts import PARTS

_left_out: Counter[str] = Counter()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    missing = {part.marker: part for part in PARTS if not part.present()}
    unable = [item for item in items if any(item.get_closest_marker(marker) for marker in missing)]
    for item in unable:
        _left_out.update(part.what for marker, part in missing.items() if item.get_closest_marker(marker))
    if unable and os.environ.get("CI") == "true":
        wanted = "; ".join(sorted(_left_out))
        raise pytest.UsageError(f"CI leaves nothing out, but this machine lacks: {wanted}")
    config.hook.pytest_deselected(items=unable)
    items[:] = [item for item in items if item not in unable]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for what, count in sorted(_left_out.items()):
        terminalreporter.write_line(f"left out: {count} tests for want of {what}")
