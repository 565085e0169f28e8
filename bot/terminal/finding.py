"""What a search found, on the terminal: the passages that an answer would be made of, and where each list has them."""

from typing import Final

from rich.console import RenderableType
from rich.text import Text

from bot.answers import SEPARATOR, decimal, standing
from bot.output import Table, warning
from bot.terminal.answer import Block
from bot.text import Texts
from domain.asking.values import Finding, Found
from domain.knowledge.search_text import shown

_LISTS: Final = ("dense", "sparse", "bm25", "cited")
_EXTRACT: Final = 160


def show_finding(finding: Finding, texts: Texts) -> list[RenderableType]:
    """Return the selected passages, best first, with their ranks in each list, or that nothing was found.

    Before them stands what the question names and what is not there: asked, it would be refused for that.
    """
    return [*_missing(finding, texts), *_found(finding, texts)]


def _missing(finding: Finding, texts: Texts) -> list[RenderableType]:
    told = dict.fromkeys(standing(one, finding.visible.horizon.valid_on, texts) for one in finding.missing)
    return [warning(" ".join([*told, texts("search.refused")])), Text("")] if told else []


def _found(finding: Finding, texts: Texts) -> list[RenderableType]:
    selected = {found.anchor for found in finding.entries("selected")}
    chosen = [found for found in finding.entries("reranked") if found.anchor in selected]
    if not chosen:
        return [Text(texts("answer.none_found"))]
    names = [name for name in _LISTS if finding.entries(name) or name != "cited"]
    ranks = {name: {found.anchor: found.rank for found in finding.entries(name)} for name in names}
    headings = [
        texts("search.rank"),
        texts("search.score"),
        *(texts(f"search.{name}") for name in names),
        texts("search.anchor"),
    ]
    rows = [
        [
            str(found.rank),
            decimal(found.score, texts),
            *(str(ranks[name].get(found.anchor, "–")) for name in names),
            str(found.anchor),
        ]
        for found in chosen
    ]
    explained = Text(texts("search.selected"), style="dim")
    return [Table(headings, rows), explained, Text(""), *(line for found in chosen for line in _extract(found))]


def _extract(found: Found) -> list[RenderableType]:
    named = (found.version.title, *found.passage.section[-1:], found.passage.place)
    place = SEPARATOR.join(dict.fromkeys(filter(None, named)))
    words = " ".join(shown(found.passage.text, found.passage.markup).split())
    cut = words if len(words) <= _EXTRACT else f"{words[:_EXTRACT].rsplit(' ', 1)[0]} …"
    return [Text.assemble((f"{found.rank}  ", "bold cyan"), (place, "bold")), Block(Text(cut)), Text("")]
