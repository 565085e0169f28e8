"""An answer in the words of a language: what all channels share."""

from collections.abc import Sequence
from datetime import date, timedelta
from math import floor
from typing import Final

from bot.laid_out import itemised
from bot.output import shown_day, shown_last_day
from bot.sentences import running
from bot.text import Texts
from domain.asking.delivery import VERBATIM
from domain.asking.force import Term, term
from domain.asking.links import neutral
from domain.asking.naming import FOREIGN, IN_FORCE, UNKNOWN, NamedSection
from domain.asking.outcome import AnswerDelivered, AnswerRefused, NearPassage, RunFailed, SourceShown
from domain.asking.values import Answer, Source, SourceChange
from domain.asking.verdicts import VerdictReached
from domain.knowledge.search_text import shown as as_shown
from domain.verifying.verdict import REJECTED, VERIFIED

SEPARATOR: Final = " · "
_ADJOINING: Final = 4
"""Code points between an introduction and its item when nothing but white space and a mark stands between them."""


def note(answer: Answer, texts: Texts) -> str:
    """Return the note above an answer, with the searches that it was made without."""
    without = [texts(f"without.{one.name}") for one in answer.failed]
    instead = [texts("model.substituted", bound=one.bound, used=one.used) for one in answer.substituted]
    return SEPARATOR.join([_note(answer, texts), *without, *instead])


def _note(answer: Answer, texts: Texts) -> str:
    if isinstance(answer.end, AnswerRefused):
        return texts("answer.note_refused")
    if isinstance(answer.end, RunFailed):
        return texts("answer.note_failed")
    checked = _checked(answer.end, texts)
    known = _instant(answer, texts)
    day = shown_day(texts, answer.valid_on)
    if answer.at is not None:
        return SEPARATOR.join([*checked, texts("answer.looking_back", day=known, valid_on=day)])
    parts = [*checked, texts("answer.as_of", day=known)]
    return SEPARATOR.join(parts if answer.valid_on == answer.asked_on else [*parts, texts("answer.valid_on", day=day)])


def _checked(end: AnswerDelivered, texts: Texts) -> list[str]:
    """Return what the checks have come to, how much was checked, and whether somebody has checked himself."""
    if end.note == VERBATIM:
        return [texts("answer.note_verbatim"), texts.counted("sentence", len(end.sentences))]
    note = texts(f"answer.note_{end.note}", dropped=end.dropped, claims=end.claims)
    extent = [texts.counted("covered", end.claims)] if end.note == VERIFIED else []
    return [note, *extent, *[texts("answer.note_self_check")] * end.is_self_check]


def cautions(answer: Answer, texts: Texts) -> list[str]:
    """Return a sentence for each cited version that was not in force on the day of the question."""
    return [_caution(source.shown, answer.asked_on, texts) for source in answer.sources if not source.shown.in_force]


def changes(answer: Answer, texts: Texts) -> list[str]:
    """Return a sentence for each time that the run was told of a source that has changed since."""
    return [changed(one, texts) for one in answer.changes]


def changed(change: SourceChange, texts: Texts) -> str:
    """Return since when a cited version no longer is in force, and how that came to be known."""
    notified, on = change.notified, shown_day(texts, change.on)
    labels = f"[{', '.join(notified.labels)}]"
    if notified.ended_on is None:
        said = texts("changed.no_longer", label=labels)
    else:
        key = "answer.ended_on" if notified.ended_on <= change.on else "changed.will_end"
        said = texts(key, label=labels, day=shown_day(texts, notified.ended_on))
    why = texts(f"changed.{change.cause or 'known'}", day=on, version=change.replaced_by)
    return f"{said} {why}"


def text(answer: Answer, texts: Texts) -> str:
    """Return the answer with its anchors, or the fixed sentence that stands in its place."""
    if isinstance(answer.end, AnswerRefused):
        told = (standing(one, answer.valid_on, texts) for one in answer.named if one.standing != IN_FORCE)
        # Several sections of one act that nobody has are one thing to say.
        missing = " ".join(dict.fromkeys(told))
        if answer.end.step == "none_found":
            return missing or texts("answer.none_found_wiki" if _is_wiki(answer.end) else "answer.none_found")
        return texts("answer.refused")
    if isinstance(answer.end, RunFailed):
        if answer.end.step == "model":
            return texts("answer.model")
        return texts("answer.degraded", part=part(answer.end.part, texts), cure=cure(answer.end.part, texts))
    return running(answer, texts)


def standing(named: NamedSection, valid_on: date, texts: Texts) -> str:
    """Return how a section or an act stands that the question names: what it is not, and when it was or will be."""
    act = named.act
    name = " ".join(one for one in (named.section, act) if one) if named.standing != FOREIGN else act
    subject = name if named.section and named.standing != FOREIGN else _with_article(act, texts)
    day = shown_day(texts, valid_on)
    if named.standing == FOREIGN:
        return texts("named.foreign", subject=subject, day=day)
    if named.standing == UNKNOWN:
        return texts("named.unknown", subject=subject, day=day)
    told = texts("named.not_in_force", subject=subject, day=day)
    if named.until is not None:
        told += " " + texts("named.until", day=shown_last_day(texts, named.until))
    if named.since is not None:
        told += " " + texts("named.since", day=shown_day(texts, named.since))
    return told


