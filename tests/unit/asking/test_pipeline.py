"""A question on its whole way, with every part in memory."""

from dataclasses import replace
from datetime import date
from math import nan
from uuid import UUID

import pytest

from domain.asking.events import (
    CandidatesFused,
    CandidatesReranked,
    CandidatesRetrieved,
    PassagesSelected,
    QuestionAsked,
    QuestionEncoded,
    RelevanceDecided,
)
from domain.asking.naming import SectionsNamed
from domain.asking.outcome import (
    AnchorsResolved,
    AnswerDelivered,
    AnswerDrafted,
    AnswerRefused,
    CoverageDecided,
    RunFailed,
)
from domain.asking.values import Answer
from domain.asking.verdicts import ClaimsChecked, VerdictReached
from domain.errors import AccessError, InputError, PartError
from domain.recording import Actor
from tests.asking_world import World

QUESTION = "Wie lang ist die Frist der Kündigung?"
FRIST = "Die Frist der Kündigung ist drei Monate lang."


@pytest.fixture
async def world() -> World:
    return await World().open()


def answered(answer: Answer) -> AnswerDelivered:
    assert isinstance(answer.end, AnswerDelivered)
    return answer.end


def refused(answer: Answer) -> AnswerRefused:
    assert isinstance(answer.end, AnswerRefused)
    return answer.end


async def test_an_answer_is_a_span_of_a_stored_version(world: World) -> None:
    """The quote of every source is what the stored text says at the anchor."""
    entry = await world.add("a", "handbuch", f"Vorwort.\n\n{FRIST} Katzen schlafen viel.")

    answer = await world.asking().ask(world.question(QUESTION))

    assert [one.text for one in answered(answer).sentences] == [FRIST]
    assert [str(source.anchor) for source in answer.sources] == ["handbuch@1:10-55"]
    assert answer.sources[0].quote == entry.text[10:55] == FRIST


async def test_every_step_leaves_its_event_in_order(world: World) -> None:
    """The stream of a run tells the whole way."""
    await world.add("a", "handbuch", FRIST)

    await world.asking().ask(world.question(QUESTION))

    assert [type(event) for event in world.events()] == [
        QuestionAsked,
        SectionsNamed,
        QuestionEncoded,
        CandidatesRetrieved,
        CandidatesFused,
        CandidatesReranked,
        PassagesSelected,
        RelevanceDecided,
        AnswerDrafted,
        AnchorsResolved,
        CoverageDecided,
        ClaimsChecked,
        VerdictReached,
        AnswerDelivered,
    ]


async def test_timings_name_each_step(world: World) -> None:
    """A slow step can be told from the answer."""
    await world.add("a", "handbuch", FRIST)

    answer = await world.asking().ask(world.question(QUESTION))

    steps = ["rules", "encode", "search", "rerank", "select", "formulate", "anchors", "verify", "validity"]
    assert list(answer.timings_ms) == steps


async def test_nothing_in_scope_is_none_found(world: World) -> None:
    """Without any candidate there is nothing to guess from."""
    answer = await world.asking().ask(world.question(QUESTION))

    assert refused(answer).step == "none_found"
    assert refused(answer).nearest == ()


async def test_too_little_is_refused_before_anything_is_drafted(world: World) -> None:
    """Below the threshold nobody formulates; the refusal names value, threshold and what came near."""
    await world.add("a", "katzen", "Katzen schlafen viel.", section=("Tiere",))

    answer = await world.asking().ask(world.question(QUESTION))

    end = refused(answer)
    assert (end.step, end.threshold, end.nearest[0].title) == ("relevance", 0.35, "Titel katzen")
    assert end.value is not None
    assert end.value < 0.35
    assert AnswerDrafted not in [type(event) for event in world.events()]


async def test_a_score_that_is_no_number_is_refused(world: World) -> None:
    """A broken model gives no answer, and nothing that JSON cannot hold is recorded."""
    await world.add("a", "handbuch", FRIST)
    world.reranker.judge = lambda _question, _text: nan

    end = refused(await world.asking().ask(world.question(QUESTION)))

    assert (end.step, end.value, end.threshold) == ("relevance", None, 0.35)


