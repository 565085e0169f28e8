"""matrix-nio's state machine, where it forgets what we need."""

import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from nio.api import Api
from nio.crypto import GroupSessionStore, Olm
from nio.exceptions import EncryptionError, LocalProtocolError
from nio.store import SqliteStore
from peewee import OperationalError, PeeweeException, SqliteDatabase

from bot.matrix.signatures import encode
from domain.errors import PartError

_MALFORMED: Final = (ValueError, TypeError, KeyError, AttributeError, AssertionError, StopIteration, RecursionError)

ALGORITHMS: Final = ("m.olm.v1.curve25519-aes-sha2", "m.megolm.v1.aes-sha2")
"""By which our device speaks to others, and in rooms."""

CANNOT: Final = (*_MALFORMED, EncryptionError, LocalProtocolError)
"""What the state machine raises on values of another shape than it expects; those of vodozemac are ValueErrors."""

# Its words on a malformed event hold the event, so nothing of it may reach a log.
logging.getLogger("nio").setLevel(logging.CRITICAL + 1)
logging.getLogger("peewee").setLevel(logging.WARNING)


class _Database(SqliteDatabase):  # type: ignore[misc]
    """A store whose disk is full, or away, is a part that does not answer: nothing is lost, and it may pass."""

    def execute_sql(self, *given: Any) -> Any:
        with self._told():
            return super().execute_sql(*given)

    def commit(self) -> Any:
        with self._told():
            return super().commit()

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except PeeweeException as error:
            key = "matrix_disk" if isinstance(error, OperationalError) else "matrix_store"
            folder = Path(self.database).parent
            raise PartError(key, folder=folder, reason=type(error).__name__) from error


class DiskStore(SqliteStore):  # type: ignore[misc]
    """The file of our device.

    Raises:
        PartError: ``matrix_disk`` when it cannot be read or written now, ``matrix_store`` when it is damaged; from
            whatever reads or writes it.
    """

    def _create_database(self) -> Any:
        usual = super()._create_database()
        return _Database(usual.database, pragmas=usual._pragmas)  # noqa: SLF001


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
    introduction: Mapping[str, Any] | None = None
    """The keys of our device as they are signed, which go with whatever we send to other devices."""

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

    def _olm_encrypt(self, session: Any, recipient_device: Any, message_type: str, content: Any) -> dict[str, Any]:
        """Return a message to one device that says who we are by itself, whatever the other one knows of us.

        Source: Matrix specification v1.15, "m.olm.v1.curve25519-aes-sha2" (MSC4147).
        """
        own = self.account.identity_keys
        said = {
            "sender": self.user_id,
            "sender_device": self.device_id,
            "keys": {"ed25519": own["ed25519"]},
            "recipient": recipient_device.user_id,
            "recipient_keys": {"ed25519": recipient_device.ed25519},
            "type": message_type,
            "content": content,
            **({} if self.introduction is None else {"sender_device_keys": self.introduction}),
        }
        kind, hidden = session.encrypt(Api.to_json(said)).to_parts()
        self.store.save_session(recipient_device.curve25519, session)
        body = {"type": kind, "body": encode(hidden)}
        return {
            "algorithm": self._olm_algorithm,
            "sender_key": own["curve25519"],
            "ciphertext": {recipient_device.curve25519: body},
        }
