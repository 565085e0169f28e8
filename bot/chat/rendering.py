"""An answer as messages: the note, the text with anchors, the sources; one message where everything fits into one."""

from collections.abc import Iterator, Sequence
from typing import Final

from bot.answers import cautions, changes, nearest, note, part, reason, text
from bot.chat.cards import card
from bot.chat.hygiene import line, names, shortened
from bot.chat.markup import Node, element, html, parted, plain, spoken, words
from bot.chat.outgoing import Content, part_of
from bot.chat.splitting import BUDGET, Piece, cost, divided, packed
from bot.laid_out import between
from bot.sentences import Said, sentences
from bot.text import Texts
from domain.asking.outcome import AnswerDelivered, AnswerRefused, RunFailed
from domain.asking.values import Answer
from domain.verifying.verdict import PARTIALLY, VERIFIED

VERIFIED_MARK: Final = "✔"
PARTIALLY_MARK: Final = "◐"
REFUSED_MARK: Final = "✖"
LOOKING_BACK_MARK: Final = "⏲"
VERBATIM_MARK: Final = "◆"

_REMARK: Final = 600
"""Code points of what is said about a struck sentence at most."""

_NEAREST: Final = 1_200
"""Code points of what came near at most."""

_FRAME: Final = 400
"""Bytes that the headings and the run of a part take."""


def answer(answer: Answer, texts: Texts, *, mention: str | None, why: str = "!warum") -> tuple[Content, ...]:
    """Return an answer, a refusal or a failure as one message, or as several where one would be too large.

    Args:
        answer: what became of the question.
        texts: the language of the answer; see ``Texts.answering``.
        mention: who is notified, by the first message alone.
        why: the command that tells more about a refusal.

    The last message names the run: where it is found after a crash, nothing is missing before it.
    """
    if isinstance(answer.end, AnswerDelivered):
        parts = _delivered(answer, answer.end, texts)
    else:
        parts = [_not_delivered(answer, texts, why)]
    return tuple(
        Content(
            plain=plain(nodes),
            html=html(nodes),
            mentions=(mention,) if mention and number == 0 else (),
            run=answer.run if number == len(parts) - 1 else part_of(answer.run),
        )
        for number, nodes in enumerate(parts)
    )


def run_line(answer: Answer, texts: Texts) -> Node:
    """Return the line by which a run is found again."""
    return element("p", element("em", texts("answer.run", run=f"{answer.run.hex[:8]}…")))


def _delivered(answer: Answer, end: AnswerDelivered, texts: Texts) -> list[tuple[Node, ...]]:
    head, run = _head(answer, end, texts), run_line(answer, texts)
    said = [Piece(tuple(_said(one)), lead) for one, lead in _parted(sentences(answer, texts))]
    cards = [Piece((element("li", *card(one, answer.asked_on, texts)),)) for one in answer.sources]
    whole = (*head, _running(said), *_sources(cards, texts("answer.sources", count=len(cards))), run)
    return [whole] if cost(whole) <= BUDGET else list(_in_parts(answer, head, texts))


def _in_parts(answer: Answer, head: tuple[Node, ...], texts: Texts) -> Iterator[tuple[Node, ...]]:
    """Yield the note and the text first, then the sources; each part says which one of how many it is."""
    room = BUDGET - _FRAME
    said = [
        Piece(tuple(_said(one)), lead)
        for one, lead in _parted([piece for whole in sentences(answer, texts) for piece in _pieces(whole, room // 2)])
    ]
    cards = [Piece((element("li", *card(one, answer.asked_on, texts, room)),)) for one in answer.sources]
    running = packed(said, room - cost(head), room)
    listed = packed(cards, room, room)
    total, number, shown = len(running) + len(listed), 0, 0
    for number, group in enumerate(running, 1):
        told = _numbered(number, total, texts)
        # The note stands before everything else.
        begin, end = (head, told) if number == 1 else (told, ())
        follow = element("p", texts("rooms.sources_follow", count=len(cards)))
        last = (follow, run_line(answer, texts)) if number == len(running) else ()
        yield (*begin, _running(group), *last, *end)
    for group in listed:
        number += 1
        first, shown = shown + 1, shown + len(group)
        heading = texts("rooms.sources_of", first=first, last=shown, count=len(cards))
        yield (*_numbered(number, total, texts), *_sources(group, heading))


def _numbered(number: int, total: int, texts: Texts) -> tuple[Node, ...]:
    return (element("p", element("em", texts("rooms.part_of", number=number, total=total))),)


def _head(answer: Answer, end: AnswerDelivered, texts: Texts) -> tuple[Node, ...]:
    told = element("strong", f"{_mark(answer, end)} {line(note(answer, texts))}")
    warned = [line(one) for one in (*cautions(answer, texts), *changes(answer, texts))]
    return (element("p", told), *(element("p", one) for one in warned))


def _mark(answer: Answer, end: AnswerDelivered) -> str:
    if answer.at is not None:
        return LOOKING_BACK_MARK
    if end.note == PARTIALLY:
        return PARTIALLY_MARK
    return VERIFIED_MARK if end.note == VERIFIED else VERBATIM_MARK


def _parted(said: Sequence[Said]) -> Iterator[tuple[Said, str]]:
    """Yield each sentence with what parts it from the one before."""
    last = ""
    for one in said:
        yield one, between(last, one.words)
        last = one.words


def _said(one: Said) -> Iterator[Node]:
    anchors = (" ", element("strong", one.anchors)) if one.anchors else ()
    whole = (*words(one.words), *anchors, one.stop)
    yield from (element("del", *whole),) if one.is_struck else whole
    if one.remark:
        yield from (" ", element("em", *words(shortened(one.remark, _REMARK))))


def _pieces(one: Said, room: int) -> list[Said]:
    """Return a sentence in pieces that fit; only the last one has its anchors."""
    *first, last = divided(one.words, words, room)
    return [
        *(Said(told, "", "", is_struck=one.is_struck) for told in first),
        Said(last, one.anchors, one.stop, one.remark, is_struck=one.is_struck),
    ]


def _running(said: Sequence[Piece]) -> Node:
    return element("p", *(node for one in said for node in ((one.lead if one is not said[0] else ""), *one.nodes)))


def _sources(cards: Sequence[Piece], heading: str) -> tuple[Node, ...]:
    if not cards:
        return ()
    listed = element("ul", *(node for one in cards for node in one.nodes))
    return (element("details", element("summary", heading), listed),)


def _not_delivered(answer: Answer, texts: Texts, why: str) -> tuple[Node, ...]:
    """Return why there is no answer: the fixed sentence, what was measured, what came near."""
    told = element("p", element("strong", REFUSED_MARK), f" {line(_sentence(answer, texts))}")
    if not isinstance(answer.end, AnswerRefused):
        return (told, run_line(answer, texts))
    near = names(shortened(nearest(answer, texts), _NEAREST))
    # Where nothing was found, nothing was measured, so there is no more to tell.
    more = f"`{why}`" if answer.end.step != "none_found" else ""
    because = (
        (line(reason(answer, texts)),),
        (near,) if near else (),
        spoken(texts("answer.more", command=more)) if more else (),
    )
    return (told, element("p", *parted(because, " ")), run_line(answer, texts))


def _sentence(answer: Answer, texts: Texts) -> str:
    """Return the fixed sentence; what sets a part right is told to whoever runs it, not to whoever asks."""
    if isinstance(answer.end, RunFailed) and answer.end.step != "model":
        return texts("answer.degraded", part=part(answer.end.part, texts), cure=texts("cures.other"))
    return text(answer, texts)
