"""The rules before the gate: a section or an act that is named must exist in scope and be in force on the day.

What is named and not there cannot be answered from something else that reads alike. The other way round, sections
that are there are found by their number, whatever the words of the question.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from domain.asking.fusion import best_first
from domain.asking.named import Document, Reading, Wanted
from domain.asking.naming import FOREIGN, IN_FORCE, NOT_IN_FORCE, UNKNOWN, NamedSection
from domain.asking.outcome import AnswerRefused
from domain.asking.policies import CANDIDATES
from domain.asking.ports import Hit, PassageId, PassageText
from domain.asking.sections import SectionPassage
from domain.asking.visibility import Visible
from domain.knowledge.acts import act_mentions, folded, is_act_abbreviation, stem
from domain.knowledge.citations import citations

_EXACT, _NEAR = 1.0, 0.5
"""Scores of a passage in the list of cited ones: in the paragraph named, or elsewhere in the section."""


@dataclass(frozen=True, slots=True)
class Ruling:
    """What the rules say of a question.

    Attributes:
        named: each thing named, with how it stands.
        in_doubt: those of ``named`` that are only missing if no passage found speaks about them.
        pinned: for each cited section its passages in force.
        acts: versions of documents that are acts.
    """

    named: tuple[NamedSection, ...] = ()
    in_doubt: tuple[NamedSection, ...] = ()
    pinned: tuple[tuple[Hit, ...], ...] = ()
    acts: frozenset[int] = frozenset()

    @property
    def missing(self) -> tuple[NamedSection, ...]:
        """Return what is surely not there or not in force."""
        return tuple(one for one in self.named if one.standing != IN_FORCE and one not in self.in_doubt)

    def settled(self, texts: Mapping[PassageId, PassageText]) -> "Ruling":
        """Return the ruling without what a passage found speaks about; nothing else is in doubt any more."""
        cleared = [one for one in self.in_doubt if is_spoken_of(one, texts, self.acts)]
        return replace(self, named=tuple(one for one in self.named if one not in cleared), in_doubt=())


def rule(
    reading: Reading,
    found: Sequence[SectionPassage],
    numbered: frozenset[int],
    visible: Visible,
    acts: frozenset[int],
) -> Ruling:
    """Return how everything that a question names stands.

    Args:
        reading: what the question names.
        found: the passages of the sections named, in every version that the asker may see on any day.
        numbered: versions that have numbered sections at all; of others it is not known which they have.
        visible: the versions in force on the day asked.
        acts: versions of documents that are acts.
    """
    named: list[NamedSection] = []
    in_doubt: list[NamedSection] = []
    pinned: list[tuple[Hit, ...]] = []
    for wanted in reading.wanted:
        standing, hits = _section(wanted, found, numbered, visible)
        if hits:
            pinned.append(hits)
        if standing is not None and standing not in named:
            named.append(standing)
            if standing.standing == FOREIGN or (standing.standing == UNKNOWN and not wanted.is_direct):
                in_doubt.append(standing)
    for documents in reading.acts:
        standing = _act(documents, visible)
        if standing is not None:
            named.append(standing)
    foreign = [NamedSection(act, "", FOREIGN) for act in reading.foreign]
    return Ruling((*named, *foreign), (*in_doubt, *foreign), tuple(pinned), acts)


def cited(ruling: Ruling, fused: Sequence[Hit]) -> tuple[Hit, ...]:
    """Return the list of cited passages, best first: those of the first section, of the second, and so in turn.

    Inside a section, passages of the paragraph named come first, and the others in the order of the other lists.
    """
    scores = {hit.passage: hit.score for hit in fused}
    rows = [
        sorted(row, key=lambda hit: (-hit.score, *best_first(Hit(hit.passage, scores.get(hit.passage, 0.0)))))
        for row in ruling.pinned
    ]
    longest = max(map(len, rows), default=0)
    turns = (row[turn] for turn in range(longest) for row in rows if turn < len(row))
    return tuple({hit.passage: hit for hit in reversed([*turns])}.values())[::-1][:CANDIDATES]


def refusal(missing: Sequence[NamedSection]) -> AnswerRefused:
    """Return the refusal of a question that names what is not there."""
    first = missing[0]
    kind = "section" if first.section and first.standing != FOREIGN else "act"
    return AnswerRefused("none_found", f"{kind}_{first.standing}", None, None, ())


def is_spoken_of(one: NamedSection, texts: Mapping[PassageId, PassageText], acts: frozenset[int]) -> bool:
    """Say whether a passage found speaks about a section or an act that is itself no document in scope.

    Args:
        one: what the question names.
        texts: the passages found.
        acts: versions of documents that are acts. Those refer to one another all the time, which answers nothing
            about the act referred to; a handbook that names an act explains it.
    """
    words = (text for passage, text in texts.items() if one.standing != FOREIGN or passage.ordinal not in acts)
    return any(_speaks_of(text.search_text, one) for text in words)


def _speaks_of(text: str, one: NamedSection) -> bool:
    if not one.act:
        return any(one.section == _shown(cited.sign, cited.number) for cited in citations(text))
    if is_act_abbreviation(one.act):
        return folded(one.act) in {folded(cited.act) for cited in citations(text)} | {
            folded(mention.name) for mention in act_mentions(text)
        }
    return stem(one.act) in stem_words(text)


def stem_words(text: str) -> frozenset[str]:
    """Return the stems of the words of a text."""
    return frozenset(stem(word.strip("()[],.;:„“”\"'")) for word in text.split())


def _section(
    wanted: Wanted, found: Sequence[SectionPassage], numbered: frozenset[int], visible: Visible
) -> tuple[NamedSection | None, tuple[Hit, ...]]:
    if wanted.is_foreign:
        return NamedSection(wanted.act, wanted.shown, FOREIGN), ()
    places = {version.ordinal for document in wanted.documents for version in document.versions}
    holding = [one for one in found if one.section == wanted.section and one.passage.ordinal in places]
    ordinals = tuple(sorted({one.passage.ordinal for one in holding}))
    today = [one for one in holding if one.passage.ordinal in visible.versions]
    if today:
        keys = {visible.versions[one.passage.ordinal].document for one in today}
        hits = () if len(keys) > 1 and not wanted.is_direct else tuple(_hits(wanted, today))
        return NamedSection(wanted.act, wanted.shown, IN_FORCE, ordinals=ordinals), hits
    if wanted.is_between or not places & numbered:
        return None, ()
    since, until = _stretches(wanted.documents, frozenset(ordinals), visible.horizon.valid_on)
    standing = NOT_IN_FORCE if ordinals else UNKNOWN
    return NamedSection(wanted.act, wanted.shown, standing, since, until, ordinals), ()


def _hits(wanted: Wanted, holding: Sequence[SectionPassage]) -> Iterator[Hit]:
    for one in holding:
        is_exact = not wanted.paragraph or wanted.paragraph in one.paragraphs
        yield Hit(one.passage, _EXACT if is_exact else _NEAR)


def _act(documents: Sequence[Document], visible: Visible) -> NamedSection | None:
    """Return how an act stands that is named as a whole, ``None`` where it is in force."""
    ordinals = frozenset(version.ordinal for document in documents for version in document.versions)
    if ordinals & visible.versions.keys():
        return None
    since, until = _stretches(documents, ordinals, visible.horizon.valid_on)
    return NamedSection(documents[0].names.shown, "", NOT_IN_FORCE, since, until, tuple(sorted(ordinals)))


def _stretches(documents: Sequence[Document], ordinals: frozenset[int], day: date) -> tuple[date | None, date | None]:
    """Return from when the versions are in force next, and the day from which they were no longer."""
    versions = [one for document in documents for one in document.versions if one.ordinal in ordinals]
    begins = [one.valid_from for one in versions if one.valid_from is not None and one.valid_from > day]
    ends = [one.valid_to for one in versions if one.valid_to is not None and one.valid_to <= day]
    return min(begins, default=None), max(ends, default=None)


def _shown(sign: str, number: str) -> str:
    return f"{'§' if sign == '§' else 'Art.'} {number}"