@pytest.mark.parametrize(("fingerprint", "threshold"), [("", 0.35), ("share/1", None)])
async def test_a_model_without_name_or_threshold_gives_no_answer(
    world: World, fingerprint: str, threshold: float | None
) -> None:
    """Nobody has said what its scores mean."""
    await world.add("a", "handbuch", FRIST)
    world.reranker.fingerprint, world.reranker.threshold = fingerprint, threshold

    assert refused(await world.asking().ask(world.question(QUESTION))).step == "relevance"


async def test_an_erased_text_gives_no_answer(world: World) -> None:
    """A span that cannot be compared with the stored text is no anchor."""
    entry = await world.add("a", "handbuch", FRIST)
    world.blobs.shred(entry.version.mandate, entry.version.blob)

    assert refused(await world.asking().ask(world.question(QUESTION))).step == "integrity"


async def test_a_passage_that_is_not_what_is_stored_gives_no_answer(world: World) -> None:
    """An index that has gone astray is found out by the stored text."""
    entry = await world.add("a", "handbuch", FRIST)
    other = await world.blobs.put(entry.version.mandate, FRIST.replace("drei", "vier"))
    world.entries[0].version = replace(entry.version, blob=other)

    assert refused(await world.asking().ask(world.question(QUESTION))).step == "integrity"


async def test_passages_without_a_sentence_that_answers_give_no_answer(world: World) -> None:
    """The rows of a table are near the question, but none has the zone that is asked for."""
    await world.add("a", "tarif", "- Zone: 1; Zuschlag: 5 %\n- Zone: 2; Zuschlag: 7 %")

    end = refused(await world.asking().ask(world.question("Zuschlag Zone 3")))

    assert (end.step, end.value) == ("coverage", 0.0)


@pytest.mark.parametrize("part", ["encoder", "dense", "bm25", "texts", "reranker"])
async def test_a_part_that_does_not_answer_ends_the_run_and_is_named(world: World, part: str) -> None:
    """Fewer lists are no lesser answer but none."""
    await world.add("a", "handbuch", FRIST)
    world.failing.add(part)

    answer = await world.asking().ask(world.question(QUESTION))

    assert answer.end == RunFailed("degraded", part) == world.events()[-1]


@pytest.mark.parametrize("part", ["views", "knowledge"])
async def test_without_a_horizon_no_run_begins(world: World, part: str) -> None:
    """What fails before the question is settled leaves no run behind."""
    world.failing.add(part)

    with pytest.raises(PartError):
        await world.asking().ask(world.question(QUESTION))
    assert world.events() == []


async def refusal_of(world: World, **options: object) -> tuple[str, dict[str, str]]:
    text = str(options.pop("text", QUESTION))
    with pytest.raises(AccessError) as error:
        await world.asking().ask(world.question(text, **options))  # type: ignore[arg-type]
    return error.value.key, error.value.values


async def test_unknown_foreign_and_forbidden_are_one_and_the_same(world: World) -> None:
    """Whatever is not open looks like what does not exist, and nothing is recorded about it."""
    await world.add("a", "handbuch", FRIST)
    await world.add("b", "fremd", FRIST)
    await world.add("a", "geheim", FRIST, level="secret")
    carla = await world.people.register("carla")

    refusals = [
        await refusal_of(world, mandate="nirgends"),
        await refusal_of(world, mandate="b"),
        await refusal_of(world, asker=carla),
        await refusal_of(world, scope=("b",)),
        await refusal_of(world, scope=("a", "nirgends")),
        await refusal_of(world, documents=("fremd",)),
        await refusal_of(world, documents=("nirgends",)),
        await refusal_of(world, documents=("geheim",), asker=world.bert),
        await refusal_of(world, channel="#nirgends"),
    ]

    assert set(map(repr, refusals)) == {repr(("access", {}))}
    assert world.events() == []


async def test_somebody_nobody_knows_is_not_admitted(world: World) -> None:
    """A person without a pseudonym has no clearance."""
    ask = world.question(QUESTION)
    with pytest.raises(AccessError):
        await world.asking().ask(type(ask)("a", None, Actor(world.anna), QUESTION))


