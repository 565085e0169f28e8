"""Who may open what in a bundle; what nobody may open stands there as a hash, and the numbers stay without a gap."""

from collections import Counter
from datetime import timedelta
from uuid import uuid4

import pytest

from adapters.journal.verifier import Key, verify
from domain.errors import AccessError, InputError
from domain.journal.bundles import Bundle, Line, Wanted
from domain.journal.disclosing import ordinals
from domain.journal.viewing import BUNDLE, RecordViewed
from tests.sealed_journal import LEVELS, Chronicle


@pytest.fixture
async def chronicle() -> Chronicle:
    return await Chronicle().open()


def opened(bundle: Bundle) -> Counter[str]:
    """Return how many events of each kind are open."""
    return Counter(line.row.topic.partition(":")[0] for line in bundle.lines if line.row and line.is_open)


def line_at(bundle: Bundle, position: int) -> Line:
    return next(line for line in bundle.lines if line.entry.position == position)


def faults(chronicle: Chronicle, bundle: Bundle) -> object:
    return verify(chronicle.written(bundle), [Key.of(chronicle.key)]).faults


async def test_compliance_with_the_highest_clearance_sees_everything(chronicle: Chronicle) -> None:
    """Each event of the mandate is open, and so are cited versions of libraries; those of others are not there."""
    library = await chronicle.ingest("lib", "public")
    await chronicle.ingest("b", "public")
    await chronicle.ask(library, by="bert", levels=("public", "internal"))
    bundle = await chronicle.bundle()
    assert bundle.counts == {"open": bundle.last, "sealed": 0, "hidden": 0}
    assert {line.row.recorded.mandate for line in bundle.lines if line.row} == {
        chronicle.ids["a"],
        chronicle.ids["lib"],
    }
    assert [one.text for one in bundle.texts] == [
        chronicle.store.texts[one.mandate, one.address].text for one in bundle.texts
    ]
    assert len(bundle.texts) == 1
    assert faults(chronicle, bundle) == []


async def test_an_administrator_does_not_see_questions_of_others(chronicle: Chronicle) -> None:
    """Their own are open; those of others stand there as hashes, and their texts are not in the file."""
    version = await chronicle.ingest()
    await chronicle.ask(version, by="bert", levels=("public", "internal"))
    own = await chronicle.ask(version, by="anna")
    bundle = await chronicle.bundle(reader="anna")
    assert opened(bundle)["QuestionAsked"] == 1
    assert [run.id for run in bundle.runs] == [own]
    assert bundle.counts["hidden"] == 6
    assert faults(chronicle, bundle) == []


async def test_members_export_nothing(chronicle: Chronicle) -> None:
    """Whoever does not oversee the mandate gets the answer of somebody who is no member of it."""
    for reader in ("bert", "nobody"):
        if reader == "nobody":
            chronicle.ids[reader] = await chronicle.people.register(reader)
        with pytest.raises(AccessError):
            await chronicle.bundle(reader=reader)
    with pytest.raises(AccessError):
        await chronicle.bundle(mandate="b")


async def test_a_lower_clearance_sees_neither_secret_documents_nor_runs_that_could_see_them(
    chronicle: Chronicle,
) -> None:
    """Not even that they exist: of a hidden event there is a hash, without stream, time or kind."""
    secret, internal = await chronicle.ingest(level="secret"), await chronicle.ingest()
    await chronicle.ask(internal, by="anna", levels=LEVELS)
    seen = await chronicle.ask(internal, by="bert", levels=("public", "internal"))
    bundle = await chronicle.bundle(reader="dora")
    assert [run.id for run in bundle.runs] == [seen]
    assert line_at(bundle, secret).row is None
    assert line_at(bundle, internal).is_open
    assert faults(chronicle, bundle) == []


async def test_a_document_counts_by_the_highest_level_it_ever_had(chronicle: Chronicle) -> None:
    """Raised and lowered again, it stays closed in bundles; so does a run that cites it."""
    version = await chronicle.ingest()
    await chronicle.ask(version, by="bert", levels=("public", "internal"))
    assert len((await chronicle.bundle(reader="dora")).runs) == 1
    await chronicle.raise_level(version, "secret")
    await chronicle.raise_level(version, "internal")
    bundle = await chronicle.bundle(reader="dora")
    assert (len(bundle.runs), bundle.texts, opened(bundle)["VersionIngested"]) == (0, (), 0)
    assert len((await chronicle.bundle(reader="cleo")).runs) == 1


async def test_the_asker_proves_their_own_run(chronicle: Chronicle) -> None:
    """Its events and the versions that it cites are open, what happened in between is a hash."""
    version = await chronicle.ingest()
    run = await chronicle.ask(version, by="bert", levels=("public", "internal"))
    bundle = await chronicle.bundles.prove(run, chronicle.as_("bert"))
    assert opened(bundle) == Counter(
        (
            *("QuestionAsked", "CandidatesRetrieved", "PassagesSelected", "RelevanceDecided"),
            *("AnswerDrafted", "AnswerDelivered", "VersionIngested"),
        )
    )
    assert faults(chronicle, bundle) == []


