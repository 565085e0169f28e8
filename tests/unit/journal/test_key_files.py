"""The signing keys on disk."""

import threading
from pathlib import Path

import pytest

from adapters.journal.keys import KeyFiles, verifies
from domain.errors import InputError, PartError
from domain.journal.notes import VerifierKey


def _used(folder: Path) -> VerifierKey:
    files = KeyFiles(folder, "a")
    key = files.make()
    files.advance(key)
    return key


def test_the_key_stays_what_it_was(tmp_path: Path) -> None:
    """Made once, private, named as asked; another program finds the same one."""
    first = KeyFiles(tmp_path, "example.org/journal")
    key = first.make()
    assert key.name == "example.org/journal"
    assert not first.in_use
    first.advance(key)
    assert first.in_use
    assert first.make() == key
    assert (tmp_path / "journal.key").stat().st_mode & 0o777 == 0o600
    assert KeyFiles(tmp_path, None).key == key
    assert verifies(key.public, KeyFiles(tmp_path, None).sign(b"message"), b"message")


def test_a_log_without_a_name_gets_one_of_its_own(tmp_path: Path) -> None:
    """Two installations that nobody has named are still told apart."""
    names = set()
    for number in range(2):
        (tmp_path / str(number)).mkdir()
        names.add(KeyFiles(tmp_path / str(number), None).make().name)
    assert len(names) == 2


def test_a_log_keeps_its_name(tmp_path: Path) -> None:
    """Checkpoints held elsewhere would no longer fit."""
    first = KeyFiles(tmp_path, "example.org/first")
    first.advance(first.make())
    with pytest.raises(InputError, match="journal_origin"):
        _ = KeyFiles(tmp_path, "example.org/second").key


def test_many_programs_that_make_the_key_make_one(tmp_path: Path) -> None:
    """The first one wins, whole."""
    found = []
    threads = [threading.Thread(target=lambda: found.append(KeyFiles(tmp_path, "a").make())) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    assert len(set(found)) == 1
    assert [file.name for file in tmp_path.iterdir()] == ["journal.next.key"]


def test_the_next_key_takes_over_when_it_is_named(tmp_path: Path) -> None:
    """Not when another is: somebody else has prepared one since."""
    files = KeyFiles(tmp_path, "a")
    old = _used(tmp_path)
    new = files.prepare()
    assert files.next_key == new
    files.advance(old)
    assert (files.key, files.next_key) == (old, new)
    files.advance(new)
    assert (files.key, files.next_key) == (new, None)
    assert verifies(new.public, files.sign(b"message"), b"message")


def test_a_key_open_to_others_is_refused(tmp_path: Path) -> None:
    """Who could read it could sign."""
    assert _used(tmp_path)
    (tmp_path / "journal.key").chmod(0o644)
    with pytest.raises(InputError, match="journal_key_open"):
        _ = KeyFiles(tmp_path, "a").key


@pytest.mark.parametrize("content", ["", "nothing", "PRIVATE+KEY+a+00000000+AAAA", "\N{PILE OF POO}"])
def test_a_broken_file_is_no_key(tmp_path: Path, content: str) -> None:
    """It is never written over: it must come back from a backup."""
    file = tmp_path / "journal.key"
    file.write_text(content, encoding="utf-8")
    file.chmod(0o600)
    with pytest.raises(PartError, match="journal_key"):
        _ = KeyFiles(tmp_path, None).key
    assert file.read_text(encoding="utf-8") == content


def test_a_key_with_one_letter_changed_is_no_key(tmp_path: Path) -> None:
    """The id in the file does not fit any more, or the text is not the one form of that key."""
    assert _used(tmp_path)
    file = tmp_path / "journal.key"
    written = file.read_text(encoding="ascii").strip()
    for place in range(len(written)):
        changed = written[:place] + ("B" if written[place] != "B" else "C") + written[place + 1 :]
        file.write_text(changed, encoding="ascii")
        with pytest.raises(PartError, match="journal_key"):
            _ = KeyFiles(tmp_path, None).key


def test_a_key_that_is_gone_is_not_made_anew(tmp_path: Path) -> None:
    """Looking at it makes none, nor does a change of keys: it must come back from a backup."""
    files = KeyFiles(tmp_path, "a")
    for look in (lambda: files.key, files.prepare, lambda: files.sign(b"message")):
        with pytest.raises(PartError, match="journal_key"):
            look()
    assert list(tmp_path.iterdir()) == []
