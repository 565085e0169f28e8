"""English questions in German words: enough of them for the searches by words, and for the features of the reranker.

It is no translation: words are looked up in ``english.txt`` one after the other, the longest entry first. What the file
does not know stays, written like a noun: it is what the question is about, for all we know, and a passage that lacks it
is worth less. A question that does not tell by its small words that it is English is left alone.
"""

import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Final

from tantivy import Filter, TextAnalyzerBuilder, Tokenizer

from domain.asking.language import told_language

GLOSSARY: Final = "english.txt"
MEMORY: Final = 512

_WORD: Final = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*|§")
_STEMMER: Final = TextAnalyzerBuilder(Tokenizer.whitespace()).filter(Filter.stemmer("english")).build()

_STEMMED: Final = "*"

Phrase = tuple[str, ...]


@cache
def content() -> bytes:
    """Return the glossary as it ships."""
    return files("adapters.search").joinpath(GLOSSARY).read_bytes()


def in_german(question: str) -> str:
    """Return an English question in German words, empty for one that is not told to be English or has none of them."""
    if told_language(question) != "en":
        return ""
    rendered = [*_rendered(_WORD.findall(question))]
    return " ".join(word for word, _ in rendered if word) if any(is_known for _, is_known in rendered) else ""


def _rendered(words: list[str]) -> Iterator[tuple[str, bool]]:
    """Yield German words, or the words themselves, and whether the glossary gave them."""
    words, stems = [word.replace("’", "'") for word in words], [_stem(word) for word in words]
    at = 0
    while at < len(words):
        for length in range(min(_longest(), len(words) - at), 0, -1):
            german = _looked_up(words[at : at + length], stems[at : at + length])
            if german is not None:
                yield german, bool(german)
                at += length
                break
        else:
            yield words[at][0].upper() + words[at][1:], False
            at += 1


def _looked_up(words: list[str], stems: list[str]) -> str | None:
    """Return what the glossary has for the words as they are, else for their stems."""
    written = _glossary().get(tuple(word.lower() for word in words))
    return _glossary().get((_STEMMED, *stems)) if written is None else written


@cache
def _glossary() -> dict[Phrase, str]:
    """Return German words by English ones, as they are and, behind a mark, by their stems; the first entry counts."""
    found: dict[Phrase, str] = {}
    for line in content().decode("utf-8").splitlines():
        english, parted, german = line.partition(":")
        if line.startswith("#") or not parted:
            continue
        for phrase in english.split(","):
            found.setdefault(tuple(phrase.split()), german.strip())
            found.setdefault((_STEMMED, *map(_stem, phrase.split())), german.strip())
    return found


@cache
def _longest() -> int:
    return max(len(phrase) for phrase in _glossary() if phrase[0] != _STEMMED)


def _stem(word: str) -> str:
    plain = word.lower().replace("’", "'")
    stems: list[str] = _STEMMER.analyze(plain)
    return stems[0] if stems else plain
