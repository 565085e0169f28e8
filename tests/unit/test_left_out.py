"""The plug-in that leaves out tests for want of a part."""

from pathlib import Path

import pytest

pytest_plugins = ("pytester",)

PLUGIN = """
from tests import left_out
from tests.parts import Part
left_out.PARTS = (Part("moon", "the moon", lambda: False, by_night=BY_NIGHT),)
from tests.left_out import *
"""
TESTS = """
import pytest
@pytest.mark.moon
def test_needs_the_moon(): assert False
def test_needs_nothing(): assert True
"""


def run(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, ci: str, *, by_night: bool = False
) -> pytest.RunResult:
    monkeypatch.setenv("CI", ci)
    pytester.makeconftest(PLUGIN.replace("BY_NIGHT", str(by_night)))
    pytester.makepyfile(TESTS)
    return pytester.runpytest_subprocess("-p", "no:cacheprovider")


def test_a_missing_part_is_left_out_and_named(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    """Outside CI the other tests run and the summary names what was left out."""
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
    result = run(pytester, monkeypatch, "")
    result.assert_outcomes(passed=1, deselected=1)
    result.stdout.fnmatch_lines(["left out for want of the moon: the tests that need it"])


def test_ci_fails_for_a_missing_part(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    """In CI a missing part is an error, never a silent pass."""
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
    result = run(pytester, monkeypatch, "true")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*lacks: the moon*"])


def test_ci_does_without_what_only_the_night_needs(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is left out there as everywhere else, and named."""
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
    result = run(pytester, monkeypatch, "true", by_night=True)
    result.assert_outcomes(passed=1, deselected=1)
    result.stdout.fnmatch_lines(["left out for want of the moon: the tests that need it"])
