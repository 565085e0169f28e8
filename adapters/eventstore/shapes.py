"""What the fields of stored events are, for readers who have not this program."""

import inspect
from dataclasses import fields, is_dataclass
from datetime import date, datetime
from types import NoneType, UnionType
from typing import Any, Final, Union, get_args, get_origin, get_type_hints
from uuid import UUID

from adapters.eventstore.topics import TOPICS, Topics

_PLAIN: Final = {
    str: "text",
    int: "integer",
    float: "number",
    bool: "true or false",
    bytes: "base64",
    UUID: "UUID",
    date: "day",
    datetime: "instant",
    NoneType: "null",
}


def shapes(topics: Topics = TOPICS) -> dict[str, dict[str, Any]]:
    """Return for each current topic what the event says (``about``) and what its fields are."""
    return {
        topics.topic(cls): {"about": inspect.getdoc(cls) or "", "fields": _shape(cls)}
        for cls in sorted(topics.classes(), key=topics.topic)
    }


def _shape(kind: Any) -> Any:
    """Return a type as JSON: an object by its fields, an array by what it holds, else words."""
    if get_origin(kind) in {Union, UnionType}:
        shown = [_shape(one) for one in get_args(kind)]
        words = [one for one in shown if isinstance(one, str)]
        return " or ".join(words) if len(words) == len(shown) else {"one of": shown}
    if get_origin(kind) is tuple:
        parts = [_shape(one) for one in get_args(kind) if one is not Ellipsis]
        return {"list of": parts[0]} if Ellipsis in get_args(kind) else parts
    if is_dataclass(kind):
        hints = get_type_hints(kind)
        return {field.name: _shape(hints[field.name]) for field in fields(kind)}
    return _PLAIN[kind]
