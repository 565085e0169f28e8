"""A pytest plug-in: leaves out tests whose part is missing and says so; in CI a missing part is an error."""

import os
from functools import cache

import pytest

from tests.parts import PARTS


@cache
def _missing() -> dict[str, str]:
    return {part.marker: part.what for part in PARTS if not part.present()}


def pytest_configure() -> None:
    missing = {part.marker: part.what for part in PARTS if part.marker in _missing() and not part.by_night}
    if missing and os.environ.get("CI") == "true":
        raise pytest.UsageError(f"CI leaves nothing out, but this machine lacks: {'; '.join(missing.values())}")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    missing = _missing()
    unable = [item for item in items if any(item.get_closest_marker(marker) for marker in missing)]
    config.hook.pytest_deselected(items=unable)
    items[:] = [item for item in items if item not in unable]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for what in _missing().values():
        terminalreporter.write_line(f"left out for want of {what}: the tests that need it")