async def test_a_run_ends_with_its_answer(chronicle: Chronicle) -> None:
    """What it is told, or what is said of it, later is not part of it; what happened between is a hash without row."""
    version = await chronicle.ingest()
    run = await chronicle.ask(version)
    count = len(chronicle.store.stored)
    await chronicle.notify(run, version)
    await chronicle.like(run, "anna")
    bundle = await chronicle.bundles.prove(run, chronicle.as_("anna"))
    assert bundle.counts == {"open": 6, "sealed": 0, "hidden": 0}
    assert bundle.lines[-1].entry.position == count
    finding = verify(chronicle.written(await chronicle.bundle()), [Key.of(chronicle.key)])
    assert (finding.faults, finding.facts["runs"][0]["end"]) == ([], "AnswerDelivered")


async def test_others_cannot_prove_a_run(chronicle: Chronicle) -> None:
    """An administrator, a member, compliance without the clearance, and for a run that is none: one answer for all."""
    version = await chronicle.ingest()
    run = await chronicle.ask(version, by="anna")
    theirs = await chronicle.ask(version, by="bert", levels=("public", "internal"))
    stream = chronicle.store.stored[version - 1].recorded.stream
    for asked, reader in (
        (run, "bert"),
        (run, "dora"),
        (theirs, "anna"),
        (stream, "cleo"),
        (chronicle.ids["a"], "cleo"),
    ):
        with pytest.raises(AccessError):
            await chronicle.bundles.prove(asked, chronicle.as_(reader))
    for asked in (run, theirs):
        assert faults(chronicle, await chronicle.bundles.prove(asked, chronicle.as_("cleo"))) == []


@pytest.mark.parametrize(("asker", "watches"), [("bert", "cleo"), ("anna", "cleo"), ("cleo", None)])
async def test_the_asker_does_not_see_a_draft_that_was_withheld(
    chronicle: Chronicle, asker: str, watches: str | None
) -> None:
    """A refused run's draft is for compliance; member, administrator or compliance, who asked does not read it."""
    run = await chronicle.ask(await chronicle.ingest(), by=asker, levels=("public", "internal"), withheld=True)
    mine = await chronicle.bundles.prove(run, chronicle.as_(asker))
    assert (opened(mine)["AnswerDrafted"], mine.counts["hidden"]) == (0, 1)
    if watches is not None:
        assert opened(await chronicle.bundles.prove(run, chronicle.as_(watches)))["AnswerDrafted"] == 1
    assert faults(chronicle, mine) == []


async def test_a_run_that_is_none_of_the_mandate_cannot_be_exported(chronicle: Chronicle) -> None:
    """One that there never was, one of another mandate and a document: one answer for all."""
    version = await chronicle.ingest()
    document = chronicle.store.stored[version - 1].recorded.stream
    foreign = await chronicle.ask(version, mandate="b")
    for run in (uuid4(), document, foreign, chronicle.ids["a"]):
        with pytest.raises(AccessError):
            await chronicle.bundle(Wanted(run=run))


async def test_a_period_ends_with_the_rows_beside_it(chronicle: Chronicle) -> None:
    """The rows before and after it are there sealed, so that their times show that nothing of the period is missing."""
    version = await chronicle.ingest()
    await chronicle.ask(version)
    since = chronicle.clock.now + timedelta(milliseconds=1)
    run = await chronicle.ask(version)
    until = chronicle.clock.now + timedelta(milliseconds=1)
    await chronicle.ask(version)
    bundle = await chronicle.bundle(Wanted(since, until))
    assert [one.id for one in bundle.runs] == [run]
    assert bundle.counts == {"open": 6, "sealed": 2, "hidden": 0}
    finding = verify(chronicle.written(bundle))
    assert (finding.faults, finding.facts["edges_open"], finding.facts["cited"]) == ([], [], 1)
    until_now = verify(await chronicle.file(Wanted(since, chronicle.clock.now)))
    assert (until_now.faults, until_now.facts["edges_open"]) == ([], []), "the look itself comes after the period"
    hidden = verify(await chronicle.file(Wanted(since, until), reader="dora"))
    assert (hidden.faults, hidden.facts["edges_open"], hidden.facts["open"]) == ([], ["from", "to"], 0)


