"""Step 7 as a port: what a formulator is given, what it hands back, and what it promises.

A draft is what somebody else wrote. Nothing in it is believed: labels are resolved, the gates count, the verifier
checks, and only then somebody sees it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, Protocol

from domain.asking.ports import LabelledText, Quotable

Language = Literal["de", "en"]

UNANSWERED: Final = frozenset({"model", "model_context"})
"""Keys of the ``PartError`` by which a formulator says that its model does not answer."""


@dataclass(frozen=True, slots=True)
class DraftRequest:
    """What an answer is to be written from.

    Attributes:
        language: of the question, and so of the answer.
        passages: under their labels S1, S2, ..., the best one first.
        attempt: counts from 1; a second one follows a draft that was discarded.
    """

    question: str
    language: Language
    passages: Sequence[LabelledText]
    attempt: int = 1


@dataclass(frozen=True, slots=True)
class Drafted:
    """A sentence of a draft.

    Attributes:
        text: its words, without labels, links and markup.
        labels: what it cites, each once, in order; of the form ``S1``, whether such a passage was given or not.
        malformed: what stands where a label stands and is none, such as ``[S1 Abs 1]``, as it was written.
        is_gap: it says that a detail is not in the sources, in the words prescribed for that, and nothing else.
        quotable: the stored sentence that it is, to the last character, where the formulator only quotes.
    """

    text: str
    labels: tuple[str, ...] = ()
    malformed: tuple[str, ...] = ()
    is_gap: bool = False
    quotable: Quotable | None = None


@dataclass(frozen=True, slots=True)
class Draft:
    """The draft of an answer.

    Attributes:
        sentences: in the order in which they are read; none when nothing can be said.
        nothing_found: the formulator says that the passages hold no answer; what else it wrote is then no answer.
        problem: why there are no sentences, as a word for the record; empty where the reply could be read.
        reply: what a model wrote, word for word, for whoever looks into it later; empty where no model wrote.
    """

    sentences: tuple[Drafted, ...] = ()
    nothing_found: bool = False
    problem: str = ""
    reply: str = ""


class Formulator(Protocol):
    """Writes the draft of an answer from selected passages and from nothing else.

    ``name``, ``version`` and ``fingerprint`` are recorded with each draft.
    """

    @property
    def name(self) -> str:
        """What it is called."""
        ...

    @property
    def version(self) -> str:
        """Version of the model and of what it is told, or of the rules."""
        ...

    @property
    def fingerprint(self) -> str:
        """Name, version and a hash over all else that a draft depends on."""
        ...

    @property
    def model(self) -> str:
        """What the model behind it is called; empty where there is none."""
        ...

    @property
    def attempts(self) -> int:
        """How many drafts of one question are worth while: 1 where another one would be the same."""
        ...

    async def draft(self, request: DraftRequest) -> Draft:
        """Return the draft of an answer.

        A reply that cannot be read is a draft without sentences, not an error.

        Raises:
            PartError: the model does not answer; the key is one of ``UNANSWERED``.
        """
        ...
