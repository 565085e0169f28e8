"""Questions with the passages that the searches find for them, and what the reranker sees of each pair."""

import asyncio
import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any

import numpy as np
import scipy.sparse

from adapters.encoders.use import UniversalSentenceEncoder
from adapters.readers.readers import FileReaders
from adapters.rerank import features
from adapters.rerank.matching import Words
from adapters.search.analyzer import GermanAnalyzer
from adapters.search.coding import K1, B, idf
from adapters.search.subwords import SubwordEncoder
from domain.asking.fusion import K
from domain.asking.ports import PassageId, PassageText
from domain.knowledge.passage_words import passage_search_text
from domain.knowledge.preparation import segment
from domain.knowledge.text import Span

Row = dict[str, Any]
DEPTH = 20
WRONG, SECTION, SENTENCE = 0, 1, 2
"""What a passage is to a question: not meant, of the right section, with the right sentence."""


@dataclass(frozen=True)
class Stored:
    """A passage, where it comes from and when it is in force."""

    document: str
    file: str
    start: str | None
    end: str | None
    text: PassageText

    def is_in_force(self, day: str) -> bool:
        return (self.start or "") <= day and (self.end is None or day < self.end)


@dataclass
class Case:
    """A question with its fused candidates: what each is to it, and the features of the first twenty."""

    question: Row
    labels: list[int]
    figures: np.ndarray
    missed: np.ndarray
    """Features of the right passage where no search found it, to learn from."""


def lines(file: Path) -> list[Row]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]


def passages(  # noqa: PLR0917 - a row of the manifest
    file: str, content: bytes, document: str, title: str, start: str | None, end: str | None
) -> list[Stored]:
    extract = FileReaders().read(PurePath(file), content)
    sentences, cut = segment(extract)
    found = []
    for number, one in enumerate(cut):
        lead_in, words = one.lead_in.of(extract.text) if one.lead_in else "", one.span.of(extract.text)
        text = PassageText(
            id=PassageId(1, number),
            span=one.span,
            text=words,
            mark="",
            markup=extract.markup,
            section=tuple(one.section),
            place=one.place,
            lead_in=lead_in,
            lead_in_span=one.lead_in,
            sentences=tuple(sentences[slice(*one.sentences)]),
            page=None,
            page_label=None,
            search_text=passage_search_text(title, one.section, lead_in, words, extract.markup),
        )
        found.append(Stored(document, file, start, end, text))
    return found


def statutes(folder: Path) -> list[Stored]:
    return [
        one
        for row in lines(folder / "manifest.jsonl")
        for one in passages(
            row["path"],
            (folder / row["path"]).read_bytes(),
            row["document"],
            row["title"],
            row["valid_from"],
            row["valid_to"],
        )
    ]


def paragraphs(contexts: Path) -> list[Stored]:
    """XQuAD: each paragraph is a document."""
    return [
        one
        for row in lines(contexts)
        for one in passages(
            f"{row['context_id']}.txt", row["text"].encode(), row["context_id"], row["context_id"], None, None
        )
    ]


def label_in_law(one: Stored, question: Row) -> int:
    if question["type"] == "unanswerable" or one.file != question["file"]:
        return WRONG
    places = [question, *(also for also in question.get("also") or [] if isinstance(also, dict))]
    if not any(_overlap(one.text.span, also["section_start"], also["section_end"]) for also in places):
        return WRONG
    return SENTENCE if _overlap(one.text.span, question["answer_start"], question["answer_end"]) else SECTION


def label_in_xquad(one: Stored, question: Row) -> int:
    if one.document != question["context_id"]:
        return WRONG
    return SENTENCE if _overlap(one.text.span, question["answer_start"], question["answer_end"]) else SECTION


def label_elsewhere(_: Stored, __: Row) -> int:
    return WRONG


def _overlap(span: Span, start: int, end: int) -> bool:
    return span.start < end and start < span.end


