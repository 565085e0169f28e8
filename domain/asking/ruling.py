"""The rules before the gate, over what is known and which sections it has."""

from domain.asking.named import documents_of, may_name, read
from domain.asking.rules import Ruling, rule
from domain.asking.sections import Sections
from domain.asking.visibility import KnowledgeView, Visible


class Rules:
    """Reads what a question names and looks it up."""

    def __init__(self, knowledge: KnowledgeView, sections: Sections) -> None:
        self._knowledge = knowledge
        self._sections = sections

    async def of(self, text: str, visible: Visible) -> Ruling:
        """Return how everything stands that ``text`` names.

        What the asker may not see on any day counts as little as what does not exist.

        Raises:
            PartError: the views do not answer.
        """
        if not may_name(text):
            return Ruling()
        scope = visible.horizon.scope
        documents = documents_of(await self._knowledge.history(visible.horizon))
        reading = read(text, documents)
        versions = [version for document in documents for version in document.versions]
        sections = {one.section for one in reading.wanted}
        found = await self._sections.find(sections, versions, scope) if sections else ()
        numbered = await self._sections.numbered(versions, scope) if sections else frozenset()
        acts = frozenset(version.ordinal for one in documents if one.names.is_act for version in one.versions)
        return rule(reading, found, numbered, visible, acts)
