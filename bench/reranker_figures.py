"""What docs/reranker.md says of the reranker: tables in Markdown, and the picture of what it said and what was true."""

import math
from collections.abc import Sequence
from pathlib import Path

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure
from reranker_fit import Judged, is_answerable, is_right
from sklearn.metrics import brier_score_loss, roc_auc_score

BINS = 10
RANKS = (1, 10, 20)
THRESHOLDS = (0.05, 0.1, 0.2, 0.3, 0.5)
SEED = "fundstelle"
"""Of the names inside the picture: the same figures give the same bytes."""


def interval(hits: int, of: int) -> str:
    """Share with its 95 % interval (Wilson, 1927)."""
    share, z = hits / of, 1.96
    middle, wide = share + z * z / (2 * of), z * math.sqrt(share * (1 - share) / of + z * z / (4 * of * of))
    low, high = ((middle + sign * wide) / (1 + z * z / of) for sign in (-1, 1))
    return f"{share:.3f} [{low:.3f}, {high:.3f}]"


def ranks(name: str, found: Sequence[Judged]) -> str:
    """Row: how often a right passage is among the first."""
    shares = [interval(sum(any(one.labels[:k]) for one in found), len(found)) for k in RANKS]
    return f"| {name} | {len(found)} | {' | '.join(shares)} |"


def by_style(found: Sequence[Judged]) -> list[str]:
    good = [one for one in found if is_answerable(one.case)]
    styles = sorted({one.case.question["style"] for one in good})
    rows = [(f"... {style}", [one for one in good if one.case.question["style"] == style]) for style in styles]
    return [ranks(name, group) for name, group in [("statutes, act held back", good), *rows]]


def auc(positive: Sequence[Judged], negative: Sequence[Judged]) -> float:
    """Chance that a question of ``positive`` has the higher best score."""
    best = [one.best for one in [*positive, *negative]]
    return float(roc_auc_score([1] * len(positive) + [0] * len(negative), best))


def refusal(name: str, good: Sequence[Judged], wrong: Sequence[Judged], off: Sequence[Judged]) -> str:
    """Row: how well the best score tells answerable questions."""
    plain = [one for one in good if one.case.question["style"] != "lay"]
    figures = (auc(good, wrong), auc(plain, wrong), auc(good, off), auc(plain, off))
    return f"| {name} | {' | '.join(f'{one:.3f}' for one in figures)} |"


def said(found: Sequence[Judged], slope: float, offset: float) -> np.ndarray:
    """Return the probabilities of the first passages."""
    return np.asarray(1 / (1 + np.exp(-(offset + slope * np.array([one.best for one in found])))))


def errors(good: np.ndarray, wrong: np.ndarray, off: np.ndarray, threshold: float) -> str:
    """Row: what a threshold refuses and lets through."""
    shares = (np.mean(good < threshold), np.mean(wrong >= threshold), np.mean(off >= threshold))
    return f"| {threshold:.2f} | {' | '.join(f'{one:.2f}' for one in shares)} |"


def threshold(good: np.ndarray, wrong: np.ndarray, off: np.ndarray) -> float:
    """Return where the sum of both errors is least; both kinds of unanswerable questions count the same."""
    places = np.arange(0.02, 0.75, 0.01)
    sums = [np.mean(good < one) + np.mean(wrong >= one) / 2 + np.mean(off >= one) / 2 for one in places]
    return round(float(places[int(np.argmin(sums))]), 2)


def brier(found: Sequence[Judged], told: np.ndarray) -> float:
    return float(brier_score_loss([is_right(one) for one in found], told))


def draw(found: Sequence[Judged], told: np.ndarray, file: Path) -> None:
    """Draw how often the first passage was right over what was said of it, in ten steps."""
    truths = np.array([is_right(one) for one in found], float)
    places = np.minimum((told * BINS).astype(int), BINS - 1)
    steps = [places == step for step in range(BINS) if (places == step).any()]
    with mpl.rc_context({"svg.hashsalt": SEED, "svg.fonttype": "none"}):
        figure = Figure(figsize=(4.5, 4.0), layout="constrained")
        axes = figure.add_subplot()
        axes.plot([0, 1], [0, 1], color="#999999", linewidth=0.8)
        axes.plot([told[step].mean() for step in steps], [truths[step].mean() for step in steps], marker="o")
        for step in steps:
            axes.annotate(
                str(step.sum()), (told[step].mean(), truths[step].mean()), (4, -11), textcoords="offset points"
            )
        axes.set_xlabel("said")
        axes.set_ylabel("true")
        figure.savefig(file, metadata={"Date": None})
