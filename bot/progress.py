"""What a person sees while something takes longer than a second."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from bot.text import Texts


@contextmanager
def bar(console: Console, words: str, total: int | None) -> Iterator[Callable[[int], None]]:
    """Show a bar on ``console`` while the block runs; the value inside takes the number of steps done so far.

    Shows nothing where the console is no terminal.
    """
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task(words, total=total)
        yield lambda steps: progress.update(task, completed=steps)


STAGES: Final[Mapping[str, str]] = {
    **dict.fromkeys(("rules", "encode", "search"), "search"),
    **dict.fromkeys(("rerank", "select"), "rate"),
    "formulate": "write",
    **dict.fromkeys(("anchors", "verify", "validity"), "check"),
}
"""What a person is told while a step of a question runs, as a key of the texts ``stage``."""


@contextmanager
def stages(console: Console, texts: Texts) -> Iterator[Callable[[str], None]]:
    """Show on ``console`` how a question gets on while the block runs; the value inside takes the step that begins.

    Shows nothing where the console is no terminal.
    """
    if not console.is_terminal:
        yield lambda _step: None
        return
    begun: dict[str, None] = {}
    with console.status("", spinner="dots", spinner_style="dim") as status:

        def begins(step: str) -> None:
            begun[texts(f"stage.{STAGES[step]}")] = None
            status.update(f"[dim]{' '.join(begun)}[/dim]")

        yield begins
