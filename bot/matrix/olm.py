"""matrix-nio's state machine, where it forgets what we need."""

import logging
from typing import Any, Final

from nio.crypto import GroupSessionStore, Olm
from nio.exceptions import EncryptionError, LocalProtocolError

_MALFORMED: Final = (ValueError, TypeError, KeyError, AttributeError, AssertionError, StopIteration, RecursionError)

CANNOT: Final = (*_MALFORMED, EncryptionError, LocalProtocolError)
"""What the state machine raises on values of another shape than it expects; those of vodozemac are ValueErrors."""

# Its words on a malformed event hold the event, so nothing of it may reach a log.
logging.getLogger("nio").setLevel(logging.CRITICAL + 1)
logging.getLogger("peewee").setLevel(logging.WARNING)


class KeepingStore(GroupSessionStore):  # type: ignore[misc]
    """Room keys, of which the one that opens more is kept.

    Whoever shares a key twice shares it the second time from the present message on; that must not close what the first
    has opened, such as a question that is read again after a crash.
    """

    def add(self, session: Any) -> bool:
        """Add a session unless a better one is there; return whether it was added."""
        return not self.is_worse(session) and bool(super().add(session))

    def is_worse(self, session: Any) -> bool:
        """Say whether there is a session that opens what this one does, and more."""
        kept = self.get(session.room_id, session.sender_key, session.id)
        return kept is not None and kept.first_known_index <= session.first_known_index


class KeepingOlm(Olm):  # type: ignore[misc]
    """The state machine of our device."""

    inbound_group_store: Any

    def load(self) -> None:
        """Read everything from the store."""
        super().load()
        kept = KeepingStore()
        for session in self.inbound_group_store:
            kept.add(session)
        self.inbound_group_store = kept

    def save_inbound_group_session(self, session: Any) -> None:
        """Write down a room key, unless a better one is there, or somebody else's: a file has room for one by an id."""
        of_room = self.inbound_group_store[session.room_id].items()
        is_of_other = any(session.id in sessions for key, sessions in of_room if key != session.sender_key)
        is_kept = self.inbound_group_store.get(session.room_id, session.sender_key, session.id) is session
        if is_kept and not is_of_other:
            super().save_inbound_group_session(session)
