"""An answer on the terminal: the note, the text with anchors, what is missing, the sources; plain when piped."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from rich import box
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.constrain import Constrain
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from bot.answers import (
    SEPARATOR,
    cautions,
    changes,
    decimal,
    gap,
    near_place,
    nearest,
    note,
    place,
    quote,
    reason,
    text,
)
from bot.laid_out import between
from bot.sentences import Said, drafted, sentences
from bot.text import Texts
from domain.asking.cards import OpenCard
from domain.asking.links import neutral
from domain.asking.outcome import AnswerDelivered, AnswerRefused, RunFailed
from domain.asking.values import Answer, Source
from domain.knowledge.search_text import shown as as_shown
from domain.verifying.verdict import PARTIALLY, VERIFIED

WIDTH: Final = 92
"""Columns of running text at most: longer lines are hard to read on a wide screen."""

_INDENT: Final = " " * 5

NOTE: Final = "cyan"
VERIFIED_STYLE: Final = "green"
LOOKING_BACK: Final = "blue"
CAUTION: Final = "yellow"
REFUSED: Final = "red"
ANCHOR: Final = "bold not dim cyan"


@dataclass(frozen=True, slots=True)
class Line:
    """A line with a mark in front; on a terminal what wraps stays behind the mark."""

    mark: str
    words: Text
    style: str

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the line, with a hanging indent on a terminal."""
        if not console.is_terminal:
            yield Text(f"{self.mark} ").append_text(self.words)
            return
        grid = Table.grid(padding=(0, 1, 0, 0))
        grid.add_column(style=self.style, no_wrap=True)
        grid.add_column(overflow="fold")
        grid.add_row(self.mark, self.words)
        yield Constrain(grid, WIDTH)


@dataclass(frozen=True, slots=True)
class Block:
    """Running text, indented and not too wide on a terminal."""

    words: Text

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the text."""
        yield Constrain(Padding(self.words, (0, 0, 0, 2)), WIDTH) if console.is_terminal else self.words


@dataclass(frozen=True, slots=True)
class SourceCard:
    """A source: what it is, where it stands, what it says, and the place that ``fundstelle show`` opens."""

    source: Source
    asked_on: date
    texts: Texts
    words: Text

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield a panel on a terminal, lines elsewhere."""
        shown = self.source.shown
        title = self.texts("answer.version", title=neutral(shown.title), version=shown.version)
        where = place(shown, self.asked_on, self.texts)
        anchor = neutral(str(self.source.anchor))
        if not console.is_terminal:
            yield Text(f"[{shown.label}] {title} · {where} · {anchor}")
            yield Text(_INDENT).append_text(Text(f"\n{_INDENT}").join(self.words.split("\n", allow_blank=True)))
            return
        head = Text.assemble((f"[{shown.label}] ", ANCHOR), (title, "bold not dim"))
        lines = [Text(where, style="dim" if shown.in_force else CAUTION), self.words, Text(anchor, style="dim")]
        if shown.url:
            lines.append(Text(shown.url, style="dim underline"))
        border = "dim" if shown.in_force else CAUTION
        panel = Panel(Group(*lines), title=head, title_align="left", box=box.ROUNDED, border_style=border)
        yield Constrain(Padding(panel, (0, 0, 0, 2)), WIDTH)


def quoted(source: Source, asked_on: date, texts: Texts) -> SourceCard:
    """Return the card of a source with its quote, as it stands on the day of the question."""
    return SourceCard(source, asked_on, texts, Text(quote(source, texts)))


def opened(card: OpenCard, asked_on: date, texts: Texts) -> SourceCard:
    """Return the card of a source inside its surroundings; the quote stands out from them."""
    markup = card.source.shown.markup
    words, last = Text(), ""
    for stored, style in ((card.before, "dim"), (card.source.quote, "bold"), (card.after, "dim")):
        words.append(gap(last, stored)).append(as_shown(stored, markup), style)
        last = stored or last
    return SourceCard(card.source, asked_on, texts, words)


