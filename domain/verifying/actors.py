"""Who acts in a clause: its subject, or in the passive who stands behind "von", "durch", "by".

No parser: position, articles and auxiliaries tell. Where they don't, nobody is named and nothing is concluded.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from domain.verifying.cues import MAY, MUST
from domain.verifying.sentence import Sentence, Word
from domain.verifying.tokens import Token, word_set

_GERMAN_AUXILIARIES: Final = word_set(
    "ist sind war waren sei seien wird werden wurde wurden werde hat haben hatte hatten habe kann können"
    " konnte konnten darf dürfen"
    " durfte durften muss müssen musste mussten soll sollen sollte sollten will wollen wollte möchte bleibt hatte"
)
_PASSIVE_GERMAN: Final = word_set("wird werden wurde wurden worden")
_NOMINATIVE: Final = word_set("der ein kein jeder dieser jener")
_OPEN: Final = word_set("die das eine keine jede diese alle sämtliche mehrere")
_FEMININE: Final = (
    "ung", "heit", "keit", "schaft", "ion", "tat", "person", "frau", "anz", "enz", "stelle", "kasse", "behorde", "bank",
    "gemeinde", "partei", "fraktion", "kammer", "agentur", "arbeit", "zeit", "kraft",
)  # fmt: skip
_OBLIQUE: Final = word_set(
    "den dem des einem einen eines einer keinem keinen jedem jeden diesem diesen seinem seinen seiner seines"
    " ihrem ihren ihrer ihres"
    " meinem meinen unserem unseren"
)
_GERMAN_PREPOSITIONS: Final = word_set(
    "in im ins an am auf bei beim mit nach von vom vor zu zum zur über unter durch für gegen um ab zwischen"
    " wegen bis aus gegenüber"
    " gemäß laut ohne innerhalb außerhalb während trotz statt seit hinter neben aufgrund infolge binnen als"
)
_ENGLISH_AUXILIARIES: Final = word_set(
    "is are was were be been has have had shall may must can will should would could does do did cannot might"
)
_PASSIVE_ENGLISH: Final = word_set("is are was were be been being")
_ENGLISH_PREPOSITIONS: Final = word_set(
    "of in on at by to from with for into under between among within upon about against per without before"
    " after during"
    " over until since as if when where unless because while"
)
_ACTOR_ENDINGS: Final = {
    "de": (
        "er", "or", "ent", "eur", "ist", "rat", "bundestag", "landtag", "regierung", "gesellschaft", "person",
        "amt", "gericht",
        "behorde", "stelle", "kasse", "partei", "fraktion", "kommission", "leitung", "abteilung", "kanzler",
        "ministerium", "verband",
        "unternehmen", "vorstand", "verwaltung", "agentur", "union", "bank", "gemeinde", "stadt", "prasident",
        "anwalt", "arzt", "kammer",
        "gewerkschaft", "vormund", "mann", "frau", "eltern", "mutter", "vater", "gericht", "staatsanwaltschaft",
        "polizei",
        "beschaftigt", "abgeordnet", "vorsitzend", "beamt", "angestellt", "verantwortlich", "beteiligt", "linke",
        "grune", "union", "bevollmachtigt", "geschaftsfuhrung", "direktion", "prasidium", "ausschuss", "senat",
        "kabinett", "anstalt", "organ", "versammlung", "verein", "kaufmann",
    ),
    "en": (
        "er", "or", "ee", "ant", "ent", "ist", "authority", "court", "board", "company", "person", "subject",
        "party", "minister",
        "council", "government", "parliament", "commission", "member", "states", "state", "landlord", "lessor",
        "bank", "office",
        "officer", "committee", "agency", "union", "body", "auditors", "processor", "controller", "pedestrians",
        "police", "parent",
    ),
}  # fmt: skip
_NO_ACTORS: Final = word_set(
    "alter dauer zahler nummer ufer wasser monster oktober dezember november september steuer mauer fehler"
    " körper winter sommer letter number order matter manner character"
    " offer paper letter procedure document amount event consent content payment agreement statement"
    " treatment requirement"
    " moment element equipment department employment judgement percent extent patent year quarter centre"
    " center factor"
    " sector error majority minority authority-based zimmer fenster muster register leder silber kupfer"
    " feuer feier opfer"
    " ziffer bundesländer länder güter bücher kinder häuser absender empfängerbereich stunde prozent patent"
    " talent moment"
    " dokument argument element parlament-based fundament instrument testament kontingent faktor sektor"
    " motor monitor traktor"
)


_NO_ACTOR_ENDINGS: Final = ("frist", "fristen", "dienst", "verlust", "alter", "dauer", "steuer", "nummer", "ziffer")


@dataclass(frozen=True, slots=True)
class Agent:
    """The content words of whoever acts in a clause; none if nobody is named."""

    words: tuple[Word, ...]
    is_passive: bool
    is_pronoun: bool = False


def is_actor(word: Word, language: str) -> bool:
    """Say whether a word names somebody who can act: a person, an office, a body, a name."""
    if word.low in _NO_ACTORS or word.low.endswith(_NO_ACTOR_ENDINGS):
        return False
    if language == "en":
        if word.is_name:
            return True
        low = word.low.removesuffix("s") if not word.low.endswith("ss") else word.low
        return low.endswith(_ACTOR_ENDINGS["en"]) or word.low.endswith(_ACTOR_ENDINGS["en"])
    if not word.is_noun:
        return False
    if word.text.isupper() and len(word.text) > 1:
        return True
    return any(stem.endswith(_ACTOR_ENDINGS["de"]) for stem in (*word.forms.stems, word.low))


def agent(sentence: Sentence, clause: int) -> Agent:
    """Return who acts in a clause."""
    inside = [at for at, one in enumerate(sentence.clauses) if one == clause]
    words = {word.at: word for word in sentence.words if word.clause == clause}
    if sentence.language == "en":
        return _english(sentence.tokens, inside, words)
    return _german(sentence.tokens, inside, words)


def _english(tokens: Sequence[Token], inside: Sequence[int], words: dict[int, Word]) -> Agent:
    verb = next((at for at in inside if tokens[at].low in _ENGLISH_AUXILIARIES), None)
    if verb is None:
        verb = next((at for at in inside if _is_past(tokens, at, words) and any(one < at for one in words)), None)
    if verb is None:
        return Agent((), is_passive=False)
    is_passive = any(
        tokens[at].low in _PASSIVE_ENGLISH and _has_participle(tokens, at, inside)
        for at in inside
        if verb <= at <= verb + 2
    )
    if is_passive:
        by = next((at for at in inside if at > verb and tokens[at].low == "by"), None)
        return Agent(_phrase(tokens, inside, words, by + 1) if by is not None else (), is_passive=True)
    if _ends_in_pronoun(tokens, inside, verb):
        return Agent((), is_passive=False, is_pronoun=True)
    start = next((at for at in inside if at in words or tokens[at].low in _ENGLISH_PREPOSITIONS), verb)
    if tokens[start].low in _ENGLISH_PREPOSITIONS:
        # "For undertakings the controller may ...": the phrase before the subject ends where an article begins.
        begun = [
            at for at in inside if start < at < verb and tokens[at].low in {"the", "a", "an", "each", "every", "no"}
        ]
        start = begun[-1] if begun and begun[-1] > start + 1 else verb
    found = tuple(words[at] for at in _until(tokens, inside, start, verb) if at in words)
    return Agent(found, is_passive=False, is_pronoun=not found and _ends_in_pronoun(tokens, inside, verb))


def _ends_in_pronoun(tokens: Sequence[Token], inside: Sequence[int], verb: int) -> bool:
    before = [at for at in inside if at < verb]
    return bool(before) and tokens[before[-1]].low in {"it", "they", "he", "she"}


def _until(tokens: Sequence[Token], inside: Sequence[int], start: int, stop: int) -> list[int]:
    """Return the tokens from ``start`` up to a preposition or ``stop``."""
    found = []
    for at in inside:
        if start <= at < stop:
            if tokens[at].low in _ENGLISH_PREPOSITIONS | _GERMAN_PREPOSITIONS - {"in", "so"} and at > start:
                break
            found.append(at)
    return found


def _is_past(tokens: Sequence[Token], at: int, words: dict[int, Word]) -> bool:
    low = tokens[at].low
    return (
        at in words
        and not tokens[at].is_capital
        and (
            low.endswith("ed")
            or low
            in {"rose", "fell", "found", "gave", "took", "built", "won", "lost", "held", "made", "paid", "said", "sold"}
        )
    )


def _has_participle(tokens: Sequence[Token], at: int, inside: Sequence[int]) -> bool:
    following = [tokens[one].low for one in inside if at < one <= at + 2]
    return any(low.endswith(("ed", "en", "wn", "lt", "de", "nt", "ld", "id")) and len(low) > 3 for low in following)


def _phrase(tokens: Sequence[Token], inside: Sequence[int], words: dict[int, Word], start: int) -> tuple[Word, ...]:
    """Return the content words from ``start`` up to a preposition, a mark or a conjunction."""
    found: list[Word] = []
    for at in inside:
        if at < start:
            continue
        token = tokens[at]
        if token.kind == "mark" and token.text not in {"&", "."}:
            break
        if found and token.low in _ENGLISH_PREPOSITIONS | _GERMAN_PREPOSITIONS | {"and", "und", "oder", "or"}:
            break
        if at in words:
            found.append(words[at])
    return tuple(found)


def _german(tokens: Sequence[Token], inside: Sequence[int], words: dict[int, Word]) -> Agent:
    low = {tokens[at].low for at in inside}
    is_passive = bool(low & _PASSIVE_GERMAN) and any(
        word.low.endswith(("t", "en")) and not word.is_noun for word in words.values()
    )
    is_to_be_done = bool(low & {"ist", "sind", "war", "waren"}) and any(
        tokens[at].low == "zu" or (at in words and "zu" in tokens[at].low[1:] and not words[at].is_noun)
        for at in inside
    )
    if is_passive or is_to_be_done:
        by = next((at for at in inside if tokens[at].low in {"von", "vom", "durch", "seitens"}), None)
        if by is not None and (is_passive or tokens[by].low in {"von", "vom"}):
            return Agent(_noun_phrase(tokens, inside, words, by + 1), is_passive=True)
        if is_passive or not low & (MAY | MUST):
            return Agent((), is_passive=True)
    is_infinitive = "zu" in low or any("zu" in one[1:] and one.endswith("en") for one in low)
    if is_infinitive and not low & _GERMAN_AUXILIARIES:
        return Agent((), is_passive=False)
    return Agent(_subject(tokens, inside, words), is_passive=False)


def _subject(tokens: Sequence[Token], inside: Sequence[int], words: dict[int, Word]) -> tuple[Word, ...]:
    """Return the words of the first phrase that can be a subject; a sure nominative before one that only may be."""
    sure: tuple[Word, ...] = ()
    likely: tuple[Word, ...] = ()
    for number, at in enumerate(inside):
        before = tokens[inside[number - 1]] if number else None
        token = tokens[at]
        if before is not None and (
            before.low in _GERMAN_PREPOSITIONS | _OBLIQUE or _is_noun(inside[number - 1], words)
        ):
            continue
        if token.low in _NOMINATIVE and not sure:
            phrase = _noun_phrase(tokens, inside, words, at + 1)
            is_feminine = token.low == "der" and bool(phrase) and phrase[0].low.endswith(_FEMININE)
            sure = () if is_feminine else phrase
        elif token.low in _OPEN and not likely:
            likely = _noun_phrase(tokens, inside, words, at + 1)
        elif number == 0 and _is_noun(at, words) and not likely:
            likely = _noun_phrase(tokens, inside, words, at)
    return sure or likely


def _is_noun(at: int, words: dict[int, Word]) -> bool:
    return at in words and words[at].is_noun


def _noun_phrase(
    tokens: Sequence[Token], inside: Sequence[int], words: dict[int, Word], start: int
) -> tuple[Word, ...]:
    """Return the noun at ``start`` or behind adjectives, with names that follow and nouns joined by "und"."""
    found: list[Word] = []
    for at in inside:
        if at < start:
            continue
        token = tokens[at]
        if _is_noun(at, words):
            found.append(words[at])
            continue
        if token.low in {"und", "oder"} | _NOMINATIVE | _OPEN | {"herr", "frau", "dr"} and (
            not found or tokens[at - 1].low in {"und", "oder"} or token.low in {"und", "oder"}
        ):
            continue
        if (
            found
            or token.kind == "mark"
            or token.low in _OBLIQUE
            or token.low in _GERMAN_PREPOSITIONS | _GERMAN_AUXILIARIES
        ):
            break
    return tuple(found)
