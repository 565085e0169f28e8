"""Whatever is made wrong in a bundle is found, the exit code says so, and an intact one is never blamed."""

import ast
import asyncio
import json
import os
import subprocess
import sys
import sysconfig
import tomllib
from base64 import b64encode
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from adapters.journal import verifier
from adapters.journal.verifier import FILES, SEAL, Key, UnreadableError, main, packed, unpacked, verify
from domain.journal.notes import Note, Signature
from tests.corrupting import CHANGES, Change, document_of, flip, leaves, resealed
from tests.sealed_journal import Chronicle
from tests.unit.journal.signing import MemorySigner, Witness

UNPROVABLE = ("made_at", "reader", "schemas", "keys")
"""What a bundle says about itself: only the seal covers it."""

UNPROVABLE_PARTS = {("mandate", "key"), ("mandate", "name"), ("mandate", "time_zone")} | {
    ("selection", name) for name in ("from", "to", "run", "person")
}


@pytest.fixture(scope="module")
def chronicle() -> Chronicle:
    return Chronicle()


@pytest.fixture(scope="module")
def held(chronicle: Chronicle) -> str:
    """A checkpoint that somebody kept, over the first half of the history."""

    async def happen() -> str:
        await chronicle.open()
        await chronicle.ask(await chronicle.ingest())
        return await chronicle.checkpoint()

    return asyncio.run(happen())


@pytest.fixture(scope="module")
def raw(chronicle: Chronicle, held: str) -> bytes:
    """A bundle of open and sealed rows, a library and another mandate in the tree."""

    async def happen() -> bytes:
        library = await chronicle.ingest("lib", "public")
        await chronicle.ingest("b")
        await chronicle.ask(library, by="bert", levels=("public", "internal"))
        await chronicle.ask(chronicle.versions[0], refused=True)
        await chronicle.ask(await chronicle.ingest(level="secret"))
        chronicle.store.erase(len(chronicle.store.stored) - 1)
        return await chronicle.file()

    assert held
    return asyncio.run(happen())


def trusted(chronicle: Chronicle) -> list[Key]:
    return [Key.of(chronicle.key)]


@pytest.fixture
def ends(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str]]:
    """Run the command on files with these contents; return exit code and output."""

    def run(raw: bytes, *arguments: str, **files: str | bytes) -> tuple[int, str]:
        bundle = tmp_path / "bundle.zip"
        bundle.write_bytes(raw)
        options: list[str] = []
        for name, content in files.items():
            file = tmp_path / name
            file.write_bytes(content.encode() if isinstance(content, str) else content)
            options += [f"--{name}", str(file)]
        code = main([str(bundle), *options, *arguments])
        return code, capsys.readouterr().out

    return run


async def test_an_intact_bundle_is_intact(
    chronicle: Chronicle, held: str, raw: bytes, ends: Callable[..., tuple[int, str]]
) -> None:
    """With the key and a checkpoint kept elsewhere nothing is missing, and the tail that it does not cover is told."""
    finding = verify(raw, trusted(chronicle), held)
    assert finding.faults == []
    assert finding.facts["protected"] == int(held.split("\n")[1])
    assert 0 < finding.facts["tail"] < len(document_of(raw)["rows"])
    code, shown = ends(raw, "--lang", "de", key=chronicle.key, checkpoint=held)
    assert code == 0
    assert "Unversehrt" in shown
    assert "Noch ungeschützt" in shown
    assert "ACHTUNG" not in shown
    assert "„Wie hoch ist das Kilometergeld?“ → beantwortet" in shown


def test_a_key_that_nobody_trusts_is_told_loudly(raw: bytes, ends: Callable[..., tuple[int, str]]) -> None:
    """The keys inside are hints; without --key and --checkpoint the lines say what that leaves open."""
    code, shown = ends(raw, "--lang", "en")
    assert code == 0
    assert shown.count("WARNING") == 2
    assert "compared with none that you trust" in shown
    assert "→ answered" in shown
    code, shown = ends(raw, "--json")
    assert (code, json.loads(shown)["key_trusted"], json.loads(shown)["held"]) == (0, False, False)


@pytest.mark.parametrize("name", CHANGES)
def test_what_an_operator_with_the_key_changes_is_found(
    name: str, chronicle: Chronicle, raw: bytes, ends: Callable[..., tuple[int, str]]
) -> None:
    """Sealed anew by the journal's own key, so that nothing but the proofs can tell."""
    changed = resealed(raw, chronicle, CHANGES[name])
    code, shown = ends(changed, "--json", key=chronicle.key)
    assert code == 1, shown
    assert json.loads(shown)["faults"]


