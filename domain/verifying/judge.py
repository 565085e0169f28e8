"""The deterministic judge: does one passage carry one sentence of an answer?

The claim is held against each sentence of the passage that comes into question. Guards look at what a wrong sentence
usually gets wrong (numbers, dates, negation, modality, who acts ...); any contradiction settles it. What is left open
is graded by a small linear model.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from domain.verifying.alignment import Alignment, Pair
from domain.verifying.candidates import Candidate, candidates, missing_share
from domain.verifying.function_words import function_words_in
from domain.verifying.glyphs import mixed, raised
from domain.verifying.grading import LEAST_CONFIDENCE, confidence, is_missing
from domain.verifying.guards import GUARDS
from domain.verifying.passage import Borders, Passage, is_command, read_passage
from domain.verifying.sentence import Sentence, read
from domain.verifying.tokens import fold
from domain.verifying.values import Finding, Judgement, Outcome, Standing

VERSION: Final = "deterministic/4"
"""Raised with every change that may change a judgement; recorded with each."""

MOST_WORDS: Final = 400
"""A claim of more is not compared word by word: no sentence is that long, and the time grows with the square."""

AS_CLOSE: Final = 0.02
"""Difference of distance up to which two sentences are as close to the claim as one another."""

NEARBY: Final = 0.1
"""Difference up to which another sentence can carry a claim that the closest one does not carry."""

CONTRADICTED: Final = 0.1
"""Confidence that is left at most where something contradicts, or a number is nowhere."""

APART: Final = 0.2
"""Cost of what two sentences read as one seem to contradict and neither does."""

OF_CLAUSES: Final = frozenset({"negation", "modality"})
"""Guards that look at clauses; in two sentences read as one they may take one for the other."""

SETTLED: Final = frozenset({"command", "verbatim", "glyph", "language", "empty", "no_evidence"})
"""Reasons for which no sentence of the evidence is looked at."""

STRANGE: Final = 0.7
"""Share of the words of a claim from which on a sentence that lacks them speaks of something else."""

FEW: Final = 0.4
"""Share of the words of a claim that the closest sentence may lack for its findings about persons to hold."""

OF_VALUES: Final = frozenset({"number", "unit", "date"})
"""Guards whose findings about the closest sentence hold where it lacks no word of the claim."""

OF_PERSONS: Final = frozenset({"role", "rival", "opposite", "edit"})
"""Guards whose findings about the closest sentence hold for it and another read as one."""

_BORDER: Final = re.compile(r"(?:\A\W*|[.!?] [\"(\[]?| (?:\(?\w{1,3}[.)]|§ \d+\w?) )\Z")
_CLOSING: Final = frozenset(".!?…\"')]")
_QUOTED: Final = re.compile(r'"[^"]*"')
_SAME_EVERYWHERE: Final = frozenset({"§", "art", "file"})
"""References that are called the same in both languages."""


Looked = tuple[Alignment, list[Finding]]
"""A sentence of the evidence that was looked at, with what the guards found."""


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
    if refused := _refused(flat, passage.text):
        return Judgement(Standing.CONTRADICTED, 0.0, refused.guard, (refused,), "")
    if _is_foreign(flat, passage.language):
        other = Finding("language", Outcome.LACKS, flat, passage.language, 1.0)
        findings = (*_foreign_values(flat, passage), other)
        return Judgement(Standing.NOT_SUPPORTED, 0.0, findings[0].guard, findings, "")
    sentence = read(flat, passage.language)
    if nothing := _states_nothing(sentence):
        return Judgement(Standing.NOT_SUPPORTED, 0.0, nothing, (), "")
    return _best(sentence, passage)


def _states_nothing(claim: Sentence) -> str:
    """Return why a claim is none: it has no word that states anything, or it asks."""
    if not claim.words and not claim.counted and not claim.days:
        return "empty"
    return "question" if claim.is_question else ""


def _refused(flat: str, text: str) -> Finding | None:
    """Return why a claim is not even compared: it has no end, or signs that only look like others."""
    if flat.count(" ") >= MOST_WORDS:
        return Finding("length", Outcome.CONTRADICTS, "", "", 1.0)
    forged = mixed(flat) or raised(flat, text)
    return Finding("glyph", Outcome.CONTRADICTS, forged, "", 1.0) if forged else None


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


def open_candidates(claim: str, evidence: str) -> tuple[bool | None, list[Looked]]:
    """Return what is settled without the model, ``None`` if nothing is, and what is left to it.

    Returns:
        whether the claim is carried, where that does not depend on the model; each sentence of the evidence that comes
        into question and that no guard finds against, with the findings.
    """
    passage = read_passage(evidence)
    judged = judge(claim, evidence)
    if judged.reason in SETTLED:
        return judged.is_supported, []
    looked = _looked_at(read(" ".join(fold(claim).split()), passage.language), passage)
    left = [one for one in looked if not is_against(one[1])]
    return (None, left) if left else (False, [])


def _looked_at(claim: Sentence, passage: Passage) -> list[Looked]:
    """Return the closest sentences; what the closest contradicts only one that is as close can save."""
    found = candidates(claim, passage)
    if not found:
        return []
    first = findings(found[0], passage)
    near = found[0].distance + (AS_CLOSE if is_against(first) else NEARBY)
    others = [(one.alignment, findings(one, passage)) for one in found[1:] if one.distance <= near]
    return [(found[0].alignment, first), *others]


def is_against(found: Sequence[Finding]) -> bool:
    """Say whether something is contradicted, or a number, date or reference is nowhere."""
    return any(one.outcome is Outcome.CONTRADICTS or one.cost >= 1 for one in found)


def _best(claim: Sentence, passage: Passage) -> Judgement:
    judged = [_judged(*one) for one in _looked_at(claim, passage)]
    if not judged:
        return Judgement(Standing.NOT_SUPPORTED, 0.0, "no_evidence", (), "")
    return max(judged, key=lambda one: (one.is_supported, one.confidence))


def _judged(alignment: Alignment, found: Sequence[Finding]) -> Judgement:
    missing = [_missing(pair) for pair in alignment.pairs if is_missing(pair)]
    told = tuple(sorted((*found, *missing), key=lambda one: -one.cost))
    sure = round(confidence(alignment, found), 4)
    evidence = alignment.unit.sentence.text
    if any(one.outcome is Outcome.CONTRADICTS for one in found):
        reason = next(one.guard for one in told if one.outcome is Outcome.CONTRADICTS)
        return Judgement(Standing.CONTRADICTED, min(sure, CONTRADICTED), reason, told, evidence)
    if is_against(found):
        return Judgement(Standing.NOT_SUPPORTED, min(sure, CONTRADICTED), _reason(told), told, evidence)
    if sure < LEAST_CONFIDENCE:
        return Judgement(Standing.NOT_SUPPORTED, sure, _reason(told), told, evidence)
    return Judgement(Standing.SUPPORTED, sure, "covered", told, evidence)


def findings(candidate: Candidate, passage: Passage) -> list[Finding]:
    """Return what the guards find.

    What two sentences read as one seem to contradict in a clause counts only if the closer of them does so alone.
    """
    found = _guarded(candidate.alignment, passage)
    if candidate.closest is None:
        return found
    alone = _guarded(candidate.closest, passage)
    contradicted = {one.guard for one in alone if one.outcome is Outcome.CONTRADICTS}
    lacking = missing_share(candidate.closest)
    held = (OF_CLAUSES & contradicted) | (OF_PERSONS if lacking <= FEW else frozenset())
    held |= frozenset() if lacking else OF_VALUES
    kept = [one for one in alone if one.guard in held]
    return kept + [_softened(one) if one.guard in OF_CLAUSES - contradicted else one for one in found]


def _guarded(alignment: Alignment, passage: Passage) -> list[Finding]:
    found = [finding for guard in GUARDS for finding in guard(alignment, passage)]
    if missing_share(alignment) > STRANGE or _is_about_nothing(alignment):
        found.append(Finding("subject", Outcome.LACKS, alignment.claim.text, "", 1.0))
    return found


def _is_about_nothing(alignment: Alignment) -> bool:
    """Say whether the claim shares no word, number or day with the sentence: "Das gilt nicht" fits everywhere."""
    claim = alignment.claim
    return not claim.counted and not claim.days and not any(pair.theirs and pair.is_here for pair in alignment.pairs)


def _softened(finding: Finding) -> Finding:
    if finding.outcome is not Outcome.CONTRADICTS:
        return finding
    return replace(finding, outcome=Outcome.UNSURE, cost=APART)


def _missing(pair: Pair) -> Finding:
    return Finding("content", Outcome.LACKS, pair.mine.text, "", pair.cost)


def _reason(findings: Iterable[Finding]) -> str:
    return next((one.guard for one in findings), "content")
