"""What the commands of a conversation show."""

import json
from dataclasses import replace
from datetime import UTC, date, datetime
from uuid import UUID

import pytest

from bot.chat import showing
from bot.chat.splitting import LARGEST
from bot.matrix.content import message
from bot.text import LANGUAGES, texts
from domain.asking.cards import OpenCard
from domain.asking.source_changes import SUPERSEDED, SourceChangeNotified
from domain.asking.values import Source, SourceChange
from domain.asking.visibility import VisibleVersion
from domain.recording import BlobRef
from tests.unit.chat.reading import plain_words, read
from tests.unit.terminal.answers import RUN, SHOWN, SOURCE, answered, failed, refused

DE = texts("de")


def version(number: int, title: str = "Handbuch") -> VisibleVersion:
    blob = BlobRef("a" * 64, "b" * 64)
    key = f"handbuch-{number}"
    return VisibleVersion(
        number, UUID(int=1), UUID(int=number), key, 2, title, None, "internal", blob, date(2026, 7, 1), None, "legal",
        datetime(2026, 7, 1, tzinfo=UTC),
    )  # fmt: skip


def test_an_opened_source_stands_out_from_its_surroundings() -> None:
    """Its place can be copied for the command line."""
    content = showing.source(OpenCard(SOURCE, "Davor steht das.\n", "\nDanach dies."), answered(), DE)
    quote = "Davor steht das.<br><strong>„Die Frist beträgt drei Monate.“</strong><br>Danach dies."
    assert f"<blockquote>{quote}</blockquote>" in content.html
    assert "<code>handbuch@4:100-150</code>" in content.html
    assert content.run is None
    assert read(content).text.split() == plain_words(content)


def test_an_opened_source_is_cut_where_it_does_not_fit() -> None:
    """One message shows it, and says that there is more."""
    long = Source(SHOWN, "Wort " * 20_000, "")
    content = showing.source(OpenCard(long, "Davor. " * 9_000, ""), answered(), DE)
    assert len(content.html) + len(content.plain) < 45_000
    assert content.plain.count("[… gekürzt]") == 2


def test_why_names_values_thresholds_and_what_came_near() -> None:
    """A refusal in numbers."""
    assert showing.why(refused(), DE).plain == (
        "Beste Fundstelle 0,21, nötig 0,35.\n\nAm nächsten lag:\n- 0,21 Handbuch Schaden „2.1 Fristen, Nr. 2“"
    )
    assert (
        showing.why(answered(), DE).plain
        == "Diese Frage ist beantwortet. Gemessen wurde:\n- Relevanz: 0,81, nötig 0,35"
    )


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [(answered(), "beantwortet"), (refused(), "keine Fundstelle gut genug"), (failed(), "ein Teil antwortete nicht")],
)
def test_a_run_is_named_in_full(answer: object, outcome: str) -> None:
    """The short line below an answer is not enough to look it up."""
    told = showing.run(answer, DE).plain
    assert f"Lauf {RUN}" in told
    assert f"Ergebnis: {outcome}" in told
    assert "Journalposition 812" in told


def test_what_was_known_is_a_bounded_list() -> None:
    """A room is no place for a thousand rows."""
    told = showing.known([version(number) for number in range(1, 61)], "01.01.2026", DE).plain
    assert told.startswith("Stand 01.01.2026: 60 Dokumente\n- Handbuch, Fassung 2 · internal · gültig ab 01.07.2026")
    assert told.count("\n- ") == showing.MOST
    assert told.endswith("… und 20 weitere, die hier keinen Platz haben.")
    ended = replace(version(1), valid_to=date(2027, 1, 1))
    assert "gültig vom 01.07.2026 bis 31.12.2026" in showing.known([ended], "01.01.2026", DE).plain
    assert "1 Dokument\n" in showing.known([version(1)], "01.01.2026", DE).plain
    assert showing.known([], "01.01.2026", DE).plain.startswith("Stand 01.01.2026 war nichts bekannt")


def test_a_list_fits_into_one_message_however_long_its_names_are() -> None:
    """A server takes no larger one, so that the list would never be seen."""
    long = "Ä" * 300
    entry = dict.fromkeys(("subject", "value", "proposed_by", "because", "change"), long)
    known = showing.known([version(number, long) for number in range(1, 61)], "01.01.2026", DE)
    for content in (known, showing.pending([{**entry, "kind": "threshold"}] * 50, DE)):
        assert len(json.dumps(message(content, "$t"))) < LARGEST * 3 // 4
    left = 60 - known.plain.count("\n- ")
    assert 20 < left < 60
    assert f"und {left} weitere" in known.plain


def test_what_waits_for_a_second_person_names_what_by_whom_and_why() -> None:
    """And how to agree."""
    waiting = {
        "kind": "threshold",
        "subject": "relevance",
        "value": "0.3",
        "proposed_by": "anna",
        "because": "zu streng",
    }
    told = showing.pending([{**waiting, "change": "7f3a"}], DE)
    assert told.plain == (
        "Auf eine zweite Person warten: 1\n"
        "- Niedrigere Schwelle: relevance · 0.3\n"
        "  vorgeschlagen von anna · zu streng\n"
        "  !freigabe 7f3a\n\n"
        "Zustimmen kann eine andere Person mit der letzten Zeile des Eintrags. Mit nein GRUND dahinter lehnt sie ab."
    )
    assert "<code>!freigabe 7f3a</code>" in told.html
    assert showing.pending([], DE).plain == "Es wartet keine Änderung auf eine zweite Person."


@pytest.mark.parametrize("language", LANGUAGES)
def test_help_tells_members_less_than_administrators(language: str) -> None:
    """What somebody may not do would only be in the way."""
    member = showing.help_on_commands(texts(language))
    administrator = showing.help_on_commands(texts(language), is_administrator=True)
    assert read(member).text.split() == plain_words(member)
    assert len(member.plain) < len(administrator.plain) < 1_500
    assert set(member.plain.splitlines()) < set(administrator.plain.splitlines())


def test_a_changed_source_is_told_once() -> None:
    """Only what is new, with the source that it is about."""
    on = date(2026, 12, 1)
    at = datetime(2026, 12, 1, tzinfo=UTC)
    notified = SourceChangeNotified(900, at, SHOWN.ordinal, ("S1",), SUPERSEDED, on, holds=False)
    answer = replace(answered(), changes=(SourceChange(notified, 901, on, 5),))
    content = showing.source_changed(answer, 901, DE)
    assert content is not None
    assert content.plain == (
        "Achtung: [S1] gilt seit 01.12.2026 nicht mehr. Seit dem 01.12.2026 ist dafür Fassung 5 bekannt.\n\n"
        "[S1] Handbuch Bestand, Fassung 4"
    )
    assert showing.source_changed(answer, 902, DE) is None
