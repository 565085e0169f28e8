"""What a legal hold concerns, and that nothing of it is erased while it stands.

A hold on a mandate keeps all that is in it; one on a person keeps what that person has asked there, and the versions
whose words stand in the answers. Who is to be erased may belong to other mandates too, so their holds count as well.
With a library, or a version of it, its words would go out of the answers of those that read it, so every hold of a
reader counts: which answers of whom quote what is not told to whoever keeps a library. Whoever oversees none of the
mandates that stand in the way meets one sentence, whatever the reason is.
"""

from collections.abc import Collection, Sequence
from uuid import UUID

from domain.asking.quoting import Quotes
from domain.erasing.events import ERASE_MANDATE, ERASE_PERSON, VERSION, Due, DueListed
from domain.errors import InputError
from domain.mandates.access import oversees
from domain.mandates.handler import Mandates
from domain.mandates.proposals import Proposal
from domain.mandates.state import Mandate
from domain.recording import EventStore


def keeps(mandate: Mandate, people: Collection[UUID]) -> bool:
    """Say whether a hold of the mandate keeps what one of ``people`` has left in it."""
    return any(hold.person is None or hold.person in people for hold in mandate.holds)


def must_be_free(
    kind: str, mandate: Mandate, others: Sequence[Mandate], people: Collection[UUID], reader: UUID
) -> None:
    """Refuse an erasure that a hold concerns.

    Args:
        kind: ``erase_person``, ``erase_mandate`` or ``erase_records``.
        mandate: where it is proposed.
        others: for a person, all mandates that they belong or have belonged to; for a library, or versions of
            it, those that read it.
        people: whom it concerns: the person, or for records as ``concerned`` says.
        reader: who is told.

    Raises:
        InputError: ``erasure_held``; ``erasure_closed`` where ``reader`` may not see the hold.
    """
    if kind == ERASE_MANDATE:
        holding = [one for one in (mandate, *others) if one.holds]
    elif kind == ERASE_PERSON:
        holding = [one for one in others if keeps(one, people)]
    else:
        holding = [mandate] if keeps(mandate, people) else [one for one in others if one.holds]
    if any(oversees(one, reader) for one in holding):
        raise InputError("erasure_held")
    if holding:
        raise InputError("erasure_closed")


async def readers(mandates: Mandates, mandate: Mandate, records: Sequence[Due]) -> tuple[Mandate, ...]:
    """Return the other mandates whose answers may quote one of ``records``: for versions those that read them."""
    return await mandates.readers_of(mandate.id) if any(due.kind == VERSION for due in records) else ()


async def concerned(store: EventStore, mandate: Mandate, records: Sequence[Due]) -> frozenset[UUID]:
    """Return who asked one of ``records``, and of those whom a hold keeps who was answered with words of one."""
    asked = {due.person for due in records if due.person is not None}
    return frozenset({*asked, *(person for person, _ in await quoted_to_kept(store, mandate, records))})


async def quoted_to_kept(store: EventStore, mandate: Mandate, records: Sequence[Due]) -> frozenset[tuple[UUID, int]]:
    """Return whom a hold keeps who was answered with words of which of ``records``, versions by their ordinals."""
    kept = {hold.person for hold in mandate.holds if hold.person is not None}
    versions = [due.ordinal for due in records if due.kind == VERSION]
    return await Quotes(store).repeated(mandate.id, kept, versions) if kept and versions else frozenset()


def must_leave_administrators(person: UUID, theirs: Sequence[Mandate], reader: UUID) -> None:
    """Refuse to erase the last person who administers a mandate: nobody could look after it any more.

    Raises:
        InputError: ``last_administrator``; ``erasure_closed`` where ``reader`` does not oversee the mandate.
    """
    alone = [mandate for mandate in theirs if mandate.administrators == (person,)]
    for mandate in alone:
        if oversees(mandate, reader):
            raise InputError("last_administrator", mandate=mandate.key)
    if alone:
        raise InputError("erasure_closed")


async def listed(store: EventStore, stream: UUID | None) -> tuple[Due, ...]:
    """Return the records that a proposal lists; none for a proposal of another kind."""
    found = () if stream is None else await store.read(stream)
    return next((one.event.records for one in found if isinstance(one.event, DueListed)), ())


async def must_not_be_held(
    store: EventStore, mandates: Mandates, mandate: Mandate, proposal: Proposal, reader: UUID
) -> None:
    """Refuse an erasure that a hold concerns as of now, or that would leave a mandate without administrator.

    Nor is a person erased from a mandate that they have joined since, where nobody who looks after it agrees.

    Raises:
        InputError: ``erasure_held`` or ``last_administrator``; ``erasure_closed`` where the reason is not open to
            ``reader``.
    """
    if proposal.kind == ERASE_PERSON:
        person = UUID(proposal.subject)
        theirs = await mandates.ever_of(person)
        must_leave_administrators(person, theirs, reader)
        must_be_free(proposal.kind, mandate, theirs, {person}, reader)
        agree = {reader, *_agreed(mandate, proposal)}
        if not all(any(oversees(one, other) for other in agree) for one in theirs):
            raise InputError("erasure_closed")
        return
    if proposal.kind == ERASE_MANDATE:
        must_be_free(proposal.kind, mandate, await mandates.readers_of(mandate.id), (), reader)
        return
    records = await listed(store, proposal.listed)
    people = await concerned(store, mandate, records)
    must_be_free(proposal.kind, mandate, await readers(mandates, mandate, records), people, reader)


def _agreed(mandate: Mandate, proposal: Proposal) -> list[UUID]:
    """Return who has proposed a change, and who has agreed to it if somebody has."""
    decided = mandate.decided.get(proposal.change)
    actors = (proposal.proposed_by, None if decided is None else decided.by)
    return [actor.person for actor in actors if actor is not None]
