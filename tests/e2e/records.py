"""What is stored of a run, byte for byte."""

from typing import Any
from uuid import UUID

from adapters.postgres import roles
from adapters.postgres.database import Database

_EVENTS = """
SELECT to_jsonb(event), to_jsonb(entry), to_jsonb(event_key)
FROM fundstelle.stored_events AS event
JOIN fundstelle.journal_entries AS entry ON entry.position = event.notification_id
JOIN fundstelle.event_keys AS event_key
  ON event_key.stream = event.originator_id AND event_key.version = event.originator_version
WHERE event.originator_id = %s ORDER BY event.originator_version
"""


def rows(database: Database, run: UUID) -> list[tuple[Any, ...]]:
    """Return every column of its events, of their entries in the journal and of their keys."""
    with roles.connect(database.admin) as connection:
        found = connection.execute(_EVENTS, [run]).fetchall()
    assert found, "nothing is stored of this run"
    return found
