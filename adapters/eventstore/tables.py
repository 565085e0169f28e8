"""Which tables hold keys. A backup keeps them apart from the data: who has the one without the other has no text."""

from typing import Final

KEYS: Final = ("keyring", "store_keys", "people", "event_keys", "blob_keys", "shredded_keys")
"""People are among them: their identities lie under their keys, and go with them."""
