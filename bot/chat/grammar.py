"""How commands are written: ``!`` with a German or an English name. Nothing here knows who may do what."""

import re
from collections.abc import Callable, Mapping
from difflib import SequenceMatcher, get_close_matches
from typing import Final
from uuid import UUID

from bot.chat.commands import (
    Admit,
    AssignLevel,
    Bind,
    Command,
    Decide,
    GiveRole,
    Help,
    Incomplete,
    Known,
    OpenSource,
    Pending,
    Question,
    Remove,
    SetThreshold,
    ShowRun,
    Unbind,
    Unknown,
    Wanted,
    Why,
)
from bot.chat.folding import folded
from bot.text import LANGUAGES
from domain.mandates.state import ADMINISTRATOR, COMPLIANCE, MEMBER

PREFIX: Final = "!"

RELEVANCE: Final = "relevance"
_THRESHOLDS: Final = {"relevanz": RELEVANCE, "abdeckung": "coverage", "sicherheit": "confidence"}
_ROLES: Final = {"mitglied": MEMBER, "verwaltung": ADMINISTRATOR, "aufsicht": COMPLIANCE}
_AWAY: Final = frozenset({"weg", "entfernen", "remove", "raus"})
_NO: Final = frozenset({"nein", "no", "ablehnen", "reject"})
_NEAR: Final = 0.7
"""How alike a wrong name must be to one of ours, so that whoever asks us is told that one."""

_SLIP: Final = 0.8
"""What is more alike is a slip also where nobody has asked us: other programs have commands as well (``!ping``)."""

_NAME: Final = re.compile(r"!([^\W\d_]{1,24})[?.:,…]?(?=\s|\Z)")
_LABEL: Final = re.compile(r"\[?s?\s?(\d{1,2})\]?", re.ASCII | re.IGNORECASE)
_GERMAN_DAY: Final = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4})", re.ASCII)
_IN_FORCE: Final = re.compile(r"(?:gültig|gueltig|valid)\s+(?:(?:am|on)\s+)?", re.IGNORECASE)
_ISO: Final = re.compile(r"\d{4}-\d{2}-\d{2}(?:T\S{1,32})?", re.ASCII)


def parse(text: str) -> Wanted | None:
    """Return the command that a message is, ``None`` for one that is none.

    A message that does not begin with a command is none, whatever it quotes.
    """
    written = folded(text)
    found = _NAME.match(written)
    if found is None:
        return None
    name, rest = found[1].casefold(), written[found.end() :].strip()
    known = _BY_NAME.get(name)
    if known is None:
        close = get_close_matches(name, _BY_NAME, 1, _NEAR)
        if not close:
            return Wanted(Unknown(PREFIX + name, None))
        return Wanted(Unknown(PREFIX + name, _BY_NAME[close[0]], _is_slip(name, close[0])))
    return Wanted(_READERS[known](rest) or Incomplete(known), _language(known, name))


def name_of(command: str, language: str) -> str:
    """Return how a command is called in a language, with its sign."""
    return PREFIX + NAMES[command][LANGUAGES.index(language)]


def day_of(text: str) -> str | None:
    """Return a day or an instant as the rest of the program writes it, ``None`` for anything else."""
    german = _GERMAN_DAY.fullmatch(text)
    if german is not None:
        return f"{german[3]}-{int(german[2]):02}-{int(german[1]):02}"
    return text if _ISO.fullmatch(text) else None


def _is_slip(name: str, meant: str) -> bool:
    """Say whether a letter of ``meant`` is missing, one too many or misplaced, none of them the first."""
    is_near = SequenceMatcher(None, name, meant).ratio() > _SLIP or sorted(name) == sorted(meant)
    return is_near and name[0] == meant[0]


def _language(command: str, name: str) -> str | None:
    found = [language for language, one in zip(LANGUAGES, NAMES[command], strict=True) if one == name]
    return found[0] if len(found) == 1 else None


def _question(rest: str) -> Question | None:
    return Question(rest) if rest else None


def _source(rest: str) -> OpenSource | None:
    found = _LABEL.fullmatch(rest)
    return OpenSource(f"S{int(found[1])}") if found else None


