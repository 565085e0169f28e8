"""Check B: does a sentence without a source state what would need one?"""

from collections.abc import Iterator

from domain.verifying.alignment import UNNAMED
from domain.verifying.cues import FORBIDDEN, HAVE_TO, MUST, SHOULD
from domain.verifying.function_words import language_of
from domain.verifying.judge import judge
from domain.verifying.sentence import read
from domain.verifying.tokens import fold


def foreign_content(sentence: str, sources: str) -> str:
    """Return what a sentence states that would need a source, empty where it states nothing of the kind.

    Args:
        sentence: a sentence of an answer that cites nothing.
        sources: the words of all sources together; a name or a noun that stands in none of them is foreign.

    Returns:
        ``number``, ``date``, ``reference``, ``duty`` or ``name``.
    """
    return next(_stated(" ".join(fold(sentence).split()), sources), "")


def _stated(flat: str, sources: str) -> Iterator[str]:
    found = read(flat, language_of(flat))
    if found.references:
        yield "reference"
    if found.days:
        yield "date"
    if found.counted:
        yield "number"
    low = {token.low for token in found.tokens}
    if low & (MUST | SHOULD | FORBIDDEN) or HAVE_TO.search(found.low):
        yield "duty"
    if any(one.guard == "content" and one.cost >= UNNAMED for one in judge(flat, sources).findings):
        yield "name"
