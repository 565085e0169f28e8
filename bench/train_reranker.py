"""Trains the embedded reranker and says how well it does on what it was not trained on.

    python bench/train_reranker.py ../shared/data --questions QUESTIONS.jsonl ... --out adapters/rerank/weights.json

``DATA`` holds ``law/`` (statutes with a manifest) and ``xquad/`` (paragraphs and questions). Needs scikit-learn and
scipy (``pip install .[train]``). Every second article of XQuAD, in the order of titles, is trained on. The questions of
``--test``, if given, are only measured. Same input, same libraries: same bytes.
"""

import argparse
import json
import math
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from reranker_data import (
    SECTION,
    SENTENCE,
    WRONG,
    Case,
    Reader,
    label_elsewhere,
    label_in_law,
    label_in_xquad,
    lines,
    paragraphs,
    statutes,
)
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import brier_score_loss, roc_auc_score
from sklearn.neural_network import MLPClassifier

from adapters.rerank.features import NAMES, RULES

SEED, NETWORKS, UNITS, FOLDS, READ = 7, 4, 16, 5, 10
LEARNT = 12
"""Candidates of a question that are learnt from."""

STYLES = {"compound": 1.2, "legal": 1.5, "number": 1.5, "lay": 0.5}
"""Everyday wording is a third of the training questions and rarer in use."""

ELSEWHERE = 0.25
BOOK = 150_000
"""The largest act counts as several: characters of one part."""

Scores = Callable[[np.ndarray], np.ndarray]


def examples(cases: Sequence[Case], factor: float) -> tuple[list[np.ndarray], list[int], list[float]]:
    rows: list[np.ndarray] = []
    truths: list[int] = []
    weights: list[float] = []
    for case in cases:
        figures, labels = list(case.figures[:LEARNT]), case.labels[:LEARNT]
        if len(case.missed) and SENTENCE not in labels:
            figures, labels = [*figures, *case.missed], [*labels, SENTENCE]
        is_answerable = case.question["type"] not in {"unanswerable", "elsewhere"}
        if is_answerable and not any(labels):
            continue
        share = factor * (STYLES.get(case.question.get("style") or "", 1.0) if is_answerable else 1.0)
        for row, label in zip(figures, labels, strict=True):
            if label != SECTION or SENTENCE not in labels:
                rows.append(row)
                truths.append(int(label > WRONG))
                weights.append(share * (1.0 if label else 0.35))
    return rows, truths, weights


def train(sets: Sequence[tuple[Sequence[Case], float]]) -> dict[str, object]:
    """Return networks over standardised features."""
    parts = [examples(cases, factor) for cases, factor in sets]
    rows = np.array([row for part in parts for row in part[0]])
    truths = np.array([one for part in parts for one in part[1]])
    weights = np.array([one for part in parts for one in part[2]])
    mean, spread = rows.mean(0), np.maximum(rows.std(0), 1e-6)
    drawn = np.random.RandomState(SEED).choice(len(rows), 2 * len(rows), p=weights / weights.sum())
    networks = []
    for number in range(NETWORKS):
        network = MLPClassifier((UNITS,), alpha=3.0, max_iter=60, learning_rate_init=0.003, random_state=SEED + number)
        network.fit((rows[drawn] - mean) / spread, truths[drawn])
        first, second = network.coefs_
        biases = network.intercepts_
        networks.append(
            {
                "hidden": np.round(first.T, 5).tolist(),
                "bias": np.round(biases[0], 5).tolist(),
                "output": np.round(second[:, 0], 5).tolist(),
                "output_bias": round(float(biases[1][0]), 5),
            }
        )
    return {"mean": np.round(mean, 6).tolist(), "spread": np.round(spread, 6).tolist(), "networks": networks}


