"""``eval``: how well the searches find and how well the relevance gate refuses, on questions with known answers.

Nothing is recorded: each question is looked up as ``search`` does it.
"""

import argparse
from collections.abc import Awaitable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from rich.console import RenderableType
from rich.text import Text

from bot.answers import decimal
from bot.cli.command import Commands, Result
from bot.cli.wishes import Wish, ask_of, keys_of
from bot.labelled import Labelled, read_labelled
from bot.looked_up import LookedUp, looked_up, qualities
from bot.output import Table, shown_number, warning
from bot.plots import draw_errors, draw_recall, must_be_plot
from bot.text import Texts
from domain.calibration.ranking import DEPTHS, GAIN_DEPTH, Quality
from domain.calibration.separation import Errors, Share, area_under_curve, curve, errors_at
from domain.errors import InputError
from domain.mandates.policies import RELEVANCE, threshold

if TYPE_CHECKING:
    from bot.wiring import App

T = TypeVar("T")


def register(commands: Commands) -> None:
    """Add the commands."""
    words = commands.texts
    group = commands.group("eval")
    for name, run in (("retrieval", retrieval), ("gate", gate)):
        parser = group.add(name, run)
        parser.add_argument("file", type=Path, metavar="FILE.jsonl", help=words("options.labelled"))
        parser.add_argument("--mandate", required=True, metavar="M", help=words("options.mandate"))
        parser.add_argument("--scope", metavar="M,LIB", help=words("options.scope"))
        parser.add_argument("--as", dest="as_user", metavar="USER", help=words("options.as"))
        parser.add_argument("--at", metavar="T", help=words("options.at"))
        parser.add_argument("--valid-on", metavar="D", help=words("options.valid_on"))
        parser.add_argument("--plot", type=Path, metavar="FILE.svg|png", help=words("options.plot"))


async def retrieval(app: "App", arguments: argparse.Namespace) -> Result:
    """Measure how high each list places the passages that answer."""
    questions = [one for one in _questions(arguments) if one.labels.answers]
    if not questions:
        raise InputError("labels_none")
    looked = await _look_up(app, questions, arguments)
    aims = {"answers": [one.answers for one in looked], "sections": [one.sections for one in looked]}
    measured = {aim: found for aim, ranks in aims.items() if (found := qualities(ranks))}
    if arguments.plot is not None:
        best = measured.get("sections", measured["answers"])
        texts = arguments.out.texts
        draw_recall(arguments.plot, {texts(f"eval.{name}"): one for name, one in best.items()}, texts)
    document = {
        "questions": len(questions),
        "out_of_sight": _warn_of_unseen(looked, arguments),
        **{aim: {name: _quality(one) for name, one in found.items()} for aim, found in measured.items()},
        "plot": _named(arguments.plot),
    }
    return Result([document], lambda texts: _show_retrieval(measured, texts))


async def gate(app: "App", arguments: argparse.Namespace) -> Result:
    """Measure both kinds of errors over the threshold; what a rule refuses before the gate passes at none."""
    questions = _questions(arguments)
    mandate, _ = await app.mandates.seen(arguments.mandate, await app.asker(arguments.as_user), arguments.at, app.now())
    looked = await _look_up(app, questions, arguments)
    scored = [one.scored for one in looked]
    in_force = threshold(mandate, RELEVANCE, app.bound.threshold_model(mandate)).value
    errors, area = curve(scored), area_under_curve(scored)
    now = None if in_force is None else errors_at(scored, in_force)
    if arguments.plot is not None:
        draw_errors(arguments.plot, errors, in_force, arguments.out.texts)
    document = {
        "questions": len(scored),
        "answerable": errors[0].refused_answerable.of,
        "unanswerable": errors[0].passed_unanswerable.of,
        "out_of_sight": _warn_of_unseen(looked, arguments),
        "auc": area,
        "threshold": in_force,
        "at_threshold": None if now is None else _errors(now),
        "curve": [_errors(one) for one in errors],
        "plot": _named(arguments.plot),
    }
    return Result([document], lambda texts: _show_gate(errors, now, area, texts))


def _questions(arguments: argparse.Namespace) -> Sequence[Labelled]:
    if arguments.plot is not None:
        must_be_plot(arguments.plot)
    return read_labelled(arguments.file, _common(arguments))


def _common(arguments: argparse.Namespace) -> Wish:
    return Wish(
        "",
        arguments.mandate,
        scope=None if arguments.scope is None else keys_of("scope", arguments.scope),
        as_=arguments.as_user,
        at=arguments.at,
        valid_on=arguments.valid_on,
    )


