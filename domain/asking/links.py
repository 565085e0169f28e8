"""What leads out of an answer: addresses that were stored with a version, and names that cannot be taken for more.

A model writes no link. What is shown was recorded when the document came in, is encrypted on the way, and lies on a
domain that two people of the mandate have released.
"""

from collections.abc import Iterable, Sequence
from typing import Final
from urllib.parse import urlsplit

from domain.asking.labels import ROUND

MOST: Final = 3
"""Links below an answer."""

_NEUTRAL: Final = {**ROUND, ord("<"): "‹", ord(">"): "›"}


def linked(urls: Iterable[str | None], domains: Sequence[str]) -> list[str | None]:
    """Return the addresses that may be followed, each once and ``MOST`` at most, and ``None`` for all others."""
    shown: list[str | None] = []
    for url in urls:
        left = sum(one is not None for one in shown) < MOST
        shown.append(url if left and url not in shown and url and _is_released(url, domains) else None)
    return shown


def neutral(title: str) -> str:
    """Return a title in which no bracket makes a link, a label or a tag."""
    return title.translate(_NEUTRAL)


def _is_released(url: str, domains: Sequence[str]) -> bool:
    try:
        parts = urlsplit(url)
        host = (parts.hostname or "").encode("idna").decode("ascii")
        is_plain = parts.scheme == "https" and parts.port in {None, 443} and "@" not in parts.netloc
    except (UnicodeError, ValueError):
        return False
    return is_plain and "\\" not in url and any(host == one or host.endswith(f".{one}") for one in domains)
