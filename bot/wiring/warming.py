"""Reads what the first question would otherwise wait for: models, word lists, views."""

from typing import TYPE_CHECKING, Final

from bot.model_config import OPENAI
from bot.models import SAMPLE
from domain.verifying.ports import Claim

if TYPE_CHECKING:
    from bot.wiring.app import App

_QUESTIONS: Final = ("Was ist eine Fundstelle?", "What is a reference?")
"""One for each language, since each has word lists of its own."""


async def warm_up(app: "App") -> None:
    """Read all that questions need in this process.

    Raises:
        InputError, PartError: a part does not answer now; the first question tries it again.
    """
    await app.views.reach()
    bound = app.bound
    for question in _QUESTIONS:
        for dense in {bound.dense.embedded, bound.dense.configured}:
            await dense.question(question)
        for sparse in {bound.sparse.embedded, bound.sparse.configured}:
            await sparse.question(question)
        for reranker in {bound.reranker.embedded, bound.reranker.configured}:
            await reranker.scores(question, [SAMPLE])
    if app.settings.models.judge.kind != OPENAI:
        await app.asking_parts.judge.judge([Claim(SAMPLE.text, SAMPLE.text)])
