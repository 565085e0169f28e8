"""Sentences of the acts, held against the section that they were cut from."""

import re

import pytest

from domain.knowledge.sentences import split
from domain.verifying.judge import judge
from tests.data import LAW

SECTIONS = 400
_MARK = re.compile(r"(?:\(\d+[a-z]?\)|\d+[a-z]?\.|[a-z]{1,2}\)) ")


def sections():
    """Return sections of all acts, evenly taken, as heading and lines."""
    found = []
    for path in sorted((LAW / "texts").glob("*.md")):
        for section in re.split(r"\n(?=# )", path.read_text(encoding="utf-8")):
            head, _, body = section.partition("\n")
            lines = [line for line in re.sub(r"<[^>]+>", "", body).split("\n") if line.strip() and line[0] != "|"]
            if head.startswith("# §") and 150 < sum(map(len, lines)) < 2500:
                found.append((head[2:], lines))
    return found[:: max(1, len(found) // SECTIONS)]


@pytest.mark.law
def test_verbatim_sentences_are_carried():
    """At least 995 of 1000 sentences are carried by the section that holds them."""
    kept = []
    for head, lines in sections():
        passage = "\n".join((head, *lines))
        for line in lines:
            plain = _MARK.sub("", line, count=1)
            cut = [one.of(plain) for one in split(plain, "plain")]
            kept += [judge(one, passage).is_supported for one in cut if len(one) > 20]
    assert len(kept) > 1000
    assert sum(kept) / len(kept) >= 0.995, (len(kept), sum(kept))
