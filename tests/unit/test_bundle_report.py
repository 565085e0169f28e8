"""The report of a bundle shows what the bundle holds, in both languages, and nothing in it is obeyed."""

from datetime import timedelta

import pytest

from bot.bundles.making import put
from bot.bundles.markup import Markup, element, safe, table
from bot.bundles.report import report
from bot.files import must_be_new
from bot.text import LANGUAGES, texts
from domain.errors import InputError
from domain.journal.bundles import Wanted
from tests.sealed_journal import TEXT, Chronicle


@pytest.fixture
async def chronicle() -> Chronicle:
    return await Chronicle().open()


@pytest.mark.parametrize("language", LANGUAGES)
async def test_a_run_is_told_from_question_to_times(chronicle: Chronicle, language: str) -> None:
    """Question, evidence, gates, verdict, claims with reasons, answer, models: each stands there."""
    words = texts(language)
    run = await chronicle.ask(await chronicle.ingest(), checked=True)
    shown = report(await chronicle.bundle(), words)
    for key in ("answer", "evidence", "gates", "claims", "models", "times", "shows", "shows_not", "check", "events"):
        assert f"<h3>{words(f'report.{key}')}</h3>" in shown or f"<h2>{words(f'report.{key}')}</h2>" in shown, key
    for value in (
        str(run),
        "Wie hoch ist das Kilometergeld?",
        TEXT[30:68],
        words("report.verdict_partially_verified"),
        words("struck.number", words="0,40"),
        "Es &lt;b&gt;gilt&lt;/b&gt; immer.",
        "share/1",
        "bag/1",
        "beginnings/1",
        words("report.not_passed"),
        chronicle.key,
    ):
        assert value in shown, value
    assert "<b>gilt" not in shown


@pytest.mark.parametrize("language", LANGUAGES)
async def test_what_is_not_there_is_said(chronicle: Chronicle, language: str) -> None:
    """Erased texts, erased questions, hidden rows, runs that had not ended, refusals, a period and a person."""
    words = texts(language)
    version = await chronicle.ingest()
    await chronicle.ask(version, refused=True)
    begun = await chronicle.ask(version)
    middle = (await chronicle.store.read(begun))[2].logged_at + timedelta(milliseconds=1)
    cut = report(await chronicle.bundle(Wanted(until=middle, person=chronicle.ids["anna"])), words)
    assert words("report.run_open") in cut
    assert words("report.of_person", person=chronicle.ids["anna"]) in cut
    assert words("report.end_AnswerRefused") in cut
    assert words("report.hidden") in cut
    chronicle.store.texts.clear()
    look = next(row for row in chronicle.store.stored if row.topic.startswith("RecordViewed:"))
    chronicle.store.erase(look.recorded.position)
    gone = report(await chronicle.bundle(), words)
    assert words("report.run_erased") in gone
    assert f"({words('report.erased')})" in gone


async def test_a_long_list_of_rows_is_counted(chronicle: Chronicle, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page with a hundred thousand rows would open in no browser."""
    await chronicle.ingest()
    bundle = await chronicle.bundle()
    assert bundle.lines[-1].entry.hash.hex() in report(bundle, texts("en"))
    monkeypatch.setattr("bot.bundles.report._MOST_LISTED", 3)
    counted = report(bundle, texts("en"))
    assert bundle.lines[-1].entry.hash.hex() not in counted
    assert "<td>VersionIngested:1</td><td>1</td>" in counted


def test_text_becomes_markup_once() -> None:
    """What is escaped is not escaped again, control characters are made visible."""
    assert safe("<a> & \x07") == "&lt;a&gt; &amp; \N{REPLACEMENT CHARACTER}"
    assert safe(Markup("<a>")) == "<a>"
    assert element("p", "a < b", kind='x"y') == '<p class="x&quot;y">a &lt; b</p>'
    assert not table(["a"], [])


def test_a_file_is_put_whole_and_never_over_another(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the file system knows no links; nothing is left beside it."""
    put(tmp_path / "a", b"one")
    with pytest.raises(InputError, match="file_exists"):
        put(tmp_path / "a", b"two")

    def refuse(*_: object) -> None:
        raise PermissionError(1, "no links here")

    monkeypatch.setattr("pathlib.Path.hardlink_to", refuse)
    put(tmp_path / "b", b"three")
    with pytest.raises(InputError, match="file_exists"):
        put(tmp_path / "a", b"two")
    with pytest.raises(InputError, match="system"):
        must_be_new(tmp_path / "nowhere" / "c")
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == {"a": b"one", "b": b"three"}
