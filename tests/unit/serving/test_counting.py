"""Questions are counted by what becomes of them, once each, and logged without their words."""

import logging
from uuid import uuid4

import pytest

from bot.serving.counting import CountedAgain, CountedAsking
from bot.serving.metrics import Metrics
from domain.errors import AccessError, PartError
from domain.recording import Actor
from tests.asking_world import World

QUESTION = "Wie lang ist die Frist der Kündigung?"
FRIST = "Die Frist der Kündigung ist drei Monate lang."


@pytest.fixture
async def world() -> World:
    found = await World().open()
    await found.add("a", "handbuch", FRIST)
    return found


def _numbers(metrics: Metrics) -> list[str]:
    return metrics.text().decode().splitlines()


async def test_a_question_is_counted_once(world: World, caplog: pytest.LogCaptureFixture) -> None:
    """Asked, then shown again by taking it up: one question, with what its steps took, and no word of it in the log."""
    caplog.set_level(logging.INFO)
    metrics = Metrics()
    answer = await CountedAsking(world.parts(), metrics).ask(world.question(QUESTION))
    asker = world.question(QUESTION).actor
    again = await CountedAgain(world.parts(), metrics).resume(answer.run, asker.person, asker)
    assert again.run == answer.run
    lines = _numbers(metrics)
    assert 'fundstelle_questions_total{outcome="answered"} 1.0' in lines
    assert 'fundstelle_step_seconds_count{step="whole"} 1.0' in lines
    assert 'fundstelle_step_seconds_count{step="search"} 1.0' in lines
    (line,) = caplog.records
    assert vars(line)["facts"]["outcome"] == "answered"
    assert "Kündigung" not in str(vars(line))


async def test_a_part_that_is_down_is_counted(world: World) -> None:
    """Whether it ends the run or keeps it from beginning; what is not open to the asker is no error."""
    metrics = Metrics()
    asking = CountedAsking(world.parts(), metrics)
    world.failing.add("reranker")
    await asking.ask(world.question(QUESTION))

    async def silent(*_: object) -> int:
        raise PartError("projection")

    world.reach = silent  # type: ignore[method-assign]
    with pytest.raises(PartError):
        await asking.ask(world.question(QUESTION))
    with pytest.raises(AccessError):
        await CountedAgain(world.parts(), metrics).resume(uuid4(), None, Actor(uuid4()))
    lines = _numbers(metrics)
    assert 'fundstelle_questions_total{outcome="failed"} 1.0' in lines
    assert 'fundstelle_errors_total{part="reranker"} 1.0' in lines
    assert 'fundstelle_errors_total{part="projection"} 1.0' in lines
    assert not any("access" in line for line in lines)
