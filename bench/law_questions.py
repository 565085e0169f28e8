"""How well questions about statutes are answered, through the program as a person would use it.

    python bench/ingest.py FOLDER/manifest.jsonl --keep /tmp/law
    python bench/law_questions.py FOLDER --data /tmp/law [--off XQUAD.jsonl]

A passage or sentence is right if it overlaps the sentence that the question names, in that act. Questions of ``--off``
have nothing to do with statutes: all of them should be refused.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

RANKS = (1, 8, 20)
NOWHERE = 10**6
OFF = 200
"""Questions from elsewhere that are asked."""

Row = dict[str, Any]
PROGRAM = "import sys; from bot.cli.main import main; sys.exit(main())"


def lines(file: Path) -> list[Row]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]


def fundstelle(data: Path, command: str, mandate: str, questions: Sequence[Row]) -> dict[str, Row]:
    """Run a batch and return the replies by id."""
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl", encoding="utf-8") as batch:
        for row in questions:
            line = {"id": row["id"], "question": row["question"]}
            line |= {"valid_on": row["as_of"]} if row.get("as_of") else {}
            print(json.dumps(line, ensure_ascii=False), file=batch)
        batch.flush()
        arguments = ["--data", str(data), "--json", command, "--mandate", mandate, "--batch", batch.name]
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM, *arguments], stdout=subprocess.PIPE, text=True, check=False
        )
    replies = [json.loads(line) for line in done.stdout.splitlines()]
    return {reply["id"]: reply for reply in replies}


def is_right(entry: Row, question: Row, start: str, end: str) -> bool:
    document = Path(question["file"]).name.split(".")[0]
    return entry["document"] == document and entry["start"] < question[end] and question[start] < entry["end"]


def rank(entries: Sequence[Row], question: Row, start: str = "answer_start", end: str = "answer_end") -> int:
    return next((place for place, entry in enumerate(entries, 1) if is_right(entry, question, start, end)), NOWHERE)


def show(name: str, ranks: Sequence[int]) -> None:
    shares = "  ".join(
        f"@{k} {sum(one <= k for one in ranks):3d} {sum(one <= k for one in ranks) / len(ranks):5.1%}" for k in RANKS
    )
    print(f"  {name:34} {shares}  of {len(ranks)}")


def show_searches(questions: Sequence[Row], found: dict[str, Row]) -> None:
    for part, start, end in (("sentence", "answer_start", "answer_end"), ("section", "section_start", "section_end")):
        for name in ("dense", "bm25", "fused", "reranked", "selected"):
            ranks = [rank(found[one["id"]]["lists"][name], one, start, end) for one in questions]
            show(f"{name}, right {part}", ranks)


def best_score(reply: Row) -> float:
    return (reply["gates"]["relevance"]["value"] if reply.get("gates") else None) or 0.0


def auc(positive: Sequence[float], negative: Sequence[float]) -> float:
    """Chance that an answerable question scores higher than another one, ties half (Hanley and McNeil, 1982)."""
    wins = sum((one > other) + (one == other) / 2 for one in positive for other in negative)
    return wins / (len(positive) * len(negative))


def show_answers(answerable: Sequence[Row], groups: dict[str, Sequence[Row]], replies: dict[str, Row]) -> None:
    answers = [replies[one["id"]] for one in answerable]
    given = [reply["outcome"] == "answered" for reply in answers]
    ranks = [rank(reply["sources"], one) for one, reply in zip(answerable, answers, strict=True)]
    right, first = sum(one < NOWHERE for one in ranks), sum(one == 1 for one in ranks)
    print(f"  answered {sum(given)} of {len(given)}; with the right sentence {right}, as the first {first}")
    scores = [best_score(reply) for reply in answers]
    for name, group in groups.items():
        others = [replies[one["id"]] for one in group]
        refused = sum(reply["outcome"] == "refused" for reply in others)
        print(
            f"  refused {refused} of {len(others)} {name}; AUC {auc(scores, [best_score(one) for one in others]):.3f}"
        )


def main(folder: Path, data: Path, mandate: str, off: Path | None) -> None:
    questions = lines(folder / "questions.examples.jsonl")
    answerable = [one for one in questions if one["type"] != "unanswerable"]
    groups = {"unanswerable": [one for one in questions if one["type"] == "unanswerable"]}
    if off:
        rows = lines(off)
        groups["from elsewhere"] = rows[:: max(1, len(rows) // OFF)]
    print("searches")
    show_searches(answerable, fundstelle(data, "search", mandate, answerable))
    print("answers")
    show_answers(answerable, groups, fundstelle(data, "ask", mandate, [*questions, *groups.get("from elsewhere", [])]))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--mandate", default="bench")
    parser.add_argument("--off", type=Path)
    given = parser.parse_args()
    main(given.folder, given.data, given.mandate, given.off)
