"""The chat on a terminal: one question a line, commands with ``!``, and no error that ends the conversation.

What a line asks is read as in a room (``bot/chat/grammar.py``, ``bot/chat/courtesies.py``).
"""

import asyncio
import re
import signal
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from rich.console import RenderableType
from rich.text import Text

from bot.answer_documents import answer_document
from bot.chat.commands import Command, Courtesy, Help, Incomplete, OpenSource, Question, Unknown, Wanted, Why
from bot.chat.courtesies import courtesy
from bot.chat.grammar import PREFIX, name_of, parse
from bot.faults import write_down
from bot.output import Output, failure
from bot.terminal.answer import Block, opened, show_answer, show_timings, show_why
from bot.terminal.lines import Lines
from domain.asking.cards import Cards
from domain.asking.values import Answer
from domain.errors import FundstelleError

CONTEXT: Final = 2
"""Sentences on either side of an opened source."""

_FOREIGN_COMMAND: Final = re.compile(r"/[^\W\d]\S*(?:\s.*)?|exit|quit", re.IGNORECASE)
"""How other programs are ended and asked for help; never a question, so nothing of it is recorded."""

_LABEL: Final = re.compile(r"\[?S\d{1,2}\]?|\[\d{1,2}\]", re.ASCII | re.IGNORECASE)

_HERE: Final = frozenset({"question", "source", "at", "why", "help"})
"""The commands of a conversation that there are on a terminal as well."""

_DAYS: Final = frozenset({"day", "instant"})
"""Errors that tell how a date is written in a conversation, which takes more forms than an option."""

_HELP: Final = ("help", "source", "why", "at", "timings", "end")


