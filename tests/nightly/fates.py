"""What became of each sentence that a model drafted, told by the events of its run."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from domain.asking.outcome import AnswerDelivered, AnswerDiscarded, AnswerDrafted, AnswerRefused, RunFailed, Sentence
from domain.asking.verdicts import CheckedClaim, ClaimsChecked
from domain.recording import Event

DELIVERED, MARKED, DROPPED, WITHHELD, GATE, NOTHING = (
    "delivered",
    "delivered, marked as without a source",
    "dropped by check A",
    "withheld with a rejected draft",
    "discarded with its draft by a gate",
    "beside the words that nothing was found",
)


@dataclass(frozen=True)
class Fate:
    """A drafted sentence, what became of it, and why: the gate, or what check A names."""

    text: str
    labels: tuple[str, ...]
    fate: str
    reason: str = ""


@dataclass(frozen=True)
class Drafts:
    """All that a model wrote for one question; ``unread``: why replies held no sentence, one entry a reply."""

    replies: int
    unread: tuple[str, ...]
    fates: tuple[Fate, ...]


def drafts(events: Iterable[Event]) -> Drafts:
    """Return what became of the drafts of a run."""
    fates: list[Fate] = []
    unread: list[str] = []
    draft, checked, replies = AnswerDrafted("", "", ()), None, 0
    for event in events:
        if isinstance(event, AnswerDrafted):
            draft, checked, replies = event, None, replies + 1
            if not draft.sentences:
                unread.append(draft.problem or "nothing found")
        elif isinstance(event, ClaimsChecked):
            checked = event
        elif isinstance(event, AnswerDiscarded | AnswerRefused | AnswerDelivered | RunFailed):
            fates += _fates(draft, checked, event)
    return Drafts(replies, tuple(unread), tuple(fates))


def _fates(draft: AnswerDrafted, checked: ClaimsChecked | None, end: Event) -> Iterator[Fate]:
    claims = {one.sentence: one for one in checked.claims} if checked else {}
    for number, one in enumerate(draft.sentences):
        yield Fate(one.text, one.labels, *_fate(one, claims.get(number), checked, end))


def _fate(one: Sentence, claim: CheckedClaim | None, checked: ClaimsChecked | None, end: Event) -> tuple[str, str]:
    if checked is None:
        step = end.step if isinstance(end, AnswerDiscarded | AnswerRefused) else "failed"
        return (NOTHING, "") if step == "none_found" else (GATE, step)
    if claim is not None and not claim.is_covered:
        return DROPPED, claim.reason
    if not isinstance(end, AnswerDelivered):
        return WITHHELD, "" if claim is None else claim.reason
    return (DELIVERED, claim.reason) if claim is not None and one.labels else (MARKED, "")


def figures(found: Sequence[Drafts]) -> str:
    """Return how many sentences came to which end, and why, as the lines of a table."""
    counted = Counter((one.fate, one.reason) for each in found for one in each.fates)
    unread = Counter(problem for each in found for problem in each.unread)
    fates = {fate: Counter() for fate in (DROPPED, GATE, WITHHELD, NOTHING, MARKED, DELIVERED)}
    for (fate, reason), count in counted.items():
        fates[fate][reason] += count
    rows = [
        ("replies", sum(one.replies for one in found), ""),
        ("replies without a sentence", unread.total(), _list(unread)),
        ("sentences drafted", counted.total(), ""),
        *((fate, reasons.total(), _list(reasons)) for fate, reasons in fates.items()),
    ]
    return "\n".join(["| | | why |", "|---|---|---|", *(f"| {name} | {count} | {why} |" for name, count, why in rows)])


def _list(reasons: Counter[str]) -> str:
    return ", ".join(f"{reason} {count}" for reason, count in reasons.most_common() if reason)
