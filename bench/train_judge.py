r"""Trains the model that grades what the guards of the deterministic judge leave open, and says how good it is.

    python bench/train_judge.py ../shared/spec/answers.examples.jsonl bench/pairs/*.jsonl \
        --own tests/unit/verifying/data

Pairs of sentence and passage with ``label`` supported or unsupported. Figures are cross-validated: the pairs of a
passage are never learnt from and measured at once. Writes ``domain/verifying/weights.py``; same input, same bytes.
Needs scipy (``pip install .[train]``).
"""

import argparse
import json
import zlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import minimize

import domain.verifying.weights
from domain.verifying import grading
from domain.verifying.judge import open_candidates

FOLDS = 8
STRENGTH = 0.5
"""Penalty on the square of a weight."""

WRONG = 0.035
"""Share of wrong sentences that may pass where the model is cut, of all that were held back."""

SURER = frozenset({"in other words"})
"""Features that may make surer; all others only take off."""

OWN = ("answers", "answers.second", "answers.more", "answers.third", "answers.fourth", "answers.fifth")


@dataclass(frozen=True)
class Pair:
    """A sentence and its passage; ``rows`` are the features of what is left to the model, empty where guards decide."""

    row: dict[str, Any]
    is_right: bool
    settled: bool | None
    rows: np.ndarray = field(repr=False)

    @property
    def fold(self) -> int:
        return zlib.crc32(self.row["passage"][:60].encode()) % FOLDS


def read(files: Sequence[Path]) -> list[Pair]:
    rows = [json.loads(line) for file in files for line in file.read_text(encoding="utf-8").splitlines()]
    return [_read(row) for row in rows]


def _read(row: dict[str, Any]) -> Pair:
    is_right = row["label"] == "supported"
    settled, left = open_candidates(row["answer"], row["passage"])
    features = [grading.features(alignment, found) for alignment, found in left]
    return Pair(row, is_right, settled, np.array([[one[name] for name in grading.NAMES] for one in features]))


def fit(pairs: Sequence[Pair], columns: Sequence[str]) -> tuple[np.ndarray, float]:
    """Return weights and offset; of several sentences of the evidence the best one counts."""
    weights, offset = np.zeros(len(columns)), 0.0
    open_pairs = [pair for pair in pairs if len(pair.rows)]
    for _ in range(4):
        chosen = np.array([pair.rows[int((pair.rows @ weights).argmax())] for pair in open_pairs])
        truths = np.array([1.0 if pair.is_right else -1.0 for pair in open_pairs])
        weights, offset = _minimized(chosen, truths, columns)
    return weights, offset


def _minimized(figures: np.ndarray, truths: np.ndarray, columns: Sequence[str]) -> tuple[np.ndarray, float]:
    def loss(point: np.ndarray) -> tuple[float, np.ndarray]:
        margin = truths * (figures @ point[:-1] + point[-1])
        slope = -truths / (1 + np.exp(margin))
        gradient = np.append(figures.T @ slope + STRENGTH * point[:-1], slope.sum())
        return float(np.logaddexp(0, -margin).sum() + STRENGTH / 2 * (point[:-1] ** 2).sum()), gradient

    bounds = [(None, None) if name in SURER else (None, 0.0) for name in columns] + [(None, None)]
    found = minimize(loss, np.zeros(len(columns) + 1), jac=True, method="L-BFGS-B", bounds=bounds)
    return found.x[:-1], float(found.x[-1])


def scores(pair: Pair, weights: np.ndarray, offset: float) -> float:
    """Return the score of a pair; what guards settle is certain."""
    if pair.settled is not None or not len(pair.rows):
        return 99.0 if pair.settled else -99.0
    return float((pair.rows @ weights).max() + offset)


def held_back(pairs: Sequence[Pair], further: Sequence[Pair], columns: Sequence[str]) -> list[float]:
    """Return the score of each pair under weights that were not learnt from its passage."""
    found = [0.0] * len(pairs)
    for fold in range(FOLDS):
        learnt = [pair for pair in (*pairs, *further) if pair.fold != fold]
        weights, offset = fit(learnt, columns)
        for at, pair in enumerate(pairs):
            if pair.fold == fold:
                found[at] = scores(pair, weights, offset)
    return found


def cut(pairs: Sequence[Pair], found: Sequence[float]) -> dict[str, float]:
    """Return for each language the score above which at most ``WRONG`` of the wrong sentences lie."""
    borders = {}
    for language in ("de", "en"):
        told = zip(pairs, found, strict=True)
        wrong = sorted((one for pair, one in told if not pair.is_right and pair.row["lang"] == language), reverse=True)
        borders[language] = wrong[int(WRONG * len(wrong))] + 1e-6
    return borders


def report(title: str, pairs: Sequence[Pair], found: Sequence[float], borders: dict[str, float]) -> None:
    kept: Counter[tuple[str, ...]] = Counter()
    total: Counter[tuple[str, ...]] = Counter()
    for pair, score in zip(pairs, found, strict=True):
        label = "right" if pair.is_right else "wrong"
        for key in ((pair.row["lang"], label), (pair.row["lang"], label, pair.row["error_type"])):
            total[key] += 1
            kept[key] += score > borders[pair.row["lang"]]
    print(title)
    for language in ("de", "en"):
        right = kept[language, "right"] / max(1, total[language, "right"])
        wrong = kept[language, "wrong"] / max(1, total[language, "wrong"])
        print(f"  {language}: balanced {(right + 1 - wrong) / 2:.3f}, kept {right:.3f}, wrong accepted {wrong:.3f}")
    for key in sorted(key for key in total if len(key) > 2):
        print(f"    {' '.join(key)}: {kept[key]} of {total[key]}")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("pairs", type=Path, nargs="+")
    parser.add_argument("--own", type=Path, required=True, help="folder of further pairs, learnt from only")
    parser.add_argument("--out", type=Path, default=Path(domain.verifying.weights.__file__))
    given = parser.parse_args()
    further = read([given.own / f"{name}.jsonl" for name in OWN])
    columns = grading.NAMES
    pairs = read(given.pairs)
    everything = held_back([*pairs, *further], [], columns)
    borders = cut([*pairs, *further], everything)
    found = everything[: len(pairs)]
    report(f"held back, {len(pairs)} pairs", pairs, found, borders)
    at = 0
    for file in given.pairs:
        size = len(file.read_text(encoding="utf-8").splitlines())
        report(f"held back, {file.name}", pairs[at : at + size], found[at : at + size], borders)
        at += size
    weights, offset = fit([*pairs, *further], columns)
    write(
        given.out, dict(zip(columns, weights, strict=True)), {one: offset - border for one, border in borders.items()}
    )


def write(out: Path, weights: dict[str, float], offsets: dict[str, float]) -> None:
    told = ", ".join(f'"{language}": {offset:.3f}' for language, offset in offsets.items())
    lines = "".join(f'    "{name}": {round(float(one), 3) + 0.0},\n' for name, one in weights.items())
    out.write_text(
        '"""Weights of the model of ``grading``; written by ``bench/train_judge.py``, not by hand."""\n\n'
        f"from typing import Final\n\nOFFSETS: Final = {{{told}}}\nWEIGHTS: Final = {{\n{lines}}}\n",
        encoding="utf-8",
    )


if __name__ == "__main__":
    main()
