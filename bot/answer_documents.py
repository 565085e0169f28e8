"""Answers and findings as the JSON documents of the contract."""

from collections.abc import Sequence
from datetime import date
from typing import Any, Final

from bot.answers import cautions, changed, note, reason, text
from bot.sentences import is_unsupported, why_struck
from bot.text import Texts
from domain.asking.events import RelevanceDecided
from domain.asking.naming import NamedSection
from domain.asking.outcome import AnswerDelivered, AnswerRefused, CoverageDecided, NearPassage, Sentence
from domain.asking.values import Answer, Finding, Found, Source, SourceChange, WithheldDraft
from domain.errors import AccessError, FundstelleError, PartError

_LISTS: Final = ("dense", "sparse", "bm25", "cited", "fused", "reranked", "selected")


def answer_document(answer: Answer, texts: Texts) -> dict[str, Any]:
    """Return an answer as the JSON document of the contract.

    Of an answer that looks back, only ``today`` depends on what has become known since.
    """
    end = answer.end
    said, warned = note(answer, texts), cautions(answer, texts)
    sentences = end.sentences if isinstance(end, AnswerDelivered) else ()
    return {
        "run": str(answer.run),
        "question": answer.question,
        "outcome": outcome(answer),
        "verdict": None if answer.verdict is None else answer.verdict.verdict,
        "note": "\n".join([said] if answer.at else [said, *warned]),
        "today": {"note": "\n".join(warned), "not_in_force": _out_of_force(answer)} if answer.at else None,
        "text": text(answer, texts),
        "sentences": [_sentence_document(one, texts) for one in sentences],
        "sources": [_source_document(one) for one in answer.sources],
        "changes": [_change_document(one, answer, texts) for one in answer.changes],
        "feedback": {"helpful": answer.helpful, "not_helpful": answer.not_helpful},
        "refusal": _refusal_document(answer, texts),
        "drafts": [_draft_document(one, texts) for one in answer.drafts],
        "gates": {"relevance": _gate_document(answer.relevance), "coverage": _gate_document(answer.coverage)},
        "failed_searches": [{"name": one.name, "part": one.part} for one in answer.failed],
        "substituted_models": [{"role": one.role, "bound": one.bound, "used": one.used} for one in answer.substituted],
        "position": answer.position,
        "at": answer.at.isoformat() if answer.at else None,
        "valid_on": answer.valid_on.isoformat(),
        "timings_ms": dict(answer.timings_ms),
    }


def no_access_document(question: str, texts: Texts) -> dict[str, Any]:
    """Return the document of a question that is not open to the asker: one and the same for every reason."""
    return _no_run_document(question, "refused", "access", AccessError(), texts)


def no_part_document(question: str, error: PartError, texts: Texts) -> dict[str, Any]:
    """Return the document of a question that could not be taken to an end that is recorded."""
    return _no_run_document(question, "failed", "degraded", error, texts)


def _no_run_document(question: str, outcome: str, step: str, error: FundstelleError, texts: Texts) -> dict[str, Any]:
    message = texts(f"errors.{error.key}", **error.values)
    gate = {"value": None, "threshold": None, "rule_version": None}
    refusal: dict[str, Any] = {
        "step": step,
        "reason": message,
        "value": None,
        "threshold": None,
        "nearest": [],
        "named": [],
    }
    return {
        "error": {"key": error.key, "message": message},
        "run": None,
        "question": question,
        "outcome": outcome,
        "verdict": None,
        "note": texts(f"answer.note_{outcome}"),
        "today": None,
        "text": message,
        "sentences": [],
        "sources": [],
        "changes": [],
        "feedback": {"helpful": 0, "not_helpful": 0},
        "refusal": refusal,
        "drafts": [],
        "gates": {"relevance": gate, "coverage": gate},
        "failed_searches": [],
        "substituted_models": [],
        "position": None,
        "at": None,
        "valid_on": None,
        "timings_ms": {},
    }


def finding_document(finding: Finding) -> dict[str, Any]:
    """Return what a search found as the JSON document of the contract."""
    lists = {name: [_found_document(one) for one in finding.entries(name)] for name in _LISTS}
    return {
        "question": finding.question,
        "lists": lists,
        "missing": [_named_document(one) for one in finding.missing],
    }


