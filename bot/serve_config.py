"""Where ``fundstelle serve`` tells how it is: the section ``[serve]``."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from domain.errors import InputError

ENTRIES: Final = frozenset({"listen"})


@dataclass(frozen=True, slots=True)
class ServeChoice:
    """Where health and metrics are told.

    Attributes:
        host: of this machine, by default only to this machine itself.
        port: 0 for one that is free.
    """

    host: str = "127.0.0.1"
    port: int = 9464


ON_LOOPBACK: Final = ServeChoice()
"""Heard on this machine alone."""


def serve(table: Mapping[str, object], file: Path) -> ServeChoice:
    """Return what the section ``serve`` of a configuration says.

    Raises:
        InputError: ``config_type`` or ``config_value``.
    """
    section = table.get("serve", {})
    if not isinstance(section, dict):
        raise InputError("config_type", file=file, name="serve")
    listen = section.get("listen", f"{ON_LOOPBACK.host}:{ON_LOOPBACK.port}")
    if not isinstance(listen, str):
        raise InputError("config_type", file=file, name="serve.listen")
    try:
        parts = urlsplit(f"//{listen}")
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port = None, None
    if host is None or port is None or parts.netloc != listen or "@" in listen:
        raise InputError("config_value", file=file, name="serve.listen", known="127.0.0.1:9464, [::1]:9464")
    return ServeChoice(host, port)
