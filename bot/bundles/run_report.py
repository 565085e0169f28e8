"""One run in the report: question, answer as it was shown, evidence, gates, claims, models, times."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from bot.answers import cautions, decimal, near_place, note, part, place, reason, text
from bot.bundles.markup import Content, Markup, element, facts, joined, table
from bot.laid_out import between
from bot.output import shown_day, shown_instant
from bot.sentences import Said, sentences, why_struck
from bot.text import Texts
from domain.asking.events import CandidatesReranked, PassagesSelected, QuestionEncoded, RelevanceDecided
from domain.asking.outcome import AnswerDelivered, AnswerDrafted, AnswerRefused, CoverageDecided, Sentence
from domain.asking.run import Run
from domain.asking.telling import tell
from domain.asking.values import Answer
from domain.asking.verdicts import CheckedClaim, ClaimsChecked, VerdictReached
from domain.errors import FundstelleError
from domain.journal.bundles import Bundle, Quote
from domain.knowledge.events import VersionIngested

_MILLISECOND = 1000


@dataclass(frozen=True, slots=True)
class Shown:
    """What the sections of all runs need.

    Attributes:
        versions: the open versions by position; ``stored``: their texts.
        quotes: what events cite, by their position.
    """

    bundle: Bundle
    texts: Texts
    versions: Mapping[int, VersionIngested]
    stored: Mapping[int, str]
    quotes: Mapping[int, list[Quote]]

    @classmethod
    def of(cls, bundle: Bundle, texts: Texts) -> "Shown":
        """Gather it from a bundle."""
        by_address = {(one.mandate, one.address): one.text for one in bundle.texts}
        rows = [line.row.recorded for line in bundle.lines if line.row and line.is_open]
        versions = {one.position: one.event for one in rows if isinstance(one.event, VersionIngested)}
        stored = {
            one.position: by_address[one.mandate, one.event.blob.address]
            for one in rows
            if isinstance(one.event, VersionIngested) and (one.mandate, one.event.blob.address) in by_address
        }
        quotes: dict[int, list[Quote]] = {}
        for quote in bundle.quotes:
            quotes.setdefault(quote.event, []).append(quote)
        return cls(bundle, texts, versions, stored, quotes)

    def instant(self, at: datetime) -> str:
        """Return an instant in the mandate's time zone."""
        return shown_instant(self.texts, at, self.bundle.mandate.time_zone)


def section(run: Run, shown: Shown) -> Markup:
    """Return the section of a run."""
    words = shown.texts
    parts = [
        element("h2", run.asked.text),
        element("p", words("report.run", run=run.id), kind="quiet"),
        _asked(run, shown),
        *_answer(run, shown),
        *_part(words("report.evidence"), _evidence(run, shown)),
        *_part(words("report.gates"), _gates(run, words)),
        *_part(words("report.claims"), _claims(run, words)),
        *_part(words("report.models"), _models(run, words)),
        *_part(words("report.times"), _times(run, shown)),
    ]
    return element("section", *parts, kind="run", identity=f"run-{run.id}")


def _part(heading: str, content: Markup) -> list[Content]:
    return [element("h3", heading), content] if content else []


def _asked(run: Run, shown: Shown) -> Markup:
    words, asked = shown.texts, run.asked
    return facts(
        [
            (words("report.asked_at"), shown.instant(run.recorded[0].logged_at)),
            (words("report.asker"), element("span", str(asked.asker), kind="id")),
            (words("report.channel"), asked.channel),
            (words("report.looking_back"), shown.instant(asked.at) if asked.at else None),
            (words("report.valid_on"), shown_day(words, asked.valid_on)),
            (words("report.levels"), ", ".join(asked.levels)),
            (words("report.documents"), ", ".join(asked.documents or ())),
            (words("report.known_up_to"), words("report.position", position=asked.position)),
        ]
    )


def _answer(run: Run, shown: Shown) -> Iterator[Content]:
    words = shown.texts
    yield element("h3", words("report.answer"))
    try:
        answer = tell(run, shown.stored, ZoneInfo(shown.bundle.mandate.time_zone), {})
    except FundstelleError as error:
        unfinished = error.key == "run_open"
        yield element("p", words("report.run_open" if unfinished else "report.run_erased"), kind="warn")
        return
    yield element("p", note(answer, words), kind="note")
    yield from (element("p", one, kind="remark") for one in cautions(answer, words))
    if isinstance(answer.end, AnswerDelivered):
        yield element("div", _running(answer, words), kind="answer")
        yield _sources(answer, words)
        return
    yield element("div", text(answer, words), kind="answer")
    yield element("p", reason(answer, words))
    if isinstance(answer.end, AnswerRefused):
        near = [[near_place(one, words), decimal(one.score, words)] for one in answer.end.nearest]
        yield table([words("report.nearest"), words("report.score")], near)


def _running(answer: Answer, words: Texts) -> Markup:
    parts, last = list[Content](), ""
    for one in sentences(answer, words):
        parts += [between(last, one.words), _said(one)]
        last = one.words
    return joined(parts)


def _said(one: Said) -> Markup:
    whole = [one.words, " " * bool(one.anchors), element("span", one.anchors, kind="anchors"), one.stop]
    said = element("s", *whole) if one.is_struck else joined(whole)
    return joined([said, " ", element("span", one.remark, kind="remark")]) if one.remark else said


