"""Forms of words: which words are inflections of one another, and which have the same root.

A stem is what inflection leaves alone: "Fristen" and "Frist". A root is what derivation leaves alone as well:
"Widerruf" and "widerrufen", "termination" and "terminate". Who does something and what is done keep different stems
and different roots: "Mieter" and "Miete", "Versicherer" and "Versicherung", "employer" and "employee".
"""

import re
from functools import lru_cache
from typing import Final, NamedTuple

from domain.verifying.tokens import base

MEMORY: Final = 100_000
_LEAST: Final = 3

_PARTICLES: Final = (
    "ab|an|auf|aus|bei|bereit|durch|ein|entgegen|fern|fertig|fest|fort|frei|gegenuber|gleich|her|heran|herbei|hin|hinzu|los|mit"
    "|nach|nieder|offen|sicher|statt|teil|um|unter|uber|vor|voraus|weg|weiter|wider|wieder|zu|zuruck|zusammen"
)
PARTICLES: Final = frozenset(_PARTICLES.split("|")) - {"uber", "unter", "durch", "um", "gegenuber", "gleich", "sicher"}
"""What a German verb may leave at the end of its clause."""

_INSIDE: Final = re.compile(rf"(?P<particle>{_PARTICLES})(?:ge|zu)(?P<verb>\w{{3,}})\Z")
_PARTICLE_VERB: Final = re.compile(rf"(?:{_PARTICLES})(?P<verb>\w{{4,}})\Z")
BARE, WITH_PARTICLE = "-", "+"
"""Open the roots of verbs that may be the same but for a particle."""

_NOUN_ENDINGS: Final = ("ens", "es", "en", "em", "e", "n", "s")
_VERB_ENDINGS: Final = (
    "etest", "enem", "enen", "ener", "enes", "endem", "enden", "ender", "endes", "ende", "etem", "eten", "eter",
    "etes", "ete", "test", "tem", "ten",
    "ter", "tes", "tet", "end", "est", "ene", "te", "et", "em", "en", "er", "es", "st", "e", "n", "t", "s",
)  # fmt: skip
_ER: Final = (
    "kinder", "lander", "hauser", "guter", "bucher", "rader", "bilder", "worter", "glieder", "gehalter", "amter",
    "gelder", "felder", "manner", "blatter", "dorfer", "walder", "schilder", "kleider", "bander", "volker", "facher",
    "rater", "eier", "pfander", "aller",
)  # fmt: skip
_PLURALS_IN_ER: Final = (*_ER, *(f"{one}n" for one in _ER))
_ADJECTIVAL: Final = (
    "agter", "igter", "ndeter", "dneter", "ellter", "etzter", "amter", "annter", "zender", "ehender", "orbener",
    "chtigter",
)  # fmt: skip
"""Ends of nouns that are inflected like adjectives: "Beauftragter", "Vorsitzender"."""

_NOUN_ROOTS: Final = ("igkeit", "ungs", "ung", "tion", "heit", "keit", "nis", "ig", "ien")
_ADJECTIVE_ROOTS: Final = ("weise", "lich", "isch", "haft", "bar", "sam", "ig")
_STRONG_VERBS: Final = {
    "nomm": "nehm", "nahm": "nehm", "nimm": "nehm", "gab": "geb", "gib": "geb", "gang": "geh", "ging": "geh",
    "kam": "komm", "komm": "komm", "stand": "steh", "fand": "find", "fund": "find", "sprach": "sprech",
    "sproch": "sprech", "sprich": "sprech", "troff": "treff", "traf": "treff", "triff": "treff", "lag": "lieg",
    "zog": "zieh", "bot": "biet", "schlug": "schlag", "trug": "trag", "liess": "lass", "hielt": "halt",
    "hielten": "halt", "blieb": "bleib", "schrieb": "schreib", "stieg": "steig", "sank": "sink", "sunk": "sink",
    "wuchs": "wachs", "galt": "gelt", "gilt": "gelt", "golt": "gelt", "half": "helf", "holf": "helf", "lor": "lier",
    "schloss": "schliess", "bracht": "bring", "dacht": "denk", "kannt": "kenn", "sah": "seh", "sieh": "seh",
    "begann": "beginn", "begonn": "beginn", "band": "bind", "bund": "bind", "hob": "heb", "rief": "ruf",
    "lief": "lauf", "fiel": "fall", "brach": "brech", "broch": "brech", "brich": "brech", "schied": "scheid",
    "warb": "werb", "worb": "werb", "wirb": "werb", "tritt": "tret", "trat": "tret", "verlus": "verlier",
    "warf": "werf", "worf": "werf",
    "wies": "weis", "floss": "fliess", "stimm": "stimm", "starb": "sterb", "storb": "sterb", "ander": "ander",
    "loss": "liess", "bess": "bess", "zahlt": "zahl", "wahlt": "wahl", "mess": "mess", "miss": "mess",
}  # fmt: skip
_ENGLISH_IRREGULAR: Final = {
    "paid": "pay", "made": "make", "held": "hold", "given": "give", "gave": "give", "kept": "keep", "took": "take",
    "taken": "take", "chose": "choose", "chosen": "choose", "rose": "rise", "risen": "rise", "fell": "fall",
    "fallen": "fall", "built": "build", "begun": "begin", "began": "begin", "bore": "bear", "borne": "bear",
    "written": "write", "wrote": "write", "found": "find", "left": "leave", "lost": "lose", "losses": "loss",
    "met": "meet", "sent": "send", "sold": "sell", "said": "say", "spoken": "speak", "spoke": "speak", "told": "tell",
    "thought": "think", "won": "win", "went": "go", "gone": "go", "grew": "grow", "grown": "grow", "known": "know",
    "drawn": "draw", "drew": "draw", "brought": "bring", "bought": "buy", "led": "lead", "men": "man",
    "women": "woman", "children": "child", "people": "person", "persons": "person", "data": "data", "lease": "lease",
    "leases": "lease",
}  # fmt: skip
_ENGLISH_ENDINGS: Final = ("ings", "ing", "ied", "ies", "ed", "es", "s")
_ENGLISH_ROOTS: Final = (
    "ations", "ation", "itions", "ition", "ments", "ment", "ances", "ance", "ences", "ence", "ions", "ion", "ally",
    "ly", "als", "al", "ity", "ness", "ive",
)  # fmt: skip


