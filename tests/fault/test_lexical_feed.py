"""The index of words under kill -9, with several processes, and with damaged files."""

import asyncio
import os
import random
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from uuid import UUID

import pytest

from adapters.search.feed import LexicalFeed
from adapters.search.integrity import is_intact
from adapters.search.tantivy import TantivyIndex
from domain.asking.ports import Hit
from domain.asking.visibility import Visible
from domain.errors import PartError
from tests.twins import ANALYZER, Entry, InMemoryLexicalIndex, horizon, visible

A = UUID(int=1)
WORLD = [Entry(n, A, (f"Frist nummer{n} und Vertrag", "Kündigung der Frist")) for n in range(1, 41)]
QUESTION = "Frist Vertrag nummer7 nummer39"

WRITER = """
import sys
from pathlib import Path
from tests.fault.test_lexical_feed import ANALYZER, WORLD, LexicalFeed

first, last, rounds = map(int, sys.argv[2:])
feed = LexicalFeed(Path(sys.argv[1]), ANALYZER)
print("ready", flush=True)
for _ in range(rounds):
    for entry in WORLD[first:last]:
        feed.put([entry.words()])
        print(entry.ordinal, flush=True)
"""


def writer(folder: Path, first: int, last: int, rounds: int = 1) -> subprocess.Popen[str]:
    arguments = [sys.executable, "-c", WRITER, str(folder), str(first), str(last), str(rounds)]
    return subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2])


def search(folder: Path, seen: Visible) -> tuple[Hit, ...]:
    return asyncio.run(TantivyIndex(folder, ANALYZER).search(QUESTION, seen, 100))


def expected(seen: Visible) -> tuple[Hit, ...]:
    twin = InMemoryLexicalIndex()
    twin.put([entry.words() for entry in WORLD])
    return asyncio.run(twin.search(QUESTION, seen, 100))


@pytest.mark.parametrize("seed", range(6))
def test_a_killed_writer_loses_and_doubles_nothing(tmp_path: Path, seed: int) -> None:
    """What was acknowledged is there, and replaying everything gives the whole index."""
    chance = random.Random(seed)  # noqa: S311 - repeatable
    process = writer(tmp_path, 0, len(WORLD))
    assert process.stdout is not None
    acknowledged: list[int] = []
    for _ in range(chance.randrange(1, 25)):
        line = process.stdout.readline().strip()
        acknowledged += [int(line)] if line.isdecimal() else []
    os.kill(process.pid, signal.SIGKILL)
    acknowledged += [int(line) for line in process.stdout.read().split() if line.isdecimal()]
    process.wait()
    process.stdout.close()

    seen = visible([entry for entry in WORLD if entry.ordinal in acknowledged], horizon([A]))
    if acknowledged:
        assert search(tmp_path, seen) == expected(seen)
    LexicalFeed(tmp_path, ANALYZER).put([entry.words() for entry in WORLD])
    everything = visible(WORLD, horizon([A]))
    assert search(tmp_path, everything) == expected(everything)


def test_two_processes_write_and_a_third_reads(tmp_path: Path) -> None:
    """Writers take turns; a reader sees the same scores all the while."""
    seen = visible(WORLD[:4], horizon([A]))
    LexicalFeed(tmp_path, ANALYZER).put([entry.words() for entry in WORLD[:4]])
    right = expected(seen)
    index = TantivyIndex(tmp_path, ANALYZER)
    writers = [writer(tmp_path, 0, 20), writer(tmp_path, 20, 40)]
    looks = 0
    while looks < 5 or any(process.poll() is None for process in writers):
        assert asyncio.run(index.search(QUESTION, seen, 100)) == right
        looks += 1
    for process in writers:
        process.communicate()
        assert process.returncode == 0

    everything = visible(WORLD, horizon([A]))
    assert search(tmp_path, everything) == expected(everything)


def test_a_missing_index_is_named(tmp_path: Path) -> None:
    """No folder: the part is named, nothing is found in silence."""
    with pytest.raises(PartError) as caught:
        search(tmp_path / "nothing", visible(WORLD, horizon([A])))
    assert caught.value.key == "lexical"


