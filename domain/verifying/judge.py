"""The deterministic judge: does one passage carry one sentence of an answer?

The claim is held against each sentence of the passage that comes into question. Guards look at what a wrong sentence
usually gets wrong (numbers, dates, negation, modality, who acts ...); any contradiction settles it. What is left is
graded: each step of the alignment takes something off the confidence. Common words alone prove nothing: one noun that
nothing accounts for is enough to fail.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from domain.verifying.alignment import Alignment, Pair, align
from domain.verifying.function_words import function_words_in
from domain.verifying.glyphs import mixed, raised
from domain.verifying.guards import GUARDS
from domain.verifying.passage import Borders, Passage, Unit, is_command, read_passage
from domain.verifying.sentence import Sentence, read
from domain.verifying.tokens import fold
from domain.verifying.values import Finding, Judgement, Outcome, Standing

VERSION: Final = "deterministic/3"
"""Raised with every change that may change a judgement; recorded with each."""

LEAST_CONFIDENCE: Final = 0.80
"""Below this a claim is dropped (second seed)."""

LOOKED_AT: Final = 8
"""Sentences of the passage that a claim is aligned with, those with most words in common."""

CANDIDATES: Final = 4
"""Sentences of the passage that a claim is held against in full, best aligned first."""

AS_CLOSE: Final = 0.02
"""Difference of distance up to which two sentences are as close to the claim as one another."""

NEARBY: Final = 0.1
"""Difference up to which another sentence can carry a claim that the closest one does not carry."""

NUMBER_MISSING: Final = 0.3
"""What a number of the claim that a sentence lacks counts when the closest sentence is looked for."""

CONTRADICTED: Final = 0.1
"""Confidence that is left at most where something contradicts."""

_BORDER: Final = re.compile(r"(?:\A\W*|[.!?] [\"(\[]?| (?:\(?\w{1,3}[.)]|§ \d+\w?) )\Z")
_CLOSING: Final = frozenset(".!?…\"')]")
_QUOTED: Final = re.compile(r'"[^"]*"')
_SAME_EVERYWHERE: Final = frozenset({"§", "art", "file"})
"""References that are called the same in both languages."""


def judge(claim: str, evidence: str, language: str = "") -> Judgement:
    """Say whether ``evidence`` carries ``claim``.

    Args:
        claim: one sentence of an answer, without its labels.
        evidence: the cited passage or the union of several, plain text, a heading in the first line.
        language: of the evidence, ``de`` or ``en``; told by its words where it is empty.
    """
    passage = read_passage(evidence, language)
    flat = " ".join(fold(claim).split())
    if is_command(flat):
        found = Finding("command", Outcome.CONTRADICTS, flat, "", 1.0)
        return Judgement(Standing.CONTRADICTED, 0.0, "command", (found,), "")
    if _is_verbatim(flat, passage.text, passage.borders) and not _is_taken_back(flat, passage):
        return Judgement(Standing.SUPPORTED, 1.0, "verbatim", (), flat)
    if forged := mixed(flat) or raised(flat, passage.text):
        found = Finding("glyph", Outcome.CONTRADICTS, forged, "", 1.0)
        return Judgement(Standing.CONTRADICTED, 0.0, "glyph", (found,), "")
    if _is_foreign(flat, passage.language):
        other = Finding("language", Outcome.LACKS, flat, passage.language, 1.0)
        findings = (*_foreign_values(flat, passage), other)
        return Judgement(Standing.NOT_SUPPORTED, 0.0, findings[0].guard, findings, "")
    sentence = read(flat, passage.language)
    if not sentence.words and not sentence.counted and not sentence.days:
        return Judgement(Standing.NOT_SUPPORTED, 0.0, "empty", (), "")
    return _best(sentence, passage)


def _is_verbatim(flat: str, text: str, borders: Borders) -> bool:
    """Say whether the claim is a whole sentence or item of the text, to the last character."""
    plain = flat.strip()
    if not plain:
        return False
    at = text.find(plain)
    while at >= 0:
        end = at + len(plain)
        while end not in borders.ends and text[end : end + 1] in _CLOSING:
            end += 1
        begins = at in borders.starts or (at not in borders.quoted and _BORDER.search(text[max(0, at - 12) : at]))
        if begins and end in borders.ends:
            return True
        at = text.find(plain, at + 1)
    return False


def _is_taken_back(flat: str, passage: Passage) -> bool:
    """Say whether every sentence that reads like this is followed by one that says that it is not so."""
    plain = flat.strip()
    same = [unit for unit in passage.units if unit.sentence.text == plain and not unit.sentence.is_question]
    return bool(same) and all(unit.is_denied for unit in same)


def _is_foreign(flat: str, language: str) -> bool:
    """Say whether the claim is in the other language: it has function words of that one only.

    Words in quotation marks are the passage's own: whoever answers in another language keeps its terms.
    """
    german, english = function_words_in(_QUOTED.sub(" ", flat))
    return (german == 0 and english > 1) if language == "de" else (english == 0 and german > 1)


def _foreign_values(flat: str, passage: Passage) -> Iterator[Finding]:
    """Yield what a claim in the other language names and the passage does not: numbers, dates, sections, files.

    They are all that can be compared across languages.
    """
    claim = read(flat, "en" if passage.language == "de" else "de")
    there = [unit.sentence for unit in passage.units]
    values = {(one.quantity.kind, one.quantity.value) for sentence in there for one in sentence.counted}
    for one in claim.counted:
        if (one.quantity.kind, one.quantity.value) not in values:
            yield Finding("number", Outcome.LACKS, one.text, "", 1.0)
    for day in claim.days:
        if not any(day.is_within(other) for sentence in there for other in sentence.days):
            yield Finding("date", Outcome.LACKS, flat, "", 1.0)
    named = {(ref.part, ref.number) for sentence in (*there, passage.heading) for ref in sentence.references}
    for ref in claim.references:
        if ref.part in _SAME_EVERYWHERE and (ref.part, ref.number) not in named:
            yield Finding("reference", Outcome.LACKS, claim.text[ref.start : ref.end], "", 1.0)


def _best(claim: Sentence, passage: Passage) -> Judgement:
    aligned = [align(claim, unit, passage) for unit in _in_question(claim, passage)]
    if not aligned:
        return Judgement(Standing.NOT_SUPPORTED, 0.0, "no_evidence", (), "")
    ranked = sorted(aligned, key=_distance)[:CANDIDATES]
    judged = [_judged(one, passage) for one in ranked if not one.unit.is_group]
    wholes = [one for one in ranked if one.unit.is_group]
    # A whole enumeration speaks only where none of its items does.
    if wholes and (not judged or judged[0].standing is Standing.NOT_SUPPORTED):
        judged += [_judged(one, passage) for one in wholes]
    elif judged:
        # What the closest sentence contradicts only a sentence that is as close can save.
        singles = [_distance(one)[0] for one in ranked if not one.unit.is_group]
        near = singles[0] + (AS_CLOSE if judged[0].standing is Standing.CONTRADICTED else NEARBY)
        judged = [one for one, far in zip(judged, singles, strict=True) if far <= near]
    return max(judged, key=lambda one: (one.is_supported, one.confidence))


def _in_question(claim: Sentence, passage: Passage) -> list[Unit]:
    """Return the sentences that have most in common with the claim; the others can't carry it."""
    units = [unit for unit in passage.units if not unit.is_denied]
    if len(units) <= LOOKED_AT:
        return units
    return sorted(units, key=lambda unit: -_common(claim, unit.sentence))[:LOOKED_AT]