def test_a_flip_in_each_field_is_found(chronicle: Chronicle, raw: bytes) -> None:
    """Every single value of the file, sealed anew; what a bundle merely says about itself is covered by the seal."""
    missed = []
    paths = list(leaves(document_of(raw)))
    assert len(paths) > 1000
    for path in paths:
        if path[0] in UNPROVABLE or path[:2] in UNPROVABLE_PARTS or path[-1] == "erased":
            continue
        if not _is_found(resealed(raw, chronicle, flip(path)), chronicle):
            missed.append(path)
    assert missed == []


def test_a_flip_in_each_field_is_found_by_the_seal(chronicle: Chronicle, raw: bytes) -> None:
    """Also what cannot be proved by anything else, if whoever changes it has not the journal's key."""
    files = unpacked(raw)
    for path in leaves(document_of(raw)):
        if path[0] in UNPROVABLE or path[:2] in UNPROVABLE_PARTS or path[-1] == "erased":
            document = document_of(raw)
            flip(path)(document)
            content = json.dumps(document, sort_keys=True, separators=(",", ":")).encode() + b"\n"
            assert _is_found(packed(files | {"bundle.json": content}), chronicle), path


def test_a_flip_in_each_byte_of_the_frame_is_found(chronicle: Chronicle, raw: bytes) -> None:
    """The zip's own bytes, the seal, the texts for people, and every 199th byte of the rest."""
    body = len(unpacked(raw)["bundle.json"])
    start = raw.index(unpacked(raw)["bundle.json"])
    places = [place for place in range(len(raw)) if not start <= place < start + body or place % 199 == 0]
    for place in places:
        changed = bytearray(raw)
        changed[place] ^= 1 << place % 8
        assert _is_found(bytes(changed), chronicle), place


def _is_found(raw: bytes, chronicle: Chronicle) -> bool:
    try:
        return bool(verify(raw, trusted(chronicle)).faults)
    except (UnreadableError, ValueError, LookupError, TypeError, AttributeError):
        return True


async def test_a_forged_checkpoint_is_found(chronicle: Chronicle, held: str, raw: bytes) -> None:
    """Signed by another key, it is told apart by a trusted key, and by a checkpoint kept elsewhere."""
    forger = Chronicle(signer=MemorySigner())
    await forger.open()
    for _ in range(6):
        await forger.ask(await forger.ingest())
    forged = await forger.file()
    assert verify(forged).faults == []
    assert {fault for fault, _ in verify(forged, trusted(chronicle)).faults} == {"seal_signature", "signature"}
    assert {fault for fault, _ in verify(forged, (), held).faults} == {"held_signature", "held_unproven"}
    assert verify(raw, trusted(chronicle), held).faults == []


async def test_a_rewritten_history_is_found(chronicle: Chronicle, held: str) -> None:
    """The operator writes all of it anew and signs it with the true key: the checkpoint kept elsewhere does not fit."""
    again = Chronicle(signer=MemorySigner(chronicle.signer.secret))
    await again.open()
    for _ in range(3):
        await again.ask(await again.ingest())
    size = int(held.split("\n")[1])
    again.store.truncate(max(size, len(again.store.stored) - 8))
    rewritten = await again.file()
    assert verify(rewritten, trusted(chronicle)).faults == []
    assert ("held_unproven", size) in verify(rewritten, trusted(chronicle), held).faults
    # A checkpoint of the same size in the false history, so that there is a proof to be given.
    other = Chronicle(signer=MemorySigner(chronicle.signer.secret))
    await other.open()
    await other.ask(await other.ingest())
    other.store.truncate(size)
    assert (await other.checkpoint()).split("\n")[1] in {str(size), str(size + 1)}
    await other.ask(other.versions[0])
    assert {fault for fault, _ in verify(await other.file(), trusted(chronicle), held).faults} <= {
        "held_differs",
        "held_unproven",
    }
    assert verify(await other.file(), trusted(chronicle), held).faults


async def test_a_truncated_journal_and_an_old_bundle_are_found() -> None:
    """A bundle whose checkpoint is smaller than the one kept elsewhere is old, or the journal was cut."""
    one = Chronicle()
    await one.open()
    await one.ask(await one.ingest())
    old = await one.file()
    await one.ask(one.versions[0])
    held = await one.checkpoint()
    newer = int(held.split("\n")[1])
    assert verify(old, trusted(one), held).faults == [("held_newer", newer)]
    assert verify(await one.file(), trusted(one), held).faults == []
    one.store.truncate(newer - 8)
    one.signer.in_use = False
    assert verify(await one.file(), trusted(one), held).faults == [("held_newer", newer)]


