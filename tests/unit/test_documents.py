"""What a text that comes in means for its document."""

from datetime import date

import pytest

from domain.errors import AccessError, InputError
from domain.knowledge.documents import (
    Document,
    KnownText,
    NewVersion,
    Statement,
    decide_ingest,
    decide_level,
    decide_withdraw,
    document,
)
from domain.knowledge.events import (
    DocumentRegistered,
    DocumentWithdrawn,
    LevelAssigned,
    ValidPeriod,
    VersionCorrected,
    VersionIngested,
)
from domain.recording import BlobRef, Event

TODAY = date(2026, 5, 1)
LEVELS = ("public", "internal", "confidential", "secret")


def ingested(version: int, text: str, valid_from: date | None = None, valid_to: date | None = None) -> VersionIngested:
    return VersionIngested(
        version=version,
        blob=BlobRef("0" * 64, text),
        markup="plain",
        characters=len(text),
        title="Handbuch",
        url=None,
        level="internal",
        valid_from=valid_from,
        valid_to=valid_to,
        valid_from_kind="legal" if valid_from else "assumed",
        source="handbuch.txt",
        reader="text/1",
        segmentation="de/1",
        sentences=(),
        passages=(),
        pages=(),
    )


def handbook(*events: Event) -> Document:
    return document((DocumentRegistered("handbuch"), *events))


def decide(state: Document, text: str, **stated: object) -> NewVersion | KnownText:
    return decide_ingest(state, text, Statement(**{"level": "internal", **stated}), TODAY, LEVELS)


def test_a_first_version_without_a_date_is_open():
    """Nothing is said about its beginning, so it is taken to have been in force always, and this is assumed."""
    assert decide(Document(), "A") == NewVersion(1, "internal", None, None, ValidPeriod(None, None), "assumed")


def test_a_later_version_without_a_date_begins_on_the_day_of_recording():
    """Other text under a known key begins today."""
    assert decide(handbook(ingested(1, "A")), "B") == NewVersion(
        2, "internal", None, None, ValidPeriod(TODAY, None), "assumed"
    )


def test_the_same_text_without_other_statements_is_unchanged():
    """Nothing is recorded for a text that is known, dated or not."""
    state = handbook(ingested(1, "A"), ingested(2, "B", date(2024, 1, 1)))
    assert decide(state, "B") == KnownText(2, ())
    assert decide(state, "B", valid_from=date(2024, 1, 1)) == KnownText(2, ())


def test_an_older_text_stated_with_its_own_dates_is_unchanged():
    """A manifest of a whole history may come in again and again."""
    state = handbook(ingested(1, "A", date(2021, 1, 1), date(2024, 1, 1)), ingested(2, "B", date(2024, 1, 1)))
    assert decide(state, "A", valid_from=date(2021, 1, 1), valid_to=date(2024, 1, 1)) == KnownText(1, ())


def test_the_same_text_with_another_title_is_corrected():
    """Title, link and validity are put right without a new version."""
    found = decide(handbook(ingested(1, "A")), "A", title="Neues Handbuch", url="https://wiki.example/h")
    corrected = VersionCorrected(1, "Neues Handbuch", "https://wiki.example/h", None, None, "assumed")
    assert found == KnownText(1, (corrected,))


def test_the_same_text_with_another_beginning_is_corrected():
    """A wrong date is put right in place."""
    found = decide(handbook(ingested(1, "A", date(2024, 1, 1))), "A", valid_from=date(2024, 2, 1))
    assert found == KnownText(1, (VersionCorrected(1, "Handbuch", None, date(2024, 2, 1), None, "legal"),))


def test_a_text_that_comes_back_after_another_is_a_version_of_its_own():
    """A, B, A are three versions: the middle one separates the other two."""
    state = handbook(ingested(1, "A"), ingested(2, "B", date(2024, 1, 1)))
    assert decide(state, "A") == NewVersion(3, "internal", None, None, ValidPeriod(TODAY, None), "assumed")
    assert isinstance(decide(state, "A", valid_from=date(2025, 1, 1)), NewVersion)


