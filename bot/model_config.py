"""Which model does what: the sections ``[models.dense]``, ``sparse``, ``reranker``, ``formulator`` and ``judge``."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from domain.errors import InputError

EMBEDDED: Final = "embedded"
EXTRACTIVE: Final = "extractive"
DETERMINISTIC: Final = "deterministic"
LOCAL: Final = "sentence-transformers"
OPENAI: Final = "openai"
VLLM: Final = "vllm"

LONGEST_TIMEOUT: Final = 3_600.0
"""Seconds that a person may be left waiting for one reply of a server."""

WRITING_TIMEOUT: Final = 120.0
"""Seconds for the reply of a model that writes, where none are configured; it is far slower than one that reads."""

_KINDS: Final[Mapping[str, tuple[str, ...]]] = {
    "dense": (EMBEDDED, LOCAL, OPENAI),
    "sparse": (EMBEDDED, LOCAL),
    "reranker": (EMBEDDED, LOCAL, VLLM),
    "formulator": (EXTRACTIVE, OPENAI),
    "judge": (DETERMINISTIC, LOCAL, OPENAI),
}
_LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "::1"})
_SERVED: Final = frozenset({"url", "model", "revision"})
_MORE_OF_A_SERVER: Final = frozenset({"base", "key_file", "timeout", "ca_file"})
_FILES: Final = frozenset({"key_file", "ca_file"})
_NEEDED: Final[Mapping[str, frozenset[str]]] = {
    EMBEDDED: frozenset(),
    EXTRACTIVE: frozenset(),
    DETERMINISTIC: frozenset(),
    LOCAL: frozenset({"path"}),
    OPENAI: _SERVED,
    VLLM: _SERVED,
}
_MORE: Final[Mapping[str, frozenset[str]]] = {
    EMBEDDED: frozenset(),
    EXTRACTIVE: frozenset(),
    DETERMINISTIC: frozenset(),
    LOCAL: frozenset({"revision"}),
    OPENAI: _MORE_OF_A_SERVER,
    VLLM: _MORE_OF_A_SERVER,
}
_WRITING: Final = frozenset({"formulator", "judge"})
_OF_AN_ENCODER: Final = frozenset({"question_prefix", "passage_prefix"})


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """The model of one role; entries that its kind does not have are empty.

    Attributes:
        path: an absolute folder, or the name of a model in the local cache of the libraries.
        url, model, base, key_file, timeout, ca_file: as of ``ServedModel``.
        revision: of a model in the cache or behind a server.
        question_prefix, passage_prefix: what a served model reads before each text.
    """

    kind: str = EMBEDDED
    path: str = ""
    url: str = ""
    model: str = ""
    revision: str = ""
    base: str = ""
    key_file: Path | None = None
    timeout: float = 30.0
    ca_file: Path | None = None
    question_prefix: str = ""
    passage_prefix: str = ""


@dataclass(frozen=True, slots=True)
class Models:
    """The models of an installation."""

    dense: ModelChoice = ModelChoice()
    sparse: ModelChoice = ModelChoice()
    reranker: ModelChoice = ModelChoice()
    formulator: ModelChoice = ModelChoice(EXTRACTIVE, timeout=WRITING_TIMEOUT)
    judge: ModelChoice = ModelChoice(DETERMINISTIC, timeout=WRITING_TIMEOUT)


EMBEDDED_ONLY: Final = Models()
"""Nothing but what the program brings along."""


def models(table: Mapping[str, object], file: Path) -> Models:
    """Return the models that the section ``models`` of a configuration names; the embedded ones without.

    Raises:
        InputError: ``config_unknown``, ``config_type``, ``config_value``, ``config_needs`` or ``config_secret``.
    """
    section = table.get("models", {})
    if not isinstance(section, dict):
        raise InputError("config_type", file=file, name="models")
    for role in section:
        if role not in _KINDS:
            known = ", ".join(f"models.{one}" for one in _KINDS)
            raise InputError("config_unknown", file=file, name=f"models.{role}", known=known)
    return Models(**{role: _choice(role, entries, file) for role, entries in section.items()})


def _choice(role: str, entries: object, file: Path) -> ModelChoice:
    name = f"models.{role}"
    if not isinstance(entries, dict):
        raise InputError("config_type", file=file, name=name)
    kind = entries.get("kind")
    if kind not in _KINDS[role]:
        raise InputError("config_value", file=file, name=f"{name}.kind", known=", ".join(_KINDS[role]))
    allowed = {"kind"} | _NEEDED[kind] | _MORE[kind]
    if (role, kind) == ("dense", OPENAI):
        allowed |= _OF_AN_ENCODER
    for entry in entries:
        if entry not in allowed:
            known = ", ".join(f"{name}.{one}" for one in sorted(allowed))
            raise InputError("config_unknown", file=file, name=f"{name}.{entry}", known=known)
    for entry in sorted(_NEEDED[kind]):
        if not entries.get(entry):
            raise InputError("config_needs", file=file, name=f"{name}.{entry}", kind=kind)
    return _typed(name, {"timeout": WRITING_TIMEOUT, **entries} if role in _WRITING else entries, file)


def _typed(name: str, entries: Mapping[str, object], file: Path) -> ModelChoice:
    found: dict[str, object] = {}
    for field in fields(ModelChoice):
        value = entries.get(field.name, field.default)
        if field.name == "timeout" and not _is_bearable(value):
            raise InputError("config_value", file=file, name=f"{name}.timeout", known=f"1 … {LONGEST_TIMEOUT:.0f}")
        is_text = isinstance(value, str) or (field.name in _FILES and value is None)
        if field.name != "timeout" and not is_text:
            raise InputError("config_type", file=file, name=f"{name}.{field.name}")
        found[field.name] = Path(value) if field.name in _FILES and isinstance(value, str) else value
    choice = ModelChoice(**found)  # type: ignore[arg-type]  # each has just been looked at
    if choice.url and not is_address(choice.url):
        raise InputError("config_value", file=file, name=f"{name}.url", known="http://…, https://…")
    if choice.ca_file and not choice.url.lower().startswith("https:"):
        raise InputError("config_value", file=file, name=f"{name}.url", known="https://…")
    if choice.key_file and not is_private(choice.url):
        raise InputError("config_secret", file=file, name=f"{name}.url")
    return choice


def _is_bearable(seconds: object) -> bool:
    if isinstance(seconds, bool) or not isinstance(seconds, int | float):
        return False
    return 1 <= seconds <= LONGEST_TIMEOUT


def is_address(url: str) -> bool:
    """Whether it is the address of a server and nothing more; secrets have no place in it."""
    try:
        parts = urlsplit(url)
        return bool(
            parts.scheme in {"http", "https"}
            and parts.hostname
            and parts.port != 0
            and not (parts.username or parts.password or parts.query or parts.fragment)
        )
    except ValueError:
        return False


def is_private(url: str) -> bool:
    """Whether nobody on the way to the server can read along."""
    parts = urlsplit(url)
    return parts.scheme == "https" or parts.hostname in _LOOPBACK
