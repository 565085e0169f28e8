"""Where the index of words lies: the section ``[search]``."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bot.model_config import is_address, is_private
from domain.errors import InputError

TANTIVY: Final = "tantivy"
OPENSEARCH: Final = "opensearch"
_ENGINES: Final = (TANTIVY, OPENSEARCH)
_SECRET: Final = ("user", "password_file")
_TEXTS: Final = (*_SECRET, "ca_file", "prefix")
ENTRIES: Final = frozenset({"lexical", "url", *_TEXTS})

_PREFIX: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
"""What an index may be called begins so."""


@dataclass(frozen=True, slots=True)
class SearchChoice:
    """The engine of the index of words; all but ``lexical`` belongs to OpenSearch.

    Attributes:
        lexical: ``tantivy`` or ``opensearch``.
        urls: addresses of the nodes, without secrets.
        user, password_file: who logs in, and the file with the password.
        ca_file: certificate of the authority that signed those of the nodes.
        prefix: begins the names of the indexes; two installations on one cluster need two.
    """

    lexical: str = TANTIVY
    urls: tuple[str, ...] = ()
    user: str | None = None
    password_file: Path | None = None
    ca_file: Path | None = None
    prefix: str = "fundstelle"


EMBEDDED_WORDS: Final = SearchChoice()
"""The engine that the program brings along."""


def search(table: Mapping[str, object], file: Path) -> SearchChoice:
    """Return the engine that the section ``search`` of a configuration names; the embedded one without.

    Raises:
        InputError: ``config_type``, ``config_value``, ``config_needs`` or ``config_secret``.
    """
    section = table.get("search", {})
    if not isinstance(section, dict):
        raise InputError("config_type", file=file, name="search")
    for name in (*_TEXTS, "lexical"):
        if not isinstance(section.get(name, ""), str):
            raise InputError("config_type", file=file, name=f"search.{name}")
    lexical = section.get("lexical", TANTIVY)
    if lexical not in _ENGINES:
        raise InputError("config_value", file=file, name="search.lexical", known=", ".join(_ENGINES))
    if lexical == TANTIVY:
        if section and "lexical" not in section:
            # Whoever names a server does not expect the embedded engine.
            raise InputError("config_needs", file=file, name="search.lexical", kind=OPENSEARCH)
        return EMBEDDED_WORDS
    return _cluster(section, file)


def _cluster(section: Mapping[str, str], file: Path) -> SearchChoice:
    user, password, authority, prefix = (section.get(name) or None for name in _TEXTS)
    urls = _urls(section.get("url"), file)
    for name, given, other in (("password_file", password, user), ("user", user, password)):
        if other and not given:
            raise InputError("config_needs", file=file, name=f"search.{name}", kind=OPENSEARCH)
    if password and not all(map(is_private, urls)):
        raise InputError("config_secret", file=file, name="search.url")
    if authority and not all(url.lower().startswith("https:") for url in urls):
        raise InputError("config_value", file=file, name="search.url", known="https://…")
    if prefix and not _PREFIX.fullmatch(prefix):
        raise InputError("config_value", file=file, name="search.prefix", known="a-z, 0-9, _, -")
    return SearchChoice(
        OPENSEARCH,
        urls,
        user,
        Path(password) if password else None,
        Path(authority) if authority else None,
        prefix or EMBEDDED_WORDS.prefix,
    )


def _urls(value: object, file: Path) -> tuple[str, ...]:
    urls = value if isinstance(value, list) else [value] if value else []
    if not urls:
        raise InputError("config_needs", file=file, name="search.url", kind=OPENSEARCH)
    if not all(isinstance(url, str) for url in urls):
        raise InputError("config_type", file=file, name="search.url")
    if not all(map(is_address, urls)):
        raise InputError("config_value", file=file, name="search.url", known="http://…, https://…")
    return tuple(urls)
