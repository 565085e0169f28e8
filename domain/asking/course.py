"""How a run gets to its end: step after step, each recorded before the next begins."""

from collections.abc import Callable
from typing import Final

from domain.asking.case import Case
from domain.asking.outcome import RunFailed
from domain.asking.run import Recorder
from domain.asking.steps import next_step
from domain.errors import PartError

_MODEL: Final = "formulate"


Begins = Callable[[str], None]
"""Is told the name of each step as it begins."""


def unseen(_step: str) -> None:
    """Show nobody how a question gets on."""


async def finish(case: Case, recorder: Recorder, begins: Begins = unseen) -> dict[str, float]:
    """Take the steps that are left, and return how long each took in milliseconds, its recording included.

    A part that does not answer ends the run as well; it can be resumed.

    Raises:
        PartError: the end of the run could not be recorded.
        ConflictError: somebody else has taken the run on meanwhile.
    """
    timings_ms: dict[str, float] = {}
    while recorder.run.end is None:
        step = next_step(recorder.run)
        begins(step.name)
        began = case.parts.stopwatch()
        try:
            events = await step.take(case, recorder.run)
        except PartError as error:
            events = (RunFailed("model" if step.name == _MODEL else "degraded", error.key),)
        await recorder.save(*events)
        timings_ms[step.name] = round((case.parts.stopwatch() - began) * 1000, 2)
    return timings_ms
