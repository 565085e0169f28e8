"""The same question in the same state is answered the same way, and every recorded run can be computed once more."""

import json
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from itertools import cycle, islice
from math import gcd
from typing import Any

import pytest

from bot.cli.wishes import Wish, ask_of
from bot.config import load
from bot.wiring import App, open_app
from domain.asking.outcome import AnswerDelivered, AnswerRefused
from domain.asking.replaying import EQUAL
from domain.asking.values import Answer
from tests.data import LAW
from tests.e2e.records import rows
from tests.e2e.statutes import OFF_CORPUS, Statutes

pytestmark = pytest.mark.law

TIMES = 20
FEW, MANY = 60, 200
STEADY = (
    "Innerhalb welcher Frist kann der Versicherungsnehmer seine Vertragserklärung widerrufen?",
    "Wie viele Stunden darf man am Tag höchstens arbeiten?",
    "Was steht in § 3 BUrlG?",
    "Was regelt § 2500 VVG?",
    "Was ist eine Primzahl?",
    "What does § 8 Abs. 1 VVG say?",
)


@pytest.fixture
async def app(statutes: Statutes) -> AsyncIterator[App]:
    async with open_app(load(statutes.program.data, None, "de")) as app:
        yield app


async def asked(app: App, wish: Wish) -> Answer:
    return await app.asking.ask(await ask_of(app, wish))


@pytest.mark.parametrize("question", STEADY)
async def test_twenty_times_the_same(app: App, question: str) -> None:
    """Decision, sentences, anchors, scores and thresholds; each time a run of its own."""
    answers = [await asked(app, Wish(question, "Haus")) for _ in range(TIMES)]

    decided = {(repr(one.end), repr(one.relevance), repr(one.coverage), repr(one.verdict)) for one in answers}
    anchors = {tuple(str(source.anchor) for source in one.sources) for one in answers}
    quotes = {tuple(source.quote for source in one.sources) for one in answers}
    assert [len(decided), len(anchors), len(quotes)] == [1, 1, 1]
    assert len({one.run for one in answers}) == TIMES


def wishes(statutes: Statutes) -> Iterator[Wish]:
    """Yield questions of all kinds without end, now narrowed by document, by day, by what was known, now not."""
    lines = (LAW / "questions.examples.jsonl").read_text(encoding="utf-8").splitlines()
    law: list[dict[str, Any]] = [json.loads(line) for line in lines]
    plain = [Wish(one, "Haus") for one in STEADY] + [Wish(one["question"], "Haus") for one in OFF_CORPUS[::4]]
    # Questions without an answer stand together in the file: every third, then the others.
    plain += [Wish(one["question"], "Haus", valid_on=one["as_of"]) for start in range(3) for one in law[start::3]]
    ways: list[dict[str, Any]] = [
        {},
        {"document": ("VVG",)},
        {"at": statutes.before},
        {"valid_on": "2024-12-31"},
        {"scope": ("Recht",)},
    ]
    # Without a common divisor each question comes in each way.
    assert gcd(len(plain), len(ways)) == 1
    for wish, way in zip(cycle(plain), cycle(ways), strict=False):
        yield replace(wish, **way)


async def replayed(app: App, statutes: Statutes, count: int) -> Counter[str]:
    """Ask, replay and compare what is stored before and after; return how the runs have ended."""
    actor = await app.actor()
    ends: Counter[str] = Counter()
    for wish in islice(wishes(statutes), count):
        answer = await asked(app, wish)
        stored = rows(app.database, answer.run)

        replay = await app.again.replay(answer.run, actor.person, actor)

        unequal = [one for one in replay.replayed.values if one.outcome != EQUAL]
        assert unequal == [], wish
        assert rows(app.database, answer.run) == stored
        ends[_end(answer)] += 1
    return ends


def _end(answer: Answer) -> str:
    assert isinstance(answer.end, AnswerDelivered | AnswerRefused)
    return "answered" if isinstance(answer.end, AnswerDelivered) else answer.end.step


async def test_runs_of_all_kinds_replay_equal(app: App, statutes: Statutes) -> None:
    """Every value of every run, on the real searches, models and database; nothing that is stored changes."""
    ends = await replayed(app, statutes, FEW)
    assert min(ends[one] for one in ("answered", "relevance", "none_found")) >= 3, ends


@pytest.mark.nightly
async def test_two_hundred_runs_replay_equal(app: App, statutes: Statutes) -> None:
    """The same with more questions in more ways."""
    ends = await replayed(app, statutes, MANY)
    print(f"{MANY} runs replayed, all values equal: {dict(ends)}")
    assert min(ends[one] for one in ("answered", "relevance", "none_found")) >= 10, ends
