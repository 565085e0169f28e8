"""What a model replied, read as a draft: structured, or plain prose with labels in it.

Everything is read, nothing is believed, and nothing raises. What cannot be read is a draft without sentences and with
a ``problem``. Nothing is shortened either: a reply that is too long is no draft, since what is left of a train of
thought says something else than the whole.
"""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, Final

from domain.asking.cleaning import clean, without_thoughts
from domain.asking.drafts import Draft, Drafted
from domain.asking.fixed import says_nothing_found
from domain.asking.labels import listed, once
from domain.asking.prose import sentences

LONGEST_REPLY: Final = 50_000
"""Bytes (UTF-8) of a reply; the longest answer anybody reads has a tenth of that."""

MOST_SENTENCES: Final = 40
"""Sentences of a draft; a model that writes more repeats itself."""

EMPTY: Final = "empty"
LONG: Final = "long"
MANY: Final = "many"
BROKEN: Final = "json"
SHAPE: Final = "shape"

_STRUCTURED: Final = re.compile(r"\{\s*\"(?:sentences|nothing_found)\"\s*:")
_FENCED: Final = re.compile(r"\A```\w*\s+(?P<inner>.*?)\s*```\Z", re.DOTALL)
_OBJECT: Final = re.compile(r"(?:\{|\[\s*(?:\{|\]))")


def parse(reply: str) -> Draft:
    """Return the draft that a model's reply holds; ``Draft.problem`` says why it holds none."""
    if len(reply) > LONGEST_REPLY or len(reply.encode(errors="replace")) > LONGEST_REPLY:
        return Draft(problem=LONG, reply=_storable(reply[:LONGEST_REPLY]))
    words = _FENCED.sub(r"\g<inner>", without_thoughts(reply).strip())
    drafted = _read(words)
    if isinstance(drafted, str):
        return Draft(problem=drafted, reply=_storable(reply))
    return replace(_settled(drafted), reply=_storable(reply))


def is_structured(reply: str) -> bool:
    """Say whether a reply holds an object with our fields, complete or not."""
    return bool(_STRUCTURED.search(without_thoughts(reply)))


def _read(words: str) -> Sequence[Drafted] | str:
    """Return the sentences, or what is wrong."""
    structured = _STRUCTURED.search(words)
    if structured:
        return _structured(words, structured.start())
    if _OBJECT.match(words):
        return _shaped(_loaded(words))
    whole = _loaded(words) if words.startswith('"') and words.endswith('"') else None
    return sentences(clean(whole if isinstance(whole, str) else words))


def _structured(words: str, start: int) -> Sequence[Drafted] | str:
    """Read the one object with our fields; what a model says around it is no part of its answer."""
    try:
        found, end = json.JSONDecoder().raw_decode(words, start)
    except (ValueError, RecursionError):
        return BROKEN
    return BROKEN if _STRUCTURED.search(words, end) else _shaped(found)


def _loaded(words: str) -> Any:
    """Return the JSON value, ``None`` where it is none."""
    try:
        return json.loads(words)
    except (ValueError, RecursionError):
        return None


def _shaped(found: Any) -> Sequence[Drafted] | str:
    """Read a value of the form that the prompt asks for; a bare list stands for its sentences."""
    if found is None:
        return BROKEN
    fields = {"sentences": found} if isinstance(found, list) else found
    if not isinstance(fields, dict) or not fields.keys() & {"sentences", "nothing_found"}:
        return SHAPE
    entries = fields.get("sentences") or []
    if not isinstance(entries, list):
        return SHAPE
    drafted: list[Drafted] = []
    for entry in entries:
        if isinstance(entry, str):
            drafted += sentences(clean(entry))
        elif isinstance(entry, dict) and isinstance(entry.get("text"), str):
            drafted += _labelled(sentences(clean(entry["text"])), entry.get("labels"))
        else:
            return SHAPE
    return [*drafted, _NOTHING] if _is_true(fields.get("nothing_found")) else drafted


def _labelled(drafted: Iterable[Drafted], entries: object) -> list[Drafted]:
    """Give each sentence of an entry what the entry cites, besides what it cites itself."""
    labels, malformed = listed(entries if isinstance(entries, list) else [] if entries is None else [entries])
    return [
        replace(one, labels=once((*one.labels, *labels)), malformed=once((*one.malformed, *malformed)))
        for one in drafted
    ]


def _is_true(flag: object) -> bool:
    """Read a flag strictly: whatever is not clearly a no is a yes, and then there is no answer."""
    return flag not in (None, False, 0, "", "false", "False", "no", "nein")


def _settled(drafted: Sequence[Drafted]) -> Draft:
    kept = tuple(one for one in drafted if one is not _NOTHING and not says_nothing_found(one.text))
    nothing_found = len(kept) < len(drafted)
    if len(kept) > MOST_SENTENCES:
        return Draft(problem=MANY)
    return Draft(kept, nothing_found, "" if kept or nothing_found else EMPTY)


def _storable(reply: str) -> str:
    """Return a reply as it can be recorded: without lone surrogates and NUL, which no database takes."""
    return reply.encode(errors="replace").decode().replace("\0", "\ufffd")


_NOTHING: Final = Drafted("")
