"""The searches of a question: all at once, each within its time."""

import asyncio
from dataclasses import dataclass, field

import pytest

from domain.asking.events import CandidatesFused, CandidatesRetrieved, QuestionEncoded
from domain.asking.outcome import AnswerDelivered, AnswerRefused, RunFailed
from domain.asking.ports import Hit
from domain.asking.searches import Searches, Sparse
from domain.asking.visibility import Visible
from domain.mandates.events import RuleSet
from domain.recording import Actor
from tests.asking_world import Bm25, Dense, SparseSearch, World

QUESTION = "Wie lang ist die Frist der Kündigung?"
FRIST = "Die Frist der Kündigung ist drei Monate lang."


@pytest.fixture
async def world() -> World:
    return await World().open()


@dataclass
class Meeting:
    """Lets nobody through before all have come: parts that wait for each other would wait for ever."""

    guests: int
    come: int = 0
    is_full: asyncio.Event = field(default_factory=asyncio.Event)

    async def attend(self) -> None:
        self.come += 1
        if self.come == self.guests:
            self.is_full.set()
        await self.is_full.wait()


@dataclass
class Meets:
    """A search and a model that wait for the others."""

    meeting: Meeting
    name: str = "meets"
    version: str = "1"
    fingerprint: str = "meets/1"

    async def search(self, *_: object) -> tuple[Hit, ...]:
        await self.meeting.attend()
        return ()

    async def question(self, _text: str) -> tuple[float, ...]:
        await self.meeting.attend()
        return (1.0,)


class WeighingMeets(Meets):
    async def question(self, _text: str) -> dict[str, float]:  # type: ignore[override]
        await self.meeting.attend()
        return {"a": 1.0}


async def see(world: World) -> Visible:
    question = world.question(QUESTION)
    admission = await world.admissions().admit(question, world.clock())
    return await world.visible(admission.horizon(question, await world.store.head()))


async def test_models_and_searches_work_at_the_same_time(world: World) -> None:
    """Two encodings wait for each other, then three searches; one after the other would never end."""
    encoding, searching = Meeting(2), Meeting(3)
    searches = Searches(
        Meets(encoding),  # type: ignore[arg-type]
        Meets(searching),  # type: ignore[arg-type]
        Meets(searching),
        Sparse(WeighingMeets(encoding), Meets(searching)),  # type: ignore[arg-type]
    )

    async with asyncio.timeout(5):
        keys = await searches.encode(QUESTION)
        lists = await searches.search(QUESTION, keys, await see(world))

    assert (keys.dense, keys.sparse) == ((1.0,), {"a": 1.0})
    assert list(lists.hits) == ["dense", "sparse", "bm25"]


async def test_a_search_that_takes_too_long_has_failed(world: World) -> None:
    """The others keep what they found."""
    await world.add("a", "handbuch", FRIST)
    never = Meets(Meeting(2))
    searches = Searches(
        world.encoder, Dense(world), never, Sparse(world.sparse_encoder, SparseSearch(world)), seconds=0.05
    )

    lists = await searches.search(QUESTION, await searches.encode(QUESTION), await see(world))

    assert [(one.name, one.error.key) for one in lists.failed] == [("bm25", "slow_bm25")]
    assert {name: len(hits) for name, hits in lists.hits.items()} == {"dense": 1, "sparse": 1}


async def test_without_a_sparse_encoder_two_searches_are_all(world: World) -> None:
    """An installation may have none; nothing counts as failed."""
    searches = Searches(world.encoder, Dense(world), Bm25(world))

    lists = await searches.search(QUESTION, await searches.encode(QUESTION), await see(world))

    assert list(lists.hits) == ["dense", "bm25"]
    assert lists.failed == ()


async def test_both_keys_are_recorded_with_their_models(world: World) -> None:
    """Whoever replays a run knows what was searched with."""
    await world.add("a", "handbuch", FRIST)

    await world.asking().ask(world.question("Frist"))

    (encoded,) = (event for event in world.events() if isinstance(event, QuestionEncoded))
    assert (encoded.fingerprint, encoded.sparse_fingerprint) == ("bag/1", "beginnings/1")
    assert len(encoded.vector) == 64
    assert encoded.weights == (("fri", 1.0),)
    (retrieved,) = (event for event in world.events() if isinstance(event, CandidatesRetrieved))
    assert [one.name for one in retrieved.lists] == ["dense", "sparse", "bm25"]