def reason(answer: Answer, texts: Texts) -> str:
    """Return why there is no answer, with the value and what it had to reach."""
    end = answer.end
    if isinstance(end, RunFailed):
        return texts("reason.degraded", part=part(end.part, texts))
    if not isinstance(end, AnswerRefused):
        return ""
    if end.step == "none_found" and any(one.standing != IN_FORCE for one in answer.named):
        return texts("reason.named")
    if end.step == "relevance" and end.threshold is None:
        return texts("reason.relevance_no_threshold")
    if end.step == "relevance" and end.value is None:
        return texts("reason.relevance_no_value")
    told = end.reason if end.step == "verifier" else end.step
    why = texts(f"reason.{told}", value=decimal(end.value, texts), threshold=decimal(end.threshold, texts))
    return f"{why} {_counted(answer.verdict, texts)}".rstrip()


def _counted(verdict: VerdictReached | None, texts: Texts) -> str:
    """Return what a rejected draft was rejected for, in numbers."""
    if verdict is None or verdict.verdict != REJECTED:
        return ""
    return texts("reason.counts", dropped=verdict.dropped, claims=verdict.claims, spots=verdict.spots)


def nearest(answer: Answer, texts: Texts) -> str:
    """Return what came near in a question that was refused, empty if nothing did."""
    near = answer.end.nearest if isinstance(answer.end, AnswerRefused) else ()
    places = SEPARATOR.join(near_place(one, texts) for one in near)
    return texts("answer.nearest", places=places) if places else ""


def near_place(near: NearPassage, texts: Texts) -> str:
    """Return where a passage stands that came near."""
    leaf = _leaf(near.title, near.section, near.place)
    title = neutral(near.title)
    return f"{title} {texts('answer.quoted', quote=neutral(leaf))}" if leaf else title


def _leaf(title: str, section: Sequence[str], place: str) -> str:
    """Return the innermost heading and the place in it; a heading that is the title as well is not said twice."""
    return ", ".join(one for one in (*section[-1:], place) if one and one != title)


def part(key: str, texts: Texts) -> str:
    """Return the name of a part that does not answer; one without a name in the texts keeps its key."""
    try:
        return texts(f"parts.{key}")
    except KeyError:
        return key


def cure(key: str, texts: Texts) -> str:
    """Return what helps when a part does not answer: what sets it right, else asking again."""
    try:
        return texts(f"cures.{key}")
    except KeyError:
        return texts("cures.other")


def place(source: SourceShown, asked_on: date, texts: Texts) -> str:
    """Return where a source stands and since when: section, page, and its term on the day of the question."""
    named = _leaf(source.title, source.section, source.place)
    page = texts("answer.page", page=source.page_label or source.page) if source.page is not None else ""
    return SEPARATOR.join(one for one in (named, page, validity(source, asked_on, texts)) if one)


def validity(source: SourceShown, asked_on: date, texts: Texts) -> str:
    """Return the term of a source; nothing where only a caution can say how it stands."""
    found = term(source.valid_from, source.valid_to, in_force=source.in_force, ended_on=source.ended_on, today=asked_on)
    return "" if found is None else in_force(found, source.valid_from_kind, texts)


def in_force(term: Term, kind: str, texts: Texts) -> str:
    """Return from when to when a version is in force, the last day included, and how sure that is."""
    start, end = shown_day(texts, term.start), shown_last_day(texts, term.end)
    if not start:
        return texts("answer.in_force_until", day=end) if end else texts("answer.in_force")
    key = "between" if end else "from" if term.is_coming else "since"
    sure = texts(f"answer.kind_{kind}") if kind in {"observed", "assumed"} else ""
    return texts(f"answer.in_force_{key}", start=start, end=end) + sure


def gap(left: str, right: str) -> str:
    """Return what parts two shown texts: a line break or a blank, where the stored text has one."""
    white = left[len(left.rstrip()) :] + right[: len(right) - len(right.lstrip())]
    return "\n" if "\n" in white else " " if white and left.strip() else ""


def quote(source: Source, texts: Texts) -> str:
    """Return the quote as a person reads it, with what introduces it."""
    words = as_shown(source.quote, source.shown.markup)
    if source.shown.lead_in is not None:
        opening = as_shown(source.lead_in, source.shown.markup)
        follows = source.shown.span.start - source.shown.lead_in.end <= _ADJOINING
        opening = opening if follows else texts("answer.lead_in", lead_in=opening)
        words = itemised(words)
        words = f"{opening}\n{words}" if "\n" in words or "|" in opening else f"{opening} {words}"
    return texts("answer.quoted", quote=words)


def decimal(value: float | None, texts: Texts) -> str:
    """Return a share with two decimals, rounded down so that a value below its threshold never looks equal to it."""
    if value is None:
        return "–"
    return f"{floor(value * 100 + 1e-9) / 100:.2f}".replace(".", texts("format.decimal"))


def _is_wiki(end: AnswerRefused) -> bool:
    return end.reason == "none_found_wiki"


def _with_article(act: str, texts: Texts) -> str:
    """Return an act with its article: a law is neuter, an ordinance, a code and a directive are feminine."""
    is_feminine = act.endswith(("V", "O", "RL", "ordnung", "richtlinie"))
    return texts("named.feminine" if is_feminine else "named.neuter", act=act)


def _caution(shown: SourceShown, asked_on: date, texts: Texts) -> str:
    label = f"[{shown.label}]"
    if shown.ended_on is not None:
        return texts("answer.ended_on", label=label, day=shown_day(texts, shown.ended_on))
    if shown.valid_from is not None and shown.valid_from > asked_on:
        return texts("answer.begins_on", label=label, day=shown_day(texts, shown.valid_from))
    return texts("answer.ended", label=label)


def _instant(answer: Answer, texts: Texts) -> str:
    """Return the day of the knowledge, with the time unless it is the end of the day or now."""
    ends_day = (answer.as_of + timedelta(microseconds=1)).date() != answer.as_of.date()
    if answer.at is None or ends_day:
        return shown_day(texts, answer.as_of.date())
    return answer.as_of.strftime(texts("format.instant"))
