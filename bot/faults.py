"""The logs in the data folder: warnings of ours, and errors that nobody foresaw by kind and place, never a value."""

import logging
import time
import traceback
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

NAME: Final = "faults.log"
WARNINGS: Final = "fundstelle.log"
_FRAMES: Final = 12
_OURS: Final = ("bot", "domain", "adapters", "projections")


class _Formatter(logging.Formatter):
    """Shows exceptions without their values."""

    def formatException(self, ei: Any) -> str:  # noqa: N802 - the name is that of the standard library
        """Return kind and place of an exception."""
        return describe(ei[1])


def log_into(data: Path) -> None:
    """Let our own warnings go to a file in the data folder; libraries may quote what they worked on, so theirs go."""
    logging.getLogger().addHandler(logging.NullHandler())
    if not _is_folder(data / "log"):
        return
    handler = logging.FileHandler(data / "log" / WARNINGS, encoding="utf-8", delay=True)
    formatter = _Formatter("%(asctime)sZ %(levelname)s %(name)s: %(message)s", "%Y-%m-%dT%H:%M:%S")
    formatter.converter = time.gmtime
    handler.setFormatter(formatter)
    handler.setLevel(logging.WARNING)
    for name in _OURS:
        logging.getLogger(name).addHandler(handler)


def write_down(error: BaseException, data: Path | None) -> Path | None:
    """Append kind and place of ``error`` to the log in the data folder.

    Returns:
        The log, or ``None`` if there is no data folder or it cannot be written.
    """
    if data is None or not _is_folder(data):
        return None
    log = data / "log" / NAME
    try:
        log.parent.mkdir(mode=0o700, exist_ok=True)
        with log.open("a", encoding="utf-8") as file:
            file.write(f"{datetime.now(UTC).isoformat(timespec='seconds')} {describe(error)}\n")
    except OSError:
        return None
    return log


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:  # a folder above it is closed to us
        return False


def describe(error: BaseException) -> str:
    """Return kind and place of ``error`` and of what caused it, without any of their values."""
    frames = traceback.extract_tb(error.__traceback__)[-_FRAMES:]
    places = " > ".join(f"{'/'.join(Path(frame.filename).parts[-3:])}:{frame.lineno}" for frame in frames)
    inner = error.exceptions if isinstance(error, BaseExceptionGroup) else ()
    cause = error.__cause__ or error.__context__
    causes = [*inner, *([cause] if cause is not None else [])]
    return f"{type(error).__qualname__} at {places or '?'}" + "".join(f" [{describe(one)}]" for one in causes)
