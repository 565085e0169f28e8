"""The view of runs: who asked when, what became of it, and what the answer rests on.

Of the question itself it holds nothing.
"""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Final

from psycopg import AsyncConnection

from adapters.postgres.database import AnyConnection, Database
from adapters.postgres.endpoint import Role
from adapters.postgres.sql import statements
from domain.asking.events import QuestionAsked
from domain.asking.outcome import AnswerDelivered, AnswerErased, AnswerRefused, RunFailed, RunResumed
from domain.asking.runs import RunEntry, RunFilter
from domain.asking.source_changes import SourceChangeNotified, speaks_up_to
from domain.recording import Recorded

_SQL: Final = statements("projections", "runs.sql")


class RunsProjection:
    """Keeps ``runs``, ``run_citations`` and ``run_changes``."""

    name = "runs"
    version = 4
    takes = (
        *(QuestionAsked, AnswerDelivered, AnswerRefused, RunFailed),
        *(RunResumed, AnswerErased, SourceChangeNotified),
    )

    async def clear(self, connection: AsyncConnection) -> None:
        """Empty the view."""
        await connection.execute(_SQL["clear"])

    async def apply(self, connection: AsyncConnection, events: Sequence[Recorded]) -> None:
        """Take in ``events`` in order."""
        for recorded in events:
            run = {"mandate": recorded.mandate, "run": recorded.stream}
            match recorded.event:
                case QuestionAsked() as event:
                    await connection.execute(_SQL["begin"], {**run, **_begun(recorded, event)})
                case AnswerDelivered() as event:
                    await connection.execute(_SQL["finish"], {**run, **_ended(recorded, "answered", None)})
                    for ordinal, owner in {one.ordinal: one.mandate for one in event.sources}.items():
                        cited = {"ordinal": ordinal, "owner": owner, "delivered": recorded.position}
                        await connection.execute(_SQL["cite"], {**run, **cited})
                case AnswerRefused(step):
                    await connection.execute(_SQL["finish"], {**run, **_ended(recorded, "refused", step)})
                case AnswerErased(outcome, step, ended):
                    row = {"ended_position": ended, "outcome": outcome, "step": step}
                    await connection.execute(_SQL["finish"], {**run, **row})
                case RunFailed(step):
                    await connection.execute(_SQL["finish"], {**run, **_ended(recorded, "failed", step)})
                case RunResumed():
                    await connection.execute(_SQL["resume"], {**run, "position": recorded.position})
                case SourceChangeNotified() as event:
                    changed = {"told": recorded.position, "change": event.change, "ordinal": event.ordinal}
                    await connection.execute(_SQL["change"], {**run, **changed})
                case _:
                    pass


class PostgresRuns:
    """Reads the view of runs, under the role ``reader`` and row-level security. Implements ``RunsView``."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def runs(self, wanted: RunFilter) -> tuple[RunEntry, ...]:
        """Return the runs that match, in the order in which they were asked."""
        values = {
            "mandate": wanted.mandate,
            "reader": wanted.reader,
            "oversees": wanted.oversees,
            "levels": list(wanted.levels),
            "up_to": wanted.up_to,
            "person": wanted.person,
            "since": wanted.since,
            "until": wanted.until,
        }
        async with self._reading(wanted) as connection:
            rows = await (await connection.execute(_SQL["runs"], values)).fetchall()
        return tuple(RunEntry(*row) for row in rows)

    async def touched(self, wanted: RunFilter, documents: Sequence[str], behind: int) -> int:
        """Return how many of the runs have been told of a change to one of ``documents`` behind a position.

        Args:
            wanted: who looks, and at which mandate; the documents are its own.
            documents: keys.
            behind: journal position before the changes.
        """
        values = {
            "mandate": wanted.mandate,
            "reader": wanted.reader,
            "oversees": wanted.oversees,
            "levels": list(wanted.levels),
            "documents": list(documents),
            "behind": behind,
        }
        async with self._reading(wanted) as connection:
            row = await (await connection.execute(_SQL["touched"], values)).fetchone()
        return row[0] if row else 0

    @asynccontextmanager
    async def _reading(self, wanted: RunFilter) -> AsyncIterator[AnyConnection]:
        scope = {wanted.mandate, *wanted.scope}
        async with self._database.connection(Role.READER) as connection:
            await connection.execute(_SQL["scope"], {"scope": ",".join(map(str, scope))})
            yield connection


def _begun(recorded: Recorded, event: QuestionAsked) -> dict[str, object]:
    return {
        "person": event.asker,
        "asked_at": recorded.logged_at,
        "asked_position": recorded.position,
        "levels": list(event.levels),
        "known_position": event.position,
        "valid_on": event.valid_on,
        "speaks_up_to": speaks_up_to(event, recorded.position),
    }


def _ended(recorded: Recorded, outcome: str, step: str | None) -> dict[str, object]:
    return {"ended_position": recorded.position, "outcome": outcome, "step": step}