def _at(rest: str) -> Question | None:
    at, valid_on, question = _times(rest)
    return Question(question, at, valid_on) if question and (at or valid_on) else None


def _known(rest: str) -> Known | None:
    at, valid_on, more = _times(rest)
    return None if more else Known(at, valid_on)


def _times(rest: str) -> tuple[str | None, str | None, str]:
    """Return an instant of the knowledge, a day in force, as far as they stand in front, and what stands behind."""
    at, more = _day_in_front(rest)
    marked = _IN_FORCE.match(more)
    if marked is None:
        return at, None, more
    valid_on, behind = _day_in_front(more[marked.end() :])
    return (at, None, more) if valid_on is None else (at, valid_on, behind)


def _day_in_front(text: str) -> tuple[str | None, str]:
    first, *more = text.split(maxsplit=1) or ("",)
    day = day_of(first.rstrip(",;:"))
    return (None, text) if day is None else (day, "".join(more))


def _why(_rest: str) -> Why:
    return Why()


def _run(rest: str) -> ShowRun | None:
    if not rest:
        return ShowRun(None)
    try:
        return ShowRun(UUID(rest))
    except ValueError:
        return None


def _help(_rest: str) -> Help:
    return Help()


def _bind(rest: str) -> Bind | Unbind | None:
    words = rest.split()
    is_away = bool(words) and words[-1].casefold() in _AWAY
    if not 1 + is_away <= len(words) <= 2:
        return None
    return Unbind(words[0]) if is_away else Bind(words[0], words[1] if len(words) > 1 else None)


def _level(rest: str) -> AssignLevel | None:
    words = rest.rsplit(maxsplit=1)
    return AssignLevel(*words) if len(words) == 2 else None


def _decide(rest: str) -> Decide | None:
    change, verdict, because = (*rest.split(maxsplit=2), "", "", "")[:3]
    is_no = verdict.rstrip(",;:.").casefold() in _NO
    return Decide(change, not is_no, _on_one_line(because)) if change and (is_no or not verdict) else None


def _threshold(rest: str) -> SetThreshold | None:
    words = rest.split(maxsplit=2)
    if len(words) < 3:
        return None
    name, value, because = words
    return SetThreshold(_THRESHOLDS.get(name.casefold(), name.casefold()), value, _on_one_line(because))


def _on_one_line(text: str) -> str:
    return " ".join(text.split())


def _member(rest: str) -> Admit | Remove | None:
    words = rest.split()
    if len(words) != 2:
        return None
    person, level = words
    return Remove(person) if level.casefold() in _AWAY else Admit(person, level)


def _role(rest: str) -> GiveRole | None:
    words = rest.split()
    if len(words) != 2:
        return None
    person, role = words[0], words[1].casefold()
    return GiveRole(person, _ROLES.get(role, role))


def _pending(_rest: str) -> Pending:
    return Pending()


NAMES: Final[Mapping[str, tuple[str, str]]] = {
    "question": ("frage", "question"),
    "source": ("quelle", "source"),
    "at": ("stand", "at"),
    "known": ("gewusst", "known"),
    "why": ("warum", "why"),
    "run": ("lauf", "run"),
    "help": ("hilfe", "help"),
    "mandate": ("mandat", "mandate"),
    "level": ("stufe", "level"),
    "approve": ("freigabe", "approve"),
    "threshold": ("schwelle", "threshold"),
    "member": ("mitglied", "member"),
    "role": ("rolle", "role"),
    "pending": ("offen", "pending"),
}
"""How each command is called, in the order of ``LANGUAGES``."""

ADMINISTERING: Final = ("mandate", "level", "approve", "threshold", "member", "role", "pending")
"""The commands that are not for members."""

_READERS: Final[Mapping[str, Callable[[str], Command | None]]] = {
    "question": _question,
    "source": _source,
    "at": _at,
    "known": _known,
    "why": _why,
    "run": _run,
    "help": _help,
    "mandate": _bind,
    "level": _level,
    "approve": _decide,
    "threshold": _threshold,
    "member": _member,
    "role": _role,
    "pending": _pending,
}

_BY_NAME: Final = {name: command for command, names in NAMES.items() for name in names}
