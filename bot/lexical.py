"""Chooses the engine of the index of words.

Each adapter is imported where it is chosen: an installation on one machine needs no client of a cluster.
"""

# ruff: noqa: PLC0415 - see above

from pathlib import Path
from typing import TYPE_CHECKING, Final

from bot.config import Settings
from bot.files import read_regular
from bot.search_config import OPENSEARCH
from domain.errors import InputError

if TYPE_CHECKING:
    from adapters.search.analyzer import GermanAnalyzer
    from adapters.search.opensearch import OpenSearchIndex
    from adapters.search.opensearch_server import Server
    from adapters.search.tantivy import TantivyIndex
    from projections.lexical import Feed

_LONGEST_PASSWORD: Final = 10_000


def index(settings: Settings, analyzer: "GermanAnalyzer") -> "TantivyIndex | OpenSearchIndex":
    """Return the index of the configuration.

    Raises:
        InputError: ``password_file``, or ``search_library`` when the client of the cluster is not installed.
    """
    if settings.search.lexical == OPENSEARCH:
        server = _server(settings)
        from adapters.search.opensearch import OpenSearchIndex

        return OpenSearchIndex(server, analyzer)
    from adapters.search.tantivy import TantivyIndex

    return TantivyIndex(folder(settings.data), analyzer)


def feed(settings: Settings, analyzer: "GermanAnalyzer") -> "Feed":
    """Return what fills the index of the configuration.

    Raises:
        InputError: as ``index``.
    """
    if settings.search.lexical == OPENSEARCH:
        server = _server(settings)
        from adapters.search.opensearch_feed import OpenSearchFeed

        return OpenSearchFeed(server, analyzer)
    from adapters.search.feed import LexicalFeed

    return LexicalFeed(folder(settings.data), analyzer)


def folder(data: Path) -> Path:
    """Return where the embedded index lies, one folder for each set of rules that it is made under."""
    from adapters.search.analyzer import RULES

    return data / "index" / "lexical" / str(RULES)


def _server(settings: Settings) -> "Server":
    try:
        from adapters.search.opensearch_server import Server
    except ModuleNotFoundError as error:
        raise InputError("search_library") from error
    chosen = settings.search
    password = None if chosen.password_file is None else _password(chosen.password_file)
    return Server(chosen.urls, chosen.prefix, chosen.user, password, chosen.ca_file)


def _password(file: Path) -> str:
    try:
        return read_regular(file, _LONGEST_PASSWORD).decode("utf-8").strip()
    except (OSError, UnicodeDecodeError, InputError) as error:
        raise InputError("password_file", file=file) from error
