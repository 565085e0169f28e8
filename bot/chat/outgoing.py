"""What we say on a chat platform, as values."""

from dataclasses import dataclass
from uuid import UUID, uuid5


def part_of(run: UUID) -> UUID:
    """Return what the messages of an answer name before its last one, so that they are found but end nothing."""
    return uuid5(run, "part")


def progress_of(run: UUID) -> UUID:
    """Return what a message names that shows how the answer of a run gets on."""
    return uuid5(run, "progress")


@dataclass(frozen=True, slots=True)
class Content:
    """A message of ours.

    Attributes:
        plain: reads well alone, on a screen reader and in a notification.
        html: the same with emphasis, links and lists; of the tags in ``hygiene.TAGS`` alone.
        is_notice: progress and hints, which notify nobody and which no other program answers.
        mentions: who is notified.
        run: the run whose answer it ends, so that an answer is found again after a crash; before its end, ``part_of``
            the run, and while it is made ``progress_of`` the run.
    """

    plain: str
    html: str
    is_notice: bool = False
    mentions: tuple[str, ...] = ()
    run: UUID | None = None
