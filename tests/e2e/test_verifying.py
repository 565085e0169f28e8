"""``verify``: pairs of sentence and passage through the real program."""

import json
from pathlib import Path

import pytest

from tests.e2e.program import Program

PASSAGE = "Für jeden Kilometer werden 0,38 Euro erstattet."


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    lines = [
        {"id": "fits", "sentence": "Es werden 0,38 Euro erstattet.", "passage": PASSAGE},
        {"id": "differs", "sentence": "Es werden 0,40 Euro erstattet.", "passage": PASSAGE},
        {"sentence": "ohne Kennung", "passage": PASSAGE},
    ]
    file = tmp_path / "pairs.jsonl"
    file.write_text("\n".join(json.dumps(line) for line in lines), encoding="utf-8")
    return file


def test_each_pair_has_its_line(tmp_path: Path, pairs: Path) -> None:
    """A line that cannot be read stops no other, and the exit code tells of it; no data folder is needed."""
    outcome = Program(tmp_path / "none")("verify", pairs, "--json")

    assert outcome.code == 1
    assert [(one["id"], one.get("supported")) for one in outcome.lines] == [
        ("fits", True),
        ("differs", False),
        (None, None),
    ]
    assert outcome.lines[1]["reason"] == "number"
    assert outcome.lines[2]["error"]["key"] == "batch_missing"


@pytest.mark.parametrize(
    ("language", "why"), [("de", "„0,40 Euro“ steht in keiner"), ("en", "no source has “0,40 Euro”")]
)
def test_a_person_reads_why_a_sentence_is_not_carried(tmp_path: Path, pairs: Path, language: str, why: str) -> None:
    """In words, as it would stand behind a sentence that is struck."""
    outcome = Program(tmp_path / "none", language)("verify", pairs)

    assert why in outcome.out
    assert "number" not in outcome.out
    assert "3" in outcome.err