class Chat:
    """A conversation.

    Args:
        ask: answers a question, as of the instants that it names.
        cards: opens sources.
        out: where answers go.
        data: the data folder, for the log of errors that nobody foresaw.
        news: shows what has become of the sources of earlier answers.
    """

    def __init__(
        self,
        ask: Callable[[Question], Awaitable[Answer]],
        cards: Cards,
        out: Output,
        data: Path,
        news: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        self._ask = ask
        self._news = news
        self._data = data
        self._cards = cards
        self._out = out
        self._texts = out.texts
        self._last: Answer | None = None
        self._failures = 0

    async def talk(self, lines: Lines) -> int:
        """Answer line by line until the input ends; return how many lines could not be answered."""
        if lines.is_terminal:
            self._out.show(Text(self._texts("chat.welcome"), style="dim"))
        await self._tell_news()
        while (line := await self._next(lines)) is not None:
            words = line.strip()
            if _FOREIGN_COMMAND.fullmatch(words):
                self._say(self._texts("chat.foreign", help=self._texts("chat.help"), end=self._texts("chat.end")))
                continue
            if self._is("end", words.split(maxsplit=1)[0] if words else ""):
                break
            if words:
                await self._undisturbed(self._take(words))
        return self._failures

    async def _next(self, lines: Lines) -> str | None:
        def tell_how_to_end() -> None:
            self._out.note(Text(f"\n{self._texts('chat.how_to_end')}", style="dim"))
            lines.redraw()

        with self._interrupted(tell_how_to_end):
            return await lines.next(f"\n{self._texts('chat.prompt')} " if lines.is_terminal else "")

    async def _undisturbed(self, answering: Awaitable[None]) -> None:
        """Let Ctrl-C end the question, not the program."""
        task = asyncio.ensure_future(answering)
        with self._interrupted(task.cancel), suppress(asyncio.CancelledError):
            await task
        if task.cancelled():
            self._out.note(Text(self._texts("chat.stopped"), style="dim"))
            current = asyncio.current_task()
            if current is not None and current.cancelling():
                raise asyncio.CancelledError

    @staticmethod
    @contextmanager
    def _interrupted(action: Callable[[], object]) -> Iterator[None]:
        loop = asyncio.get_running_loop()
        before = signal.getsignal(signal.SIGINT)
        loop.add_signal_handler(signal.SIGINT, action)
        try:
            yield
        finally:
            loop.remove_signal_handler(signal.SIGINT)
            signal.signal(signal.SIGINT, before)

    async def _take(self, words: str) -> None:
        try:
            await self._do(words)
        except FundstelleError as error:
            self._fail(error.key, error.values)
        except Exception as error:  # noqa: BLE001 - a fault in one question does not end the conversation
            log = write_down(error, self._data)
            self._fail("unexpected", {"kind": type(error).__name__, "log": str(log or "–")})

    def _fail(self, key: str, values: Mapping[str, str]) -> None:
        self._failures += 1
        message = self._texts(f"{'refused' if key in _DAYS else 'errors'}.{key}", **values)
        self._out.document({"error": {"key": key, "message": message}})
        self._out.note(failure(message))

    async def _do(self, words: str) -> None:
        if self._last is not None and _LABEL.fullmatch(words):
            words = f"!source {words}"
        name = words.split(maxsplit=1)[0]
        if self._is("timings", name):
            self._show_last(lambda last: [show_timings(last, self._texts.answering(last.question))])
            return
        match self._wanted(words, name).command:
            case Question() as question:
                await self._question(question)
            case OpenSource(label):
                await self._source(label)
            case Incomplete("source"):
                await self._source("")
            case Why():
                self._show_last(lambda last: show_why(last, self._texts.answering(last.question)))
            case Help():
                self._out.show(*(Block(Text(self._texts(f"chat.help_{one}"))) for one in _HELP))
            case Courtesy(kind):
                self._say(self._texts(f"chat.{kind}"))
            case command:
                self._say(self._hint(command, name))

    def _wanted(self, words: str, name: str) -> Wanted:
        """Return what a line asks; one that begins like a command is never a question.

        A program that waits for a document to each line is not left without one for being polite.
        """
        found = parse(words) or (None if self._out.as_json else courtesy(words))
        if found is not None:
            return found
        return Wanted(Unknown(name, None) if words.startswith(PREFIX) else Question(words))

    def _hint(self, command: Command, name: str) -> str:
        """Return how a command is written, which one may be meant, or that there is none of this name."""
        language = self._texts.language
        match command:
            case Incomplete(lacking) if lacking in _HERE:
                form = self._texts(f"rooms.form_{lacking}", command=name_of(lacking, language))
                return self._texts("chat.form", form=form)
            case Unknown(written, str(meant)) if meant in _HERE:
                return self._texts("chat.meant", command=written, meant=name_of(meant, language))
            case _:
                return self._texts("chat.unknown", command=name, help=self._texts("chat.help"))

    async def _question(self, question: Question) -> None:
        self._last = await self._ask(question)
        texts = self._texts.answering(question.text)
        self._out.document(answer_document(self._last, texts))
        self._out.show(Text(""), *show_answer(self._last, texts, why=self._texts("chat.why")))
        await self._tell_news()

    async def _tell_news(self) -> None:
        if self._news is not None:
            await self._news()

    def _is(self, command: str, name: str) -> bool:
        """Say whether ``name`` is the command, in the language of the chat or in English."""
        return name.casefold() in {self._texts(f"chat.{command}").casefold(), f"!{command}"}

    async def _source(self, label: str) -> None:
        sources = self._last.sources if self._last is not None else ()
        source = next((one for one in sources if one.shown.label == label), None)
        if self._last is None or source is None:
            known = ", ".join(one.shown.label for one in sources) or "–"
            self._say(self._texts("chat.no_source", known=known))
            return
        texts = self._texts.answering(self._last.question)
        self._out.show(opened(await self._cards.open(source, CONTEXT), self._last.asked_on, texts))

    def _show_last(self, show: Callable[[Answer], list[RenderableType]]) -> None:
        if self._last is None:
            self._say(self._texts("chat.nothing_yet"))
        else:
            self._out.show(*show(self._last))

    def _say(self, words: str) -> None:
        self._out.show(Block(Text(words, style="dim")))