def _sources(answer: Answer, words: Texts) -> Markup:
    rows = [
        [
            f"[{one.shown.label}]",
            joined(
                [
                    words("answer.version", title=one.shown.title, version=one.shown.version),
                    Markup("<br>"),
                    element("span", str(one.anchor), kind="id"),
                ]
            ),
            place(one.shown, answer.asked_on, words),
            one.shown.level,
            words("answer.quoted", quote=one.quote),
        ]
        for one in answer.sources
    ]
    names = ("label", "source", "place", "level", "quote")
    return table([words(f"report.{name}") for name in names], rows)


def _evidence(run: Run, shown: Shown) -> Markup:
    """Return the passages that the answer could be made of, as the bundle quotes them."""
    words = shown.texts
    recorded = next((one for one in reversed(run.recorded) if isinstance(one.event, PassagesSelected)), None)
    if recorded is None or not isinstance(recorded.event, PassagesSelected):
        return Markup()
    quoted = {quote.label: quote for quote in shown.quotes.get(recorded.position, ())}
    parts = []
    for one in recorded.event.passages:
        version, quote = shown.versions.get(one.passage.ordinal), quoted.get(one.label)
        head = words("report.passage", score=decimal(one.score, words), position=one.passage.ordinal)
        if version is None or quote is None:
            parts.append(element("p", f"[{one.label}] {head} · {words('report.erased')}", kind="quiet"))
            continue
        passage = version.passages[one.passage.number]
        title = words("answer.version", title=version.title, version=version.version)
        where = " › ".join([*passage.section, *[passage.place] * bool(passage.place)])
        span = words("report.span", start=quote.start, end=quote.end)
        level = words("report.of_level", level=version.level)
        told = element("p", element("strong", f"[{one.label}] {title}"), Markup("<br>"), where)
        line = element("p", f"{span} · {level} · {head}", kind="quiet")
        parts.append(element("div", told, line, element("blockquote", quote.text), kind="passage"))
    return joined(parts)


def _gates(run: Run, words: Texts) -> Markup:
    rows = [
        [
            words(f"report.gate_{name}"),
            decimal(gate.value, words),
            decimal(gate.threshold, words),
            words("report.passed" if gate.passed else "report.not_passed"),
            " · ".join([words(f"origin.{gate.rule}"), *filter(None, [gate.rule_version])]),
        ]
        for name, gate in (("relevance", run.of(RelevanceDecided)), ("coverage", run.of(CoverageDecided)))
        if gate is not None
    ]
    names = ("gate", "value", "threshold", "outcome", "rule")
    return table([words(f"report.{name}") for name in names], rows)


def _claims(run: Run, words: Texts) -> Markup:
    checked, verdict, draft = run.of(ClaimsChecked), run.of(VerdictReached), run.of(AnswerDrafted)
    said = () if draft is None else draft.sentences
    parts = list[Content]()
    if verdict is not None:
        name = words(f"report.verdict_{verdict.verdict}")
        counts = {"claims": verdict.claims, "dropped": verdict.dropped, "spots": verdict.spots, "weak": verdict.weak}
        parts.append(element("p", words("report.verdict", verdict=name, **counts)))
    if checked is not None:
        rows = [_claim(one, said, words) for one in checked.claims]
        names = ("sentence", "judgement", "confidence", "because")
        parts.append(table([words(f"report.{name}") for name in names], rows))
        spots = [[_sentence(one.sentence, said), one.reason] for one in checked.spots]
        parts.append(table([words("report.spot"), words("report.because")], spots))
        parts += [element("p", words("report.check_failed", part=part(one, words))) for one in checked.failed if one]
    return joined(parts)


def _claim(one: CheckedClaim, said: tuple[Sentence, ...], words: Texts) -> list[Content]:
    why = Sentence("", (), struck=(one.reason, one.words, one.evidence))
    because = (
        words(f"report.covered_{'weak' if one.is_weak else 'fully'}") if one.is_covered else why_struck(why, words)
    )
    judged = words("report.is_covered" if one.is_covered else "report.is_dropped")
    return [_sentence(one.sentence, said), judged, decimal(one.confidence, words), f"{because} ({one.reason})"]


def _sentence(number: int, said: tuple[Sentence, ...]) -> str:
    return f"{number + 1}. {said[number].text}" if number < len(said) else f"{number + 1}."


def _models(run: Run, words: Texts) -> Markup:
    encoded, reranked = run.of(QuestionEncoded), run.of(CandidatesReranked)
    draft, checked = run.of(AnswerDrafted), run.of(ClaimsChecked)
    writer = (
        "" if draft is None else " · ".join(filter(None, [f"{draft.formulator}/{draft.version}", draft.fingerprint]))
    )
    found = {
        "dense": encoded.fingerprint if encoded else "",
        "sparse": encoded.sparse_fingerprint if encoded else "",
        "reranker": reranked.fingerprint if reranked else "",
        "formulator": writer,
        "judge": checked.judge if checked else "",
        "guards": checked.guards if checked else "",
    }
    shown = [(words(f"report.model_{role}"), element("span", name, kind="id")) for role, name in found.items() if name]
    return facts(shown) if shown else Markup()


def _times(run: Run, shown: Shown) -> Markup:
    words, rows, before = shown.texts, list[list[Content]](), run.recorded[0].logged_at
    for one in run.recorded:
        took = (one.logged_at - before).total_seconds() * _MILLISECOND
        name = type(one.event).__name__ if one.event else "–"
        at = one.logged_at.astimezone(ZoneInfo(shown.bundle.mandate.time_zone))
        rows.append([str(one.number), str(one.position), at.isoformat(" ", "milliseconds"), f"{took:.0f}", name])
        before = one.logged_at
    names = ("number", "journal_position", "logged_at", "took", "event")
    return table([words(f"report.{name}") for name in names], rows, kind="events")
