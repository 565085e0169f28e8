"""Fits the embedded reranker: a direction in the space of its features, and what makes a probability of it.

Two directions are learnt and added: one in which the right passage of a question lies before the wrong ones found with
it (a logistic regression over differences, Herbrich, Graepel and Obermayer, 2000), and one in which right passages lie
before those that were found for questions without an answer. The first orders passages, the second tells the gate.
"""

import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from reranker_data import SENTENCE, WRONG, Case
from sklearn.linear_model import LogisticRegression

LEARNT, READ, FOLDS = 12, 10, 5
"""Candidates of a question that are learnt from, and that are read in use; parts that are held back in turn."""

RIGHT = 3
"""Right passages of a question that are compared with the wrong ones."""

GENERAL = 0.3
"""What a question of XQuAD counts against one about statutes."""

BESIDE = 0.2
"""What a passage of a question without an answer counts: there are ten of them to one right passage."""

GATE = 1.5
"""Share of the direction that tells answerable questions; more of it makes the order worse."""

ORDER_STRENGTH, GATE_STRENGTH = 0.03, 0.1
"""Inverse of the penalty on large weights."""

BOOK = 150_000
"""The largest act counts as several: characters of one part."""

NOTHING = -30.0
"""Score of a question without candidates."""


@dataclass(frozen=True)
class Judged:
    """A question after the whole stage: what its passages are, best first, and the best score."""

    case: Case
    labels: list[int]
    best: float


def is_answerable(case: Case) -> bool:
    return case.question["type"] not in {"unanswerable", "elsewhere"}


def weight(case: Case) -> float:
    return GENERAL if "context_id" in case.question else 1.0


def direction(cases: Sequence[Case]) -> np.ndarray:
    """Return the weight of each feature."""
    return _before_wrong_ones(cases) + GATE * _before_unanswerable_ones(cases)


def _before_wrong_ones(cases: Sequence[Case]) -> np.ndarray:
    rows: list[np.ndarray] = []
    weights: list[float] = []
    for case in filter(is_answerable, cases):
        figures, right = _learnt(case)
        good, bad = figures[right][:RIGHT], figures[~right]
        if len(good) and len(bad):
            rows += [one - other for one in good for other in bad]
            weights += [weight(case) / len(good) / len(bad) * (LEARNT - RIGHT)] * (len(good) * len(bad))
    both, twice = np.array([*rows, *(-row for row in rows)]), [*weights, *weights]
    return _fit(both, [1] * len(rows) + [0] * len(rows), twice, ORDER_STRENGTH, intercept=False)


def _before_unanswerable_ones(cases: Sequence[Case]) -> np.ndarray:
    rows, truths, weights = zip(*(one for case in cases for one in _told_apart(case)), strict=True)
    return _fit(np.array(rows), truths, weights, GATE_STRENGTH, intercept=True)


def _told_apart(case: Case) -> Iterator[tuple[np.ndarray, int, float]]:
    for figures, label in zip(case.figures[:READ], case.labels, strict=False):
        if is_answerable(case) == (label > WRONG):
            yield figures, int(label > WRONG), weight(case) * (1.0 if label > WRONG else BESIDE)


def _learnt(case: Case) -> tuple[np.ndarray, np.ndarray]:
    """Return features and truths of the candidates; where the right passage was not found, with it."""
    figures, labels = case.figures[:LEARNT], case.labels[:LEARNT]
    if len(case.missed) and SENTENCE not in labels:
        figures, labels = np.vstack([figures, case.missed]) if len(figures) else case.missed, [*labels, SENTENCE]
    return figures, np.array(labels) > WRONG


def _fit(
    rows: np.ndarray, truths: Sequence[int], weights: Sequence[float], strength: float, *, intercept: bool
) -> np.ndarray:
    spread = rows.std(0) + 1e-9
    model = LogisticRegression(C=strength, max_iter=3000, fit_intercept=intercept)
    model.fit(rows / spread, truths, sample_weight=weights)
    return np.asarray(model.coef_[0] / spread)


def judged(weights: np.ndarray, case: Case) -> Judged:
    """Return what the stage makes of a question: the candidates read in new order, the others behind them."""
    read = case.figures[:READ] @ weights if len(case.figures) else np.array([])
    order = [int(one) for one in np.argsort(-read, kind="stable")]
    labels = [*(case.labels[one] for one in order), *case.labels[len(read) :]]
    return Judged(case, labels, float(read.max()) if len(read) else NOTHING)


def held_back(law: Sequence[Case], further: Sequence[Case], off: Sequence[Case]) -> tuple[list[Judged], list[Judged]]:
    """Return what each question gets from weights that have seen nothing of its act; those of ``off`` the mean."""
    ours: list[Judged] = []
    others: list[list[float]] = []
    for number in range(FOLDS):
        weights = direction([*(case for case in law if fold(case) != number), *further])
        ours += [judged(weights, case) for case in law if fold(case) == number]
        others.append([judged(weights, case).best for case in off])
    return ours, [Judged(case, [], float(best)) for case, best in zip(off, np.mean(others, 0), strict=True)]


def fold(case: Case) -> int:
    question = case.question
    part = question.get("section_start") or 0
    return zlib.crc32(f"{question.get('act') or question['id']}/{part // BOOK}".encode()) % FOLDS


def calibration(found: Sequence[Judged]) -> tuple[float, float]:
    """Return slope and offset of the logistic function from best scores to the truth of the first passage (Platt)."""
    platt = LogisticRegression(C=1e6).fit([[one.best] for one in found], [is_right(one) for one in found])
    return float(platt.coef_[0, 0]), float(platt.intercept_[0])


def is_right(one: Judged) -> bool:
    return is_answerable(one.case) and any(one.labels[:1])
