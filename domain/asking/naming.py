"""The event of the rules before the gate: which sections and acts a question names, and how they stand."""

from dataclasses import dataclass
from datetime import date
from typing import ClassVar, Final

from domain.recording import Event

IN_FORCE: Final = "in_force"
NOT_IN_FORCE: Final = "not_in_force"
UNKNOWN: Final = "unknown"
FOREIGN: Final = "foreign"


@dataclass(frozen=True, slots=True)
class NamedSection:
    """A section or an act that a question names, and how it stands in what the question may search.

    Attributes:
        act: as it is shown, empty where none is named; ``section``: "§ 8", empty for a whole act.
        standing: ``in_force``, ``not_in_force`` on the day asked, ``unknown`` (no version in scope has it on any
            day), or ``foreign`` (the act itself is not in scope).
        since, until: when it comes into force next, and the first day on which it no longer was, where that is known.
        ordinals: the versions that this is known from.
    """

    act: str
    section: str
    standing: str
    since: date | None = None
    until: date | None = None
    ordinals: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class SectionsNamed(Event):
    """The question names sections or acts. Personal: it repeats words of the question."""

    PERSONAL: ClassVar[bool] = True

    named: tuple[NamedSection, ...]
