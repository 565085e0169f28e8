"""The sentences of an answer as a person reads them: words, anchors, what is struck and why, what has no source."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from bot.laid_out import between, said
from bot.text import Texts
from domain.asking.outcome import AnswerDelivered, Sentence
from domain.asking.values import Answer, WithheldDraft
from domain.verifying.values import Judgement

UNKNOWN: Final = "?"
"""Stands in the place of a label that stands for nothing."""

_STOPS: Final = (".", "!", "?")


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence with its anchors.

    Attributes:
        words: without the stop that closes the sentence; ``stop``: that one.
        anchors: in brackets, empty without any.
        remark: in brackets why it is struck, or that it has no source; empty where there is nothing to remark.
    """

    words: str
    anchors: str
    stop: str
    remark: str = ""
    is_struck: bool = False

    @property
    def plain(self) -> str:
        """Return it as plain text: what is struck stands between two tildes each."""
        whole = f"{self.words} {self.anchors}".rstrip() + self.stop
        return f"{f'~~{whole}~~' if self.is_struck else whole} {self.remark}".rstrip()


def sentences(answer: Answer, texts: Texts) -> list[Said]:
    """Return the sentences of an answer, none of a refusal."""
    if not isinstance(answer.end, AnswerDelivered):
        return []
    markup = {source.shown.label: source.shown.markup for source in answer.sources}
    return [_said(sentence, markup, texts) for sentence in answer.end.sentences]


def drafted(draft: WithheldDraft, texts: Texts) -> list[Said]:
    """Return the sentences of a draft that nobody was shown, with what was found of each."""
    suspicious = dict(draft.spots)
    found = [_said(one, {}, texts) for one in draft.sentences]
    return [
        replace(one, remark=_suspicion(suspicious[number], texts)) if number in suspicious else one
        for number, one in enumerate(found)
    ]


def _suspicion(reason: str, texts: Texts) -> str:
    try:
        return texts(f"spot.{reason}")
    except KeyError:
        return texts("spot.other")


def running(answer: Answer, texts: Texts) -> str:
    """Return an answer as plain running text."""
    found = [one.plain for one in sentences(answer, texts)]
    return "".join(between(left, right) + right for left, right in zip(["", *found], found, strict=False))


def is_unsupported(sentence: Sentence) -> bool:
    """Say whether a sentence states something without a source; that a detail is missing needs none."""
    return not sentence.labels and not sentence.is_gap


def why_struck(sentence: Sentence, texts: Texts) -> str:
    """Return why a sentence is struck, empty where it stands."""
    if not sentence.struck:
        return ""
    reason, words, evidence = (*sentence.struck, "", "")[:3]
    return _because(reason, words, evidence, texts)


def why_not(found: Judgement, texts: Texts) -> str:
    """Return why a sentence is not carried by what it was held against."""
    first = found.findings[0] if found.findings else None
    return _because(found.reason, first.claim if first else "", first.evidence if first else "", texts)


def _because(reason: str, words: str, evidence: str, texts: Texts) -> str:
    try:
        return texts(f"struck.{reason}", words=words)
    except KeyError:
        return texts("struck.says", evidence=evidence) if evidence else texts("struck.other")


def _said(sentence: Sentence, markup: Mapping[str, str], texts: Texts) -> Said:
    words = said(sentence, markup.get(sentence.labels[0], "plain") if sentence.labels else "plain")
    names = [*sentence.labels, *[UNKNOWN] * bool(sentence.malformed)]
    stop = words[-1] if words.endswith(_STOPS) else ""
    struck = why_struck(sentence, texts)
    remark = texts("answer.struck", reason=struck) if struck else ""
    if not struck and is_unsupported(sentence):
        remark = texts("answer.unsupported")
    return Said(
        words[: len(words) - len(stop)], f"[{', '.join(names)}]" if names else "", stop, remark, is_struck=bool(struck)
    )
