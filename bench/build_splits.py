"""Work out the parts of the words of published acts and write the file that ships with the program.

    python bench/build_splits.py ../shared/data/law/texts

To be run again whenever the rules of compounds change or HanTa does. Only texts that anybody may read belong here:
the file is part of every installation.
"""

import argparse
import time
from collections.abc import Iterable
from pathlib import Path

import adapters.search
from adapters.search.analyzer import words
from adapters.search.compounds import Compounds, may_be_compound, rules
from adapters.search.splits import FILE, written


def distinct_words(texts: Iterable[str]) -> set[str]:
    return {word for text in texts for word in words(text) if may_be_compound(word)}


def main(folder: Path, target: Path) -> None:
    found = distinct_words(file.read_text(encoding="utf-8") for file in sorted(folder.glob("*.md")))
    began, compounds = time.process_time(), Compounds()
    splits = {word: compounds.split(word) for word in sorted(found)}
    target.write_text(written(splits, rules()), encoding="utf-8")
    seconds, split = time.process_time() - began, sum(map(bool, splits.values()))
    print(f"{len(splits):,} words, {split:,} of them compounds, {target.stat().st_size:,} bytes, {seconds:.1f} s")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="folder of texts")
    parser.add_argument("--out", type=Path, default=Path(adapters.search.__file__).with_name(FILE))
    given = parser.parse_args()
    main(given.folder, given.out)
