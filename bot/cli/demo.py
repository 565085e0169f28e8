"""``demo``: a fictional insurer's documents, a fixed list of questions, then a chat."""

import argparse
import shlex
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rich.console import RenderableType
from rich.rule import Rule
from rich.text import Text

from bot.answer_documents import answer_document, outcome
from bot.answers import text
from bot.chat.commands import Question as Said
from bot.cli.command import Commands, Result
from bot.cli.wishes import Wish, ask_of
from bot.config import Settings
from bot.demo.corpus import Question, count_documents, install, is_installed, questions
from bot.output import Output, failure, verbatim
from bot.terminal.answer import Block, Line, show_answer
from bot.terminal.chat import Chat
from bot.terminal.lines import Lines
from domain.asking.values import Answer

if TYPE_CHECKING:
    from bot.wiring import App

_TALK: Final = "bestand"
"""Mandate of the chat at the end."""


def register(commands: Commands) -> None:
    """Add ``demo``."""
    parser = commands.add_bare("demo", demo)
    parser.add_argument("--script", action="store_true", help=commands.texts("options.script"))


async def demo(settings: Settings, arguments: argparse.Namespace) -> Result:
    """Set up what is missing, ask the list, talk."""
    from bot.installation import initialise  # noqa: PLC0415
    from bot.wiring import open_app  # noqa: PLC0415 - the database is loaded only when needed

    out = arguments.out
    await initialise(settings)
    async with open_app(settings) as app:
        if not is_installed(settings.data):
            with out.progress(out.texts("demo.installing"), count_documents()) as step:
                await install(app, step)
        scripted = questions()
        surprises = sum([not await _ask(app, number, one, out) for number, one in enumerate(scripted, 1)])
        asked = out.texts.counted("question", len(scripted))
        out.show(Text(""), Text(out.texts("demo.end", questions=asked, surprises=surprises), style="dim"))
        if not arguments.script and not out.as_json and sys.stdin.isatty():
            await _talk(app, out)
        else:
            command = f"{_program()} --data {shlex.quote(str(settings.data))} chat --mandate {_TALK}"
            out.show(verbatim(out.texts("demo.next", command=command)))
    return Result((), exit_code=1 if surprises else 0)


def _program() -> str:
    """Return what to type for this program: in a checkout its path, since nobody has put it where shells look."""
    found = shutil.which("fundstelle") or Path(sys.argv[0]).name != "fundstelle"
    return "fundstelle" if found else shlex.quote(sys.argv[0])


async def _ask(app: "App", number: int, one: Question, out: Output) -> bool:
    """Ask a scripted question and say whether the outcome is the one expected."""
    out.show(Text(""), Rule(style="dim") if out.console.is_terminal else Text("---"), *_heading(number, one, out))
    with out.stages() as begins:
        answer = await app.asking.ask(await ask_of(app, _wish(one)), begins)
    words = out.texts.answering(one.question)
    out.document(answer_document(answer, words))
    out.show(Text(""), *show_answer(answer, words))
    expected = outcome(answer) == one.expect and one.holds in text(answer, words)
    if not expected:
        out.note(failure(out.texts("demo.surprise", number=number, expected=out.texts(f"runs.{one.expect}"))))
    return expected


def _heading(number: int, one: Question, out: Output) -> list[RenderableType]:
    person = out.texts("demo.as", person=one.as_) if one.as_ else ""
    parts = [out.texts("demo.mandate", mandate=one.mandate), person]
    return [
        Line("?", Text(f"{number}. {one.question}", style="bold"), "bold"),
        Block(Text(" · ".join([one.why[out.texts.language], *filter(None, parts)]), style="dim")),
    ]


def _wish(one: Question) -> Wish:
    return Wish(one.question, one.mandate, as_=one.as_, at=one.at, valid_on=one.valid_on)


async def _talk(app: "App", out: Output) -> None:
    async def answer(said: Said) -> Answer:
        wish = Wish(said.text, _TALK, at=said.at, valid_on=said.valid_on)
        with out.stages() as begins:
            return await app.asking.ask(await ask_of(app, wish), begins)

    out.show(Text(""), Text(out.texts("demo.talk", mandate=_TALK), style="dim"))
    await Chat(answer, app.cards, out, app.settings.data).talk(Lines())
