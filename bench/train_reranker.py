"""Trains the embedded reranker and says how well it does on what it was not trained on.

    python bench/train_reranker.py ../shared/data --questions QUESTIONS.jsonl ... --out adapters/rerank/weights.json

``DATA`` holds ``law/`` (statutes with a manifest) and ``xquad/`` (paragraphs and questions). Needs scikit-learn and
scipy (``pip install .[train]``). Every second article of XQuAD, in the order of titles, is trained on. The questions of
``--test``, if given, are only measured. Prints the tables of docs/reranker.md; ``--plot`` draws its picture. Same
input, same libraries: same bytes.
"""

import argparse
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import reranker_figures as tables
from reranker_data import (
    Case,
    Reader,
    Row,
    Stored,
    label_elsewhere,
    label_in_law,
    label_in_xquad,
    lines,
    paragraphs,
    statutes,
)
from reranker_fit import Judged, calibration, direction, held_back, is_answerable, judged

from adapters.rerank.features import NAMES, RULES


@dataclass(frozen=True)
class Cases:
    """All questions with their candidates: about statutes, of XQuAD, and those of XQuAD asked of the statutes.

    Attributes:
        learnt: articles of XQuAD that are trained on.
    """

    law: list[Case]
    general: list[Case]
    off: list[Case]
    test: list[Case]
    learnt: frozenset[str]

    def of_xquad(self, cases: Sequence[Case], *, learnt: bool) -> list[Case]:
        return [case for case in cases if (case.question["title"] in self.learnt) == learnt]


def law_cases(
    reader: Reader, acts: Sequence[Stored], questions: Sequence[Row], label: Callable[[Stored, Row], int]
) -> list[Case]:
    """Return the questions with what is in force on their day, today where they name none."""
    latest = max(one.start or "" for one in acts)
    days: dict[str, list[Row]] = {}
    for question in questions:
        days.setdefault(question.get("as_of") or latest, []).append(question)
    return [
        case
        for day, asked in sorted(days.items())
        for case in reader.cases(asked, [one for one in acts if one.is_in_force(day)], label)
    ]


def read(data: Path, questions: Sequence[Path], test: Path | None) -> Cases:
    reader, acts = Reader(), statutes(data / "law")
    contexts = data / "xquad" / "xquad_de_contexts.jsonl"
    titles = {row["context_id"]: row["title"] for row in lines(contexts)}
    asked = [
        {**row, "type": "answerable", "title": titles[row["context_id"]]}
        for row in lines(data / "xquad" / "xquad_de.jsonl")
    ]
    cases = Cases(
        law=law_cases(reader, acts, [row for file in questions for row in lines(file)], label_in_law),
        general=reader.cases(asked, paragraphs(contexts), label_in_xquad),
        off=law_cases(reader, acts, [{**row, "type": "elsewhere"} for row in asked[::3]], label_elsewhere),
        test=law_cases(reader, acts, lines(test), label_in_law) if test else [],
        learnt=frozenset(sorted(set(titles.values()))[::2]),
    )
    reader.encoder.close()
    return cases


def train(cases: Cases, plot: Path | None) -> dict[str, object]:
    """Return the content of the file of weights; print the figures."""
    further = [*cases.of_xquad(cases.general, learnt=True), *cases.of_xquad(cases.off, learnt=True)]
    law, off = held_back(cases.law, further, cases.of_xquad(cases.off, learnt=False))
    slope, offset = calibration([*law, *off])
    threshold = report_held_back(law, off, (slope, offset), plot)
    weights = direction([*cases.law, *further])
    report_others(cases, weights)
    rounded = {name: round(float(slope * one), 5) for name, one in zip(NAMES, weights, strict=True)}
    return {"rules": RULES, "offset": round(offset, 5), "threshold": threshold, "weights": rounded}


def report_held_back(
    law: Sequence[Judged], off: Sequence[Judged], calibrated: tuple[float, float], plot: Path | None
) -> float:
    """Print what questions get whose act was held back; return the threshold."""
    good, wrong = split(law)
    print(*tables.by_style(law), "", tables.refusal("acts held back", good, wrong, off), "", sep="\n")
    found = [*law, *off]
    told = tables.said(found, *calibrated)
    print(f"Brier score {tables.brier(found, told):.3f} (n = {len(found)})")
    groups = [tables.said(group, *calibrated) for group in (good, wrong, off)]
    threshold = tables.threshold(*groups)
    print(f"threshold {threshold}", *(tables.errors(*groups, one) for one in (*tables.THRESHOLDS, threshold)), sep="\n")
    if plot:
        tables.draw(found, told, plot)
    return threshold


def report_others(cases: Cases, weights: np.ndarray) -> None:
    """Print what the shipped weights make of the questions that were not trained on."""
    held = [judged(weights, case) for case in cases.of_xquad(cases.general, learnt=False)]
    print("", tables.ranks("XQuAD, articles held back", held), sep="\n")
    if cases.test:
        good, wrong = split([judged(weights, case) for case in cases.test])
        off = [judged(weights, case) for case in cases.of_xquad(cases.off, learnt=False)]
        print(tables.ranks("test questions", good), tables.refusal("test questions", good, wrong, off), sep="\n")


def split(found: Sequence[Judged]) -> tuple[list[Judged], list[Judged]]:
    """Return the questions with an answer, and those without."""
    good = [one for one in found if is_answerable(one.case)]
    return good, [one for one in found if not is_answerable(one.case)]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--questions", type=Path, nargs="+", required=True)
    parser.add_argument("--test", type=Path, help="only measured")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--plot", type=Path, help="reliability plot, SVG")
    given = parser.parse_args()
    content = train(read(given.data, given.questions, given.test), given.plot)
    given.out.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
