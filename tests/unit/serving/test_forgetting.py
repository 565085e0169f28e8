"""Who was erased goes from the files of our device, and nobody else whom somebody knows."""

from collections.abc import Collection

import pytest

from bot.serving import forgetting
from bot.serving.forgetting import Forgetting
from domain.errors import PartError
from tests.unit.serving.conftest import until

US, ANNA, DORA, EMIL = "@bot:x", "@anna:x", "@dora:x", "@emil:x"


class Installation:
    """Knows people, and files that name some of them; ``fails`` calls have no answer first."""

    def __init__(self, *named: str) -> None:
        self.named = set(named)
        self.known = {ANNA, DORA}
        self.erased = 0
        self.fails = 0
        self.looked = 0
        self.faults: list[Exception] = []

    async def count(self) -> int:
        self.looked += 1
        if self.fails:
            self.fails -= 1
            raise PartError("database")
        return self.erased

    async def is_known(self, person: str) -> bool:
        return person in self.known

    def people(self) -> frozenset[str]:
        return frozenset(self.named)

    async def forget(self, people: Collection[str]) -> None:
        self.named -= set(people)

    def erase(self, person: str) -> None:
        self.known.discard(person)
        self.erased += 1

    def forgetting(self) -> Forgetting:
        return Forgetting(self.count, self.is_known, self.faults.append)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forgetting, "LOOK_SECONDS", 0)


async def test_who_is_erased_while_we_answer_goes() -> None:
    """By whomever it was done; what was tried in vain is tried again, and we ourselves stay."""
    here = Installation(US, ANNA, DORA)
    async with here.forgetting().of(here, US):
        await until(lambda: here.looked > 1)
        here.fails = 1
        here.erase(DORA)
        await until(lambda: here.named == {US, ANNA})
    assert [type(one) for one in here.faults] == [PartError]


async def test_who_was_erased_before_goes_at_the_start() -> None:
    """Whether the process was down then, or has died of it."""
    here = Installation(US, ANNA, DORA)
    here.erase(DORA)
    async with here.forgetting().of(here, US):
        await until(lambda: here.named == {US, ANNA})


async def test_as_long_as_nobody_was_erased_nobody_is_forgotten() -> None:
    """A stranger in a room may be admitted tomorrow, and the key that was seen first counts."""
    here = Installation(US, EMIL)
    async with here.forgetting().of(here, US):
        await until(lambda: here.looked > 2)
    assert here.named == {US, EMIL}
