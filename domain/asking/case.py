"""One question on its way: what its steps are taken with, and what they need not look up twice."""

from collections.abc import Iterable, Mapping, Sequence

from domain.asking.admission import Admission
from domain.asking.drafts import Formulator
from domain.asking.parts import Parts
from domain.asking.ports import PassageId, PassageText
from domain.asking.retrieval import Retrieval
from domain.asking.rules import Ruling
from domain.asking.visibility import Visible


class Case:
    """A question with its horizon.

    Args:
        text: the question.
        visible: the versions that it may look at.
        admission: what its asker may search, under the policies of the time asked about.
        present: journal position that counts as the present, ``None`` for that of now.
    """

    def __init__(  # noqa: PLR0917 - what one question is made of
        self,
        parts: Parts,
        retrieval: Retrieval,
        text: str,
        visible: Visible,
        admission: Admission,
        present: int | None = None,
    ) -> None:
        self.parts = parts
        self.retrieval = retrieval
        self.formulator: Formulator = parts.formulator(retrieval.reranker)
        self.text = text
        self.visible = visible
        self.admission = admission
        self._present = present
        self._ruling: Ruling | None = None
        self._texts: dict[PassageId, PassageText] = {}

    async def ruling(self) -> Ruling:
        """Return how everything stands that the question names.

        Raises:
            PartError: the views do not answer.
        """
        if self._ruling is None:
            self._ruling = await self.parts.rules.of(self.text, self.visible)
        return self._ruling

    async def texts(self, passages: Sequence[PassageId]) -> Mapping[PassageId, PassageText]:
        """Return the words of ``passages`` in the order asked.

        Raises:
            PartError: the views or the blobs do not answer.
        """
        missing = [one for one in passages if one not in self._texts]
        if missing:
            self._texts |= await self.retrieval.texts(missing, self.visible)
        return {one: self._texts[one] for one in passages}

    async def present(self) -> int:
        """Return the journal position up to which is known what is in force today.

        Raises:
            PartError: the views do not answer.
        """
        if self._present is not None:
            return await self.parts.views.reach(self._present)
        # Other views may lag behind; that of what is known does not, and nothing else is asked here.
        head = await self.parts.store.head()
        await self.parts.views.reach()
        return head

    async def stored(self, ordinals: Iterable[int]) -> dict[int, str]:
        """Return the stored texts of versions by ordinal, without those that have been erased.

        Raises:
            PartError: ``blob_damaged``.
        """
        return await self.parts.stored.of(ordinals, self.visible)
