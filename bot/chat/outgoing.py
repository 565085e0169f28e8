"""What we say on a chat platform, as values."""

from dataclasses import dataclass
from uuid import UUID


@dataclass(frozen=True, slots=True)
class Content:
    """A message of ours.

    Attributes:
        plain: reads well alone, on a screen reader and in a notification.
        html: the same with emphasis, links and lists; of the tags in ``hygiene.TAGS`` alone.
        is_notice: progress and hints, which notify nobody and which no other program answers.
        mentions: who is notified.
        run: the run whose answer it ends, so that an answer is found again after a crash.
    """

    plain: str
    html: str
    is_notice: bool = False
    mentions: tuple[str, ...] = ()
    run: UUID | None = None
