"""The second person is killed before every single statement of agreeing."""

from uuid import UUID, uuid4

from adapters.eventstore.recording import Recording, open_recording
from adapters.postgres.database import Database
from domain.mandates.attempts import PENDING
from domain.mandates.handler import Mandates
from domain.recording import Actor
from tests.crashing import MASTER
from tests.fault.conftest import Victims

MOST_STATEMENTS = 200


async def test_a_change_is_agreed_to_and_in_force_or_neither(database: Database, victims: Victims) -> None:
    """Whenever it dies, the change waits as before, or it is decided and in force; what was acknowledged is."""
    recording = await open_recording(database, MASTER)
    mandates = Mandates(recording.events, recording.people, uuid4)
    first = Actor(await recording.people.register("first"))
    await mandates.open("m", None, "Europe/Berlin", first, library=False)
    await mandates.admit("m", "second", "internal", first)
    await mandates.give_role("m", "second", "administrator", first)
    value, deaths, decided = 0.79, 0, 0
    change = await _proposed(mandates, first, value)

    for number in range(1, MOST_STATEMENTS):
        end, acknowledged = await victims.run("approve", number)
        mandate = await mandates.find("m")
        waits, own = change in {one.change for one in mandate.proposals}, mandate.thresholds.get("coverage")
        assert waits != (change in mandate.decided)
        assert waits != (own is not None and own.value == value)
        assert not waits or not acknowledged
        if not waits:
            decided, value = decided + 1, value - 0.001
            change = await _proposed(mandates, first, value)
        if end == "done":
            break
        assert end == "killed"
        deaths += 1

    assert deaths > 10, "agreeing should have many statements"
    assert decided, "the last one was not killed"
    assert await _decisions(recording) == decided
    await recording.close()


async def _proposed(mandates: Mandates, first: Actor, value: float) -> UUID:
    change = await mandates.set_threshold("m", "coverage", str(value), "weil", first, model=None)
    assert change.status == PENDING
    assert change.proposal is not None
    return change.proposal


async def _decisions(recording: Recording) -> int:
    events = await recording.events.after(0, 10_000)
    return sum(type(one.event).__name__ == "ChangeApproved" for one in events)
