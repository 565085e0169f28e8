"""What a mandate keeps beyond its term, found and proposed for erasure.

A review shows and proposes only what is open to whoever asks for it, so it tells nobody of what lies above them;
somebody with the highest clearance reviews everything. What a legal hold keeps is counted and left alone, what is
proposed already is not proposed twice.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from uuid import UUID
from zoneinfo import ZoneInfo

from domain.asking.runs import RunsView, filter_for
from domain.erasing.events import RETENTION_RUNS, RETENTION_VERSIONS, VERSION, Due
from domain.erasing.holds import keeps, quoted_to_kept, readers
from domain.erasing.proposing import Proposing
from domain.erasing.retention import EndedVersion, EndedVersions, due_runs, due_versions
from domain.mandates.access import allowed_levels, member_of
from domain.mandates.attempts import UNCHANGED, Change
from domain.mandates.handler import Mandates
from domain.mandates.rules import rule
from domain.mandates.state import Mandate
from domain.recording import Actor, EventStore


@dataclass(frozen=True, slots=True)
class Found:
    """Something due.

    Attributes:
        version: of which document, if it is a version.
        change: the proposal that it waits in, if any.
    """

    due: Due
    version: EndedVersion | None
    change: UUID | None


@dataclass(frozen=True, slots=True)
class Review:
    """What is due in a mandate.

    Attributes:
        terms: the rules in force, by name.
        found: what is due and no hold keeps, runs before versions, each in the order of their recording.
        held: how much is due as well and kept by a hold.
    """

    mandate: Mandate
    today: date
    terms: dict[str, str]
    found: tuple[Found, ...]
    held: int

    @property
    def unproposed(self) -> tuple[Due, ...]:
        """Return what waits in no proposal yet."""
        return tuple(one.due for one in self.found if one.change is None)


class Retention:
    """Reviews what a mandate keeps.

    Args:
        store: tells when a version was closed.
        mandates: finds those whose holds keep a version.
        proposing: proposes erasures.
        runs: the view of runs.
        ended: the view of versions that have come to an end.
    """

    def __init__(
        self, store: EventStore, mandates: Mandates, proposing: Proposing, runs: RunsView, ended: EndedVersions
    ) -> None:
        self._store = store
        self._mandates = mandates
        self._proposing = proposing
        self._runs = runs
        self._ended = ended

    async def review(self, mandate: Mandate, reader: UUID, position: int, now: datetime) -> Review:
        """Return what is due.

        Args:
            mandate: the mandate; whether ``reader`` oversees it is asked before.
            reader: whose clearance counts.
            position: journal position that the views of runs and of what is known have reached.
            now: the present instant.
        """
        zone = ZoneInfo(mandate.time_zone)
        today = now.astimezone(zone).date()
        terms = {name: rule(mandate, name).value for name in (RETENTION_RUNS, RETENTION_VERSIONS)}
        runs = await self._runs.runs(filter_for(mandate, reader, position))
        ended = await self._ended.ended(mandate.id, allowed_levels(mandate, member_of(mandate, reader).clearance))
        closed = [(one, await self._logged_at(one.closed)) for one in ended]
        due = due_runs(runs, terms[RETENTION_RUNS], zone, today)
        due += due_versions(closed, terms[RETENTION_VERSIONS], zone, today)
        free = await self._free(mandate, due)
        waiting = await self._proposing.proposed(mandate)
        versions = {one.ordinal: one for one in ended}
        found = tuple(Found(one, versions.get(one.ordinal), waiting.get(one.place)) for one in free)
        return Review(mandate, today, terms, found, len(due) - len(free))

    async def still_due(self, mandate: Mandate, records: Sequence[Due], now: datetime) -> bool:
        """Say whether all versions among ``records`` are due: what was put right since may have a version go on.

        Of runs that is not asked. They were asked when they were, and another term overtakes what was proposed.
        """
        wanted, zone = {one.ordinal for one in records if one.kind == VERSION}, ZoneInfo(mandate.time_zone)
        ended = await self._ended.ended(mandate.id, mandate.levels) if wanted else ()
        closed = [(one, await self._logged_at(one.closed)) for one in ended if one.ordinal in wanted]
        term = rule(mandate, RETENTION_VERSIONS).value
        return wanted == {one.ordinal for one in due_versions(closed, term, zone, now.astimezone(zone).date())}

    async def propose(self, review: Review, actor: Actor) -> Change:
        """Propose to erase what is due and not proposed yet; unchanged where there is nothing.

        Raises:
            AccessError: the actor does not oversee the mandate.
            InputError: ``erasure_held``: a hold has been placed since.
        """
        if not review.unproposed:
            return Change(review.mandate, UNCHANGED)
        because = " ".join(f"{name}={term}" for name, term in review.terms.items())
        return await self._proposing.propose_records(review.mandate.id, review.unproposed, because, actor)

    async def _free(self, mandate: Mandate, due: Sequence[Due]) -> list[Due]:
        """Return what no hold keeps."""
        read_under_hold = any(one.holds for one in await readers(self._mandates, mandate, due))
        quoted = {version for _, version in await quoted_to_kept(self._store, mandate, due)}

        def is_kept(one: Due) -> bool:
            of_version = one.kind == VERSION and (read_under_hold or one.ordinal in quoted)
            return of_version or keeps(mandate, () if one.person is None else (one.person,))

        return [one for one in due if not is_kept(one)]

    async def _logged_at(self, position: int | None) -> datetime | None:
        if position is None:
            return None
        (recorded,) = await self._store.after(position - 1, 1)
        return recorded.logged_at