def _common(claim: Sentence, sentence: Sentence) -> int:
    roots = sentence.index.roots
    shared = sum(any(root in roots for root in word.forms.roots) for word in claim.words)
    values = {(one.quantity.kind, one.quantity.value) for one in sentence.counted}
    return shared + sum((one.quantity.kind, one.quantity.value) in values for one in claim.counted)


def _distance(alignment: Alignment) -> tuple[float, bool]:
    """Return how far a sentence is from the claim, by its words, numbers and dates."""
    there = alignment.unit.sentence
    values = {(one.quantity.kind, one.quantity.value) for one in there.counted}
    missing = sum((one.quantity.kind, one.quantity.value) not in values for one in alignment.claim.counted)
    missing += sum(not any(day.is_within(other) for other in there.days) for day in alignment.claim.days)
    return alignment.cost + missing * NUMBER_MISSING, alignment.unit.is_group


def _judged(alignment: Alignment, passage: Passage) -> Judgement:
    found = [finding for guard in GUARDS for finding in guard(alignment, passage)]
    missing = [_missing(pair) for pair in alignment.pairs if pair.theirs is None and pair.cost > 0.1]
    findings = tuple(sorted((*found, *missing), key=lambda one: -one.cost))
    cost = alignment.cost + sum(one.cost for one in found)
    confidence = max(0.0, 1.0 - cost)
    evidence = alignment.unit.sentence.text
    if any(one.outcome is Outcome.CONTRADICTS for one in found):
        reason = next(one.guard for one in findings if one.outcome is Outcome.CONTRADICTS)
        return Judgement(Standing.CONTRADICTED, min(confidence, CONTRADICTED), reason, findings, evidence)
    if confidence < LEAST_CONFIDENCE:
        return Judgement(Standing.NOT_SUPPORTED, round(confidence, 4), _reason(findings), findings, evidence)
    return Judgement(Standing.SUPPORTED, round(confidence, 4), "covered", findings, evidence)


def _missing(pair: Pair) -> Finding:
    return Finding("content", Outcome.LACKS, pair.mine.text, "", pair.cost)


def _reason(findings: Iterable[Finding]) -> str:
    return next((one.guard for one in findings), "content")
