"""Who does it: the one who acts in the claim must be the one who acts in the evidence."""

from collections.abc import Iterator

from domain.verifying.actors import Agent, agent, is_actor
from domain.verifying.alignment import HEADING, Alignment
from domain.verifying.cues import ATTRIBUTED
from domain.verifying.matching import ROOT, likeness
from domain.verifying.passage import Passage
from domain.verifying.sentence import Word
from domain.verifying.values import Finding, Outcome

REPLACED = 0.25


def check(alignment: Alignment, passage: Passage) -> Iterator[Finding]:
    """Yield the clauses of the claim where somebody else acts."""
    del passage
    for clause in sorted({pair.mine.clause for pair in alignment.pairs}):
        targets = alignment.clause_of(clause)
        yield from _replaced(alignment, clause, targets)
        mine = agent(alignment.claim, clause)
        for target in targets if mine.words else ():
            theirs = agent(alignment.unit.sentence, target)
            if not _same_deed(alignment, clause, target):
                continue
            if _is_elsewhere(alignment, mine, theirs, target) or (
                theirs.words and _is_another(alignment, mine, theirs)
            ):
                yield Finding("role", Outcome.CONTRADICTS, _said(mine), _said(theirs), 1.0)


def _replaced(alignment: Alignment, clause: int, targets: tuple[int, ...]) -> Iterator[Finding]:
    """Yield somebody whom only the heading or a neighbour names, where the evidence names somebody else."""
    claim, unit = alignment.claim, alignment.unit.sentence
    said = {pair.theirs.at for pair in alignment.pairs if pair.is_here and pair.theirs is not None}
    others = [
        word
        for word in unit.words
        if word.clause in targets[:1] and word.at not in said and is_actor(word, unit.language)
    ]
    for pair in alignment.pairs:
        is_named = pair.theirs is not None and not pair.is_here and not pair.is_before and pair.cost >= HEADING
        if not (is_named and pair.mine.clause == clause and is_actor(pair.mine, claim.language)):
            continue
        around = {token.low for token in claim.tokens[max(0, pair.mine.at - 2) : pair.mine.at + 2]}
        is_name = claim.language == "en" and pair.mine.text[:1].isupper()
        if others and not around & ATTRIBUTED and not is_name:
            yield Finding("role", Outcome.LACKS, pair.mine.text, others[0].text, REPLACED)


def _same_deed(alignment: Alignment, clause: int, target: int) -> bool:
    """Say whether both clauses have a verb or an adjective in common; else who acts can't be compared."""
    return any(
        pair.is_here
        and pair.theirs is not None
        and pair.mine.clause == clause
        and pair.theirs.clause == target
        and pair.cost <= ROOT
        and not pair.mine.is_noun
        and not pair.mine.is_name
        and not pair.theirs.is_noun
        for pair in alignment.pairs
    )


def _is_elsewhere(alignment: Alignment, mine: Agent, theirs: Agent, target: int) -> bool:
    """Say whether a pronoun acts in the evidence, and who acts in the claim is named in another clause behind it."""
    if not theirs.is_pronoun:
        return False
    found = [pair.theirs for pair in alignment.pairs if pair.mine in mine.words and pair.is_here and pair.theirs]
    return any(word.clause > target and word.is_name for word in found)


def _is_another(alignment: Alignment, mine: Agent, theirs: Agent) -> bool:
    """Say whether none of those who act in the claim acts in the evidence."""
    language = alignment.claim.language
    if mine.is_passive and theirs.is_passive:
        return not any(_are_alike(one, other, language) for one in mine.words for other in theirs.words)
    left, right = _actors(mine, language), _actors(theirs, language)
    if not left or not right:
        return False
    return not any(_are_alike(one, other, language) for one in left for other in right)


def _actors(acting: Agent, language: str) -> list[Word]:
    return [word for word in acting.words if is_actor(word, language)]


def _are_alike(one: Word, other: Word, language: str) -> bool:
    return likeness(one, other, language) is not None or likeness(other, one, language) is not None


def _said(acting: Agent) -> str:
    return " ".join(word.text for word in acting.words)