async def _look_up(app: "App", questions: Sequence[Labelled], arguments: argparse.Namespace) -> list[LookedUp]:
    """Look every question up; what is wrong with the options is told before what is wrong with a line.

    Raises:
        AccessError: the mandate or the scope of the command is not open to whoever asks.
        InputError: the options, or ``labels_refused`` for the first line that cannot be asked; of those that need no
            look at what is known, before the first question.
    """
    out, looked = arguments.out, []
    await app.admissions.admit(await ask_of(app, _common(arguments)), app.now())
    asks = [await _of_line(one, ask_of(app, one.wish), out.texts) for one in questions]
    with out.progress(out.texts("eval.asking"), len(questions)) as done:
        for number, (one, ask) in enumerate(zip(questions, asks, strict=True), 1):
            looked.append(looked_up(one.labels, await _of_line(one, app.asking.search(ask), out.texts)))
            done(number)
    return looked


async def _of_line(one: Labelled, work: Awaitable[T], texts: Texts) -> T:
    try:
        return await work
    except InputError as error:
        told = texts(f"errors.{error.key}", **error.values)
        raise InputError("labels_refused", line=one.line, reason=told) from error


def _warn_of_unseen(looked: Sequence[LookedUp], arguments: argparse.Namespace) -> int:
    """Return how many questions have all their answers where they may not look, and say so: they drag figures down."""
    unseen = sum(one.is_unseen for one in looked)
    if unseen:
        texts = arguments.out.texts
        arguments.out.note(warning(texts("eval.out_of_sight", questions=texts.counted("question", unseen))))
    return unseen


def _quality(one: Quality) -> dict[str, Any]:
    recall = {str(depth): value for depth, value in one.recall.items()}
    return {"questions": one.questions, "recall": recall, "mrr": one.mrr, f"ndcg@{GAIN_DEPTH}": one.ndcg}


def _errors(one: Errors) -> dict[str, Any]:
    return {
        "threshold": one.threshold,
        "refused_answerable": _share(one.refused_answerable),
        "passed_unanswerable": _share(one.passed_unanswerable),
    }


def _share(one: Share) -> dict[str, Any]:
    low, high = one.interval
    return {"count": one.count, "of": one.of, "share": one.value, "low": low, "high": high}


def _named(path: Path | None) -> str | None:
    return None if path is None else str(path)


def _show_retrieval(measured: Mapping[str, Mapping[str, Quality]], texts: Texts) -> list[RenderableType]:
    shown: list[RenderableType] = []
    for aim, found in measured.items():
        title = texts(f"eval.{aim}", questions=texts.counted("question", next(iter(found.values())).questions))
        headings = [texts("eval.list"), *(f"@{depth}" for depth in DEPTHS), "MRR", f"nDCG@{GAIN_DEPTH}"]
        rows = [
            [texts(f"eval.{name}"), *(_mean(value, texts) for value in (*one.recall.values(), one.mrr, one.ndcg))]
            for name, one in found.items()
        ]
        shown.append(Table(headings, rows, title))
    return [*shown, Text(texts("eval.recall_explained"), style="dim")]


def _show_gate(errors: Sequence[Errors], now: Errors | None, area: float | None, texts: Texts) -> list[RenderableType]:
    headings = [texts(f"eval.{name}") for name in ("threshold", "refused_answerable", "passed_unanswerable")]
    rows = [_row(one, texts) for one in errors[::10]]
    lines = [Text(texts("eval.in_force", **_told(now, texts)))] if now else [Text(texts("eval.none_in_force"))]
    if area is not None:
        lines.append(Text(texts("eval.area", value=_mean(area, texts)), style="dim"))
    return [Table(headings, rows), *lines]


def _row(one: Errors, texts: Texts) -> list[str]:
    shares = (one.refused_answerable, one.passed_unanswerable)
    return [decimal(one.threshold, texts), *(_of(share, texts) for share in shares)]


def _told(one: Errors, texts: Texts) -> dict[str, str]:
    return {
        "threshold": shown_number(texts, one.threshold),
        "refused": _of(one.refused_answerable, texts),
        "passed": _of(one.passed_unanswerable, texts),
    }


def _of(share: Share, texts: Texts) -> str:
    percent = texts("format.percent", value=f"{share.value * 100:.0f}")
    return f"{share.count}/{share.of} ({percent})" if share.of else "–"


def _mean(value: float, texts: Texts) -> str:
    return f"{value:.2f}".replace(".", texts("format.decimal"))