def scorer(model: dict[str, object]) -> Scores:
    """Return the mean of the networks as log odds."""

    def score(rows: np.ndarray) -> np.ndarray:
        standard = (rows - np.array(model["mean"])) / np.array(model["spread"])
        said = [
            1
            / (
                1
                + np.exp(
                    -(
                        np.maximum(standard @ np.array(one["hidden"]).T + one["bias"], 0) @ one["output"]
                        + one["output_bias"]
                    )
                )
            )
            for one in model["networks"]  # type: ignore[attr-defined]
        ]
        mean = np.clip(np.mean(said, 0), 1e-12, 1 - 1e-12)
        return np.log(mean / (1 - mean))

    return score


def judged(score: Scores, case: Case) -> tuple[list[int], float]:
    """Return the labels of a question after the whole stage, and its best score."""
    read = score(case.figures[:READ]) if len(case.figures) else np.array([-30.0])
    order = [int(one) for one in np.argsort(-read, kind="stable")]
    return [*(case.labels[one] for one in order if case.labels), *case.labels[READ:]], float(read.max())


def fold(case: Case) -> int:
    question = case.question
    part = question.get("section_start") or 0
    return zlib.crc32(f"{question.get('act') or question['id']}/{part // BOOK}".encode()) % FOLDS


def interval(hits: int, of: int) -> str:
    """Share with its 95 % interval (Wilson, 1927)."""
    share, z = hits / of, 1.96
    middle, wide = share + z * z / (2 * of), z * math.sqrt(share * (1 - share) / of + z * z / (4 * of * of))
    low, high = ((middle + sign * wide) / (1 + z * z / of) for sign in (-1, 1))
    return f"{share:.3f} [{low:.3f}, {high:.3f}] of {of}"


def show(name: str, labels: Sequence[Sequence[int]]) -> None:
    for k in (1, READ, 20):
        print(f"  {name:32} @{k:<2} {interval(sum(any(one[:k]) for one in labels), len(labels))}")


def is_answerable(case: Case) -> bool:
    return case.question["type"] not in {"unanswerable", "elsewhere"}


def auc(positive: Sequence[float], negative: Sequence[float]) -> float:
    return float(roc_auc_score([1] * len(positive) + [0] * len(negative), [*positive, *negative]))


def law_cases(reader: Reader, found: Sequence[object], questions: Sequence[dict], label: object) -> list[Case]:
    latest = max(one.start for one in found)  # type: ignore[attr-defined]
    days: dict[str, list[dict]] = {}
    for question in questions:
        days.setdefault(question.get("as_of") or latest, []).append(question)
    return [
        case
        for day, asked in sorted(days.items())
        for case in reader.cases(asked, [one for one in found if one.is_in_force(day)], label)  # type: ignore[arg-type, attr-defined]
    ]


def cross_validate(law: list[Case], further: list[tuple[list[Case], float]], off: list[Case]) -> tuple:
    """Return what each question gets from networks that have seen nothing of its act."""
    labels: dict[int, list[int]] = {}
    best: dict[int, float] = {}
    others: list[list[float]] = []
    for number in range(FOLDS):
        score = scorer(train([([case for case in law if fold(case) != number], 1.0), *further]))
        for place, case in enumerate(law):
            if fold(case) == number:
                labels[place], best[place] = judged(score, case)
        others.append([judged(score, case)[1] for case in off])
    return [labels[n] for n in range(len(law))], [best[n] for n in range(len(law))], np.mean(others, 0).tolist()


