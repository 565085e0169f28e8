"""Events to JSON and back, by ``cattrs`` from their annotations.

UUIDs are text, dates and instants ISO 8601, bytes base64, tuples arrays, dataclasses objects. Not-a-number is refused
when writing, an unknown field when reading: what is not understood is not passed over.
"""

import base64
import json
from typing import Any, Final
from uuid import UUID

from cattrs import ForbiddenExtraKeysError
from cattrs.preconf.json import JsonConverter, make_converter

from domain.recording import Actor, Event


class UnknownShapeError(Exception):
    """The event is of a kind, a version or a shape that this program does not know."""


def _converter() -> JsonConverter:
    converter = make_converter(forbid_extra_keys=True, detailed_validation=False)
    converter.register_unstructure_hook(UUID, str)
    converter.register_structure_hook(UUID, lambda text, _: UUID(text))
    converter.register_unstructure_hook(bytes, lambda content: base64.b64encode(content).decode("ascii"))
    converter.register_structure_hook(bytes, lambda text, _: base64.b64decode(text, validate=True))
    return converter


_CONVERTER: Final = _converter()


def encode(event: Event, actor: Actor) -> bytes:
    """Return the plaintext of an event: ``{"actor": ..., "event": ...}``.

    Raises:
        ValueError: a number is infinite or not a number.
    """
    document = {"actor": _CONVERTER.unstructure(actor), "event": _CONVERTER.unstructure(event)}
    text = json.dumps(document, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    # File names may hold undecodable bytes, which Python carries as lone surrogates.
    return text.encode("utf-8", "surrogatepass")


def parse(plaintext: bytes) -> dict[str, dict[str, Any]]:
    """Return the JSON document of a plaintext, before upcasting."""
    document: dict[str, dict[str, Any]] = json.loads(plaintext.decode("utf-8", "surrogatepass"))
    return document


def build(document: dict[str, Any], cls: type[Event]) -> Event:
    """Make an event of the current shape of ``cls``.

    Raises:
        UnknownShapeError: a field is missing, unknown or of another type.
    """
    try:
        return _CONVERTER.structure(document, cls)
    except (KeyError, TypeError, ValueError, ForbiddenExtraKeysError) as error:
        raise UnknownShapeError(cls.__name__) from error


def build_actor(document: dict[str, Any]) -> Actor:
    """Make the actor."""
    return _CONVERTER.structure(document, Actor)
