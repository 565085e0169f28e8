"""The logs name kind and place of a fault, never a value."""

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.faults import describe, log_into, write_down

SECRET = "Frau Muster hat gekündigt"


def fault() -> Exception:
    """An error with a cause, both of which quote what they worked on."""
    try:
        int(SECRET)
    except ValueError as error:
        error.__cause__ = KeyError(SECRET)
        return error
    raise AssertionError


def test_a_description_holds_no_value() -> None:
    """Kind, place and cause are there, the message is not."""
    text = describe(ExceptionGroup(SECRET, [fault()]))
    assert SECRET not in text
    assert "ExceptionGroup" in text
    assert "ValueError at" in text
    assert "[KeyError at" in text
    assert "test_faults.py:" in text


def test_faults_are_written_down(tmp_path: Path) -> None:
    """One line each, in the data folder only."""
    assert write_down(fault(), None) is None
    assert write_down(fault(), tmp_path / "nowhere") is None
    log = write_down(fault(), tmp_path)
    assert log == write_down(fault(), tmp_path) == tmp_path / "log" / "faults.log"
    assert log is not None
    text = log.read_text(encoding="utf-8")
    assert len(text.splitlines()) == 2
    assert SECRET not in text


@pytest.fixture
def ours() -> Iterator[logging.Logger]:
    """A logger of ours, left as it was."""
    loggers = [logging.getLogger(name) for name in ("", "bot", "domain", "adapters", "projections")]
    before = [list(logger.handlers) for logger in loggers]
    yield loggers[1]
    for logger, handlers in zip(loggers, before, strict=True):
        for handler in set(logger.handlers) - set(handlers):
            handler.close()
        logger.handlers[:] = handlers


def test_warnings_go_to_a_file(tmp_path: Path, ours: logging.Logger) -> None:
    """Warnings of ours are kept with their exceptions described; below a warning nothing is written."""
    (tmp_path / "log").mkdir()
    log_into(tmp_path)
    ours.info("nebenbei")
    ours.warning("projection %s pauses", "known", exc_info=fault())
    text = (tmp_path / "log" / "fundstelle.log").read_text(encoding="utf-8")
    assert "WARNING bot: projection known pauses" in text
    assert "ValueError at" in text
    assert SECRET not in text
    assert "nebenbei" not in text


def test_a_missing_data_folder_is_not_made(tmp_path: Path, ours: logging.Logger) -> None:
    """Logging never creates a data folder."""
    log_into(tmp_path / "nowhere")
    ours.warning("x")
    assert not any(tmp_path.iterdir())
