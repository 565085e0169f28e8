"""``ask``, ``search`` and ``chat``: what is asked, alone or in batches, and what comes back."""

import argparse
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from rich.console import RenderableType
from rich.text import Text

from bot.answer_documents import answer_document, finding_document, no_access_document, no_part_document
from bot.chat.commands import Question
from bot.cli.command import Commands, Result, told_when_stopped
from bot.cli.wishes import Line, Wish, add_options, ask_of, read_batch, wish_of
from bot.faults import write_down
from bot.output import failure, warning
from bot.source_changes import News, tell_runs
from bot.terminal.answer import opened, show_answer, show_timings
from bot.terminal.chat import Chat
from bot.terminal.finding import show_finding
from bot.terminal.lines import Lines
from domain.asking.outcome import RunFailed
from domain.asking.values import Answer
from domain.errors import AccessError, FundstelleError, InputError, PartError
from domain.knowledge.surroundings import must_be_context

if TYPE_CHECKING:
    from bot.wiring import App

_FAILED: Final = 1
_CLOSED: Final = 2
_DEGRADED: Final = 3


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back: the JSON document, what a person sees, and the exit code."""

    document: dict[str, Any]
    shown: Sequence[RenderableType]
    exit_code: int = 0


Replies = Callable[["App", Wish, argparse.Namespace], Awaitable[Reply]]


def register(commands: Commands) -> None:
    """Add the commands."""
    words = commands.texts
    add_options(commands.add("search", search), commands, channel=False)
    asking = commands.add("ask", ask)
    add_options(asking, commands, channel=True)
    asking.add_argument("--context", type=int, metavar="N", help=words("options.card_context"))
    asking.add_argument("--timings", action="store_true", help=words("options.timings"))
    talking = commands.add("chat", chat)
    talking.add_argument("--mandate", required=True, metavar="M", help=words("options.mandate"))
    talking.add_argument("--as", dest="as_user", metavar="USER", help=words("options.as"))


async def ask(app: "App", arguments: argparse.Namespace) -> Result:
    """Answer a question or a batch of questions."""
    if arguments.context is not None:
        must_be_context(arguments.context)
    await tell_runs(app, await app.asker(arguments.as_user))
    out = arguments.out
    with told_when_stopped(lambda: out.note(warning(out.texts("answer.interrupted")))):
        return await _reply(app, arguments, _answer)


async def search(app: "App", arguments: argparse.Namespace) -> Result:
    """Look up what each search finds, for a text or a batch of texts; nothing is recorded."""
    return await _reply(app, arguments, _find)


async def chat(app: "App", arguments: argparse.Namespace) -> Result:
    """Answer question after question until the input ends."""
    out = arguments.out
    template = Wish("", arguments.mandate, as_=arguments.as_user)
    admission = await app.admissions.admit(await ask_of(app, template), app.now())
    news = News(app, admission.mandate, admission.asker)

    async def tell() -> None:
        if not out.as_json:
            await news.tell(out)

    async def answer(question: Question) -> Answer:
        wish = replace(template, text=question.text, at=question.at, valid_on=question.valid_on)
        with out.stages() as begins:
            return await app.asking.ask(await ask_of(app, wish), begins)

    lines = Lines()
    failures = await Chat(answer, app.cards, out, app.settings.data, tell).talk(lines)
    return Result((), exit_code=_FAILED if failures and not lines.is_terminal else 0)


async def _reply(app: "App", arguments: argparse.Namespace, replies: Replies) -> Result:
    wish = wish_of(arguments)
    if arguments.batch is not None:
        return Result((), exit_code=await _batch(app, arguments, wish, replies))
    try:
        reply = await replies(app, wish, arguments)
    except AccessError as error:
        if not arguments.out.as_json:
            raise
        arguments.out.note(failure(arguments.out.texts(f"errors.{error.key}")))
        words = arguments.out.texts.answering(wish.text)
        return Result([no_access_document(wish.text, words)], exit_code=_CLOSED)
    except PartError as error:
        if not arguments.out.as_json:
            raise
        reply = _no_part(wish.text, error, arguments)
        arguments.out.note(*reply.shown)
        return Result([reply.document], exit_code=reply.exit_code)
    if erased := await app.mandates.erased_libraries(await app.mandates.find(wish.mandate)):
        arguments.out.note(warning(arguments.out.texts("erasing.libraries", libraries=", ".join(erased))))
    return Result([reply.document], lambda _: reply.shown, reply.exit_code)


async def _batch(app: "App", arguments: argparse.Namespace, common: Wish, replies: Replies) -> int:
    """Reply line by line, in order; return the exit code of the whole."""
    out, worst = arguments.out, 0
    for line in read_batch(arguments.batch, common):
        reply = await _line(app, arguments, line, replies)
        out.document({"id": line.id, **reply.document})
        heading = [] if line.id is None else [Text(str(line.id), style="bold")]
        out.show(*heading, *reply.shown, Text(""))
        worst = max(worst, _DEGRADED if reply.exit_code == _DEGRADED else min(reply.exit_code, _FAILED))
    return worst


async def _line(app: "App", arguments: argparse.Namespace, line: Line, replies: Replies) -> Reply:
    if isinstance(line.wish, InputError):
        return _error(line.wish, arguments)
    try:
        return await replies(app, line.wish, arguments)
    except AccessError as error:
        texts = arguments.out.texts.answering(line.wish.text)
        message = texts(f"errors.{error.key}")
        return Reply(no_access_document(line.wish.text, texts), [failure(message)], _FAILED)
    except InputError as error:
        return _error(error, arguments)
    except PartError as error:
        return _no_part(line.wish.text, error, arguments)
    except Exception as error:  # noqa: BLE001 - what nobody foresaw in one line must not end the others
        log = write_down(error, app.settings.data)
        return _error(PartError("unexpected", kind=type(error).__name__, log=log or "–"), arguments)


def _no_part(question: str, error: PartError, arguments: argparse.Namespace) -> Reply:
    texts = arguments.out.texts.answering(question)
    shown = failure(texts(f"errors.{error.key}", **error.values))
    return Reply(no_part_document(question, error, texts), [shown], error.exit_code)


def _error(error: FundstelleError, arguments: argparse.Namespace) -> Reply:
    message = arguments.out.texts(f"errors.{error.key}", **error.values)
    return Reply({"error": {"key": error.key, "message": message}}, [failure(message)], error.exit_code)


async def _answer(app: "App", wish: Wish, arguments: argparse.Namespace) -> Reply:
    texts = arguments.out.texts.answering(wish.text)
    with arguments.out.stages() as begins:
        answer = await app.asking.ask(await ask_of(app, wish), begins)
    cards = []
    if arguments.context is not None and not arguments.out.as_json:
        cards = [
            opened(await app.cards.open(source, arguments.context), answer.asked_on, texts) for source in answer.sources
        ]
    shown = list(show_answer(answer, texts, cards=cards))
    if arguments.timings:
        shown.append(show_timings(answer, texts))
    return Reply(answer_document(answer, texts), shown, _DEGRADED if isinstance(answer.end, RunFailed) else 0)


async def _find(app: "App", wish: Wish, arguments: argparse.Namespace) -> Reply:
    finding = await app.asking.search(await ask_of(app, wish))
    return Reply(finding_document(finding), show_finding(finding, arguments.out.texts))
