"""Questions whose answers are known, one JSON object a line.

``{"id","question","answers":[ANCHOR or {"document","start","end"}, ...]}`` with any option of ``search`` (``valid_on``,
``document``, ...). No answers: nothing in scope answers it. ``sections`` names the sections around the answers in the
same form. Lines of published collections are read as well: ``as_of``, ``act``, ``answer_start``, ``answer_end``,
``section_start``, ``section_end`` and ``type`` (``unanswerable``). Other entries are notes of whoever made the file.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.cli.wishes import Wish, read_lines, read_object, wish_of_entry
from domain.calibration.labels import Labels, Target
from domain.errors import InputError
from domain.knowledge.anchors import document_key, parse_anchor
from domain.knowledge.text import Span

_OPTIONS = ("mandate", "scope", "document", "as", "at", "valid_on")


@dataclass(frozen=True, slots=True)
class Labelled:
    """A question with what is known about its answer; ``line`` is its number in the file, from 1."""

    line: int
    wish: Wish
    labels: Labels


def read_labelled(file: Path, common: Wish) -> tuple[Labelled, ...]:
    """Return the questions of a file; ``common`` gives the options that a line leaves out.

    Raises:
        InputError: as ``read_batch``, or ``labels_line`` for the first line that cannot be read: figures over part of
            a file would be taken for figures over all of it.
    """
    return tuple(_checked(number, line, common) for number, line in read_lines(file))


def _checked(number: int, line: bytes, common: Wish) -> Labelled:
    try:
        return _labelled(number, read_object(number, line), common)
    except InputError as error:
        raise InputError("labels_line", line=number) from error


def _labelled(number: int, entry: Mapping[str, Any], common: Wish) -> Labelled:
    options = {name: entry[name] for name in _OPTIONS if name in entry}
    if "valid_on" not in options and entry.get("as_of") is not None:
        options["valid_on"] = entry["as_of"]
    wish = wish_of_entry(number, {"id": number, "question": entry.get("question"), **options}, common)
    return Labelled(number, wish, Labels(_targets(number, entry, "answer"), _targets(number, entry, "section")))


def _targets(number: int, entry: Mapping[str, Any], kind: str) -> tuple[Target, ...]:
    listed = entry.get(f"{kind}s")
    if listed is not None:
        if not isinstance(listed, list):
            raise InputError("labels_line", line=number)
        return tuple(_target(number, one) for one in listed)
    places = [entry.get(f"{kind}_{end}") for end in ("start", "end")]
    if entry.get("type") == "unanswerable" or (kind == "section" and None in places):
        return ()
    if None in places or entry.get("act") is None:
        raise InputError("labels_line", line=number)
    return (_target(number, {"document": entry["act"], "start": places[0], "end": places[1]}),)


def _target(number: int, given: object) -> Target:
    if isinstance(given, str):
        anchor = parse_anchor(given)
        return Target(anchor.document, anchor.span, anchor.version)
    match given:
        case {"document": str(document), "start": int(start), "end": int(end)} if _is_stretch(start, end):
            return Target(document_key(document), Span(start, end))
        case _:
            raise InputError("labels_line", line=number)


def _is_stretch(start: int, end: int) -> bool:
    # ``true`` and ``false`` are numbers to Python.
    return not isinstance(start, bool) and not isinstance(end, bool) and 0 <= start < end