def test_of_two_versions_with_the_same_text_the_one_that_begins_on_the_day_is_meant():
    """Prolonging the first of two neighbouring stretches does not move the second."""
    state = handbook(ingested(1, "A", date(2021, 1, 1), date(2024, 1, 1)), ingested(2, "A", date(2024, 1, 1)))
    found = decide(state, "A", valid_from=date(2021, 1, 1))
    assert found == KnownText(1, (VersionCorrected(1, "Handbuch", None, date(2021, 1, 1), None, "legal"),))


def test_the_same_text_for_another_stretch_is_a_version_of_its_own():
    """Two stated stretches that share no day are two versions, even with the same words."""
    state = handbook(ingested(1, "A", date(2021, 1, 1), date(2024, 1, 1)))
    assert isinstance(decide(state, "A", valid_from=date(2024, 1, 1)), NewVersion)


def test_after_a_withdrawal_the_same_text_is_a_new_version():
    """A withdrawn version never answers again; the document comes back with a new one, open as a first one is."""
    state = handbook(ingested(1, "A"), DocumentWithdrawn("überholt"))
    assert decide(state, "A") == NewVersion(2, "internal", None, None, ValidPeriod(None, None), "assumed")


def test_an_ingest_raises_the_level_and_never_lowers_it():
    """The same text at a higher level closes the document off; at a lower level it stays where it is."""
    state = handbook(ingested(1, "A"))
    assert decide(state, "A", level="secret") == KnownText(1, (LevelAssigned("secret"),))
    assert decide(state, "A", level="public") == KnownText(1, ())


def test_an_assigned_level_holds_for_later_versions():
    """A nightly job with its own level does not undo what an administrator assigned."""
    state = handbook(ingested(1, "A"), LevelAssigned("secret"))
    found = decide(state, "B")
    assert isinstance(found, NewVersion)
    assert found.level == "secret"


@pytest.mark.parametrize(
    ("stated", "error"),
    [
        ({"level": "geheim"}, "level_unknown"),
        ({"valid_from": date(2024, 1, 2), "valid_to": date(2024, 1, 2)}, "validity_empty"),
        ({"valid_from": date(2024, 1, 2), "valid_from_kind": "guessed"}, "valid_from_kind"),
        ({"valid_to": date(2020, 1, 1)}, "validity_empty"),
    ],
)
def test_a_statement_that_makes_no_sense_is_refused(stated: dict[str, object], error: str):
    """Unknown levels and kinds and validities without a day are errors before anything is recorded."""
    with pytest.raises(InputError) as caught:
        decide(handbook(ingested(1, "A")), "B", **stated)
    assert caught.value.key == error


def test_what_does_not_answer_any_more_cannot_be_withdrawn_again():
    """Withdrawn and unknown documents look the same."""
    assert decide_withdraw(handbook(ingested(1, "A")), " veraltet ") == DocumentWithdrawn("veraltet")
    for state in (Document(), handbook(ingested(1, "A"), DocumentWithdrawn("veraltet"))):
        with pytest.raises(AccessError):
            decide_withdraw(state, "noch einmal")


def test_a_withdrawal_needs_a_reason():
    """The record says why; blanks are no reason."""
    with pytest.raises(InputError) as caught:
        decide_withdraw(handbook(ingested(1, "A")), "  ")
    assert caught.value.key == "reason"


def test_a_level_reaches_withdrawn_versions_too():
    """Looking back needs today's level, so a level may be assigned to what no longer answers."""
    withdrawn = handbook(ingested(1, "A"), DocumentWithdrawn("veraltet"))
    assert decide_level(withdrawn, "secret", LEVELS) == (LevelAssigned("secret"),)
    raised = handbook(ingested(1, "A"), LevelAssigned("secret"))
    assert decide_level(raised, "secret", LEVELS) == ()
