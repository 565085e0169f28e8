"""The view of runs: who asked when, and what became of it. Of the question itself it holds nothing."""

from collections.abc import Sequence
from typing import Final

from psycopg import AsyncConnection

from adapters.postgres.database import Database
from adapters.postgres.endpoint import Role
from adapters.postgres.sql import statements
from domain.asking.events import QuestionAsked
from domain.asking.outcome import AnswerDelivered, AnswerRefused, RunFailed
from domain.asking.runs import RunEntry, RunFilter
from domain.recording import Recorded

_SQL: Final = statements("projections", "runs.sql")


class RunsProjection:
    """Keeps ``runs``."""

    name = "runs"
    version = 1

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
                case AnswerDelivered():
                    await connection.execute(_SQL["finish"], {**run, **_ended(recorded, "answered", None)})
                case AnswerRefused(step):
                    await connection.execute(_SQL["finish"], {**run, **_ended(recorded, "refused", step)})
                case RunFailed(step):
                    await connection.execute(_SQL["finish"], {**run, **_ended(recorded, "failed", step)})
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
        async with self._database.connection(Role.READER) as connection:
            await connection.execute(_SQL["scope"], {"mandate": str(wanted.mandate)})
            rows = await (await connection.execute(_SQL["runs"], values)).fetchall()
        return tuple(RunEntry(*row) for row in rows)


def _begun(recorded: Recorded, event: QuestionAsked) -> dict[str, object]:
    return {
        "person": event.asker,
        "asked_at": recorded.logged_at,
        "asked_position": recorded.position,
        "levels": list(event.levels),
        "known_position": event.position,
        "valid_on": event.valid_on,
    }


def _ended(recorded: Recorded, outcome: str, step: str | None) -> dict[str, object]:
    return {"ended_position": recorded.position, "outcome": outcome, "step": step}