@pytest.mark.parametrize("part", ["dense", "sparse", "bm25", "encoder", "sparse_encoder"])
async def test_a_question_needs_all_its_searches(world: World, part: str) -> None:
    """Without a rule that allows fewer, a list that fails ends the run and is named."""
    await world.add("a", "handbuch", FRIST)
    world.failing.add(part)

    answer = await world.asking().ask(world.question(QUESTION))

    assert answer.end == RunFailed("degraded", part)


async def allow(world: World, name: str, value: str) -> None:
    """Put a rule in force as if a second person had agreed."""
    mandate = await world.handler.find("a")
    event = RuleSet(name, value, "weil")
    await world.store.append(mandate.id, mandate.id, mandate.version, [event], Actor(world.anna))


@pytest.mark.parametrize(
    ("part", "name"),
    [
        ("dense", "dense"),
        ("encoder", "dense"),
        ("sparse", "sparse"),
        ("sparse_encoder", "sparse"),
        ("bm25", "bm25"),
    ],
)
async def test_a_rule_may_allow_one_search_to_fail(world: World, part: str, name: str) -> None:
    """The run says which, with the same gate as ever."""
    await world.add("a", "handbuch", f"{FRIST}\n\nKatzen schlafen viel.")
    await allow(world, "failed_searches", "allow_one")
    whole = await world.asking().ask(world.question(QUESTION))
    world.failing.add(part)

    answer = await world.asking().ask(world.question(QUESTION))

    assert isinstance(answer.end, AnswerDelivered)
    assert [(one.name, one.part) for one in answer.failed] == [(name, part)]
    assert answer.relevance == whole.relevance
    finding = await world.asking().search(world.question(QUESTION))
    assert finding.entries(name) == ()


async def test_a_second_failure_is_one_too_many(world: World) -> None:
    """One list alone is no fusion."""
    await world.add("a", "handbuch", FRIST)
    await allow(world, "failed_searches", "allow_one")
    world.failing |= {"bm25", "sparse"}

    answer = await world.asking().ask(world.question(QUESTION))

    assert answer.end == RunFailed("degraded", "sparse")


async def test_without_a_list_no_gate_loosens(world: World) -> None:
    """What is refused with three lists is refused with two."""
    await world.add("a", "katzen", "Die Katzen schlafen viel.")
    await allow(world, "failed_searches", "allow_one")

    for part in ("dense", "sparse", "bm25"):
        world.failing = {part}
        answer = await world.asking().ask(world.question(QUESTION))
        assert isinstance(answer.end, AnswerRefused)
        assert (answer.end.step, answer.end.threshold) == ("relevance", 0.35)


async def test_a_mandate_may_weigh_the_lists(world: World) -> None:
    """Its weights replace those of the models, and are recorded with the fusion."""
    await world.add("a", "handbuch", FRIST)
    await allow(world, "fusion_weights", "dense=2 bm25=0.5")

    await world.asking().ask(world.question(QUESTION))

    (fused,) = (event for event in world.events() if isinstance(event, CandidatesFused))
    assert dict(fused.weights) == {"dense": 2.0, "sparse": 1.0, "bm25": 0.5}


async def test_a_wiki_says_that_it_is_one(world: World) -> None:
    """Nothing found is said of the wiki."""
    await allow(world, "scope_kind", "wiki")

    end = (await world.asking().ask(world.question(QUESTION))).end

    assert isinstance(end, AnswerRefused)
    assert (end.step, end.reason) == ("none_found", "none_found_wiki")


async def test_nothing_found_is_only_said_of_a_whole_search(world: World) -> None:
    """The list that failed might have found something."""
    await world.add("a", "katzen", "Katzen schlafen viel.")
    await allow(world, "failed_searches", "allow_one")
    world.failing = {"dense"}

    answer = await world.asking().ask(world.question(QUESTION))

    assert answer.end == RunFailed("degraded", "dense")
