"""Which number belongs to whom, where one sentence gives several: "Georgien 0,6 Prozent, Algerien 2 Prozent"."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from domain.verifying.alignment import Alignment
from domain.verifying.passage import Passage
from domain.verifying.sentence import Counted, Sentence, Word
from domain.verifying.tokens import word_set
from domain.verifying.values import Finding, Outcome

_CUTS: Final = re.compile(r"\A(?:[,;–()]|und|oder|and|or|while|whereas|sowie|aber|but)\Z")
_PAST: Final = re.compile(r"\b(?:vorher|zuvor|bisher|vorjahr\w*|fruher|previously|before|formerly|until|bis)\b")
_RELATIVE: Final = word_set("die der das den dem deren dessen which who that whose welche welcher")


def check(alignment: Alignment, passage: Passage) -> Iterator[Finding]:
    """Yield the numbers and dates that the evidence gives for something else."""
    del passage
    unit = alignment.unit.sentence
    yield from _changes(alignment)
    marked = _marked(unit)
    if len({segment for _, _, segment in marked}) < 2:
        return
    segments = _segments(unit)
    said = {pair.theirs.at for pair in alignment.pairs if pair.is_here and pair.theirs is not None}
    claimed = {(kind, value) for kind, value, _ in _claimed(alignment.claim)}
    for kind, value, words in _claimed(alignment.claim):
        mine = {segment for other, theirs, segment in marked if (other, theirs) == (kind, value)}
        others = {pair for pair in claimed if pair[0] == kind} - {(kind, value)}
        beside = {segment for other, theirs, segment in marked if (other, theirs) in others}
        rivals = {segment for other, theirs, segment in marked if other == kind and theirs != value} - mine - beside
        if (
            mine
            and rivals
            and not mine & beside
            and all(_is_foreign(one, rivals, segments, unit.words, said) for one in mine)
        ):
            yield Finding("binding", Outcome.CONTRADICTS, words, _text(unit, segments, min(mine)), 1.0)


def _changes(alignment: Alignment) -> Iterator[Finding]:
    """Yield a value that something had before it changed, where the claim gives it as the value it has."""
    unit, claim = alignment.unit.sentence, alignment.claim
    for one, other in zip(unit.counted, unit.counted[1:], strict=False):
        if one.quantity.kind != other.quantity.kind or not _is_change(unit, one, other):
            continue
        values = [counted.quantity.value for counted in claim.counted if counted.quantity.kind == one.quantity.kind]
        old = next((counted for counted in claim.counted if counted.quantity.value == one.quantity.value), None)
        if old is None or old.quantity.kind != one.quantity.kind:
            continue
        before = claim.tokens[old.quantity.start - 1].low if old.quantity.start else ""
        is_old = before in {"von", "from"} or _PAST.search(claim.low) is not None
        if other.quantity.value not in values and not is_old:
            yield Finding("binding", Outcome.CONTRADICTS, old.text, f"{one.text} … {other.text}", 1.0)


def _is_change(unit: Sentence, one: Counted, other: Counted) -> bool:
    before = unit.tokens[one.quantity.start - 1].low if one.quantity.start else ""
    between = [token.low for token in unit.tokens[one.quantity.end : other.quantity.start]]
    return before in {"von", "from"} and between[:1] in (["auf"], ["to"])


def _claimed(claim: Sentence) -> list[tuple[str, object, str]]:
    counted = [(one.quantity.kind, one.quantity.value, one.text) for one in claim.counted]
    days = [("date", (one.year, one.month, one.day), claim.text[one.start : one.end]) for one in claim.days]
    return [*counted, *days]


def _marked(unit: Sentence) -> list[tuple[str, object, int]]:
    """Return each quantity and date with its kind and the number of its segment."""
    segments = _segments(unit)
    found: list[tuple[str, object, int]] = [
        (one.quantity.kind, one.quantity.value, segments[one.quantity.start]) for one in unit.counted
    ]
    for day in unit.days:
        at = next((at for at, token in enumerate(unit.tokens) if token.start >= day.start), 0)
        found.append(("date", (day.year, day.month, day.day), segments[at]))
    return found


def _segments(unit: Sentence) -> list[int]:
    """Return for each token the number of its segment; a relative clause belongs to what it follows."""
    numbers: list[int] = []
    current = 0
    for at, token in enumerate(unit.tokens):
        following = unit.tokens[at + 1].low if at + 1 < len(unit.tokens) else ""
        if _CUTS.match(token.low) and following not in _RELATIVE and not _joins_numbers(unit, at):
            current += 1
        numbers.append(current)
    return _merged(unit, numbers)


def _merged(unit: Sentence, numbers: Sequence[int]) -> list[int]:
    """Join a segment without a number to the next one, or at the end of a sentence to the one before."""
    starts = {one.quantity.start for one in unit.counted}
    starts |= {at for day in unit.days for at, token in enumerate(unit.tokens) if day.start <= token.start < day.end}
    marked = {numbers[at] for at in starts}
    borders = {numbers[at] for at, token in enumerate(unit.tokens) if token.text == ";"}
    joined: dict[int, int] = {}
    last = max(numbers, default=0)
    for segment in range(last + 1):
        target = segment
        while target not in marked and target < last and target + 1 not in borders:
            target += 1
        if target not in marked:
            target = segment
            while target not in marked and target > 0 and target not in borders:
                target -= 1
        joined[segment] = target
    return [joined[one] for one in numbers]


def _joins_numbers(unit: Sentence, at: int) -> bool:
    """Say whether a conjunction stands between two numbers that belong together: "fünf und acht Jahre"."""
    ends = {one.quantity.end for one in unit.counted}
    starts = {one.quantity.start for one in unit.counted}
    return at in ends and at + 1 in starts and unit.tokens[at].kind == "word"


def _is_foreign(mine: int, rivals: set[int], segments: Sequence[int], words: Sequence[Word], said: set[int]) -> bool:
    """Say whether the claim leaves out what sets the segment of its number apart and names what sets a rival apart."""
    theirs = [word for word in words if segments[word.at] in rivals]
    own = [word for word in words if segments[word.at] == mine]
    apart = _apart(own, theirs)
    foreign = [word for word in _apart(theirs, own) if word.at in said]
    # A later segment may borrow from an earlier one, but not the other way round.
    if any(segments[word.at] > mine for word in foreign):
        return True
    if apart and all(word.at in said for word in apart):
        return False
    if any(word.is_name and word.at in said for word in apart) and not any(word.is_name for word in foreign):
        return False
    return bool(foreign)


def _apart(words: Sequence[Word], others: Sequence[Word]) -> list[Word]:
    """Return the nouns and names of ``words`` that ``others`` lack; English nouns can't be told from other words."""
    stems = frozenset(stem for word in others for stem in word.forms.stems)
    told = [word for word in words if not word.forms.stems & stems]
    return [word for word in told if word.is_noun] if any(word.is_noun for word in words) else told


def _text(unit: Sentence, segments: Sequence[int], segment: int) -> str:
    return " ".join(token.text for token, one in zip(unit.tokens, segments, strict=True) if one == segment)
