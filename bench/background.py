"""Writes the table of rarity that the embedded reranker ships with.

    python bench/background.py ../shared/data/law --out adapters/rerank/background.txt

Counts are rounded down to two leading binary digits behind the first, and stems of fewer than three texts are left
out: unknown is what they are to a reader, too.
"""

import argparse
from collections import Counter, defaultdict
from pathlib import Path

from reranker_data import statutes

from adapters.rerank.matching import Words
from adapters.search.analyzer import GermanAnalyzer

LEAST, WIDTH = 3, 110
HEAD = (
    "# In how many of * texts a stem occurs, rounded down: passages of 29 German federal acts (official works,",
    "# sect. 5 UrhG, no copyright). Made by bench/background.py; the count stands in front of the stems.",
)


def main(folder: Path, out: Path) -> None:
    words = Words(GermanAnalyzer())
    texts = {one.text.search_text for one in statutes(folder)}
    counts = Counter(stem for text in texts for stem in set(words.stems(text)))
    stems: dict[int, list[str]] = defaultdict(list)
    for stem, count in sorted(counts.items()):
        if count >= LEAST and stem.isalpha():
            shift = max(0, count.bit_length() - 3)
            stems[count >> shift << shift].append(stem)
    written = [*HEAD, f"{len(texts)} *"]
    for count in sorted(stems, reverse=True):
        line = str(count)
        for stem in stems[count]:
            if len(line) + len(stem) > WIDTH:
                written.append(line)
                line = str(count)
            line += f" {stem}"
        written.append(line)
    out.write_text("\n".join(written) + "\n", encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    main(given.folder, given.out)
