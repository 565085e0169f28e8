"""Whatever is made wrong in a bundle is found, the exit code says so, and an intact one is never blamed."""

import ast
import json
import subprocess
import sys
import sysconfig
import tomllib
from base64 import b64encode
from collections.abc import Callable
from pathlib import Path

import pytest

from adapters.journal import verifier
from adapters.journal.verifier import FILES, SEAL, Key, UnreadableError, packed, unpacked, verify
from domain.journal.notes import Note, Signature
from tests.corrupting import CHANGES, Change, document_of, flip, leaves, resealed
from tests.sealed_journal import Chronicle
from tests.unit.journal.signing import MemorySigner, Witness

UNPROVABLE = ("made_at", "reader", "schemas", "keys")
"""What a bundle says about itself: only the seal covers it."""

UNPROVABLE_PARTS = {("mandate", "key"), ("mandate", "name"), ("mandate", "time_zone")} | {
    ("selection", name) for name in ("from", "to", "run", "person")
}


def trusted(chronicle: Chronicle) -> list[Key]:
    return [Key.of(chronicle.key)]


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


def test_it_is_installed_as_a_command() -> None:
    """Under the name that the documentation has."""
    project = tomllib.loads((Path(verifier.__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["project"]["scripts"]["fundstelle-verify"] == "adapters.journal.verifier:main"


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
