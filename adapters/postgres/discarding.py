"""Takes away what a set-up has made that did not come to its end."""

import shutil
from pathlib import Path
from typing import Final

from adapters.postgres.layout import find_home
from adapters.postgres.locks import FileLock

_PATIENCE_SECONDS: Final = 30.0


def discard(data: Path) -> None:
    """Empty a data folder that nobody uses, its cluster included; its server has been left and stops by itself."""
    if (data / "postgres").is_dir() or (data / "postgres.location").is_file():
        home = find_home(data)
        for name in ("keeper.lock", "server.lock"):
            lock = FileLock(home.run / name)
            lock.wait(_PATIENCE_SECONDS)
            lock.release()
        if home.folder != data:
            shutil.rmtree(home.folder)
    empty(data)


def empty(folder: Path) -> None:
    """Take away all that lies in a folder."""
    for entry in folder.iterdir():
        if entry.is_dir():
            shutil.rmtree(entry)
        else:
            entry.unlink()
