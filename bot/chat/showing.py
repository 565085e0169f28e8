"""What the commands of a conversation show: an opened source, why and how an answer came about, what was known."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from typing import Any, Final

from bot.answers import SEPARATOR, changed, decimal, near_place, reason
from bot.chat.cards import opened
from bot.chat.grammar import name_of
from bot.chat.hygiene import fitted, line, name
from bot.chat.markup import Node, element, html, plain, spoken
from bot.chat.notices import notice
from bot.chat.outgoing import Content
from bot.chat.splitting import BUDGET, cost
from bot.output import shown_day, shown_last_day
from bot.text import Texts
from domain.asking.cards import OpenCard
from domain.asking.outcome import AnswerDelivered, AnswerRefused
from domain.asking.values import Answer
from domain.asking.visibility import VisibleVersion

MOST: Final = 40
"""Rows of a list in one message at most."""

_HEADING: Final = 2_000
"""Bytes of what stands above and below a list."""

_COMMANDS: Final = ("ask", "source", "at", "known", "why", "run", "help")
_OF_ADMINISTRATORS: Final = ("mandate", "pending", "change")


def source(card: OpenCard, answer: Answer, texts: Texts) -> Content:
    """Return a source of ``answer`` inside its surroundings."""
    nodes = opened(card, answer.asked_on, texts)
    return Content(plain(nodes), html(nodes))


def why(answer: Answer, texts: Texts) -> Content:
    """Return what the gates measured and what they asked for, and what came near, with scores."""
    end = answer.end
    gates = [
        texts(f"why.{one}", value=decimal(gate.value, texts), threshold=decimal(gate.threshold, texts))
        for one, gate in (("relevance", answer.relevance), ("coverage", answer.coverage))
        # The sentence above says what the gate has measured that the question ended at.
        if gate is not None and (isinstance(end, AnswerDelivered) or one != end.step)
    ]
    because = texts("rooms.why_passed") if isinstance(end, AnswerDelivered) else line(reason(answer, texts))
    near = [
        (f"{decimal(one.score, texts)} {name(near_place(one, texts))}",)
        for one in (end.nearest if isinstance(end, AnswerRefused) else ())
    ]
    nodes = (
        element("p", because),
        *_listed([(one,) for one in gates]),
        *((element("p", texts("rooms.why_near")), *_listed(near)) if near else ()),
    )
    return Content(plain(nodes), html(nodes))


def run(answer: Answer, texts: Texts) -> Content:
    """Return the id of a run, what came of it, and where to look further."""
    end = answer.end
    outcome = "answered" if isinstance(end, AnswerDelivered) else f"step_{end.step}"
    facts = [
        (texts("answer.run", run=answer.run),),
        (texts("rooms.question_of", day=shown_day(texts, answer.asked_on)),),
        (f"{texts('rooms.run_ended')}: {texts(f'runs.{outcome}')}",),
        (texts("rooms.run_position", position=answer.position),),
    ]
    return notice(*_listed(facts), element("p", texts("rooms.run_more")))


def known(versions: Sequence[VisibleVersion], day: str, texts: Texts) -> Content:
    """Return what was known as of ``day``, in words, one version of each document."""
    if not versions:
        return notice(element("p", texts("rooms.known_none", day=day)))
    one_only = len(versions) == 1
    heading = texts("rooms.known_one", day=day) if one_only else texts("rooms.known", day=day, count=len(versions))
    rows = _fitting([(_version(one, texts),) for one in versions[:MOST]])
    return notice(element("p", element("strong", heading)), *_listed(rows), *_more(len(versions) - len(rows), texts))


def pending(documents: Sequence[Mapping[str, Any]], texts: Texts) -> Content:
    """Return what waits for a second person; ``documents`` as ``proposal_view`` makes them."""
    if not documents:
        return notice(element("p", texts("rooms.pending_none")))
    return notice(
        element("p", element("strong", texts("rooms.pending", count=len(documents)))),
        *_listed(_fitting([_proposal(one, texts) for one in documents[:MOST]])),
        element("p", *spoken(texts("rooms.pending_how"))),
    )


def help_on_commands(texts: Texts, *, is_administrator: bool = False) -> Content:
    """Return how to ask and which commands there are."""
    own = [spoken(texts(f"rooms.help_{one}")) for one in _COMMANDS]
    theirs = [spoken(texts(f"rooms.help_admin_{one}")) for one in _OF_ADMINISTRATORS]
    return notice(
        element("p", texts("rooms.help")),
        element("p", element("strong", texts("rooms.help_commands"))),
        *_listed(own),
        *((element("p", element("strong", texts("rooms.help_administrators"))), *_listed(theirs)) * is_administrator),
        element("p", texts("rooms.help_reactions")),
    )


def source_changed(answer: Answer, told: int, texts: Texts) -> Content | None:
    """Return what an answer rests on and is not in force any more; ``None`` for nothing new.

    Args:
        answer: the answer.
        told: journal position from which on the news is new.
        texts: the language of the answer.
    """
    new = [one for one in answer.changes if one.told >= told]
    if not new:
        return None
    ordinals = {one.notified.ordinal for one in new}
    cited = (one.shown for one in answer.sources if one.shown.ordinal in ordinals)
    sources = SEPARATOR.join(
        texts("changed.source", label=f"[{one.label}]", title=name(one.title), version=one.version) for one in cited
    )
    said = [element("p", element("strong", line(changed(one, texts)))) for one in new]
    nodes = (*said, element("p", sources))
    return Content(plain(nodes), html(nodes))


def _version(one: VisibleVersion, texts: Texts) -> str:
    start, end = shown_day(texts, one.valid_from), shown_last_day(texts, one.valid_to)
    ends = " ".join(
        f"{texts(f'knowledge.{key}')} {day}" for key, day in (("valid_from", start), ("valid_to", end)) if day
    )
    term = texts("rooms.valid_between", start=start, end=end) if start and end else ends
    titled = texts("answer.version", title=name(one.title), version=one.version)
    return SEPARATOR.join(filter(None, (titled, name(one.level), term)))


def _proposal(one: Mapping[str, Any], texts: Texts) -> tuple[Node, ...]:
    about = SEPARATOR.join(name(part) for part in (one["subject"], one["value"]) if part)
    what = ": ".join(filter(None, (texts(f"kind.{one['kind']}"), about)))
    by = texts("rooms.pending_by", person=name(one["proposed_by"] or texts("person.erased")))
    because = (SEPARATOR, name(one["because"])) if one["because"] else ()
    command = element("code", f"{name_of('approve', texts.language)} {fitted(one['change'])}")
    return (element("strong", what[:1].upper() + what[1:]), element("br"), by, *because, element("br"), command)


def _more(left: int, texts: Texts) -> tuple[Node, ...]:
    return (element("p", texts("rooms.known_more", count=left)),) if left > 0 else ()


def _fitting(rows: Sequence[tuple[Node, ...]]) -> list[tuple[Node, ...]]:
    """Return the first rows, as many as one message holds beside its heading."""
    sizes = accumulate(cost((element("li", *row),)) for row in rows)
    return [row for row, size in zip(rows, sizes, strict=True) if size <= BUDGET - _HEADING]


def _listed(rows: Iterable[Sequence[Node]]) -> tuple[Node, ...]:
    items = [element("li", *row) for row in rows]
    return (element("ul", *items),) if items else ()
