"""Counts what becomes of questions and logs it, wherever they are asked."""

import logging
from typing import Final
from uuid import UUID

from bot.answer_documents import outcome
from bot.serving.logs import facts, short
from bot.serving.metrics import Metrics
from domain.asking.again import Again
from domain.asking.course import Begins, unseen
from domain.asking.outcome import RunFailed
from domain.asking.parts import Parts
from domain.asking.pipeline import Asking
from domain.asking.values import Answer, Ask
from domain.errors import PartError
from domain.recording import Actor

_LOG: Final = logging.getLogger(__name__)


class CountedAsking(Asking):
    """Asks, and counts."""

    def __init__(self, parts: Parts, metrics: Metrics) -> None:
        super().__init__(parts)
        self._metrics = metrics

    async def ask(self, ask: Ask, begins: Begins = unseen, *, run: UUID | None = None) -> Answer:
        """See ``Asking``."""
        try:
            return _counted(await super().ask(ask, begins, run=run), self._metrics)
        except PartError as error:
            self._metrics.failed(error.key)
            raise


class CountedAgain(Again):
    """Takes runs up again, and counts."""

    def __init__(self, parts: Parts, metrics: Metrics) -> None:
        super().__init__(parts)
        self._metrics = metrics

    async def resume(self, run: UUID, reader: UUID | None, actor: Actor, begins: Begins = unseen) -> Answer:
        """See ``Again``."""
        try:
            return _counted(await super().resume(run, reader, actor, begins), self._metrics)
        except PartError as error:
            self._metrics.failed(error.key)
            raise


def _counted(answer: Answer, metrics: Metrics) -> Answer:
    # A run that had ended before is shown again without timings: it was counted then.
    if answer.timings_ms:
        if isinstance(answer.end, RunFailed):
            metrics.failed(answer.end.part)
        metrics.ended(outcome(answer), answer.timings_ms)
        seconds = round(sum(answer.timings_ms.values()) / 1000, 3)
        told = facts(run=short(answer.run), outcome=outcome(answer), seconds=seconds)
        _LOG.info("a question has ended", extra=told)
    return answer
