"""How a German corpus answers English questions, beside the same questions in German.

    python bench/ingest.py FOLDER/manifest.jsonl --keep /tmp/law
    python bench/english.py FOLDER --data /tmp/law

``english.jsonl`` has the sample questions that lie beside the statutes in English; where their answers stand is told by
the German ones. ``tests/off_corpus.jsonl`` asks in both languages what no statute answers. ``right section`` counts
answers whose first source overlaps the section of the answer, and the reranked passages likewise.
"""

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from law_questions import fundstelle, lines, rank

HERE = Path(__file__).parent
OFF_CORPUS = HERE.parent / "tests" / "off_corpus.jsonl"
SECTION = ("section_start", "section_end")

Row = dict[str, Any]


def share(count: int, of: Sequence[object]) -> str:
    return f"{count:3d} of {len(of):2d} ({count / len(of):.2f})"


def answered(questions: Sequence[Row], replies: Mapping[str, Row]) -> int:
    return sum(replies[one["id"]]["outcome"] == "answered" for one in questions)


def show(name: str, data: Path, mandate: str, questions: Sequence[Row], off: Sequence[Row]) -> None:
    """Ask all of them and print the figures of one language."""
    replies = fundstelle(data, "ask", mandate, [*questions, *off])
    answerable = [one for one in questions if one["type"] != "unanswerable"]
    others = [one for one in questions if one["type"] == "unanswerable"]
    found = fundstelle(data, "search", mandate, answerable)
    told = answered(answerable, replies)
    first = sum(rank(replies[one["id"]]["sources"][:1], one, *SECTION) == 1 for one in answerable)
    at = {k: sum(rank(found[one["id"]]["lists"]["reranked"], one, *SECTION) <= k for one in answerable) for k in (1, 8)}
    print(f"{name}")
    print(f"  answerable, refused             {share(len(answerable) - told, answerable)}")
    print(f"  answered from the right section {share(first, answerable)}")
    print(f"  right section at rank 1         {share(at[1], answerable)}")
    print(f"  right section among 8           {share(at[8], answerable)}")
    print(f"  unanswerable, let through       {share(answered(others, replies), others)}")
    print(f"  off the corpus, let through     {share(answered(off, replies), off)}")
    for one in (*others, *off):
        if replies[one["id"]]["outcome"] == "answered":
            print(f"    let through: {one['question']}")


def main(folder: Path, data: Path, mandate: str) -> None:
    german = {one["id"]: one for one in lines(folder / "questions.examples.jsonl")}
    english = {one["id"]: one["question"] for one in lines(HERE / "english.jsonl")}
    asked = {"de": [german[one] for one in english]}
    asked["en"] = [{**german[one], "question": question} for one, question in english.items()]
    elsewhere = [{"id": f"off-{number}", **one} for number, one in enumerate(lines(OFF_CORPUS))]
    for language, questions in asked.items():
        off = [one for one in elsewhere if one["language"] == language]
        show({"de": "German", "en": "English"}[language], data, mandate, questions, off)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--mandate", default="bench")
    given = parser.parse_args()
    main(given.folder, given.data, given.mandate)
