"""A formulator whose every reply is written down beforehand."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from domain.asking.drafts import Draft, DraftRequest
from domain.asking.parsing import parse
from domain.errors import PartError


@dataclass
class ScriptedFormulator:
    """``Formulator`` that replies in turn what it was given, the last reply for ever; an error is raised.

    Attributes:
        requests: what it was asked, in order.
    """

    replies: Sequence[str | PartError]
    name: str = "scripted"
    version: str = "1"
    model: str = "scripted"
    attempts: int = 2
    fingerprint: str = "scripted/1"
    requests: list[DraftRequest] = field(default_factory=list)

    async def draft(self, request: DraftRequest) -> Draft:
        self.requests.append(request)
        reply = self.replies[min(len(self.requests), len(self.replies)) - 1]
        if isinstance(reply, PartError):
            raise reply
        return parse(reply) if request.passages else Draft()
