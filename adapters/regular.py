"""Files that a configuration names."""

import errno
import os
import stat
from pathlib import Path


def regular(path: Path) -> Path:
    """Return the path of a file that can be read to its end.

    Raises:
        OSError: it is none: opening a pipe would wait for a writer that may never come.
    """
    if not stat.S_ISREG(path.stat().st_mode):
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL), str(path))
    return path
