"""The words behind hits, cut from the stored texts."""

import asyncio
from collections.abc import Sequence
from typing import Any

from adapters.postgres.database import Database
from adapters.search.scoped import must_be_visible, reading
from domain.asking.ports import PassageId, PassageText
from domain.asking.visibility import Visible
from domain.errors import AccessError
from domain.knowledge.passage_words import passage_search_text
from domain.knowledge.text import Span
from domain.recording import BlobStore


class StoredPassages:
    """``PassageTexts`` over the table of contents and the blobs."""

    def __init__(self, database: Database, blobs: BlobStore) -> None:
        self._database = database
        self._blobs = blobs

    async def texts(self, passages: Sequence[PassageId], visible: Visible) -> tuple[PassageText, ...]:
        """Return the passages in the order asked.

        Raises:
            AccessError: a passage is not visible or does not exist.
            PartError: the database does not answer, or a blob is damaged.
        """
        must_be_visible(passages, visible)
        if not passages:
            return ()
        ordinals = [passage.ordinal for passage in passages]
        numbers = [passage.number for passage in passages]
        async with reading(self._database, visible) as read:
            rows = await read("passages", ordinals=ordinals, numbers=numbers)
        versions = [visible.versions[ordinal] for ordinal in sorted(set(ordinals))]
        stored = {one.ordinal: await self._blobs.get(one.mandate, one.blob) for one in versions}
        cut = await asyncio.to_thread(lambda: [_cut(row, stored[row[0]]) for row in rows])
        found = {passage.id: passage for passage in cut}
        if not found.keys() >= set(passages):
            raise AccessError
        return tuple(found[passage] for passage in passages)


def _cut(row: tuple[Any, ...], text: str) -> PassageText:
    ordinal, number, start, end, starts, ends, section, *lead, place, places, page, label, title, markup, after = row
    span = Span(start, end)
    lead_in = None if lead[0] is None else Span(*lead)
    introduced = lead_in.of(text) if lead_in else ""
    return PassageText(
        id=PassageId(ordinal, number),
        span=span,
        text=span.of(text),
        mark=text[text.rfind("\n", 0, start) + 1 : start],
        section=tuple(section),
        place=place,
        places=tuple(places),
        lead_in=introduced,
        lead_in_span=lead_in,
        sentences=tuple(map(Span, starts, ends)),
        page=page,
        page_label=label,
        markup=markup,
        search_text=passage_search_text(title, section, introduced, span.of(text), markup),
        goes_on=after is not None and after <= end,
    )
