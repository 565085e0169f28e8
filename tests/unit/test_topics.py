"""Names under which events are stored."""

import importlib
import pkgutil
import sys
from dataclasses import dataclass

import pytest

import domain
from adapters.eventstore.codec import UnknownShapeError
from adapters.eventstore.topics import TOPICS, Topics
from domain.recording import Event


@dataclass(frozen=True, slots=True)
class Moved(Event):
    """An event whose shape has changed twice."""

    street: str
    city: str


def test_every_event_of_the_domain_has_a_topic() -> None:
    """A new event cannot be forgotten: nothing could record it."""
    for module in pkgutil.walk_packages(domain.__path__, "domain."):
        importlib.import_module(module.name)
    # A slotted dataclass leaves the class it was made of behind; the one that its module names counts.
    events = {
        cls
        for cls in Event.__subclasses__()
        if cls.__module__.startswith("domain.") and getattr(sys.modules[cls.__module__], cls.__name__) is cls
    }

    assert events == set(TOPICS.classes())
    assert {TOPICS.topic(cls).rpartition(":")[0] for cls in events} == {cls.__name__ for cls in events}


def test_older_shapes_become_the_current_one_step_by_step() -> None:
    """Each upcaster knows two neighbouring versions only."""
    topics = Topics(
        [("Moved", 3, Moved)],
        {
            ("Moved", 1): lambda document: {"address": document["place"]},
            ("Moved", 2): lambda document: dict(zip(("street", "city"), document["address"].split(", "), strict=True)),
        },
    )
    current = {"street": "Ring 1", "city": "Wien"}

    assert topics.topic(Moved) == "Moved:3"
    assert topics.current("Moved:1", {"place": "Ring 1, Wien"}) == (Moved, current)
    assert topics.current("Moved:2", {"address": "Ring 1, Wien"}) == (Moved, current)
    assert topics.current("Moved:3", current) == (Moved, current)


@pytest.mark.parametrize("topic", ["Moved:4", "Moved:0", "Moved", "Left:1", "Moved:x", ""])
def test_an_unknown_topic_is_refused(topic: str) -> None:
    """What a later program recorded is not guessed at."""
    with pytest.raises(UnknownShapeError):
        Topics([("Moved", 3, Moved)], {}).current(topic, {})


def test_a_name_stands_for_one_event() -> None:
    """Two classes under one name could not be told apart."""
    with pytest.raises(ValueError, match="twice"):
        Topics([("Moved", 1, Moved), ("Moved", 1, Event)], {})