def report(law: list[Case], labels: list[list[int]], best: list[float], off: list[float]) -> tuple[float, float, float]:
    """Print the figures of cross-validation; return slope and offset of the calibration, and the threshold."""
    answerable = [place for place, case in enumerate(law) if is_answerable(case)]
    show("law, acts held back", [labels[place] for place in answerable])
    for style in sorted({law[place].question["style"] for place in answerable}):
        show(f"  {style}", [labels[place] for place in answerable if law[place].question["style"] == style])
    plain = [place for place in answerable if law[place].question["style"] != "lay"]
    wrong = [place for place, case in enumerate(law) if not is_answerable(case)]
    for name, group in (("all", answerable), ("without lay", plain)):
        positive = [best[place] for place in group]
        print(
            f"  AUC {name}: unanswerable {auc(positive, [best[p] for p in wrong]):.3f},"
            f" elsewhere {auc(positive, off):.3f}"
        )
    figures = np.array([*(best[place] for place in plain), *(best[place] for place in wrong), *off])
    truths = [*(int(any(labels[place][:1])) for place in plain), *[0] * (len(wrong) + len(off))]
    platt = LogisticRegression(C=1e6).fit(figures[:, None], truths)
    slope, offset = float(platt.coef_[0, 0]), float(platt.intercept_[0])
    said = 1 / (1 + np.exp(-(offset + slope * figures)))
    print(f"  Brier score {brier_score_loss(truths, said):.3f} of {len(truths)}")
    for low in np.arange(0, 1, 0.1):
        inside = [one for one in range(len(said)) if low <= said[one] < low + 0.1]
        if inside:
            print(
                f"    said {said[inside].mean():.2f}"
                f"  true {np.mean([truths[one] for one in inside]):.2f}  of {len(inside)}"
            )
    good, bad, far = (
        1 / (1 + np.exp(-(offset + slope * np.array(one))))
        for one in ([best[p] for p in plain], [best[p] for p in wrong], off)
    )
    for threshold in np.arange(0.05, 0.75, 0.05):
        print(
            f"    threshold {threshold:.2f}: refused wrongly {np.mean(good < threshold):.3f}, let through"
            f" {np.mean(bad >= threshold):.3f} unanswerable, {np.mean(far >= threshold):.3f} elsewhere"
        )
    chosen = min(
        np.arange(0.05, 0.75, 0.01), key=lambda t: np.mean(good < t) + np.mean(bad >= t) / 2 + np.mean(far >= t) / 2
    )
    return slope, offset, round(float(chosen), 2)


def main(data: Path, questions: Sequence[Path], test: Path | None, out: Path) -> None:
    reader, acts = Reader(), statutes(data / "law")
    titles = {row["context_id"]: row["title"] for row in lines(data / "xquad" / "xquad_de_contexts.jsonl")}
    learnt = set(sorted(set(titles.values()))[::2])
    asked = [{**row, "type": "answerable"} for row in lines(data / "xquad" / "xquad_de.jsonl")]
    law = law_cases(reader, acts, [row for file in questions for row in lines(file)], label_in_law)
    general = reader.cases(asked, paragraphs(data / "xquad" / "xquad_de_contexts.jsonl"), label_in_xquad)
    off = law_cases(reader, acts, [{**row, "type": "elsewhere"} for row in asked[::3]], label_elsewhere)
    ours, held = (
        [
            [case for case in group if (titles[case.question["context_id"]] in learnt) == wanted]
            for group in (general, off)
        ]
        for wanted in (True, False)
    )
    further = [(ours[0], ELSEWHERE), (ours[1], ELSEWHERE)]
    slope, offset, threshold = report(law, *cross_validate(law, further, held[1]))
    model = train([(law, 1.0), *further])
    score = scorer(model)
    show("XQuAD, articles held back", [judged(score, case)[0] for case in held[0]])
    if test:
        cases = law_cases(reader, acts, lines(test), label_in_law)
        good = [case for case in cases if is_answerable(case)]
        show("test questions", [judged(score, case)[0] for case in good])
        best, rest = (
            [judged(score, case)[1] for case in good],
            [judged(score, c)[1] for c in cases if not is_answerable(c)],
        )
        far = [judged(score, case)[1] for case in held[1]]
        print(f"  AUC unanswerable {auc(best, rest):.3f}, elsewhere {auc(best, far):.3f}")
    held_numbers = {"slope": round(slope, 5), "offset": round(offset, 5), "threshold": threshold}
    content = {"rules": RULES, "features": list(NAMES), **held_numbers, **model}
    out.write_text(json.dumps(content, separators=(",", ":")) + "\n", encoding="utf-8")
    print(f"threshold {threshold}, {out}")
    reader.encoder.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--questions", type=Path, nargs="+", required=True)
    parser.add_argument("--test", type=Path, help="only measured")
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    main(given.data, given.questions, given.test, given.out)
