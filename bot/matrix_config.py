"""Which account on which homeserver is ours, and who may call us: the section ``[matrix]``."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bot.identity import parse
from bot.model_config import is_address, is_private
from domain.errors import InputError

_NEEDED: Final = ("homeserver", "user", "password_file")
_TEXTS: Final = (*_NEEDED, "device_name", "ca_file")
_LISTS: Final = ("inviters", "servers", "tell")
_TRUSTS: Final = "trust_homeserver"
ENTRIES: Final = frozenset({*_TEXTS, *_LISTS, _TRUSTS})

_SERVER: Final = re.compile(r"[a-zA-Z0-9.\-]+(:\d{1,5})?|\[[0-9a-fA-F:.]+\](:\d{1,5})?")
_LONGEST_NAME: Final = 100


@dataclass(frozen=True, slots=True)
class MatrixChoice:
    """An account on a homeserver.

    Attributes:
        homeserver: address of its interface for clients, without a slash at the end.
        user: our Matrix id.
        password_file: file with the password.
        inviters: Matrix ids of those who may invite us.
        servers: names of the servers all of whose users may.
        tell: Matrix ids of those who are told of trouble, such as a lost encryption store.
        device_name: how our device is shown.
        ca_file: certificate of the authority that signed that of the homeserver.
        trust_homeserver: its word counts for who has written a command that changes something; else such a command must
            come encrypted, from a device that its owner has confirmed.
    """

    homeserver: str
    user: str
    password_file: Path
    inviters: tuple[str, ...] = ()
    servers: tuple[str, ...] = ()
    tell: tuple[str, ...] = ()
    device_name: str = "Fundstelle"
    ca_file: Path | None = None
    trust_homeserver: bool = False


def matrix(table: Mapping[str, object], file: Path) -> MatrixChoice | None:
    """Return the account that the section ``matrix`` of a configuration names; ``None`` without.

    Raises:
        InputError: ``config_type``, ``config_value``, ``config_needs`` or ``config_secret``.
    """
    section = table.get("matrix")
    if section is None:
        return None
    if not isinstance(section, dict):
        raise InputError("config_type", file=file, name="matrix")
    texts, lists = _texts(section, file), _lists(section, file)
    _must_be_complete(texts, lists, file)
    homeserver = _homeserver(texts, file)
    trusts = section.get(_TRUSTS, False)
    if not isinstance(trusts, bool):
        raise InputError("config_type", file=file, name=f"matrix.{_TRUSTS}")
    people = {name: tuple(_person(one, f"matrix.{name}", file) for one in lists[name]) for name in ("inviters", "tell")}
    if any(not _SERVER.fullmatch(server) for server in lists["servers"]):
        raise InputError("config_value", file=file, name="matrix.servers", known="example.org, …")
    return MatrixChoice(
        homeserver,
        _person(texts["user"], "matrix.user", file),
        Path(texts["password_file"]),
        servers=lists["servers"],
        device_name=texts["device_name"][:_LONGEST_NAME] or "Fundstelle",
        ca_file=Path(texts["ca_file"]) if texts["ca_file"] else None,
        trust_homeserver=trusts,
        **people,
    )


def _texts(section: Mapping[str, object], file: Path) -> dict[str, str]:
    found = {}
    for name in _TEXTS:
        value = section.get(name, "")
        if not isinstance(value, str):
            raise InputError("config_type", file=file, name=f"matrix.{name}")
        found[name] = value
    return found


def _lists(section: Mapping[str, object], file: Path) -> dict[str, tuple[str, ...]]:
    found = {}
    for name in _LISTS:
        value = section.get(name, [])
        if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
            raise InputError("config_type", file=file, name=f"matrix.{name}")
        found[name] = tuple(value)
    return found


def _must_be_complete(texts: Mapping[str, str], lists: Mapping[str, tuple[str, ...]], file: Path) -> None:
    for name in _NEEDED:
        if not texts[name]:
            raise InputError("config_needs", file=file, name=f"matrix.{name}", kind="matrix")
    if not (lists["inviters"] or lists["servers"]):
        # Whom nobody may invite is in no room; and nobody is let in who was not named.
        raise InputError("config_guests", file=file, name="matrix.inviters")


def _homeserver(texts: Mapping[str, str], file: Path) -> str:
    url = texts["homeserver"]
    if not is_address(url) or (texts["ca_file"] and not url.lower().startswith("https:")):
        raise InputError("config_value", file=file, name="matrix.homeserver", known="https://matrix.example.org")
    if not is_private(url):
        raise InputError("config_secret", file=file, name="matrix.homeserver")
    return url.rstrip("/")


def _person(text: str, name: str, file: Path) -> str:
    try:
        person = parse(text)
    except InputError as error:
        raise InputError("config_value", file=file, name=name, known="@name:example.org") from error
    if not person.startswith("@"):
        raise InputError("config_value", file=file, name=name, known="@name:example.org")
    return person