def outcome(answer: Answer) -> str:
    """Return ``answered``, ``refused`` or ``failed``."""
    if isinstance(answer.end, AnswerDelivered):
        return "answered"
    return "refused" if isinstance(answer.end, AnswerRefused) else "failed"


def _section(section: Sequence[str], named: str) -> str | None:
    return ", ".join(one for one in (" › ".join(section), named) if one) or None


def _sentence_document(sentence: Sentence, texts: Texts) -> dict[str, Any]:
    return {
        "text": sentence.text,
        "anchors": list(sentence.labels),
        "struck": bool(sentence.struck),
        "unsupported": is_unsupported(sentence),
        "reason": why_struck(sentence, texts) or None,
    }


def _draft_document(draft: WithheldDraft, texts: Texts) -> dict[str, Any]:
    spots = dict(draft.spots)
    return {
        "attempt": draft.attempt,
        "step": draft.step,
        "sentences": [
            {**_sentence_document(one, texts), "spot": spots.get(number)} for number, one in enumerate(draft.sentences)
        ],
        "problem": draft.problem or None,
        "reply": draft.reply or None,
    }


def _source_document(source: Source) -> dict[str, Any]:
    shown = source.shown
    lead_in = shown.lead_in
    return {
        "label": shown.label,
        "anchor": str(source.anchor),
        "document": shown.document,
        "version": shown.version,
        "title": shown.title,
        "url": shown.url,
        "section": _section(shown.section, shown.place),
        "page": shown.page,
        "page_label": shown.page_label,
        "start": shown.span.start,
        "end": shown.span.end,
        "quote": source.quote,
        "lead_in": lead_in and {"start": lead_in.start, "end": lead_in.end, "quote": source.lead_in},
        "level": shown.level,
        "valid_from": _day(shown.valid_from),
        "valid_to": _day(shown.valid_to),
        "valid_from_kind": shown.valid_from_kind,
        "in_force": shown.in_force_as_known,
    }


def _change_document(change: SourceChange, answer: Answer, texts: Texts) -> dict[str, Any]:
    notified = change.notified
    cited = next(one.shown for one in answer.sources if one.shown.ordinal == notified.ordinal)
    return {
        "labels": list(notified.labels),
        "document": cited.document,
        "version": cited.version,
        "cause": change.cause,
        "changed_at": notified.changed_at.isoformat(),
        "ended_on": _day(notified.ended_on),
        "holds_on_day_asked": notified.holds,
        "replaced_by": change.replaced_by,
        "note": changed(change, texts),
    }


def _out_of_force(answer: Answer) -> list[str]:
    return [source.shown.label for source in answer.sources if not source.shown.in_force]


def _refusal_document(answer: Answer, texts: Texts) -> dict[str, Any] | None:
    end = answer.end
    if isinstance(end, AnswerDelivered):
        return None
    value, threshold = (end.value, end.threshold) if isinstance(end, AnswerRefused) else (None, None)
    near = [_near_document(one) for one in end.nearest] if isinstance(end, AnswerRefused) else []
    return {
        "step": end.step,
        "reason": reason(answer, texts),
        "value": value,
        "threshold": threshold,
        "nearest": near,
        "named": [_named_document(one) for one in answer.named],
    }


def _named_document(named: NamedSection) -> dict[str, Any]:
    return {
        "act": named.act or None,
        "section": named.section or None,
        "standing": named.standing,
        "since": _day(named.since),
        "until": _day(named.until),
    }


def _near_document(near: NearPassage) -> dict[str, Any]:
    return {"title": near.title, "section": _section(near.section, near.place), "score": near.score}


def _gate_document(gate: RelevanceDecided | CoverageDecided | None) -> dict[str, Any]:
    names = ("value", "threshold", "rule_version")
    return {name: None if gate is None else getattr(gate, name) for name in names}


def _found_document(found: Found) -> dict[str, Any]:
    return {
        "anchor": str(found.anchor),
        "document": found.version.key,
        "version": found.version.version,
        "start": found.passage.span.start,
        "end": found.passage.span.end,
        "text": found.passage.text,
        "score": found.score,
        "rank": found.rank,
    }


def _day(day: date | None) -> str | None:
    return None if day is None else day.isoformat()
