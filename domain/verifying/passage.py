"""The evidence, read: its sentences, each with what introduces it, and what stands around it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import zip_longest
from typing import Final, NamedTuple

from domain.knowledge.sentences import split
from domain.verifying.function_words import language_of
from domain.verifying.references import mark
from domain.verifying.sentence import Index, Sentence, index, read
from domain.verifying.tokens import fold

MEMORY: Final = 64
"""Passages that a process remembers; the claims of an answer are held against the same ones."""

_ENDS: Final = re.compile(r"[.!?][\"')\]]*\Z")
_CONTINUES: Final = re.compile(r"[;,]\Z|\b(?:und|oder|and|or)\Z")
_ANAPHORA: Final = re.compile(
    r"(?:Er|Sie|Es|Ihm|Ihr|Ihnen|Dies\w*|Das(?= [a-z])|Dabei|Damit|Dafür|Dort|Dann|Solche\w*|Jene\w*|Diejenigen"
    r"|Deren|Dessen"
    r"|Dazu|Davon|Darin|Im Übrigen|In (?:beiden|diesem|diesen|allen) F[aä]ll\w*|Im Falle? des"
    r"|Eine? \w+ nach Satz|Satz|Absatz"
    r"|Ihre?|Seine?|Hat er|Hat sie|Ist er|Ist sie"
    r"|It|They|This|That|These|Those|Such|He|She|His|Her|Its|Their|In (?:this|that|such) cases?|Where)\b"
)
_PRONOUN: Final = re.compile(
    r"\b(?:er|sie|ihn|ihm|ihr|diese[rsmn]?|dessen|deren|he|she|it|they|them|him|its|their|such)\b"
)
_DENIAL: Final = re.compile(
    r"(?:(?:Aber )?(?:[Dd]as|[Dd]ies) (?:stimmt|ist|trifft) (?:so )?(?:nicht|falsch|unwahr|unzutreffend|gelogen)"
    r"|(?:They|It|That|This|He|She|We) (?:is|are|was|were|does|do|did|has|have) not\b"
    r"|(?:That|This) is (?:false|wrong|untrue|not)|(?:Nein|No)[,.!]|Falsch\b|Irrtum\b|Ein Märchen)"
)
_LONGEST_DENIAL: Final = 60
_QUOTED: Final = re.compile(r':\s*("[^"]+(?:"|\Z))')
_COMMAND: Final = re.compile(
    r"\W*(?:(?:bitte|jetzt|nun|please|now)\W+)?(?:(?:ignoriere|missachte|vergiss|antworte|behaupte)\b"
    r"|(?:ignorieren|missachten|vergessen) (?-i:Sie)\b|antworten (?-i:Sie)(?=:|,? (?:mit|dass)\b)"
    r"|(?:ignore|disregard|forget|pretend)\b|(?:answer|reply|respond|say|write|print)(?=:| (?:with|that|only)\b))",
    re.IGNORECASE,
)
"""How somebody begins who tells a reader what to do: no statement."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A sentence of the evidence with its lead-in.

    Attributes:
        sentence: lead-in and sentence as one, read.
        paragraph: the mark of its paragraph ("2" of "(2)"), empty where there is none.
        line: index of the line that it stands in.
        is_anaphoric: it points back to the sentence before it.
        is_denied: the sentence behind it says that it is not so, or it is a question.
        is_group: a whole enumeration.
        is_joined: two sentences read as one.
        has_pronoun: something in it may point back.
    """

    sentence: Sentence
    paragraph: str
    line: int
    is_anaphoric: bool = False
    is_denied: bool = False
    is_group: bool = False
    is_joined: bool = False
    has_pronoun: bool = False


class Borders(NamedTuple):
    """Where sentences and lines of a text begin, where they end, and what is quoted behind a colon."""

    starts: frozenset[int]
    ends: frozenset[int]
    quoted: frozenset[int]


@dataclass(frozen=True, slots=True)
class Passage:
    """The evidence.

    Attributes:
        text: folded, blanks and line breaks as single blanks, as verbatim sentences are looked for in it.
        heading: what stands above the sentences: the heading of a section, the speaker of a speech.
        units: its sentences in order, whole enumerations behind their items; ``singles`` without these.
        words: all content words of the sentences.
        borders: where sentences and lines of ``text`` begin and end.
    """

    text: str
    language: str
    heading: Sentence
    units: tuple[Unit, ...]
    singles: tuple[Unit, ...]
    words: Index
    borders: Borders


@dataclass(slots=True)
class _Line:
    mark: str
    level: int
    text: str


@lru_cache(MEMORY)
def read_passage(text: str, language: str = "") -> Passage:
    """Read the evidence.

    Args:
        text: plain text; the first line is a heading if it does not end like a sentence.
        language: ``de`` or ``en``; told by its words where it is empty.
    """
    spoken = language or language_of(text)
    lines = [_line(one) for one in _joined(_without_quotes(fold(text)).split("\n"))]
    heading = ""
    if len(lines) > 1 and not _ENDS.search(lines[0].text) and not lines[0].mark:
        heading = lines.pop(0).text
    units = _with_denials(tuple(_units(lines, spoken)))
    singles = tuple(unit for unit in units if not unit.is_group)
    words = [word for unit in singles for word in unit.sentence.words]
    flat, borders = _flat(text)
    return Passage(flat, spoken, read(heading, spoken), units, singles, index(words, spoken), borders)


def joined(one: Unit, other: Unit) -> Unit:
    """Return two sentences of a passage, in its order, as one."""
    text = f"{one.sentence.text} {other.sentence.text}"
    return Unit(read(text, one.sentence.language), one.paragraph, one.line, is_joined=True)


def is_command(sentence: str) -> bool:
    """Say whether a folded sentence tells somebody what to do and states nothing."""
    return _COMMAND.match(sentence) is not None


def _without_quotes(folded: str) -> str:
    """Return the text without what somebody is said to say, or is told to say: the document itself does not say it."""
    return _QUOTED.sub(lambda found: found[0].removesuffix(found[1]) + '""', folded)


def _flat(text: str) -> tuple[str, Borders]:
    """Return the text with single blanks, and where its sentences and lines begin and end."""
    flat, starts, ends = "", set(), set()
    lines = [words for line in fold(text).split("\n") if (words := " ".join(line.split()))]
    for line, following in zip_longest(lines, lines[1:], fillvalue=""):
        offset = len(flat) + bool(flat)
        flat = f"{flat} {line}" if flat else line
        marked = mark(line)
        opening = marked.end() + 1 if marked else 0
        goes_on = not marked and following[:1].islower() and not mark(following)
        for begin in (0, opening):
            for span in split(line[begin:], "plain"):
                starts.add(offset + begin + span.start)
                ends.add(offset + begin + span.end)
        starts |= {offset, offset + opening}
        ends.add(len(flat))
        if goes_on and not _ENDS.search(line):
            ends.discard(len(flat))
    inside = {at for found in _QUOTED.finditer(flat) for at in range(found.start(1), found.end(1))}
    return flat, Borders(frozenset(starts - inside), frozenset(ends - inside), frozenset(inside))


def _joined(lines: Sequence[str]) -> list[str]:
    """Return the lines, those that go on in lower case joined to the one before."""
    joined: list[str] = []
    for one in lines:
        line = one.strip()
        if not line:
            continue
        if joined and line[0].islower() and not mark(line):
            joined[-1] = f"{joined[-1]}\n{line}"
        else:
            joined.append(line)
    return joined


def _line(line: str) -> _Line:
    found = mark(line)
    if found is None:
        bullet = re.match(r"[-•*–] ", line)
        return _Line("-", 1, line[2:].strip()) if bullet else _Line("", 0, line)
    level = 0 if found["inner"] else 1 if found["dotted"] else 2
    name = next(one for one in found.groups() if one)
    return _Line(name, level, line[found.end() :].strip())


def _units(lines: Sequence[_Line], language: str) -> Iterator[Unit]:
    paragraph = ""
    leads: list[tuple[int, str]] = []
    group: list[str] = []
    at = 0
    for at, line in enumerate(lines):
        while leads and line.mark and leads[-1][0] >= line.level:
            leads.pop()
        is_item = bool(leads) and line.mark != "" and line.level > 0
        if not is_item:
            yield from _whole(group, paragraph, at, language)
            leads, group = [], []
            paragraph = line.mark if line.mark and line.level < 2 else paragraph
        body, _, tail = line.text.partition("\n")
        body = line.text.replace("\n", " ") if not is_item else body
        opened = " ".join(text for _, text in leads)
        opens_list = _opens(lines, at)
        sentences = [one.of(body) for one in split(body, "plain")] or [body]
        for number, sentence in enumerate(sentences):
            if opens_list and number == len(sentences) - 1:
                if not is_item:
                    yield _unit(sentence, paragraph, at, language)
                continue
            text = f"{opened} {sentence} {tail}".strip() if is_item and number == 0 else sentence
            yield _unit(text, paragraph, at, language)
        if is_item:
            group.append(line.text.replace("\n", " "))
        if opens_list:
            leads.append((line.level if line.mark else -1, sentences[-1].rstrip(": ")))
            first = leads[0][1]
            group = group if is_item else [first]
    yield from _whole(group, paragraph, at, language)


def _opens(lines: Sequence[_Line], at: int) -> bool:
    """Say whether the line introduces the next one."""
    if (
        at + 1 >= len(lines)
        or not lines[at + 1].mark
        or (lines[at + 1].level <= lines[at].level and lines[at].mark and lines[at].level > 0)
    ):
        return False
    text = lines[at].text
    return lines[at + 1].level > 0 and not _ENDS.search(text) and not (_CONTINUES.search(text) and lines[at].level > 0)


def _whole(group: Sequence[str], paragraph: str, at: int, language: str) -> Iterator[Unit]:
    """Yield an enumeration as one unit."""
    if len(group) > 2:
        yield Unit(read(" ".join(group), language), paragraph, at, is_group=True)


def _unit(text: str, paragraph: str, line: int, language: str) -> Unit:
    sentence = read(" ".join(text.split()), language)
    opening = sentence.text[:60]
    found = _PRONOUN.search(opening)
    named_before = found is not None and any(
        word.is_noun or word.is_name or word.at == 0
        for word in sentence.words
        if sentence.tokens[word.at].start < found.start()
    )
    points_back = bool(_ANAPHORA.match(opening)) or (found is not None and not named_before)
    return Unit(sentence, paragraph, line, points_back, has_pronoun=_PRONOUN.search(sentence.text) is not None)


def _with_denials(units: tuple[Unit, ...]) -> tuple[Unit, ...]:
    told = []
    for at, unit in enumerate(units):
        following = units[at + 1].sentence.text if at + 1 < len(units) else ""
        is_denied = (
            unit.sentence.is_question
            or is_command(unit.sentence.text)
            or bool(
                _DENIAL.match(following) and (len(following) < _LONGEST_DENIAL or ":" in following[:_LONGEST_DENIAL])
            )
        )
        told.append(replace(unit, is_denied=is_denied))
    return tuple(told)
