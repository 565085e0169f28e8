"""The report of a bundle as one HTML page that opens from disk: no script, nothing from elsewhere, printable."""

from collections import Counter
from collections.abc import Iterator
from importlib.resources import files
from typing import Final

from bot.bundles.markup import Content, Markup, element, facts, link, table
from bot.bundles.run_report import Shown, section
from bot.text import Texts
from domain.journal.bundles import Bundle, Line

_MOST_LISTED: Final = 2_000
"""Rows of the list of events; above, they are counted by kind."""

_STYLE: Final = files("bot.bundles").joinpath("style.css").read_text(encoding="utf-8")
_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'"


def report(bundle: Bundle, texts: Texts) -> str:
    """Return the page."""
    shown = Shown.of(bundle, texts)
    parts = [
        *_head(shown),
        *_proof(shown),
        *_contents(shown),
        *[section(run, shown) for run in bundle.runs],
        *_events(shown),
    ]
    title = texts("report.title", mandate=bundle.mandate.name)
    return (
        f'<!DOCTYPE html>\n<html lang="{texts.language}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        f"{element('title', title)}\n<style>\n{_STYLE}</style>\n</head>\n"
        f"<body>\n{Markup(chr(10)).join(parts)}\n</body>\n</html>\n"
    )


def _head(shown: Shown) -> Iterator[Markup]:
    bundle, words = shown.bundle, shown.texts
    role = words(f"role.{bundle.member.role}")
    made = words("report.made", at=shown.instant(bundle.made_at), role=role, clearance=bundle.member.clearance)
    yield element("h1", words("report.title", mandate=bundle.mandate.name))
    yield element("p", f"{_selection(shown)} · {made}", kind="sub")


def _selection(shown: Shown) -> str:
    wanted, words = shown.bundle.wanted, shown.texts
    if wanted.run is not None:
        return words("report.of_run", run=wanted.run)
    since, until = (shown.instant(at) if at else "…" for at in (wanted.since, wanted.until))
    period = (
        words("report.of_period", since=since, until=until) if wanted.since or wanted.until else words("report.whole")
    )
    return period if wanted.person is None else f"{period}, {words('report.of_person', person=wanted.person)}"


def _proof(shown: Shown) -> Iterator[Markup]:
    bundle, words = shown.bundle, shown.texts
    columns = [
        element("div", element("h3", words(f"report.{name}")), _bullets(words, name)) for name in ("shows", "shows_not")
    ]
    yield element("div", *columns, kind="columns")
    checkpoint = bundle.signed.checkpoint
    yield element("h3", words("report.protection"))
    yield facts(
        [
            (words("report.covers"), words("report.numbers", first=bundle.first, last=bundle.last, **bundle.counts)),
            (words("report.tree"), words("report.size", origin=checkpoint.origin, size=checkpoint.size)),
            (words("report.root"), element("span", checkpoint.root.hex(), kind="id")),
            (words("report.key"), element("span", str(bundle.keys[-1]), kind="id")),
        ]
    )
    yield element("p", words("report.checkpoint"))
    yield element("pre", str(bundle.signed.note))
    yield element("h3", words("report.check"))
    yield element("p", words("report.how"))
    yield element("pre", words("report.command"))
    yield element("p", words("report.people"), kind="quiet")


def _bullets(words: Texts, name: str) -> Markup:
    return element("ul", *[element("li", line) for line in words(f"report.{name}_list").split("\n") if line])


def _contents(shown: Shown) -> Iterator[Markup]:
    words, runs = shown.texts, shown.bundle.runs
    if len(runs) < 2:
        return
    yield element("h2", words("report.runs"))
    rows: list[list[Content]] = [
        [
            shown.instant(run.recorded[0].logged_at),
            link(f"run-{run.id}", run.asked.text),
            words(f"report.end_{type(run.end).__name__}") if run.end else words("runs.open"),
        ]
        for run in runs
    ]
    yield table([words("report.asked_at"), words("report.question"), words("report.outcome")], rows, kind="runs")


def _events(shown: Shown) -> Iterator[Markup]:
    bundle, words = shown.bundle, shown.texts
    yield element("h2", words("report.events"))
    yield element("p", words("report.events_told"), kind="quiet")
    if len(bundle.lines) > _MOST_LISTED:
        counted = Counter(_kind(line, words) for line in bundle.lines)
        rows: list[list[Content]] = [[kind, str(count)] for kind, count in sorted(counted.items())]
        yield table([words("report.event"), words("report.count")], rows, kind="events")
        return
    rows = [
        [
            str(line.entry.number) if bundle.is_own(line) else words("report.cited"),
            str(line.entry.position),
            shown.instant(line.row.recorded.logged_at) if line.row else "",
            _kind(line, words),
            element("span", line.entry.hash.hex(), kind="id"),
        ]
        for line in bundle.lines
    ]
    names = ("number", "journal_position", "logged_at", "event", "hash")
    yield table([words(f"report.{name}") for name in names], rows, kind="events")


def _kind(line: Line, words: Texts) -> str:
    if line.row is None:
        return words("report.hidden")
    if line.is_open:
        return line.row.topic
    erased = line.row.data_key is None
    return f"{line.row.topic} ({words('report.erased' if erased else 'report.sealed')})"