class Forms(NamedTuple):
    """What a word is compared by: ``stems`` under inflection, ``roots`` under derivation as well."""

    stems: frozenset[str]
    roots: frozenset[str]


@lru_cache(MEMORY)
def forms(word: str, language: str, *, is_noun: bool) -> Forms:
    """Return the forms of ``word``, as written.

    Args:
        word: one word without marks around it.
        language: ``de`` or ``en``.
        is_noun: a German noun keeps its "-er", and takes no endings of verbs.
    """
    low = base(word).rstrip("-'")
    if language == "en":
        return _english(low)
    if is_noun:
        return _noun(low)
    return _verb_or_adjective(low)


def _noun(low: str) -> Forms:
    stem = _without_gender(low)
    if stem.endswith(_PLURALS_IN_ER):
        stem = stem.rstrip("n").removesuffix("er")
    elif stem.endswith(("nisse", "nissen", "nisses")):
        stem = stem[: stem.rindex("nis") + 3]
    elif stem.endswith(_ADJECTIVAL):
        stem = stem.removesuffix("er")
    elif not stem.endswith(("nis", "ss", "er")):
        stem = _stripped(stem, _NOUN_ENDINGS)
    roots = {stem}
    for ending in _NOUN_ROOTS:
        if stem.endswith(ending) and len(stem) - len(ending) >= _LEAST:
            roots.add(_regular(stem.removesuffix(ending)))
            break
    # A noun made of a participle or an adjective: "Beschäftigte", "Vorsitzender".
    if stem.endswith("t") and len(stem) > 6:
        roots.add(_regular(stem[:-1]))
    roots.add(_regular(stem))
    return Forms(frozenset({stem}), frozenset(roots))


def _without_gender(low: str) -> str:
    """Return a noun without the ending that makes it feminine, and without a final "s" or "n" behind "er"."""
    for ending in ("innen", "in"):
        if (
            low.endswith(ending)
            and len(low) - len(ending) > 5
            and low[: -len(ending)].endswith(("er", "or", "eur", "ent", "at", "ist", "nd", "ar", "eg"))
        ):
            return low.removesuffix(ending)
    if low.endswith(("ers", "ern", "ors")) and len(low) > 5:
        return low[:-1]
    return low


def _verb_or_adjective(low: str) -> Forms:
    stem = _stripped(low, _VERB_ENDINGS)
    stems = {stem}
    # "erstattet": the "t" may belong to the stem or to the ending.
    cut = low[len(stem) :]
    if cut.startswith("t") and len(cut) > 1 and len(stem) >= _LEAST:
        stems.add(f"{stem}t")
    if low.endswith("sst"):
        stems.add(low[:-1])
    if low.startswith("ge") and len(stem) > 5:
        stems |= {one[2:] for one in stems}
    stems |= {found["particle"] + found["verb"] for one in stems if (found := _INSIDE.match(one))}
    stems |= {_regular(one) for one in stems}
    roots = set(stems)
    for one in stems:
        verb = _PARTICLE_VERB.match(one)
        if verb:
            roots.add(WITH_PARTICLE + verb["verb"])
        elif len(one) > _LEAST:
            roots.add(BARE + one)
    for ending in _ADJECTIVE_ROOTS:
        if stem.endswith(ending) and len(stem) - len(ending) >= _LEAST:
            roots.add(stem.removesuffix(ending))
            break
    return Forms(frozenset(stems), frozenset(roots))


def _regular(stem: str) -> str:
    """Return the stem of a verb as its infinitive has it: "übernomm" is "übernehm"."""
    for length in (7, 6, 5, 4, 3):
        tail = stem[-length:]
        if tail in _STRONG_VERBS and (len(stem) == len(tail) or len(stem) - len(tail) >= 2):
            return stem[: -len(tail)] + _STRONG_VERBS[tail]
    return stem


def _english(low: str) -> Forms:
    low = low.removesuffix("'s").rstrip("'")
    low = _ENGLISH_IRREGULAR.get(low, low)
    stem = low
    if not low.endswith(("ss", "us", "is")):
        stem = _stripped(low, _ENGLISH_ENDINGS)
    stem = _plain(stem, was_cut=stem != low)
    roots = {stem}
    for ending in _ENGLISH_ROOTS:
        if low.endswith(ending) and len(low) - len(ending) >= 4:
            roots.add(_plain(low.removesuffix(ending), was_cut=True))
            break
    return Forms(frozenset({stem}), frozenset(roots))


def _plain(stem: str, *, was_cut: bool) -> str:
    """Return an English stem without a doubled last letter and without a final "e", "y" or "i"."""
    if was_cut and len(stem) > 3 and stem[-1] == stem[-2] and stem[-1] not in "sl":
        stem = stem[:-1]
    return stem[:-1] if len(stem) > 3 and stem[-1] in "eyi" else stem


def _stripped(word: str, endings: tuple[str, ...]) -> str:
    for ending in endings:
        if word.endswith(ending) and len(word) - len(ending) >= _LEAST:
            return word[: -len(ending)]
    return word