async def test_what_lies_elsewhere_above_or_later_changes_nothing(world: World) -> None:
    """Another mandate, a higher level and another time are as if they were not there."""
    await world.add("a", "handbuch", FRIST)
    before = await world.asking().ask(world.question(QUESTION, asker=world.bert))
    await world.add("b", "fremd", FRIST)
    await world.add("a", "geheim", FRIST, level="secret")
    await world.add("a", "künftig", FRIST, valid_from=date(2027, 1, 1))

    after = await world.asking().ask(world.question(QUESTION, asker=world.bert))

    assert after.sources == before.sources
    assert after.relevance == before.relevance


async def test_a_subscribed_library_answers(world: World) -> None:
    """The scope is the own mandate and its libraries."""
    await world.add("lib", "gesetz", FRIST)

    answer = await world.asking().ask(world.question(QUESTION))

    assert [source.shown.document for source in answer.sources] == ["gesetz"]


async def test_a_narrower_scope_leaves_the_rest_out(world: World) -> None:
    """Asked in the library alone, the own handbook does not answer."""
    await world.add("a", "handbuch", FRIST)
    await world.add("lib", "gesetz", FRIST)

    answer = await world.asking().ask(world.question(QUESTION, scope=("lib",)))

    assert [source.shown.document for source in answer.sources] == ["gesetz"]


async def test_a_document_filter_keeps_the_gate(world: World) -> None:
    """Asked of one document only, too little is still too little."""
    await world.add("a", "handbuch", FRIST)
    await world.add("a", "katzen", "Katzen schlafen viel.")

    answer = await world.asking().ask(world.question(QUESTION, documents=("katzen",)))

    assert refused(answer).step == "relevance"


async def test_a_document_not_in_force_on_the_day_is_not_found(world: World) -> None:
    """It is no secret that it exists; on that day it says nothing."""
    await world.add("a", "handbuch", FRIST, valid_from=date(2026, 1, 1))
    await world.add("a", "anderes", FRIST)

    answer = await world.asking().ask(world.question(QUESTION, documents=("handbuch",), valid_on=date(2025, 1, 1)))

    assert refused(answer).step == "none_found"


async def test_an_older_day_gets_the_older_version(world: World) -> None:
    """Valid on a day of the old version, the old text answers and says that it is no longer in force."""
    old, new = FRIST, FRIST.replace("drei", "vier")
    await world.add("a", "handbuch", old, valid_to=date(2026, 1, 1))
    await world.add("a", "handbuch", new, version=2, valid_from=date(2026, 1, 1))

    today = await world.asking().ask(world.question(QUESTION))
    then = await world.asking().ask(world.question(QUESTION, valid_on=date(2025, 6, 1)))

    assert today.sources[0].quote == new
    assert then.sources[0].quote == old
    assert (then.sources[0].shown.in_force, then.sources[0].shown.ended_on) == (False, date(2026, 1, 1))
    assert (today.sources[0].shown.in_force, today.sources[0].shown.ended_on) == (True, None)


async def test_known_then_is_answered_with_the_knowledge_of_then(world: World) -> None:
    """A version recorded later does not exist at the time asked about, and the answer stays the same."""
    first = await world.add("a", "handbuch", FRIST)
    instant = world.tick()
    before = await world.asking().ask(world.question(QUESTION, at=instant))
    first.known_to = (await world.add("a", "handbuch", FRIST.replace("drei", "vier"), version=2)).version.ordinal

    after = await world.asking().ask(world.question(QUESTION, at=instant))

    assert after.sources[0].quote == FRIST
    assert after.position == before.position
    assert answered(after).sentences == answered(before).sentences
    assert not after.sources[0].shown.in_force


async def test_a_future_instant_is_an_error(world: World) -> None:
    """Nobody knows yet what will be known."""
    with pytest.raises(InputError) as error:
        await world.asking().ask(world.question(QUESTION, at="2031-01-01"))
    assert error.value.key == "instant_future"


