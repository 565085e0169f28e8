"""What our device keeps in its folder."""

from pathlib import Path

import pytest

from bot.matrix.files import pickle_key, private_folder, read_json, store_file, write_json
from bot.matrix.waiting import Waiting
from domain.errors import PartError


def test_nobody_else_can_read_what_we_keep(tmp_path: Path) -> None:
    """Neither the folder nor a file in it."""
    folder = private_folder(tmp_path / "matrix")
    write_json(folder / "session.json", {"token": "geheim"})
    pickle_key(folder)
    assert folder.stat().st_mode & 0o777 == 0o700
    assert {file.stat().st_mode & 0o777 for file in folder.iterdir()} == {0o600}


def test_a_disk_that_takes_nothing_is_a_part_that_does_not_answer(tmp_path: Path) -> None:
    """Or gives nothing. What waits for room is tried again: no question is lost over it, and no device."""
    for keep in (lambda: write_json(tmp_path / "gone" / "x.json", {}), lambda: pickle_key(tmp_path / "gone")):
        with pytest.raises(PartError, match="matrix_disk"):
            keep()
    (tmp_path / "session.json").mkdir()
    with pytest.raises(PartError, match="matrix_disk"):
        read_json(tmp_path / "session.json")
    (tmp_path / "file").touch()
    with pytest.raises(PartError, match="matrix_disk"):
        private_folder(tmp_path / "file")


def test_the_secret_of_the_store_is_made_once(tmp_path: Path) -> None:
    """Another one would open nothing."""
    assert pickle_key(tmp_path) == pickle_key(tmp_path)
    assert len(pickle_key(tmp_path)) == 64


def test_the_server_names_no_file(tmp_path: Path) -> None:
    """Whatever it calls our device, the store lies in our folder."""
    assert store_file(tmp_path, "@a:b", "../../etc/passwd").parent == tmp_path
    assert store_file(tmp_path, "@a:b", "X") != store_file(tmp_path, "@a:b", "Y")


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff", b'"x"', b"[" * 100_000])
def test_a_broken_file_counts_as_missing(tmp_path: Path, content: bytes) -> None:
    """As does one that is not there."""
    file = tmp_path / "x.json"
    assert read_json(file) == {}
    file.write_bytes(content)
    assert read_json(file) == {}


def test_what_waits_outlives_a_restart_in_its_order(tmp_path: Path) -> None:
    """Each event once, until its key has come."""
    waiting = Waiting(tmp_path / "waiting.json")
    for name in ("$a", "$b", "$a"):
        waiting.add("!r", {"event_id": name})
    waiting.save()
    again = Waiting(tmp_path / "waiting.json")
    assert list(again) == [("!r", {"event_id": "$a"}), ("!r", {"event_id": "$b"})]
    again.remove(["$a", "$never"])
    again.save()
    assert list(Waiting(tmp_path / "waiting.json")) == [("!r", {"event_id": "$b"})]


def test_a_flood_pushes_out_the_oldest(tmp_path: Path) -> None:
    """So nobody fills our memory."""
    waiting = Waiting(tmp_path / "waiting.json")
    for number in range(600):
        waiting.add("!r", {"event_id": f"${number}"})
    assert [event["event_id"] for _, event in waiting] == [f"${number}" for number in range(100, 600)]


def test_whoever_floods_us_pushes_out_their_own(tmp_path: Path) -> None:
    """In whichever rooms: what others have said still waits for its key."""
    waiting = Waiting(tmp_path / "waiting.json")
    for number in range(3):
        waiting.add("!r", {"event_id": f"$anna{number}", "sender": "@anna:x"})
    for number in range(2_000):
        waiting.add(f"!{number % 7}", {"event_id": f"${number}", "sender": "@eve:x"})
    names = [event["event_id"] for _, event in waiting]
    assert names[:3] == ["$anna0", "$anna1", "$anna2"]
    assert (len(names), names[3], names[-1]) == (500, "$1503", "$1999")
