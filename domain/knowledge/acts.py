"""Names of acts: those that a document goes by, and those that a question speaks of.

A document's names come from its key and its title: "Gesetz über den Versicherungsvertrag
(Versicherungsvertragsgesetz - VVG)" goes by its full title, its short one and its abbreviation, each in any
inflection. Whether a word names an act at all is told by how such words are built, not by a list of acts.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache
from typing import Final

from domain.knowledge.citations import citations
from domain.knowledge.text import Span


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_TOKEN: Final = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_BRACKETS: Final = re.compile(r"\(([^()]*)\)")
_PARTING: Final = re.compile(r"\s[-–]\s|[,;–]")
_ENDING: Final = re.compile(r"(?<=\w{4})(?:es|en|em|er|e|s|n)\Z")
_KINDS: Final = ("gesetz", "gesetzbuch", "verordnung")
_SHORT_KINDS: Final = (("gesetz", "g"), ("gesetzbuch", "gb"), ("verordnung", "v"))
_LEAST_SHORTENED: Final = 3
_STATUTORY_CODES: Final = re.compile(
    r"(?:prozess|gerichts|insolvenz|abgaben|gewerbe|verkehrs|grundbuch|anwalts|handwerks|notar|exekutions)-?ordnung\Z"
)
_ABBREVIATION: Final = re.compile(
    r"[A-ZÄÖÜ][A-Za-zÄÖÜäöü]*[A-ZÄÖÜ][A-Za-zÄÖÜäöü]*(?:-[A-ZÄÖÜ][A-Za-zÄÖÜäöü]*)?(?:\s[IVX]{1,4})?\Z"
)
_OF_AN_ACT: Final = re.compile(r"(?:G|GB|V|O|RL|GDPR|CRR)(?:\s[IVX]+)?\Z")
_NO_ACTS: Final = _words(
    # Legal forms, courts, terms of contracts and shorthands of the trade that are written like acts.
    "ag kg ohg ug eg vvag gag bag bgh bsg bverfg bverwg olg lg vg ovg lag arbg lsg sg fg bpatg eug bfh eugh "
    "agb avb akb ahb vgb vhb aub auv bv tv kv pkv gkv lv rv av dv edv mv hv vv bav sv ov iso ceo cfo cro coo cio cto "
    "ngo uno bo tvg-v gv ekv gdv evb vvo so dbv"
)
_AMBIGUOUS: Final = re.compile(r"[A-ZÄÖÜ]+V\Z|(?!.*(?:PO|GO|AO|VO)\Z)[A-ZÄÖÜ]+O\Z")
"""In capitals throughout these name rather something else ("PKV", "UNESCO") unless a section stands before them."""
_GENERIC: Final = _words(
    "gesetz gesetzbuch verordnung rechtsverordnung bundesgesetz landesgesetz reichsgesetz änderungsgesetz "
    "ausführungsgesetz einführungsgesetz umsetzungsgesetz durchführungsgesetz schutzgesetz steuergesetz "
    "spezialgesetz sondergesetz rahmengesetz fachgesetz stammgesetz mantelgesetz artikelgesetz begleitgesetz "
    "zustimmungsgesetz verbotsgesetz naturgesetz sittengesetz haushaltsgesetz mustergesetz parlamentsgesetz "
    "durchführungsverordnung ausführungsverordnung änderungsverordnung eu-verordnung notverordnung "
    "landesverordnung bundesverordnung ministerverordnung vorgängergesetz nachfolgegesetz"
)
_INTRODUCES: Final = _words("das des dem im vom zum laut gemäß nach aus der die zur in the of under ins beim")
REMEMBERED: Final = 20_000
"""Documents whose names a process keeps; to read them anew for each question takes longer than the searches."""

_ALIKE: Final = 0.9
"""Share of letters that a misspelt name has in common with the right one at least."""


@dataclass(frozen=True, slots=True)
class ActNames:
    """What a document goes by.

    Attributes:
        abbreviations: folded: lower case without hyphens and blanks.
        phrases: full names as stems of their words.
        is_act: whether its title says that it is an act.
        shown: how people call it.
    """

    abbreviations: frozenset[str]
    phrases: tuple[tuple[str, ...], ...]
    is_act: bool
    shown: str


@dataclass(frozen=True, slots=True)
class Mention:
    """A word or an abbreviation that names an act, as written, and where."""

    name: str
    span: Span


@lru_cache(REMEMBERED)
def names_of(key: str, title: str) -> ActNames:
    """Return what the document of this key and title goes by."""
    inside = [part.strip() for group in _BRACKETS.findall(title) for part in _PARTING.split(group) if part.strip()]
    short = [part for part in inside if _ABBREVIATION.match(part) and not is_act_word(stem(part))]
    names = [_BRACKETS.sub(" ", title), *(part for part in inside if part not in short)]
    phrases = tuple(dict.fromkeys(phrase for phrase in map(_stems, names) if phrase))
    aliases = tuple((word,) for phrase in phrases if len(phrase) > 1 for word in phrase if is_act_word(word))
    is_act = any(word.endswith(_KINDS) or word in _KINDS for phrase in phrases for word in phrase)
    shown = key if _ABBREVIATION.match(key) else short[-1] if short else title
    shortened = (one for phrase in phrases if len(phrase) == 1 for one in _shortened(phrase[0]))
    return ActNames(frozenset(map(folded, [key, *short, *shortened])), (*phrases, *aliases), is_act, shown)


def _shortened(word: str) -> Iterator[str]:
    """Yield how the name of an act is shortened by its kind: "Nachweisgesetz" is "NachweisG"."""
    for kind, letters in _SHORT_KINDS:
        if word.endswith(kind) and len(word) - len(kind) >= _LEAST_SHORTENED:
            yield word.removesuffix(kind) + letters


def folded(abbreviation: str) -> str:
    """Return the form in which abbreviations are compared."""
    return re.sub(r"[-\s]", "", abbreviation).casefold()


def known_mentions(text: str, names: Sequence[ActNames]) -> Iterator[tuple[Mention, int]]:
    """Yield where ``text`` speaks of a document by one of its names, with the place of its names in ``names``."""
    tokens = [*_TOKEN.finditer(text)]
    stems = [stem(token[0]) for token in tokens]
    short = [(folded(token[0]), token) for token in tokens if _ABBREVIATION.match(token[0])]
    begins: dict[str, list[int]] = {}
    for place, one in enumerate(stems):
        begins.setdefault(one, []).append(place)
    for number, known in enumerate(names):
        for abbreviation, token in short:
            if abbreviation in known.abbreviations:
                yield Mention(token[0], Span(*token.span())), number
        for phrase in known.phrases:
            for start in begins.get(phrase[0], ()):
                if tuple(stems[start : start + len(phrase)]) == phrase:
                    span = Span(tokens[start].start(), tokens[start + len(phrase) - 1].end())
                    yield Mention(span.of(text), span), number


def act_mentions(text: str) -> Iterator[Mention]:
    """Yield the words of ``text`` that name an act, whether anybody knows it or not.

    A name stands behind an article or a preposition ("nach dem Strafgesetzbuch", "im EStG"), or behind a section, or
    opens a query of a few words ("Einkommensteuergesetz Freibetrag"); an abbreviation may end one, too.
    """
    cited = {Span(one.span.end - len(one.act), one.span.end): one.act for one in citations(text) if one.act}
    yield from (Mention(act, span) for span, act in cited.items() if is_act_abbreviation(act))
    tokens = [*_TOKEN.finditer(text)]
    for before, token in zip([None, *tokens], tokens, strict=False):
        word, span = token[0], Span(*token.span())
        is_cited = any(one.start <= span.start and span.end <= one.end for one in cited)
        is_introduced = before is None or before[0].lower() in _INTRODUCES
        if is_cited or not word[0].isupper():
            continue
        if is_introduced and is_act_word(stem(word)):
            yield Mention(_nominative(word), span)
        elif (is_introduced or token is tokens[-1]) and is_act_abbreviation(word) and not _AMBIGUOUS.match(word):
            yield Mention(word, span)


def is_act_word(stemmed: str) -> bool:
    """Say whether a word is built like the name of an act and is no general term."""
    is_named = stemmed.endswith(_KINDS) or _STATUTORY_CODES.search(stemmed) is not None
    return is_named and stemmed not in _GENERIC and stemmed not in _KINDS


def is_act_abbreviation(word: str) -> bool:
    """Say whether a word is written like the abbreviation of an act ("StGB", "DSGVO")."""
    if not _ABBREVIATION.match(word) or folded(word) in _NO_ACTS:
        return False
    tail = word.rpartition("-")[2]
    is_compound = "-" in word and len(tail) > len("InfoV") and not is_act_word(stem(tail))
    return _OF_AN_ACT.search(word) is not None and not is_compound


def is_like(word: str, names: Sequence[ActNames]) -> bool:
    """Say whether ``word`` is how people may call one of the documents, though none goes by exactly that."""
    told = stem(word)
    for known in names:
        own = [one for phrase in known.phrases for one in phrase if is_act_word(one)]
        if any(told.endswith(one) or one.endswith(told) for one in own) or get_close_matches(told, own, cutoff=_ALIKE):
            return True
        if not own and any(len(one) > 1 and _abbreviates(one, told) for one in known.abbreviations):
            return True
    return False


def stem(word: str) -> str:
    """Return a word without its inflection, in lower case."""
    return _ENDING.sub("", word.casefold())


def _stems(name: str) -> tuple[str, ...]:
    return tuple(stem(token) for token in _TOKEN.findall(name))


def _abbreviates(short: str, word: str) -> bool:
    """Say whether the letters of ``short`` stand in ``word`` in their order, the first one first."""
    letters = iter(word)
    return word[:1] == short[:1] and all(letter in letters for letter in short)


def _nominative(word: str) -> str:
    """Return the name of an act as one would title it: "Strafgesetzbuches" is the "Strafgesetzbuch"."""
    return re.sub(r"(?<=gesetz|tzbuch)(?:es|e|s)\Z", "", word)