async def test_every_bundle_is_a_look_that_it_contains(chronicle: Chronicle) -> None:
    """Recorded before the checkpoint is signed, so nobody can have a bundle that no one knows of."""
    version = await chronicle.ingest()
    run = await chronicle.ask(version, by="bert", levels=("public", "internal"))
    whole = await chronicle.bundle()
    assert whole.lines[-1].row is not None
    assert whole.lines[-1].row.recorded.event == RecordViewed(
        BUNDLE, position=chronicle.store.stored[-4].recorded.position
    )
    assert whole.lines[-1].row.recorded.actor == chronicle.as_("cleo")
    await chronicle.bundles.prove(run, chronicle.as_("bert"))
    looks = [row.recorded.event for row in chronicle.store.stored if isinstance(row.recorded.event, RecordViewed)]
    assert isinstance(looks[-1], RecordViewed)
    assert (len(looks), looks[-1].runs, looks[-1].levels) == (2, (run,), ("public", "internal"))


async def test_a_person_is_all_that_is_opened(chronicle: Chronicle) -> None:
    """Runs of others, documents and members stay hashes, but for the versions that the person's answers cite."""
    version = await chronicle.ingest()
    await chronicle.ask(version, by="anna")
    run = await chronicle.ask(version, by="bert", levels=("public", "internal"))
    bundle = await chronicle.bundle(Wanted(person=chronicle.ids["bert"]))
    assert [one.id for one in bundle.runs] == [run]
    assert opened(bundle)["VersionIngested"] == 1
    assert bundle.counts["open"] == 7
    assert faults(chronicle, bundle) == []


async def test_nothing_to_show_is_said(chronicle: Chronicle) -> None:
    """A period without events, a person without runs, and somebody nobody knows: one and the same."""
    await chronicle.ask(await chronicle.ingest())
    later = chronicle.clock.now + timedelta(days=1)
    for wanted in (Wanted(since=later), Wanted(person=chronicle.ids["dora"])):
        with pytest.raises(InputError, match="bundle_empty"):
            await chronicle.bundle(wanted)


async def test_what_was_erased_is_sealed(chronicle: Chronicle) -> None:
    """The row stays and verifies; who may not know of everything gets the hash alone."""
    await chronicle.ingest()
    position = len(chronicle.store.stored)
    chronicle.store.erase(position)
    bundle = await chronicle.bundle()
    line = line_at(bundle, position)
    assert line.row is not None
    assert not line.is_open
    assert bundle.counts["sealed"] == 1
    assert line_at(await chronicle.bundle(reader="dora"), position).row is None
    assert faults(chronicle, bundle) == []


async def test_a_run_whose_question_was_erased_is_closed(chronicle: Chronicle) -> None:
    """What can still be decrypted of it stays closed as well: it looks like no run."""
    version = await chronicle.ingest()
    run = await chronicle.ask(version, by="bert", levels=("public", "internal"))
    chronicle.store.erase(next(iter(await chronicle.store.read(run))).position)
    bundle = await chronicle.bundle()
    assert (bundle.runs, bundle.texts, opened(bundle)["AnswerDelivered"]) == ((), (), 0)
    assert (bundle.counts["sealed"], bundle.counts["hidden"]) == (1, 5)
    assert faults(chronicle, bundle) == []
    with pytest.raises(AccessError):
        await chronicle.bundles.prove(run, chronicle.as_("cleo"))


async def test_an_answer_whose_text_was_erased_has_no_quotes(chronicle: Chronicle) -> None:
    """The events are open, the words are gone."""
    version = await chronicle.ingest()
    await chronicle.ask(version)
    chronicle.store.texts.clear()
    bundle = await chronicle.bundle()
    assert (bundle.quotes, bundle.texts, len(bundle.runs)) == ((), (), 1)
    assert faults(chronicle, bundle) == []


async def test_a_run_that_cites_an_erased_version_is_open_with_the_highest_clearance(chronicle: Chronicle) -> None:
    """What was erased may have had any level: whoever may see all proves the run, without its source; others do not."""
    version = await chronicle.ingest()
    run = await chronicle.ask(version, by="bert", levels=("public", "internal"))
    chronicle.store.erase(version)
    bundle = await chronicle.bundles.prove(run, chronicle.as_("cleo"))
    assert (bundle.quotes, bundle.texts, [one.id for one in bundle.runs]) == ((), (), [run])
    assert opened(bundle)["AnswerDelivered"] == 1
    assert faults(chronicle, bundle) == []
    for reader in ("dora", "bert"):
        with pytest.raises(AccessError):
            await chronicle.bundles.prove(run, chronicle.as_(reader))


async def test_a_bundle_that_would_be_too_large_is_refused(
    chronicle: Chronicle, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The limit is told; shorter periods fit."""
    monkeypatch.setattr("domain.journal.exporting.MOST_EVENTS", 5)
    with pytest.raises(InputError, match="bundle_large"):
        await chronicle.bundle()


async def test_every_version_that_an_event_names_is_found(chronicle: Chronicle) -> None:
    """However deep it stands in the event."""
    version = await chronicle.ingest()
    run = await chronicle.ask(version, refused=True)
    named = [set(ordinals(one.event)) for one in await chronicle.store.read(run)]
    assert named == [set(), {version}, {version}, set(), {version}]
