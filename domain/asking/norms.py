"""NormCheck: does each § that an answer cites exist, in the act and on the day?"""

from typing import Protocol

from domain.asking.naming import IN_FORCE
from domain.asking.ruling import Rules
from domain.asking.visibility import Visible
from domain.knowledge.citations import citations


class NormCheck(Protocol):
    """Looks up the §§ that a text cites."""

    async def missing(self, text: str, visible: Visible) -> str:
        """Return a § that ``text`` cites and that its act does not have on the day asked about, empty without one.

        Raises:
            PartError: where it looks them up does not answer.
        """
        ...


class StoredNorms:
    """``NormCheck`` over the acts of the corpus."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules

    async def missing(self, text: str, visible: Visible) -> str:
        """Return a § that is not in force, as ``NormCheck`` says; what is in doubt is not taken for missing."""
        if not citations(text):
            return ""
        ruling = await self._rules.of(text, visible)
        absent = (one for one in ruling.named if one.standing != IN_FORCE and one not in ruling.in_doubt)
        return next((f"{one.section} {one.act}".strip() for one in absent), "")