def test_an_incomplete_index_is_named(tmp_path: Path) -> None:
    """A visible version that the index lacks is no empty result."""
    LexicalFeed(tmp_path, ANALYZER).put([entry.words() for entry in WORLD[1:]])
    with pytest.raises(PartError) as caught:
        search(tmp_path, visible(WORLD, horizon([A])))
    assert caught.value.key == "lexical"


def replace_by(file: Path, content: bytes) -> None:
    """Put another file in the place of one: whoever has it mapped still must not find it shortened under their feet."""
    other = file.with_name(f"{file.name}.new")
    other.write_bytes(content)
    other.replace(file)


@pytest.mark.parametrize("pattern", ["meta.json", "*.term", "*.idx", "*.fast", "*.store", "*.pos", "*.fieldnorm"])
@pytest.mark.parametrize("damage", ["truncated", "missing", "flipped"])
def test_a_damaged_index_is_found_and_mended(tmp_path: Path, pattern: str, damage: str) -> None:
    """A damaged file never gives an answer; after mending and feeding again all is well."""
    seen = visible(WORLD, horizon([A]))
    LexicalFeed(tmp_path, ANALYZER).put([entry.words() for entry in WORLD])
    for file in tmp_path.glob(f"*/{pattern}"):
        content = file.read_bytes()
        if damage == "missing":
            file.unlink()
        elif damage == "truncated":
            replace_by(file, content[: len(content) // 2])
        else:
            replace_by(file, bytes([content[0] ^ 1]) + content[1:])
    with pytest.raises(PartError) as caught:
        search(tmp_path, seen)
    assert caught.value.key == "lexical"
    feed = LexicalFeed(tmp_path, ANALYZER)
    feed.mend()
    feed.put([entry.words() for entry in WORLD])

    assert search(tmp_path, seen) == expected(seen)


def test_a_flipped_bit_never_gives_another_answer(tmp_path: Path) -> None:
    """Wherever a bit has changed, the answer is the right one or none."""
    seen = visible(WORLD, horizon([A]))
    feed = LexicalFeed(tmp_path, ANALYZER)
    for start in range(0, len(WORLD), 10):
        feed.put([entry.words() for entry in WORLD[start : start + 10]])
    right = expected(seen)
    files = [file for file in sorted(tmp_path.glob("*/*")) if file.stat().st_size]
    chance = random.Random(7)  # noqa: S311 - repeatable
    for _ in range(100):
        file = chance.choice(files)
        content = file.read_bytes()
        damaged = bytearray(content)
        damaged[chance.randrange(len(damaged))] ^= 1 << chance.randrange(8)
        replace_by(file, damaged)
        with suppress(PartError):
            assert search(tmp_path, seen) == right, file.name
        replace_by(file, content)


def test_a_whole_index_is_not_thrown_away(tmp_path: Path) -> None:
    """Mending leaves an undamaged index, deletions included, as it is."""
    seen = visible(WORLD, horizon([A]))
    feed = LexicalFeed(tmp_path, ANALYZER)
    for _ in range(2):
        feed.put([entry.words() for entry in WORLD])
    assert is_intact(tmp_path / str(A))
    feed.mend()

    assert search(tmp_path, seen) == expected(seen)


def test_a_file_in_the_place_of_a_folder_is_found_and_mended(tmp_path: Path) -> None:
    """As a folder that was copied badly: a rebuild must not stop at it."""
    seen = visible(WORLD, horizon([A]))
    (tmp_path / str(A)).touch()
    with pytest.raises(PartError):
        search(tmp_path, seen)
    feed = LexicalFeed(tmp_path, ANALYZER)
    feed.mend()
    feed.put([entry.words() for entry in WORLD])

    assert search(tmp_path, seen) == expected(seen)


@pytest.mark.parametrize("state", ['{"segments": [{"segment_id": 5}]}', '{"segments": [5]}', "[]", "5"])
def test_a_state_that_names_no_segments_is_damage(tmp_path: Path, state: str) -> None:
    """JSON of another form is named as the part, not as something that nobody foresaw."""
    LexicalFeed(tmp_path, ANALYZER).put([entry.words() for entry in WORLD])
    (tmp_path / str(A) / "meta.json").write_text(state)
    with pytest.raises(PartError) as caught:
        search(tmp_path, visible(WORLD, horizon([A])))
    assert caught.value.key == "lexical"