def show_answer(
    answer: Answer, texts: Texts, *, asked: bool = False, why: str = "", cards: Sequence[SourceCard] = ()
) -> Iterable[RenderableType]:
    """Yield what a person sees of an answer.

    Args:
        answer: the answer.
        texts: the person's language.
        asked: whether the question stands above it.
        why: the command that tells more about a refusal, where there is one.
        cards: opened cards in place of the closed ones.
    """
    if asked:
        yield from (Line("?", Text(answer.question, style="bold"), "bold"), Text(""))
    if not isinstance(answer.end, AnswerDelivered):
        yield from _show_refusal(answer, texts, why)
        yield from _show_drafts(answer, texts)
        return
    mark, style = _mark(answer, answer.end)
    yield Line(mark, Text(note(answer, texts), style=style), style)
    for caution in (*cautions(answer, texts), *changes(answer, texts)):
        yield Line("!", Text(caution, style=CAUTION), CAUTION)
    yield Text("")
    yield Block(_running(answer, texts))
    yield Text("")
    yield Block(Text(texts("answer.sources", count=len(answer.sources)), style="dim"))
    yield from cards or (quoted(source, answer.asked_on, texts) for source in answer.sources)
    yield Block(Text(_run(answer, texts), style="dim"))
    yield from _show_drafts(answer, texts)


def show_timings(answer: Answer, texts: Texts) -> Line:
    """Return one line with the duration of each step."""
    steps = SEPARATOR.join(
        f"{texts(f'step.{step}')} {milliseconds:.0f} ms" for step, milliseconds in answer.timings_ms.items()
    )
    return Line(" ", Text(steps, style="dim"), "dim")


def show_why(answer: Answer, texts: Texts) -> list[RenderableType]:
    """Return what the gates measured and what came near, with scores."""
    lines = [
        texts(f"why.{name}", value=decimal(gate.value, texts), threshold=decimal(gate.threshold, texts))
        for name, gate in (("relevance", answer.relevance), ("coverage", answer.coverage))
        if gate is not None
    ]
    near = answer.end.nearest if isinstance(answer.end, AnswerRefused) else ()
    lines += [f"{decimal(one.score, texts)}  {near_place(one, texts)}" for one in near]
    return [Block(Text(line)) for line in lines or [reason(answer, texts)]]


def _mark(answer: Answer, end: AnswerDelivered) -> tuple[str, str]:
    if answer.at is not None:
        return "◇", LOOKING_BACK
    if end.note == PARTIALLY:
        return "◐", CAUTION
    return ("✔", VERIFIED_STYLE) if end.note == VERIFIED else ("◆", NOTE)


def _show_refusal(answer: Answer, texts: Texts, why: str) -> Iterable[RenderableType]:
    yield Line("✖", Text(text(answer, texts)), REFUSED)
    more = texts("answer.more", command=why) if why else ""
    because = reason(answer, texts) if isinstance(answer.end, AnswerRefused) else ""
    again = texts("answer.resume", run=answer.run) if isinstance(answer.end, RunFailed) else ""
    told = " ".join(part for part in (because, nearest(answer, texts), more, again) if part)
    yield from [Block(Text(told, style="dim"))] if told else []
    yield Block(Text(_run(answer, texts), style="dim"))


def _run(answer: Answer, texts: Texts) -> str:
    """Return the id of the run, and what people have said of the answer, if they have."""
    named = texts("answer.run", run=answer.run)
    if not answer.helpful and not answer.not_helpful:
        return named
    return SEPARATOR.join([named, texts("answer.feedback", helpful=answer.helpful, not_helpful=answer.not_helpful)])


def _show_drafts(answer: Answer, texts: Texts) -> Iterable[RenderableType]:
    """Yield what was withheld, for whoever may read it."""
    for draft in answer.drafts:
        step = texts(f"runs.step_{draft.step}")
        yield Text("")
        yield Line("▸", Text(texts("draft.withheld", attempt=draft.attempt, step=step), style=CAUTION), CAUTION)
        yield Block(
            _joined(drafted(draft, texts)) if draft.sentences else Text(texts("draft.reply", reply=draft.reply))
        )


def _running(answer: Answer, texts: Texts) -> Text:
    return _joined(sentences(answer, texts))


def _joined(said: Iterable[Said]) -> Text:
    words, last = Text(), ""
    for one in said:
        words.append(between(last, one.words)).append_text(_styled(one))
        last = one.words
    return words


def _styled(one: Said) -> Text:
    words = Text(one.words)
    if one.anchors:
        words.append(" ").append(one.anchors, style=ANCHOR)
    words.append(one.stop)
    if one.is_struck:
        words = Text("~~").append_text(words).append("~~")
        words.stylize("strike dim")
    return words.append(f" {one.remark}", style=CAUTION) if one.remark else words
