"""The picture of two questions and their answers in the README.

    python bench/picture.py .demo docs/answer.svg

The folder is the data folder of the demo, after ``make demo``.
"""

import asyncio
import re
import sys
from collections.abc import Sequence
from io import StringIO
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.text import Text

from bot.cli.wishes import Wish, ask_of
from bot.config import load
from bot.demo.corpus import questions
from bot.terminal.answer import Line, show_answer
from bot.text import texts
from bot.wiring import open_app

# The picture loads nothing and names nobody: the fonts that rich would fetch give way to what is installed.
_FOREIGN: Final = re.compile(r"@font-face \{.*?\}\s*|<!--.*?-->\s*", re.DOTALL)
_FONTS: Final = "DejaVu Sans Mono, Menlo"
_ASPECT: Final = 0.602
"""Width of a character of these fonts over its height."""

WIDTH: Final = 98
TITLE: Final = "fundstelle ask"
SHOWN: Final = 2
"""The second question of the demo's list: an older version answers, and the note says so."""


async def draw(data: Path, language: str = "de") -> str:
    """Return the answer of the demo's first questions as SVG."""
    words = texts(language)
    console = Console(record=True, width=WIDTH, force_terminal=True, file=StringIO(), highlight=False, markup=False)
    async with open_app(load(data, None, language)) as app:
        for one in questions()[:SHOWN]:
            wish = Wish(one.question, one.mandate, as_=one.as_, at=one.at, valid_on=one.valid_on)
            answer = await app.asking.ask(await ask_of(app, wish))
            for item in (Line("?", Text(one.question, style="bold"), "bold"), Text(""), *show_answer(answer, words)):
                console.print(item)
            console.print()
    return _FOREIGN.sub("", console.export_svg(title=TITLE, font_aspect_ratio=_ASPECT)).replace("Fira Code", _FONTS)


def main(arguments: Sequence[str]) -> int:
    """Write the picture."""
    data, file = (Path(one) for one in arguments)
    file.write_text(asyncio.run(draw(data)), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
