"""How mandates, levels, channels and link domains may be called."""

import re
import unicodedata
from collections.abc import Sequence
from typing import Final
from zoneinfo import available_timezones

from domain.errors import InputError

KEY_LENGTH: Final = 63
"""Code points of a mandate key or a level name at most; they stand in tables and file names."""

TEXT_LENGTH: Final = 200
"""Code points of a name or a channel at most."""

REASON_LENGTH: Final = 2_000
"""Code points of a reason at most."""

_DOMAIN: Final = re.compile(r"(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]")


def mandate_key(text: str) -> str:
    """Return a mandate key in NFC, as written.

    Raises:
        InputError: ``mandate_key``.
    """
    return _key(text, "mandate_key")


def level_name(text: str) -> str:
    """Return a level name in NFC, as written.

    Raises:
        InputError: ``level_name``.
    """
    return _key(text, "level_name")


def level_among(levels: Sequence[str], name: str) -> str:
    """Return the name of a level that is one of ``levels``.

    Raises:
        InputError: ``level_unknown``.
    """
    if name not in levels:
        raise InputError("level_unknown", level=name, levels=", ".join(levels))
    return name


def folded(key: str) -> str:
    """Return the form under which keys are unique: case and composition make no difference."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", key).casefold())


def display_name(text: str) -> str:
    """Return a name for people.

    Raises:
        InputError: ``mandate_name``.
    """
    return _line(text, TEXT_LENGTH, "mandate_name")


def channel_name(text: str) -> str:
    """Return the id of a channel in NFC.

    Raises:
        InputError: ``channel_name``.
    """
    return _line(text, TEXT_LENGTH, "channel_name")


def reason(text: str) -> str:
    """Return a reason without surrounding blanks.

    Raises:
        InputError: ``reason``.
    """
    return _line(text, REASON_LENGTH, "reason")


def link_domain(text: str) -> str:
    """Return a domain in lower-case ASCII ("müller.example" becomes "xn--mller-kva.example").

    Raises:
        InputError: ``link_domain``.
    """
    try:
        domain = text.strip().encode("idna").decode("ascii").lower()
    except UnicodeError:
        domain = ""
    if not _DOMAIN.fullmatch(domain):
        raise InputError("link_domain", domain=text)
    return domain


def time_zone(text: str) -> str:
    """Return the name of a time zone that exists.

    Raises:
        InputError: ``time_zone``.
    """
    if text not in available_timezones():
        raise InputError("time_zone", zone=text)
    return text


def _key(text: str, error: str) -> str:
    key = unicodedata.normalize("NFC", text)
    if 0 < len(key) <= KEY_LENGTH and key[0].isalnum() and all(map(_is_key_character, key)):
        return key
    raise InputError(error, key=text, limit=KEY_LENGTH)


def _is_key_character(character: str) -> bool:
    if character in "-_.":
        return True
    if character.isascii():
        return character.isalnum()
    # Latin only: a Cyrillic letter that looks like a Latin one would make a second mandate of the same look.
    return character.isalpha() and unicodedata.name(character, "").startswith("LATIN ")


def _line(text: str, limit: int, error: str) -> str:
    line = unicodedata.normalize("NFC", text).strip()
    if not line or len(line) > limit or any(unicodedata.category(character)[0] == "C" for character in line):
        raise InputError(error, limit=limit)
    return line
