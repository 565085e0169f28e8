"""Greetings and thanks, which nobody means as a question: a fixed list, and nothing else is taken for one."""

from functools import cache
from typing import Final

from bot.chat.commands import Courtesy, Wanted
from bot.chat.folding import folded
from bot.text import LANGUAGES, texts

KINDS: Final = ("greeting", "thanks")


def courtesy(text: str) -> Wanted | None:
    """Return the courtesy that a whole message is, ``None`` for one that says anything more."""
    words = _bare(text)
    found = [(kind, one) for kind in KINDS for one in LANGUAGES if words in _known(kind, one)]
    if not found:
        return None
    kind, language = found[0]
    return Wanted(Courtesy(kind), language if len(found) == 1 else None)


@cache
def _known(kind: str, language: str) -> frozenset[str]:
    return frozenset(map(_bare, texts(language)(f"rooms.words_of_{kind}").split(",")))


def _bare(text: str) -> str:
    """Return the words of a text, in any case alike, without the signs between and behind them."""
    return " ".join("".join(one if one.isalnum() else " " for one in folded(text).casefold()).split())
