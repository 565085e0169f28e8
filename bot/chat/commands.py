"""What somebody wants who writes to us, as values; a command that cannot be read is one as well."""

from dataclasses import dataclass
from uuid import UUID


@dataclass(frozen=True, slots=True)
class Question:
    """Answer a question.

    Attributes:
        at: the instant of the knowledge as written, ``None`` for now.
        valid_on: the day on which sources must be in force as written, ``None`` for today.
    """

    text: str
    at: str | None = None
    valid_on: str | None = None


@dataclass(frozen=True, slots=True)
class OpenSource:
    """Open the source with this label (``S1``)."""

    label: str


@dataclass(frozen=True, slots=True)
class Known:
    """List what is known, or was at an instant, and is in force, or was on a day; both as for ``Question``."""

    at: str | None = None
    valid_on: str | None = None


@dataclass(frozen=True, slots=True)
class Why:
    """Say why an answer is what it is."""


@dataclass(frozen=True, slots=True)
class ShowRun:
    """Name the run of an answer, or that of an id."""

    run: UUID | None


@dataclass(frozen=True, slots=True)
class Help:
    """Say which commands there are."""


@dataclass(frozen=True, slots=True)
class Wordless:
    """Say in a line how to ask: we were mentioned, and nothing else was said."""


@dataclass(frozen=True, slots=True)
class Courtesy:
    """Return a greeting or a thank-you; ``kind`` says which."""

    kind: str


@dataclass(frozen=True, slots=True)
class Bind:
    """Bind this room to a mandate, up to ``ceiling``; without one up to the lowest level."""

    mandate: str
    ceiling: str | None


@dataclass(frozen=True, slots=True)
class Unbind:
    """Let this room go, which belongs to a mandate."""

    mandate: str


@dataclass(frozen=True, slots=True)
class AssignLevel:
    """Give all versions of a document a level."""

    document: str
    level: str


@dataclass(frozen=True, slots=True)
class Decide:
    """Agree to a change that waits, or turn it down; ``change`` is its id or how that begins."""

    change: str
    agrees: bool
    because: str


@dataclass(frozen=True, slots=True)
class SetThreshold:
    """Set a threshold."""

    name: str
    value: str
    because: str


@dataclass(frozen=True, slots=True)
class Admit:
    """Admit a person up to a level, or change that of a member."""

    person: str
    level: str


@dataclass(frozen=True, slots=True)
class Remove:
    """Remove a member."""

    person: str


@dataclass(frozen=True, slots=True)
class GiveRole:
    """Give a member a role."""

    person: str
    role: str


@dataclass(frozen=True, slots=True)
class Pending:
    """List the changes that wait for a second person."""


@dataclass(frozen=True, slots=True)
class Incomplete:
    """A command of ours, ``name``, that lacks something."""

    name: str


@dataclass(frozen=True, slots=True)
class Unknown:
    """No command of ours; ``meant`` is the one that looks like it, if one does.

    Attributes:
        is_slip: it can hardly be a command of another program.
    """

    written: str
    meant: str | None
    is_slip: bool = False


WithoutRoom = Bind | Unbind | Decide
"""What can be done from a room that belongs to no mandate: each says itself what it is about."""

OfPerson = Admit | Remove | GiveRole
Changing = WithoutRoom | AssignLevel | SetThreshold | OfPerson
Administering = Changing | Pending
OfAnswer = OpenSource | Why | ShowRun
"""What is about an answer, which says itself whose it is."""

OfOurselves = Help | Wordless | Courtesy | Incomplete | Unknown
Looking = OfAnswer | Known | OfOurselves

Command = Question | Looking | Administering


@dataclass(frozen=True, slots=True)
class Wanted:
    """A command, and the language of its name where only one has it."""

    command: Command
    language: str | None = None
