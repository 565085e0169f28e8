"""How a German corpus answers English questions, beside the same questions in German.

    python bench/ingest.py FOLDER/manifest.jsonl --keep /tmp/law
    python bench/english.py FOLDER --data /tmp/law

``english.jsonl`` has questions in English; how they read in German and where their answers stand is told under the same
id by the sample questions that lie beside the statutes and by ``questions/``. Its sets: ``sample`` was looked at while
``adapters/search/english.txt`` was written, ``looked at`` before it was extended, ``held back`` not before it was done.
``tests/off_corpus.jsonl`` asks in both languages what no statute answers.
"""

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from law_questions import fundstelle, lines, rank

HERE = Path(__file__).parent
OFF_CORPUS = HERE.parent / "tests" / "off_corpus.jsonl"
SETS = ("sample", "looked at", "held back")
LANGUAGES = {"de": "German", "en": "English"}
SECTION = ("section_start", "section_end")

Row = dict[str, Any]
Replies = Mapping[str, Row]


def german(folder: Path) -> dict[str, Row]:
    """Return the questions as they are in German, by id."""
    files = [folder / "questions.examples.jsonl", *sorted((HERE / "questions").glob("*.jsonl"))]
    return {one["id"]: one for file in files for one in lines(file)}


def share(count: int, of: Sequence[object]) -> str:
    return f"{count:2d} of {len(of):2d} ({count / len(of):.2f})"


def answered(questions: Sequence[Row], replies: Replies) -> list[Row]:
    return [one for one in questions if replies[one["id"]]["outcome"] == "answered"]


def show(name: str, questions: Sequence[Row], replies: Replies, found: Replies) -> None:
    """Print the figures of one set in one language."""
    answerable = [one for one in questions if one["type"] != "unanswerable"]
    others = [one for one in questions if one["type"] == "unanswerable"]
    told = answered(answerable, replies)
    right = sum(rank(replies[one["id"]]["sources"][:1], one, *SECTION) == 1 for one in told)
    at = {k: sum(rank(found[one["id"]]["lists"]["reranked"], one, *SECTION) <= k for one in answerable) for k in (1, 8)}
    print(name)
    print(f"  refused                              {share(len(answerable) - len(told), answerable)}")
    print(f"  answered, from the right section     {share(right, answerable)}")
    print(f"  right section at rank 1              {share(at[1], answerable)}")
    print(f"  right section among 8                {share(at[8], answerable)}")
    print(f"  without an answer, let through       {share(len(answered(others, replies)), others)}")


def main(folder: Path, data: Path, mandate: str) -> None:
    known, translated = german(folder), lines(HERE / "english.jsonl")
    elsewhere = [{"id": f"off-{number}", **one} for number, one in enumerate(lines(OFF_CORPUS))]
    for language, name in LANGUAGES.items():
        words = {"en": {one["id"]: {"question": one["question"]} for one in translated}}.get(language, {})
        asked = [{**known[one["id"]], **words.get(one["id"], {}), "set": one["set"]} for one in translated]
        off = [one for one in elsewhere if one["language"] == language]
        replies = fundstelle(data, "ask", mandate, [*asked, *off])
        found = fundstelle(data, "search", mandate, asked)
        for each in SETS:
            show(f"{name}, {each}", [one for one in asked if one["set"] == each], replies, found)
        print(f"{name}, off the corpus, let through {share(len(answered(off, replies)), off)}")
        for one in answered(off, replies):
            print(f"  {one['question']}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--mandate", default="bench")
    given = parser.parse_args()
    main(given.folder, given.data, given.mandate)
