"""A draft as it is recorded."""

from domain.asking.drafts import Drafted
from domain.asking.fixed import says_gap
from domain.asking.outcome import Cut, Sentence
from domain.asking.ports import Quotable


def sentence(drafted: Drafted) -> Sentence:
    """Return a sentence of a draft, with where it was cut from if it is not the formulator's own."""
    if drafted.quotable is not None:
        return quoted(drafted.quotable)
    is_gap = drafted.is_gap and says_gap(drafted.text)
    return Sentence(drafted.text, drafted.labels, malformed=drafted.malformed, is_gap=is_gap)


def quoted(one: Quotable) -> Sentence:
    """Return a stored sentence as a sentence of a draft."""
    return Sentence(one.told, (one.label,), one.form, one.opening, Cut(one.span, one.lead_in))
