"""A progress bar for what takes longer than a second."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn


@contextmanager
def bar(console: Console, words: str, total: int | None) -> Iterator[Callable[[int], None]]:
    """Show a bar on ``console`` while the block runs; the value inside takes the number of steps done so far.

    Shows nothing where the console is no terminal.
    """
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task(words, total=total)
        yield lambda steps: progress.update(task, completed=steps)
