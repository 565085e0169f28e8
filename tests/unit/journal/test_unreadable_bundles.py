"""What is no bundle, no key or no checkpoint ends with one sentence, whatever it is and however large."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from adapters.journal import verifier
from adapters.journal.verifier import Key, UnreadableError, main, packed, unpacked, verify
from tests.corrupting import Change, document_of, leaves, resealed
from tests.sealed_journal import Chronicle

DEEP = b"[" * 200_000
BROKEN = {
    "nothing": b"",
    "no zip": b"no zip at all",
    "NUL": bytes(5000),
    "text with NUL": b"PK\x03\x04" + b"\x00" * 3000,
}
BROKEN_JSON = {
    "no JSON": b"{",
    "deep": DEEP,
    "deep objects": b'{"a":' * 100_000,
    "array": b"[]",
    "null": b"null",
    "number": b"1" * 5000,
    "NaN": b'{"form": NaN}',
    "no UTF-8": b"\xff\xfe",
    "twice": b'{"form":"fundstelle bundle 1","form":"fundstelle bundle 1"}',
    "other form": b'{"form":"fundstelle bundle 2"}',
    "NUL": b"\x00" * 100,
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_no_bundle_is_unreadable(name: str, ends: Callable[..., tuple[int, str]]) -> None:
    """Exit 2 and one sentence."""
    code, shown = ends(BROKEN[name], "--lang", "de")
    assert code == 2
    assert shown.count("\n") == 1
    assert "lässt sich nicht lesen" in shown


@pytest.mark.parametrize("name", BROKEN_JSON)
def test_content_that_is_none_is_unreadable(name: str, raw: bytes, ends: Callable[..., tuple[int, str]]) -> None:
    """However deep, long or odd it is."""
    code, shown = ends(packed(unpacked(raw) | {"bundle.json": BROKEN_JSON[name]}), "--lang", "en")
    assert code == 2
    assert "cannot be read" in shown


def test_a_value_of_another_type_is_unreadable(
    chronicle: Chronicle, raw: bytes, ends: Callable[..., tuple[int, str]]
) -> None:
    """Each value in turn becomes a list, a number, a truth, nothing, or is not there; never a traceback."""
    document = document_of(raw)
    seen = set()
    for path in leaves(document):
        kind = tuple("*" if isinstance(key, int) else key for key in path)
        if kind in seen or "plain" in path or "schemas" in path:
            continue
        seen.add(kind)
        for other in ([[]], -1, 2**70, 1.5, True, None, {"x": {}}, "ä\x00", ""):
            changed = resealed(raw, chronicle, _put(path, other))
            code, shown = ends(changed, "--json")
            assert code in {0, 1, 2}, (path, other)
            assert json.loads(shown)["intact"] in {True, False, None}
            if isinstance(other, list | dict | float):
                assert code == 2, (path, other)
    assert len(seen) > 40


def _put(path: tuple[str | int, ...], value: object) -> Change:
    def change(document: dict[str, object]) -> None:
        place: object = document
        for key in path[:-1]:
            place = place[key]  # type: ignore[index]
        place[path[-1]] = value  # type: ignore[index]

    return change


def test_a_huge_file_is_refused_unread(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its size is asked for first."""
    file = tmp_path / "huge.zip"
    with file.open("wb") as stream:
        stream.truncate(verifier.LARGEST + 1)
    assert main([str(file), "--lang", "en"]) == 2
    assert "512 MB" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["/dev/zero", "pipe", "folder", "nothing"])
def test_what_is_no_file_is_not_read(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A device, a pipe and a folder end as a file that is not there."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    assert main([str(tmp_path / name), "--lang", "en"]) == 2
    assert "cannot be accessed" in capsys.readouterr().out


def test_a_packed_text_that_never_ends_is_not_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    """What unpacks to more than a bundle may hold is no content."""
    import zlib  # noqa: PLC0415

    from adapters.eventstore import seal as sealing  # noqa: PLC0415

    monkeypatch.setattr(sealing, "_pack", lambda plaintext: b"\x01" + zlib.compress(plaintext))
    short, long = (sealing.seal(bytes(32), b"a" * size, b"") for size in (1000, 1001))
    assert verifier.unsealed(bytes(32), short, b"", 1000) == b"a" * 1000
    with pytest.raises(UnreadableError):
        verifier.unsealed(bytes(32), long, b"", 1000)
    finding = verifier.Finding(room=1999)
    assert finding.unsealed(bytes(32), short, b"") == b"a" * 1000
    with pytest.raises(UnreadableError):
        finding.unsealed(bytes(32), short, b"")


def test_made_up_keys_and_signatures_do_not_take_for_ever(
    chronicle: Chronicle, raw: bytes, monkeypatch: pytest.MonkeyPatch, ends: Callable[..., tuple[int, str]]
) -> None:
    """A key named a thousand times counts once, each signature is checked once, and there is an end to changes."""
    checked: list[Key] = []
    fits = Key.fits

    def counted(key: Key, text: str, signature: bytes) -> bool:
        checked.append(key)
        return fits(key, text, signature)

    monkeypatch.setattr(Key, "fits", counted)

    def repeat(document: dict[str, Any]) -> None:
        text, _, line = document["checkpoint"].rpartition("\n\n")
        document["keys"] *= verifier.MOST_KEYS
        document["checkpoint"] = f"{text}\n\n{line * 90}"

    assert verify(resealed(raw, chronicle, repeat)).facts["signed_by"] == ["+".join(chronicle.key.split("+", 2)[:2])]
    assert len(checked) == 2
    changes = _put(("changes",), [document_of(raw)["checkpoint"]] * (verifier.MOST_KEYS + 1))
    checked.clear()
    code, shown = ends(resealed(raw, chronicle, changes), "--lang", "en")
    assert (code, len(checked)) == (2, 0)
    assert "more keys than there ever were" in shown


@pytest.mark.parametrize("key", ["", "x", "# nothing\n", "name+00000000+AAAA", b"\xff\xfe\x00"])
def test_a_key_that_is_none_is_unreadable(key: str | bytes, raw: bytes, ends: Callable[..., tuple[int, str]]) -> None:
    """The sentence names the file of the key."""
    code, shown = ends(raw, "--lang", "en", key=key)
    assert code == 2
    assert "/key cannot be read" in shown


@pytest.mark.parametrize("note", ["", "x", "a\nb\nc\n\n— a b\n", "a\n1\nAAAA\n\n— a AAAA\n", b"\xff", "\x00" * 50])
def test_a_checkpoint_that_is_none_is_unreadable(
    note: str | bytes, raw: bytes, ends: Callable[..., tuple[int, str]]
) -> None:
    """The sentence names the file of the checkpoint."""
    code, shown = ends(raw, "--lang", "en", checkpoint=note)
    assert code == 2
    assert "/checkpoint cannot be read" in shown


def test_control_characters_do_not_reach_the_terminal(
    chronicle: Chronicle, raw: bytes, ends: Callable[..., tuple[int, str]]
) -> None:
    """The name of the log comes from the file, and so do questions."""
    key = Key.of(chronicle.key)
    forged = resealed(raw, chronicle, lambda document: document.update(keys=[chronicle.key]))
    code, shown = ends(forged, "--lang", "en")
    assert (code, key.kind) == (0, 1)
    assert not any(ord(character) < 32 and character != "\n" for character in shown)
