"""Dates: a day, a month, a year that the claim names must be the one that the evidence names."""

from collections.abc import Iterator

from domain.verifying.alignment import BEFORE, Alignment
from domain.verifying.dates import Day
from domain.verifying.passage import Passage
from domain.verifying.sentence import Sentence
from domain.verifying.values import Finding, Outcome

ELSEWHERE = 0.4


def check(alignment: Alignment, passage: Passage) -> Iterator[Finding]:
    """Yield the dates of the claim that the evidence does not have."""
    unit = alignment.unit.sentence
    for day in alignment.claim.days:
        words = alignment.claim.text[day.start : day.end]
        if any(day.is_within(other) for other in unit.days):
            continue
        if any(_is_rival(day, other) for other in unit.days):
            yield Finding("date", Outcome.CONTRADICTS, words, _said(unit), 1.0)
        elif any(day.is_within(other) for other in passage.heading.days):
            yield Finding("date", Outcome.UNSURE, words, passage.heading.text, BEFORE)
        elif unit.days:
            yield Finding("date", Outcome.CONTRADICTS, words, _said(unit), 1.0)
        else:
            elsewhere = any(day.is_within(other) for one in passage.units for other in one.sentence.days)
            yield Finding("date", Outcome.LACKS, words, "", ELSEWHERE if elsewhere else 1.0)


def _is_rival(day: Day, other: Day) -> bool:
    """Say whether both name a month, or both a year and no month."""
    if day.month is not None:
        return other.month is not None
    return day.year is not None and other.year is not None


def _said(sentence: Sentence) -> str:
    first = sentence.days[0]
    return sentence.text[first.start : first.end]
