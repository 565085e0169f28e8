"""Where the data lies and which parts are used: options, environment and one TOML file."""

import os
import tomllib
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bot.files import read_regular
from bot.journal_config import ENTRIES as JOURNAL_ENTRIES
from bot.journal_config import UNPUBLISHED, JournalChoice, journal
from bot.matrix_config import ENTRIES as MATRIX_ENTRIES
from bot.matrix_config import MatrixChoice, matrix
from bot.model_config import EMBEDDED_ONLY, Models, models
from bot.search_config import EMBEDDED_WORDS, ENTRIES, SearchChoice, search
from bot.serve_config import ENTRIES as SERVE_ENTRIES
from bot.serve_config import ON_LOOPBACK, ServeChoice, serve
from domain.errors import InputError

CONFIG_NAME: Final = "config.toml"
_LARGEST: Final = 1_000_000
_UNSEEN: Final = frozenset({"Cc", "Cf"})
_KNOWN: Final[Mapping[str, frozenset[str]]] = {
    "postgres": frozenset({"url", "password_file"}),
    "models": frozenset({"dense", "sparse", "reranker", "formulator", "judge"}),
    "search": ENTRIES,
    "journal": JOURNAL_ENTRIES,
    "matrix": MATRIX_ENTRIES,
    "serve": SERVE_ENTRIES,
}


@dataclass(frozen=True, slots=True)
class Settings:
    """What one call of the program works with.

    Attributes:
        data: the data folder, absolute.
        language: ``de`` or ``en``.
        postgres_url: an external PostgreSQL; ``None`` for the embedded one.
        password_file: file with the password of the role in ``postgres_url``.
        on_behalf_of: the identity that the owner of the data folder acts for.
        models: which model does what.
        search: where the index of words lies.
        journal: how the journal is signed.
        matrix: our account on a Matrix homeserver, ``None`` for none.
        serve: where ``serve`` tells how it is.
    """

    data: Path
    language: str
    postgres_url: str | None = None
    password_file: Path | None = None
    on_behalf_of: str | None = None
    models: Models = EMBEDDED_ONLY
    search: SearchChoice = EMBEDDED_WORDS
    journal: JournalChoice = UNPUBLISHED
    matrix: MatrixChoice | None = None
    serve: ServeChoice = ON_LOOPBACK


def load(data: Path | None, config: Path | None, language: str, on_behalf_of: str | None = None) -> Settings:
    """Return the settings of this call.

    Args:
        data: ``--data``; default ``$FUNDSTELLE_DATA``, else the platform's data folder.
        config: ``--config``; default ``config.toml`` in the data folder, if it is there.
        language: ``de`` or ``en``.
        on_behalf_of: ``--actor``.

    Raises:
        InputError: ``config_missing``, ``config_broken``, ``config_unknown`` or ``config_type``; as ``models``,
            ``search``, ``journal``, ``matrix`` and ``serve``.
    """
    folder = (data or default_data()).expanduser().absolute()
    table = _table(config, folder)
    url = _text(table, "postgres", "url")
    password_file = _text(table, "postgres", "password_file")
    file = config or folder / CONFIG_NAME
    return Settings(
        folder,
        language,
        url,
        Path(password_file) if password_file else None,
        on_behalf_of,
        models(table, file),
        search(table, file),
        journal(table, file),
        matrix(table, file),
        serve(table, file),
    )


def default_data() -> Path:
    """Return ``$FUNDSTELLE_DATA`` or the platform's data folder."""
    named = os.environ.get("FUNDSTELLE_DATA")
    if named:
        return Path(named)
    from platformdirs import user_data_path  # noqa: PLC0415 - only needed without the variable

    return user_data_path("fundstelle", appauthor=False)


def _table(config: Path | None, folder: Path) -> Mapping[str, object]:
    path = config or folder / CONFIG_NAME
    if config is None and not os.path.lexists(path):
        return {}
    try:
        content = read_regular(path, _LARGEST)
    except (OSError, InputError) as error:
        raise InputError("config_missing", file=path) from error
    try:
        table = tomllib.loads(content.decode("utf-8-sig"))
    # Beside its own error the parser lets through those of numbers with too many digits and of nesting without end.
    except (ValueError, RecursionError) as error:
        raise InputError("config_broken", file=path, reason=_reason(error)) from error
    _refuse_unknown(path, table)
    _refuse_unseen(path, "", table)
    return table


def _reason(error: Exception) -> str:
    match error:
        case tomllib.TOMLDecodeError():
            return str(error)
        case UnicodeDecodeError():
            return "UTF-8"
        case _:
            return type(error).__name__


def _refuse_unknown(path: Path, table: Mapping[str, object]) -> None:
    for section, entries in table.items():
        if section not in _KNOWN:
            raise InputError("config_unknown", file=path, name=section, known=", ".join(sorted(_KNOWN)))
        if not isinstance(entries, dict):
            raise InputError("config_type", file=path, name=section)
        for name in entries:
            if name not in _KNOWN[section]:
                known = ", ".join(f"{section}.{key}" for key in sorted(_KNOWN[section]))
                raise InputError("config_unknown", file=path, name=f"{section}.{name}", known=known)


def _refuse_unseen(path: Path, name: str, value: object) -> None:
    """Refuse characters that act on a terminal or hide: no name, path or address of ours has them."""
    match value:
        case dict():
            for key, entry in value.items():
                _refuse_unseen(path, f"{name}.{key}" if name else key, entry)
        case list():
            for entry in value:
                _refuse_unseen(path, name, entry)
        case str():
            # Some models want to read an instruction of several lines before a text.
            allowed = "\n\t" if name.endswith("_prefix") else ""
            if any(unicodedata.category(one) in _UNSEEN and one not in allowed for one in value):
                raise InputError("config_characters", file=path, name=name)


def _text(table: Mapping[str, object], section: str, name: str) -> str | None:
    entries = table.get(section)
    value = entries.get(name) if isinstance(entries, dict) else None
    if value is None or isinstance(value, str):
        return value
    raise InputError("config_type", file=CONFIG_NAME, name=f"{section}.{name}")
