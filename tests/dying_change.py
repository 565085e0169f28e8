"""The program, dying while it tells runs of a changed source: ``python -m tests.dying_change N ARGUMENT...``.

It kills itself before it would tell the run of this number, counted from 0: the change is committed, and the runs
before it have been told.
"""

import os
import signal
import sys
from typing import Any

from bot.cli.main import main
from domain.asking.notifying import SourceChanges


def die_at(number: int) -> None:
    """Arm the trap."""
    tell, told = SourceChanges._tell, 0

    async def dying(changes: SourceChanges, *arguments: Any) -> bool:
        nonlocal told
        if told == number:
            os.kill(os.getpid(), signal.SIGKILL)
        told += 1
        return await tell(changes, *arguments)

    SourceChanges._tell = dying  # type: ignore[method-assign]


if __name__ == "__main__":
    die_at(int(sys.argv[1]))
    sys.exit(main(sys.argv[2:]))
