"""A question is killed at every one of its steps, before and after the step is recorded, and then resumed."""

import subprocess
import sys
from collections.abc import AsyncIterator
from uuid import UUID

import pytest

from bot.config import load
from bot.wiring import App, open_app
from domain.asking.outcome import AnswerDelivered
from domain.asking.replaying import EQUAL
from domain.asking.run import Run
from domain.asking.runs import filter_for
from domain.asking.steps import STEPS
from tests.e2e.program import CHECKOUT, SECONDS, Program

QUESTION = "Welche Frist gilt für die Kündigung?"
TEXT = "# Handbuch\n\n## Fristen\n\nDie Frist der Kündigung beträgt drei Monate zum Monatsende.\n"
KILLED = -9


@pytest.fixture(scope="module")
def asked(shared_program: Program, tmp_path_factory: pytest.TempPathFactory) -> UUID:
    """The mandate ``dying`` with one document, and the run of a question that nobody killed."""
    document = tmp_path_factory.mktemp("dying") / "handbuch.md"
    document.write_text(TEXT, encoding="utf-8")
    shared_program.must("mandate", "open", "dying")
    shared_program.must("ingest", document, "--mandate", "dying", "--level", "internal")
    return UUID(shared_program.must("ask", QUESTION, "--mandate", "dying", "--json").json["run"])


@pytest.fixture
async def app(shared_program: Program) -> AsyncIterator[App]:
    async with open_app(load(shared_program.data, None, "de")) as app:
        yield app


async def runs(app: App) -> dict[UUID, str | None]:
    mandate = await app.mandates.find("dying")
    wanted = filter_for(mandate, (await app.actor()).person, await app.views.reach())
    return {one.run: one.outcome for one in await app.runs_view.runs(wanted)}


def kill(program: Program, step: int, moment: str) -> None:
    arguments = program.command("ask", QUESTION, "--mandate", "dying", "--json")[4:]
    command = [sys.executable, "-P", "-m", "tests.dying_question", str(step), moment, *arguments]
    died = subprocess.run(
        command, check=False, capture_output=True, text=True, timeout=SECONDS, env=program.environment(), cwd=CHECKOUT
    )
    assert (died.returncode, died.stdout) == (KILLED, ""), died.stderr


@pytest.mark.parametrize("moment", ["before", "after"])
@pytest.mark.parametrize("step", range(1 + len(STEPS)))
async def test_no_question_is_lost_and_none_is_answered_twice(
    shared_program: Program, asked: UUID, app: App, step: int, moment: str
) -> None:
    """What was recorded is there; the run goes on to the same answer, and then stays as it is."""
    before = await runs(app)

    kill(shared_program, step, moment)

    left = {run: outcome for run, outcome in (await runs(app)).items() if run not in before}
    if (step, moment) == (0, "before"):
        assert left == {}
        return
    ((run, outcome),) = left.items()
    assert outcome == ("answered" if (step, moment) == (len(STEPS), "after") else None)
    actor = await app.actor()
    resumed = await app.again.resume(run, actor.person, actor)
    recorded = await app.store.read(run)
    whole = Run(await app.store.read(asked))
    assert resumed.end == whole.end
    assert sum(isinstance(one.event, AnswerDelivered) for one in recorded) == 1
    assert (await app.again.resume(run, actor.person, actor)).end == resumed.end
    assert await app.store.read(run) == recorded
    assert (await runs(app))[run] == "answered"
    assert (await app.again.replay(run, actor.person, actor)).replayed.outcome == EQUAL
