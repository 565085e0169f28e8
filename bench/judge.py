"""How well and how fast the deterministic judge tells right sentences from wrong ones.

    python bench/judge.py ../shared/spec/answers.examples.jsonl [MORE.jsonl ...]

Figures by language; processor time, so that a busy machine does not stretch it, with the words of all pairs known and
the sentences new.
"""

import json
import statistics
import sys
import time
from collections import Counter
from pathlib import Path

from domain.verifying import passage, sentence
from domain.verifying.judge import judge


def _seconds(row: dict[str, str]) -> float:
    begun = time.process_time()
    judge(row["answer"], row["passage"])
    return time.process_time() - begun


def main(paths: list[Path]) -> None:
    for path in paths:
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        right: Counter[tuple[str, str]] = Counter()
        total: Counter[tuple[str, str]] = Counter()
        for row in rows:
            kind = (row["lang"], row["label"])
            is_supported = judge(row["answer"], row["passage"]).is_supported
            right[kind] += is_supported == (row["label"] == "supported")
            total[kind] += 1
        sentence.read.cache_clear()
        passage.read_passage.cache_clear()
        spent = statistics.median(_seconds(row) for row in rows) * 1000
        print(path.name, f"{spent:.2f} ms a pair (median)")
        for language in ("de", "en"):
            kept, dropped = (right[language, kind] / total[language, kind] for kind in ("supported", "unsupported"))
            print(f"  {language}: balanced {(kept + dropped) / 2:.3f}, kept {kept:.3f}, wrong dropped {dropped:.3f}")


if __name__ == "__main__":
    main([Path(argument) for argument in sys.argv[1:]])