async def test_trust_goes_from_an_old_key_to_the_new_one() -> None:
    """The new key signs the bundle, the old one the checkpoint kept elsewhere."""
    one = Chronicle()
    await one.open()
    before = one.key
    held = await one.checkpoint()
    await one.journal.change_key(one.as_("anna"))
    raw = await one.file()
    keys = [Key.of(before), Key.of(one.key)]
    assert verify(raw, keys, held).faults == []
    assert verify(raw, keys[:1], held).faults == [], "the old key has named the new one"
    assert verify(raw, keys[1:], held).faults == [("held_signature", "")], "and not the other way round"


async def test_a_key_that_puts_itself_below_a_checkpoint_is_not_followed() -> None:
    """Only the line that the trusted key has signed names a key, not another signature below its text."""
    one = Chronicle()
    await one.open()
    trusted_key = Key.of(one.key)
    genuine = Note.of(await one.checkpoint())
    thief = MemorySigner()

    def below(text: str) -> str:
        own = Signature(thief.key.name, thief.key.id, thief.sign(text.encode()))
        return str(Note(text, (*genuine.signatures, own)))

    for note in (below(genuine.text), below(f"{genuine.text}next-key {thief.key}\n")):
        assert verifier.followed([trusted_key], [note]) == [trusted_key]


async def test_witnesses_are_named_and_checked(chronicle: Chronicle, raw: bytes) -> None:
    """A cosignature counts where its key is trusted, and one that does not fit spoils the checkpoint."""
    witness = Witness(1)
    note = document_of(raw)["checkpoint"]
    text, _, _ = note.partition("\n\n")
    line = str(witness.signature(f"{text}\n"))
    keys = [*trusted(chronicle), Key.of(str(witness.key))]

    def cosigned(signature: str) -> Change:
        return lambda document: document.update(checkpoint=f"{note}{signature}\n")

    finding = verify(resealed(raw, chronicle, cosigned(line)), keys)
    assert finding.faults == []
    assert len(finding.facts["signed_by"]) == 2
    broken = str(witness.signature(f"{text}x\n"))
    assert ("signature", "") in verify(resealed(raw, chronicle, cosigned(broken)), keys).faults
    assert verify(resealed(raw, chronicle, cosigned(broken)), trusted(chronicle)).faults == []


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


def test_it_is_installed_as_a_command() -> None:
    """Under the name that the documentation has."""
    project = tomllib.loads((Path(verifier.__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["project"]["scripts"]["fundstelle-verify"] == "adapters.journal.verifier:main"


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


def test_it_stands_alone() -> None:
    """It imports the standard library and cryptography, nothing of ours."""
    tree = ast.parse(Path(verifier.__file__).read_text(encoding="utf-8"))
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add("." if node.level else str(node.module))
    assert {name.partition(".")[0] for name in names} <= {*sys.stdlib_module_names, "cryptography"}


def test_a_copy_of_the_file_runs_by_itself(chronicle: Chronicle, raw: bytes, tmp_path: Path) -> None:
    """In an interpreter that has nothing but cryptography."""
    libraries, folder = Path(sysconfig.get_path("platlib")), tmp_path / "libraries"
    folder.mkdir()
    for name in ("cryptography", "_cffi_backend*", "cffi", "pycparser"):
        for found in libraries.glob(name):
            (folder / found.name).symlink_to(found)
    copy = tmp_path / "check.py"
    copy.write_bytes(Path(verifier.__file__).read_bytes())
    (tmp_path / "bundle.zip").write_bytes(raw)
    (tmp_path / "key").write_text(chronicle.key, encoding="utf-8")
    start = f"import runpy, sys; sys.path.append({str(folder)!r}); runpy.run_path({str(copy)!r}, run_name='__main__')"
    done = subprocess.run(
        [
            sys.executable,
            "-I",
            "-S",
            "-c",
            start,
            str(tmp_path / "bundle.zip"),
            "--key",
            str(tmp_path / "key"),
            "--json",
        ],
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["intact"] is True


def test_the_zip_is_one_that_others_can_open(raw: bytes, tmp_path: Path) -> None:
    """By the standard library's reader, checksums included."""
    import zipfile  # noqa: PLC0415

    file = tmp_path / "bundle.zip"
    file.write_bytes(raw)
    with zipfile.ZipFile(file) as opened:
        assert opened.testzip() is None
        assert opened.namelist() == [*FILES, SEAL]
        assert opened.read("bundle.json") == unpacked(raw)["bundle.json"]


def test_the_same_content_gives_the_same_bytes(chronicle: Chronicle, raw: bytes) -> None:
    """Nothing in the file comes from the clock or from chance when it is written."""
    assert resealed(raw, chronicle, lambda _: None) == raw
    assert b64encode(raw) == b64encode(packed(unpacked(raw)))
