"""A question with what is known about its answer."""

from dataclasses import dataclass

from domain.knowledge.anchors import Anchor
from domain.knowledge.text import Span


@dataclass(frozen=True, slots=True)
class Target:
    """A stretch that answers a question.

    Attributes:
        document: key of the document.
        span: code points of the stored text.
        version: the version meant; ``None`` where the day of the question says which it is.
    """

    document: str
    span: Span
    version: int | None = None

    def is_of(self, document: str, version: int) -> bool:
        """Say whether it may lie in a version."""
        return document == self.document and self.version in {None, version}

    def is_met_by(self, found: Anchor) -> bool:
        """Say whether a passage holds at least one character of it."""
        same = self.is_of(found.document, found.version)
        return same and found.span.start < self.span.end and self.span.start < found.span.end


@dataclass(frozen=True, slots=True)
class Labels:
    """What is known about a question.

    Attributes:
        answers: the stretches that answer it, none when nothing in scope does.
        sections: the sections around them, where they are known; a wider aim than the answers.
    """

    answers: tuple[Target, ...]
    sections: tuple[Target, ...] = ()
