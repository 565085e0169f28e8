"""The sentences that got through, each beside its span, as ``docs/nightly-model.md`` lists them."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

DOCUMENT: Final = Path(__file__).parents[2] / "docs" / "nightly-model.md"
HEAD: Final = "| question | sentence | span | follows |\n|---|---|---|---|"
FOLLOWS, UNREAD = "yes", "?"

_NUMBERS: Final = (
    "null ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf",
    "zero one two three four five six seven eight nine ten eleven twelve",
)
_SPELLED: Final = {word: str(value) for names in _NUMBERS for value, word in enumerate(names.split())} | {
    word: word
    for word in (
        *("zwanzig", "dreißig", "vierzig", "fünfzig", "sechzig", "siebzig", "achtzig", "neunzig", "hundert", "tausend"),
        *("fünfzigtausend", "fünfundzwanzigtausend", "twenty", "thirty", "fifty", "hundred", "thousand"),
        *("januar", "februar", "märz", "april", "mai", "juni", "juli", "august", "september", "oktober", "november"),
        *("dezember", "january", "february", "march", "june", "july", "october", "december"),
    )
}
_ARTICLES: Final = frozenset({"ein", "one"})


def through(document: dict[str, Any]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Yield the sentences of an answer that nobody struck or marked, each with its sources."""
    sources = {one["label"]: one for one in document["sources"]}
    for one in document["sentences"]:
        if not one["struck"] and not one["unsupported"]:
            yield one["text"], [sources[label] for label in one["anchors"]]


def row(question: str, sentence: str, sources: list[dict[str, Any]], judgement: str) -> str:
    """Return a line of the listing."""
    spans = "<br>".join(f"`{one['anchor']}` {_cell(_shown(one))}" for one in sources)
    return f"| {question} | {_cell(sentence)} | {spans} | {judgement} |"


def figures_missing(sentence: str, sources: list[dict[str, Any]]) -> set[str]:
    """Return the numbers and months of a sentence that stand neither in the span nor in the heading of a source."""
    there = {figure for one in sources for figure in _figures(f"{_shown(one)} {one['title']} {one['section']}")}
    return {one for one in _figures(sentence) if one not in there}


def _figures(text: str) -> set[str]:
    words = re.findall(r"[^\W\d_]+", text.casefold())
    return {
        *re.findall(r"\d+", text),
        *(_SPELLED[word] for word in words if word in _SPELLED and word not in _ARTICLES),
    }


def _shown(source: dict[str, Any]) -> str:
    lead_in = source["lead_in"]
    return " ".join(filter(None, [lead_in and lead_in["quote"], source["quote"]]))


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
