"""Parts that some tests need and not every machine has. What is missing is left out, said so, and fails in CI.

A test names its part as a marker, for example ``@pytest.mark.law``.
"""

import os
from collections.abc import Callable
from dataclasses import dataclass

from tests.data import LAW


@dataclass(frozen=True)
class Part:
    """Something that tests may need."""

    marker: str
    what: str
    present: Callable[[], bool]


PARTS = (
    Part("law", "the folder of German acts (FUNDSTELLE_LAW_DATA)", (LAW / "manifest.jsonl").is_file),
    Part("root", "root rights, to drop to another user", lambda: os.geteuid() == 0),
)
