"""The program, dying at a step of a question: ``python -m tests.dying_question STEP before|after ARGUMENT...``.

It kills itself before or after it records the events of the step of this number, counted from 0, the question itself.
"""

import os
import signal
import sys
from typing import Any

from bot.cli.main import main
from domain.asking.run import Recorder


def die_at(step: int, moment: str) -> None:
    """Arm the trap."""
    save, taken = Recorder.save, 0

    async def dying(recorder: Recorder, *events: Any) -> None:
        nonlocal taken
        here, taken = taken == step, taken + 1
        if here and moment == "before":
            os.kill(os.getpid(), signal.SIGKILL)
        await save(recorder, *events)
        if here:
            os.kill(os.getpid(), signal.SIGKILL)

    Recorder.save = dying  # type: ignore[method-assign]


if __name__ == "__main__":
    die_at(int(sys.argv[1]), sys.argv[2])
    sys.exit(main(sys.argv[3:]))
