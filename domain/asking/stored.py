"""The stored texts of cited versions, out of which every quote is cut."""

from collections.abc import Iterable

from domain.asking.visibility import Visible
from domain.errors import InputError
from domain.recording import BlobStore


class StoredTexts:
    """Reads the stored texts of visible versions."""

    def __init__(self, blobs: BlobStore) -> None:
        self._blobs = blobs

    async def of(self, ordinals: Iterable[int], visible: Visible) -> dict[int, str]:
        """Return the texts by ordinal; one whose key has been shredded is left out.

        Raises:
            PartError: ``blob_damaged``.
        """
        texts: dict[int, str] = {}
        for ordinal in dict.fromkeys(ordinals):
            version = visible.versions[ordinal]
            try:
                texts[ordinal] = await self._blobs.get(version.mandate, version.blob)
            except InputError:
                continue
        return texts
