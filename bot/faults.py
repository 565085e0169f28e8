"""The log of errors that nobody foresaw: kind and place of each, never a value."""

import traceback
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

NAME: Final = "faults.log"
_FRAMES: Final = 12


def write_down(error: BaseException, data: Path | None) -> Path | None:
    """Append kind and place of ``error`` to the log in the data folder.

    Returns:
        The log, or ``None`` if there is no data folder or it cannot be written.
    """
    if data is None or not data.is_dir():
        return None
    log = data / "log" / NAME
    try:
        log.parent.mkdir(mode=0o700, exist_ok=True)
        with log.open("a", encoding="utf-8") as file:
            file.write(f"{datetime.now(UTC).isoformat(timespec='seconds')} {describe(error)}\n")
    except OSError:
        return None
    return log


def describe(error: BaseException) -> str:
    """Return kind and place of ``error`` and of what caused it, without any of their values."""
    frames = traceback.extract_tb(error.__traceback__)[-_FRAMES:]
    places = " > ".join(f"{'/'.join(Path(frame.filename).parts[-3:])}:{frame.lineno}" for frame in frames)
    inner = error.exceptions if isinstance(error, BaseExceptionGroup) else ()
    cause = error.__cause__ or error.__context__
    causes = [*inner, *([cause] if cause is not None else [])]
    return f"{type(error).__qualname__} at {places or '?'}" + "".join(f" [{describe(one)}]" for one in causes)
