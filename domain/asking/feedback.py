"""What people say of an answer: whether it helped them."""

from dataclasses import dataclass
from uuid import UUID

from domain.asking.outcome import AnswerDelivered, AnswerRefused, FeedbackGiven
from domain.asking.run import Run
from domain.errors import AccessError, ConflictError
from domain.mandates.access import member_of
from domain.mandates.handler import Mandates
from domain.recording import ATTEMPTS, Actor, EventStore


@dataclass(frozen=True, slots=True)
class Feedback:
    """A sign that somebody has put under an answer, or has taken away again.

    Attributes:
        answer: the message on the platform that it was put under; ``sign``: the event that put it there.
        is_helpful: the answer helped.
        is_taken_back: the sign is there no longer.
    """

    answer: str
    sign: str
    is_helpful: bool
    is_taken_back: bool = False


class Feedbacks:
    """Records what people say of answers."""

    def __init__(self, store: EventStore, mandates: Mandates) -> None:
        self._store = store
        self._mandates = mandates

    async def give(self, run: UUID, feedback: Feedback, person: UUID | None) -> bool:
        """Record what a member of the mandate says of an answer; false where that is recorded already.

        Raises:
            AccessError: there is no such run with an answer or a refusal, or the person is not a member.
        """
        for _ in range(ATTEMPTS):
            found = Run(await self._store.read(run))
            if person is None or not isinstance(found.asked and found.end, AnswerDelivered | AnswerRefused):
                raise AccessError
            owner = found.recorded[0].mandate
            member_of(await self._mandates.by_id(owner), person)
            given = FeedbackGiven(person, feedback.answer, feedback.sign, feedback.is_helpful, feedback.is_taken_back)
            if given in found.all(FeedbackGiven):
                return False
            try:
                await self._store.append(owner, run, len(found.recorded), [given], Actor(person))
            except ConflictError:
                continue
            return True
        raise ConflictError
