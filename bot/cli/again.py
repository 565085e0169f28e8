"""``run resume`` and ``run replay``: a recorded run taken up again."""

import argparse
from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

from rich.console import RenderableType
from rich.text import Text

from bot.answer_documents import answer_document
from bot.cli.command import Commands, Result
from bot.cli.runs import run_id
from bot.output import Table, done, failure, warning
from bot.terminal.answer import show_answer
from bot.text import Texts
from domain.asking.again import Replay
from domain.asking.outcome import RunFailed
from domain.asking.replaying import DIFFERS, EQUAL, NOT_REPRODUCIBLE, ReplayedValue
from domain.journal.viewing import RUN_REPLAY, RUN_RESUME

if TYPE_CHECKING:
    from bot.wiring import App

_DIFFERS: Final = 1
_DEGRADED: Final = 3


def register(commands: Commands) -> None:
    """Add the commands."""
    words = commands.texts
    group = commands.group("run")
    for parser in (group.add("resume", resume), group.add("replay", replay)):
        parser.add_argument("run_id", metavar="RUN", help=words("options.run"))
        parser.add_argument("--as", dest="as_user", metavar="USER", help=words("options.as"))


async def resume(app: "App", arguments: argparse.Namespace) -> Result:
    """Let a run go on that failed or was cut off."""
    run, actor = run_id(arguments.run_id), await app.looker(arguments.as_user)
    with arguments.out.stages() as begins:
        answer = await app.again.resume(run, actor.person, actor, begins)
    await app.viewing.at_run(RUN_RESUME, run, actor)
    texts = arguments.out.texts.answering(answer.question)
    code = _DEGRADED if isinstance(answer.end, RunFailed) else 0
    return Result([answer_document(answer, texts)], lambda _: [*show_answer(answer, texts, asked=True)], code)


async def replay(app: "App", arguments: argparse.Namespace) -> Result:
    """Compute every value of a run once more and compare."""
    run, actor = run_id(arguments.run_id), await app.looker(arguments.as_user)
    found = await app.again.replay(run, actor.person, actor)
    await app.viewing.at_run(RUN_REPLAY, run, actor)
    code = _DIFFERS if found.replayed.outcome == DIFFERS else 0
    return Result([_document(found)], lambda texts: [*_shown(found, texts)], code)


def _document(replay: Replay) -> dict[str, Any]:
    return {
        "run": str(replay.replayed.run),
        "replay": str(replay.id),
        "outcome": replay.replayed.outcome,
        "values": [
            {
                "step": one.step,
                "value": one.value,
                "outcome": one.outcome,
                "difference": one.difference,
                "reason": one.reason or None,
            }
            for one in replay.replayed.values
        ],
    }


def _shown(replay: Replay, texts: Texts) -> Iterator[RenderableType]:
    values = replay.replayed.values
    headings = [texts(f"replay.{name}") for name in ("step", "values", "result")]
    rows = []
    for step, of_step in groupby(values, lambda one: one.step):
        found = list(of_step)
        rows.append([texts(f"step.{step}"), str(len(found)), _result(found, texts)])
    yield Table(headings, rows)
    yield Text("")
    outcome = replay.replayed.outcome
    say = {EQUAL: done, DIFFERS: failure, NOT_REPRODUCIBLE: warning}[outcome]
    yield say(texts(f"replay.all_{outcome}"))


def _result(values: list[ReplayedValue], texts: Texts) -> str:
    differing = [one for one in values if one.outcome == DIFFERS]
    if differing:
        return "; ".join(_differing(one, texts) for one in differing)
    missing = next((one for one in values if one.outcome == NOT_REPRODUCIBLE), None)
    return texts("replay.equal") if missing is None else texts("replay.not_reproducible", reason=missing.reason)


def _differing(one: ReplayedValue, texts: Texts) -> str:
    if one.difference is None:
        return texts("replay.differs", value=one.value)
    return texts("replay.differs_by", value=one.value, difference=f"{one.difference:.3g}")
