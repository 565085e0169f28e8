"""Changes that a homeserver which lies may make to an answer."""

import copy
from typing import Any

from hypothesis import strategies as st

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
"""Anything that JSON can say."""


def tamper(said: Any, data: st.DataObject) -> None:
    """Take something out of an answer, put something else there, copy, swap or rename parts of it."""
    places = [(holder, name) for holder in _objects(said) for name in holder]
    holder, name = data.draw(st.sampled_from(places))
    what = data.draw(st.sampled_from(["out", "any", "copy", "swap", "rename"]))
    other, other_name = data.draw(st.sampled_from(places))
    value = copy.deepcopy(holder[name])
    if what == "out":
        del holder[name]
    elif what == "any":
        holder[name] = data.draw(JSON)
    elif what == "copy":
        holder[name] = copy.deepcopy(other[other_name])
    elif what == "swap":
        holder[name], other[other_name] = copy.deepcopy(other[other_name]), value
    else:
        holder[other_name] = value


def _objects(value: Any) -> list[dict[str, Any]]:
    if not isinstance(value, dict):
        return []
    return [one for one in (value, *(inner for part in value.values() for inner in _objects(part))) if one]
