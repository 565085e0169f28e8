"""The rows of a table, and which of them a question names.

Rows of one table share all their headings, so the words of a question fit one as well as the other. What tells them
apart is a short value: "3" of "zone 3". Items that read "Zone: 3; Loading: 35 %" are rows as well.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from domain.asking.candidates import Candidate
from domain.asking.words import content_words, named_in
from domain.knowledge.block import Kind

_TOKEN: Final = re.compile(r"§|[^\W\d_]{1,3}-\d\w*|\d+(?:[.,:/]\d+)*\w*|[^\W_]+")
_COLUMN: Final = re.compile(r"(?<!\\)\|")
_FIELDS: Final = re.compile(r"[^:;|]+: [^;|]+(?:; [^:;|]+: [^;|]+)+")
_FILLERS: Final = frozenset({"nr", "nummer", "no", "number", "the", "der", "die", "das", "dem", "den"})
_ENDINGS: Final = frozenset({"e", "em", "en", "er", "es", "n", "s"})
_LONGEST_VALUE: Final = 4
_LETTERS: Final = 2

Row = tuple[tuple[str, str], ...]
"""Headings with their values, in the order of the table."""


def row_of(sentence: Candidate) -> Row:
    """Return the values of a row under their headings; empty for any other sentence."""
    own = sentence.own
    if sentence.kind is Kind.ROW and sentence.introduction:
        return row(sentence.introduction, own)
    if _FIELDS.fullmatch(own):
        fields = (field.split(": ", 1) for field in own.split("; "))
        return tuple((name.strip(), value.strip()) for name, value in fields)
    return ()


def row(head: str, words: str) -> Row:
    """Return the values of a row under the headings of a table, empty where they do not correspond."""
    names, values = _cells(head.rsplit("\n", 1)[-1]), _cells(words)
    return tuple(zip(names, values, strict=True)) if len(names) == len(values) > 1 else ()


def without_other_rows(question: str, sentences: Sequence[Candidate]) -> tuple[Candidate, ...]:
    """Leave out the rows that ``question`` does not ask for, and mark those that it names by a value."""
    tables: dict[object, list[Candidate]] = defaultdict(list)
    rows = {one: cells for one in sentences if (cells := row_of(one))}
    for one, cells in rows.items():
        tables[one.passage.id.ordinal, one.lead_in, tuple(name for name, _ in cells)].append(one)
    kept = {one: found for table in tables.values() for one, found in _asked(question, table, rows)}
    return tuple(kept.get(one, one) for one in sentences if one in kept or one not in rows)


def without_other_numbers(question: str, sentences: Sequence[Candidate]) -> tuple[Candidate, ...]:
    """Leave out items that speak of another number of what ``question`` asks about: of zone 2, not of zone 3."""
    asked = _numbered(question)
    return tuple(one for one in sentences if one.kind is not Kind.ITEM or not _is_of_others(asked, _numbered(one.own)))


def _numbered(text: str) -> set[tuple[str, str]]:
    """Return the words that are followed by a number, with it."""
    tokens = _TOKEN.findall(text)
    pairs = ((_before(tokens, number), token) for number, token in enumerate(tokens) if token[0].isdigit())
    return {(word.casefold(), token) for word, token in pairs if word.isalpha() and _is_matter(word)}


def _is_of_others(asked: set[tuple[str, str]], said: set[tuple[str, str]]) -> bool:
    return any(
        (numbers := {number for other, number in said if named_in(frozenset({word}), other)}) and wanted not in numbers
        for word, wanted in asked
    )


def _asked(
    question: str, table: Sequence[Candidate], rows: dict[Candidate, Row]
) -> Iterable[tuple[Candidate, Candidate]]:
    """Yield the rows of a table that may answer, each with itself as it is to be judged."""
    tokens = _TOKEN.findall(question)
    left = list(table)
    is_named = False
    for column, (head, _) in enumerate(rows[table[0]]):
        named = [one for one in table if _names(tokens, head, rows[one][column][1])]
        if named and len(named) < len(table):
            is_named, left = True, [one for one in left if one in named]
        elif not named and _is_missing(tokens, head, [rows[one][column][1] for one in table]):
            return []
    if not is_named:
        left = _telling(question, tokens, left, rows)
    return [(one, replace(one, is_named=is_named)) for one in left]


def _telling(
    question: str, tokens: Sequence[str], table: Sequence[Candidate], rows: dict[Candidate, Row]
) -> list[Candidate]:
    """Return the rows that name what their headings do not; all of them if nothing else is asked."""
    first = table[0]
    heads = [head for head, _ in rows[first]]
    asked = content_words(question)
    rest = asked - named_in(asked, " ".join([first.introduction, *first.passage.section, *heads]))
    telling = [one for one in table if named_in(rest, " ".join(value for _, value in rows[one]))]
    things = {token.casefold() for token in tokens[1:] if token[0].isupper()}
    return telling or ([] if rest & things else list(table))


def _names(tokens: Sequence[str], head: str, value: str) -> bool:
    """Say whether the question holds a short value as that of this column."""
    wanted = _TOKEN.findall(value)
    if not 0 < len(wanted) <= _LONGEST_VALUE:
        return False
    starts = range(len(tokens) - len(wanted) + 1)
    return any(_stands_at(tokens, start, wanted, head) for start in starts)


def _stands_at(tokens: Sequence[str], start: int, wanted: Sequence[str], head: str) -> bool:
    end = start + len(wanted)
    if not all(map(_is_same, tokens[start:end], wanted)):
        return False
    around = [word for word in (_before(tokens, start), tokens[end] if end < len(tokens) else "") if _is_matter(word)]
    if any(named_in(frozenset({word.casefold()}), head) for word in around):
        return True
    if wanted[0][0].isdigit():
        return not around
    is_letters = len(wanted) == 1 and len(wanted[0]) <= _LETTERS
    exact = tokens[start:end] == list(wanted) and start > 0 and wanted[0].isupper()
    return exact if is_letters else bool(content_words(" ".join(wanted))) or max(map(len, wanted)) == _LETTERS + 1


def _is_missing(tokens: Sequence[str], head: str, values: Sequence[str]) -> bool:
    """Say whether the question names a number of this column that no row has."""
    if not all(len(found := _TOKEN.findall(value)) == 1 and any(map(str.isdigit, found[0])) for value in values):
        return False
    numbers = [number for number, token in enumerate(tokens) if token[0].isdigit()]
    return any(named_in(frozenset({_before(tokens, number).casefold()}), head) for number in numbers)


def _before(tokens: Sequence[str], start: int) -> str:
    while start > 0 and tokens[start - 1].casefold() in _FILLERS:
        start -= 1
    return tokens[start - 1] if start > 0 else ""


def _is_matter(word: str) -> bool:
    return word == "§" or (not word[:1].isdigit() and bool(content_words(word)))


def _is_same(asked: str, word: str) -> bool:
    left, right = asked.casefold(), word.casefold()
    inflected = len(right) > _LETTERS and right.isalpha() and left.startswith(right)
    return left == right or (inflected and left[len(right) :] in _ENDINGS) or bool(named_in(frozenset({left}), word))


def _cells(words: str) -> list[str]:
    return [cell.strip() for cell in _COLUMN.split(words.strip("| "))]