async def test_a_threshold_of_the_mandate_counts(world: World) -> None:
    """A mandate may ask for more than the model's own threshold; the refusal names it."""
    await world.add("a", "handbuch", "Die Frist ist kurz.")
    await world.handler.set_threshold("a", "relevance", "0.99", "vorsichtig", Actor(world.anna), model=world.model())

    end = refused(await world.asking().ask(world.question(QUESTION)))

    assert (end.step, end.threshold) == ("relevance", 0.99)


async def test_a_threshold_set_for_another_model_lets_nothing_pass(world: World) -> None:
    """A threshold does not carry over to another model."""
    await world.add("a", "handbuch", FRIST)
    await world.handler.set_threshold("a", "relevance", "0.5", "geprüft", Actor(world.anna), model=world.model())
    world.reranker.fingerprint = "other/1"

    end = refused(await world.asking().ask(world.question(QUESTION)))

    assert (end.step, end.threshold) == ("relevance", None)


async def test_the_same_question_in_the_same_state_has_the_same_answer(world: World) -> None:
    """Decision, anchors and words are the same; only the run is another."""
    await world.add("a", "handbuch", f"{FRIST}\n\nDie Kündigung bedarf der Textform.")
    asking = world.asking()

    one, other = await asking.ask(world.question(QUESTION)), await asking.ask(world.question(QUESTION))

    assert (one.end, one.sources, one.relevance, one.coverage) == (
        other.end,
        other.sources,
        other.relevance,
        other.coverage,
    )
    assert one.run != other.run


async def test_a_search_is_a_look_up_and_leaves_nothing(world: World) -> None:
    """Every list is told, and no event is recorded."""
    await world.add("a", "handbuch", f"{FRIST}\n\nKatzen schlafen viel.")

    finding = await world.asking().search(world.question(QUESTION))

    lists = {name: [str(found.anchor) for found in finding.entries(name)] for name in ("bm25", "selected", "sparse")}
    assert lists["bm25"][0] == lists["selected"][0] == "handbuch@1:0-45"
    assert lists["sparse"] == ["handbuch@1:0-45"]
    assert world.events() == []


async def test_a_search_with_a_broken_part_says_so(world: World) -> None:
    """A look-up fails with the part's own error."""
    world.failing.add("bm25")

    with pytest.raises(PartError) as error:
        await world.asking().search(world.question(QUESTION))
    assert error.value.key == "bm25"


async def test_a_room_lowers_what_a_question_may_see(world: World) -> None:
    """The lowest clearance among those who are there counts, and an open room shows the lowest level alone."""
    entry = await world.add("a", "handbuch", FRIST, level="confidential")

    alone = await world.asking().ask(world.question(QUESTION))
    beside = await world.asking().ask(world.question(QUESTION, room=(world.bert,)))
    openly = await world.asking().ask(world.question(QUESTION, is_open_room=True))

    assert [one.shown.ordinal for one in alone.sources] == [entry.version.ordinal]
    assert [type(one.end) for one in (beside, openly)] == [AnswerRefused, AnswerRefused]
    asked = [event.levels for event in world.events() if isinstance(event, QuestionAsked)]
    assert asked[1:] == [("public", "internal"), ("public",)]


@pytest.mark.parametrize("stranger", [None, UUID(int=99)])
async def test_with_a_stranger_in_the_room_nothing_is_asked(world: World, stranger: UUID | None) -> None:
    """Somebody without an admission may see nothing: no run begins, and whoever asked is told why."""
    with pytest.raises(InputError, match="room_strangers"):
        await world.asking().ask(world.question(QUESTION, room=(world.bert, stranger)))

    assert world.events() == []


async def test_a_run_has_the_id_that_it_is_given(world: World) -> None:
    """The same question asked once more under it is nobody's second run."""
    await world.add("a", "handbuch", FRIST)
    answer = await world.asking().ask(world.question(QUESTION), run=UUID(int=77))

    with pytest.raises(InputError, match="run_taken"):
        await world.asking().ask(world.question(QUESTION), run=UUID(int=77))

    assert answer.run == UUID(int=77)
    assert len([event for event in world.events() if isinstance(event, QuestionAsked)]) == 1