class Weighted:
    """BM25 over the terms of texts, as the two lexical searches compute it."""

    def __init__(self, texts: Sequence[Mapping[str, int]]) -> None:
        self.terms: dict[str, int] = {}
        cells = [
            (number, self.terms.setdefault(term, len(self.terms)), count)
            for number, terms in enumerate(texts)
            for term, count in terms.items()
        ]
        rows, columns, counts = (np.array(part) for part in zip(*cells, strict=True))
        lengths = np.array([sum(terms.values()) for terms in texts], float)
        frequencies = np.bincount(columns, minlength=len(self.terms))
        rarities = np.array([idf(len(texts), int(one)) for one in frequencies])
        norm = K1 * (1 - B + B * lengths[rows] / lengths.mean())
        weights = rarities[columns] * counts * (K1 + 1) / (counts + norm)
        self.matrix = scipy.sparse.csc_matrix((weights, (rows, columns)), shape=(len(texts), len(self.terms)))

    def best(self, asked: Mapping[str, float]) -> list[int]:
        known = sorted(term for term in asked if term in self.terms)
        if not known:
            return []
        columns, weights = [self.terms[term] for term in known], np.array([asked[term] for term in known])
        return nearest(np.asarray(self.matrix[:, columns] @ weights).ravel())


def nearest(scores: np.ndarray) -> list[int]:
    return [int(one) for one in np.argsort(-scores, kind="stable")[:DEPTH] if scores[one] > 0]


def fused(lists: Sequence[Sequence[int]]) -> list[int]:
    scores: dict[int, float] = defaultdict(float)
    for ranked in lists:
        for rank, one in enumerate(ranked, 1):
            scores[one] += 1 / (K + rank)
    return sorted(scores, key=lambda one: (-scores[one], one))


class Reader:
    """Finds candidates and computes features; keeps what it has read."""

    def __init__(self) -> None:
        self.encoder = UniversalSentenceEncoder()
        self.analyzer = GermanAnalyzer()
        self.subwords = SubwordEncoder(self.analyzer)
        self.words = Words(self.analyzer)
        self.vectors: dict[str, np.ndarray] = {}
        self.stems: dict[str, Counter[str]] = {}
        self.pieces: dict[str, Counter[str]] = {}

    def encode(self, texts: Iterable[str]) -> None:
        new = sorted(set(texts) - self.vectors.keys())
        self.vectors |= dict(zip(new, map(np.array, asyncio.run(self.encoder.encode(new))), strict=True))

    def figures(self, question: str, found: Sequence[PassageText]) -> np.ndarray:
        texts = [features.read(one) for one in found]
        self.encode(
            [
                question,
                *(one.search_text for one in found),
                *(sentence for text in texts for sentence in text.sentences),
            ]
        )
        asked = features.ask(question, self.words)
        vector = self.vectors[question].tolist()
        rows = []
        for one, text in zip(found, texts, strict=True):
            sentences = [self.vectors[sentence].tolist() for sentence in text.sentences]
            meaning = features.Meaning(self.vectors[one.search_text].tolist(), sentences)
            rows.append(features.features(asked, text, vector, meaning, self.words))
        return np.array(rows)

    def cases(
        self, questions: Sequence[Row], found: Sequence[Stored], label: Callable[[Stored, Row], int]
    ) -> list[Case]:
        texts = [one.text.search_text for one in found]
        self.encode([*texts, *(question["question"] for question in questions)])
        for text in set(texts) - self.stems.keys():
            terms = self.analyzer.passage(text)
            self.stems[text] = Counter({term: count for term, count in terms.items() if term[0] != "="})
            self.pieces[text] = Counter(self.subwords.features(text))
        stems, pieces = (Weighted([kept[text] for text in texts]) for kept in (self.stems, self.pieces))
        matrix = np.stack([self.vectors[text] for text in texts])
        cases = []
        for question in questions:
            text = question["question"]
            lists = [
                nearest(matrix @ self.vectors[text]),
                pieces.best(self.subwords.asked(text)),
                stems.best(dict.fromkeys(self.analyzer.question(text), 1.0)),
            ]
            ranked = fused(lists)
            labels = [label(found[one], question) for one in ranked]
            right = [one for one in found if label(one, question) == SENTENCE] if SENTENCE not in labels[:DEPTH] else []
            figures = self.figures(text, [found[one].text for one in ranked[:DEPTH]])
            cases.append(Case(question, labels, figures, self.figures(text, [one.text for one in right[:1]])))
        return cases
