"""What a command returns, and how it is registered.

Each module of this package has ``register(commands)``, which adds its parsers and sets ``run`` on them:
``async def run(app: App, arguments: Namespace) -> Result``.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from rich.console import RenderableType

from bot.text import Texts


@dataclass(frozen=True, slots=True)
class Result:
    """What a command found.

    Attributes:
        documents: what ``--json`` prints, one JSON document a line (several only for a batch).
        show: what a person sees, given the texts of their language.
        exit_code: 0 done, 1 a check failed or some of many items failed.
    """

    documents: Sequence[object]
    show: Callable[[Texts], Sequence[RenderableType]] = field(default=lambda _: ())
    exit_code: int = 0
