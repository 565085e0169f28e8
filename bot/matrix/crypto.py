"""Which devices may read what we write: the port between sending and the trust in devices."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True, slots=True)
class Device:
    """A device of a person, as it is listed on the server and signed by itself.

    Attributes:
        ed25519: its signing key, unpadded base64.
    """

    person: str
    id: str
    ed25519: str


class Trust(Protocol):
    """Which devices their owners have confirmed. Of its own accord it asks no server."""

    def learn(self, answer: Mapping[str, Any]) -> None:
        """Take in an answer of ``/keys/query`` as it came: devices, master keys, self-signing keys.

        It may be of any shape; what does not hold up is left out. People whose server did not answer are missing in
        it, and what was known of them stays.
        """
        ...

    def recipients(self, devices: Collection[Device], *, only_trusted: bool) -> frozenset[Device]:
        """Return those of the devices that may read: all but forbidden ones, or only what owners have confirmed."""
        ...
