"""The in-memory twin of what erases: keys are the events themselves."""

from collections.abc import Sequence
from uuid import UUID

from domain.erasing.events import RUN, Due
from domain.erasing.ports import Order
from domain.errors import PartError
from domain.mandates.state import Mandate
from tests.memory import InMemoryEventStore, InMemoryPeople


class InMemoryEraser:
    """Implements ``Eraser`` over the in-memory store; ``failures``: how often it fails half-way before it succeeds."""

    def __init__(self, store: InMemoryEventStore, people: InMemoryPeople) -> None:
        self._store = store
        self._people = people
        self.failures = 0
        self.orders: list[Order] = []

    async def person(self, person: UUID, order: Order) -> None:
        self._half_way(order)
        self._people.shred(person)

    async def mandate(self, mandate: UUID, order: Order) -> None:
        self._half_way(order)
        self._store.shred_all(mandate=mandate)

    async def records(self, records: Sequence[Due], order: Order) -> None:
        for place, due in enumerate(records):
            if place == len(records) // 2:
                self._half_way(order)
            if due.kind == RUN:
                self._store.shred_all(stream=due.stream)
            else:
                self._store.shred_all(position=due.ordinal)

    def _half_way(self, order: Order) -> None:
        self.orders.append(order)
        if self.failures:
            self.failures -= 1
            raise PartError("database")


async def all_due(_mandate: Mandate, _records: Sequence[Due]) -> bool:
    """Say that the time of all records is over."""
    return True
