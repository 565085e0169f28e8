"""The stored texts of cited versions, out of which every quote is cut."""

from collections.abc import Iterable

from domain.asking.visibility import Visible
from domain.errors import AccessError, InputError
from domain.recording import BlobStore


class StoredTexts:
    """Reads the stored texts of visible versions."""

    def __init__(self, blobs: BlobStore) -> None:
        self._blobs = blobs

    async def of(self, ordinals: Iterable[int], visible: Visible) -> dict[int, str]:
        """Return the texts by ordinal; one whose key has been shredded is left out.

        Raises:
            AccessError: one of them is not visible, as after its level was raised.
            PartError: ``blob_damaged``.
        """
        texts: dict[int, str] = {}
        for ordinal in dict.fromkeys(ordinals):
            version = visible.versions.get(ordinal)
            if version is None:
                raise AccessError
            try:
                texts[ordinal] = await self._blobs.get(version.mandate, version.blob)
            except InputError:
                continue
        return texts
