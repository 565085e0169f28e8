"""Checkpoints and notes have the form that others read, and nothing that is not signed passes for signed."""

from base64 import b64encode
from datetime import UTC, datetime

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from hypothesis import given
from hypothesis import strategies as st

from domain.journal.checkpoints import Checkpoint, cosignatures, cosigned_text, read_checkpoint
from domain.journal.notes import BrokenNoteError, Kind, Note, Signature, VerifierKey

_PUBLISHED_KEY = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
_PUBLISHED_NOTE = (
    "If you think cryptography is the answer to your problem,\n"
    "then you don't know what your problem is.\n\n"
    "— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n"
)
"""From the documentation of the Go package golang.org/x/mod/sumdb/note, by which the form was first written down."""

_SECRET = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
_KEY = VerifierKey("example.org/journal", _SECRET.public_key().public_bytes_raw())
_ROOT = bytes(range(32, 64))
_CHECKPOINT = Checkpoint(_KEY.name, 42, _ROOT)


def _verifies(public: bytes, signature: bytes, message: bytes) -> bool:
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
    except InvalidSignature:
        return False
    return True


def _signed(text: str, key: VerifierKey = _KEY) -> Note:
    return Note(text, (Signature(key.name, key.id, _SECRET.sign(text.encode())),))


def _witness(number: int, text: str, seconds: int) -> tuple[VerifierKey, Signature]:
    secret = Ed25519PrivateKey.from_private_bytes(bytes([number]) * 32)
    key = VerifierKey(f"witness.example/{number}", secret.public_key().public_bytes_raw(), Kind.COSIGNATURE)
    content = seconds.to_bytes(8) + secret.sign(cosigned_text(text, seconds))
    return key, Signature(key.name, key.id, content)


def test_a_published_note_is_read() -> None:
    """Key and note of the reference implementation hold, and are written again byte for byte."""
    key, note = VerifierKey.of(_PUBLISHED_KEY), Note.of(_PUBLISHED_NOTE)
    assert note.signed_by(key, _verifies)
    assert (str(key), str(note)) == (_PUBLISHED_KEY, _PUBLISHED_NOTE)


def test_a_checkpoint_is_three_lines_and_a_signature() -> None:
    """Origin, size and root, an empty line, a dash, the name and the signature."""
    written = str(_signed(str(_CHECKPOINT)))
    assert written.startswith(f"example.org/journal\n42\n{b64encode(_ROOT).decode()}\n\n— example.org/journal ")
    assert read_checkpoint(Note.of(written), [_KEY], _verifies) == _CHECKPOINT


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n\n\n",
        "example.org/journal\n42\n",
        "example.org/journal\n042\n" + b64encode(_ROOT).decode() + "\n",
        "example.org/journal\n-1\n" + b64encode(_ROOT).decode() + "\n",
        "example.org/journal\n４２\n" + b64encode(_ROOT).decode() + "\n",
        "example.org/journal\n" + "9" * 40 + "\n" + b64encode(_ROOT).decode() + "\n",
        "example.org/journal\n42\n" + b64encode(_ROOT[:-1]).decode() + "\n",
        "example.org/journal\n42\nno base64\n",
        "example.org/journal\n42\n" + b64encode(_ROOT).decode() + "\n\nmore\n",
    ],
)
def test_what_is_no_checkpoint_is_refused(text: str) -> None:
    """Each line has one form only, so that no two texts mean the same head."""
    with pytest.raises(BrokenNoteError):
        Checkpoint.of(text)


def test_extension_lines_are_passed_over() -> None:
    """Others may add lines; they are signed as well and change nothing."""
    assert Checkpoint.of(f"{_CHECKPOINT}more\n") == _CHECKPOINT


@given(st.data())
def test_no_changed_note_is_believed(data: st.DataObject) -> None:
    """Whatever single character is changed: the note is refused, or says what was signed."""
    written = str(_signed(str(_CHECKPOINT)))
    place = data.draw(st.integers(0, len(written) - 1))
    changed = written[:place] + data.draw(st.characters(codec="utf-8")) + written[place + 1 :]
    try:
        found = read_checkpoint(Note.of(changed), [_KEY], _verifies)
    except BrokenNoteError:
        assert changed != written
    else:
        assert found == _CHECKPOINT


def test_a_note_by_nobody_we_know_is_refused() -> None:
    """Neither an unknown key nor that of another log makes a checkpoint."""
    other = VerifierKey("example.org/another", _KEY.public)
    with pytest.raises(BrokenNoteError, match="not signed"):
        read_checkpoint(_signed(str(_CHECKPOINT), other), [_KEY], _verifies)
    with pytest.raises(BrokenNoteError, match="not signed"):
        read_checkpoint(_signed(str(_CHECKPOINT), other), [other], _verifies)


def test_an_unknown_signature_beside_a_known_one_is_passed_over() -> None:
    """Witnesses that we do not know do no harm."""
    _, foreign = _witness(9, str(_CHECKPOINT), 0)
    note = Note(str(_CHECKPOINT), (foreign, *_signed(str(_CHECKPOINT)).signatures))
    assert read_checkpoint(note, [_KEY], _verifies) == _CHECKPOINT


def test_a_wrong_signature_beside_a_right_one_is_not() -> None:
    """One that names a key we trust and does not fit makes the note worthless."""
    right = _signed(str(_CHECKPOINT)).signatures[0]
    wrong = Signature(right.name, right.key_id, bytes(64))
    with pytest.raises(BrokenNoteError, match="does not fit"):
        read_checkpoint(Note(str(_CHECKPOINT), (right, wrong)), [_KEY], _verifies)


def test_witnesses_are_counted_once_each() -> None:
    """Two of three have cosigned, one of them twice; their times are kept."""
    text = str(_CHECKPOINT)
    (first, one), (second, two), (third, _) = (_witness(number, text, 1_700_000_000) for number in (1, 2, 3))
    _, again = _witness(1, text, 1_700_000_060)
    found = cosignatures(Note(text, (one, two, again)), [first, second, third], _verifies)
    assert [each.witness for each in found] == [first, second]
    assert found[0].at == datetime(2023, 11, 14, 22, 13, 20, tzinfo=UTC)


@pytest.mark.parametrize("seconds", [1_700_000_001, 2**64 - 1])
def test_a_cosignature_of_another_time_is_refused(seconds: int) -> None:
    """The time is part of what a witness signs."""
    text = str(_CHECKPOINT)
    key, signature = _witness(1, text, 1_700_000_000)
    forged = Signature(key.name, key.id, seconds.to_bytes(8) + signature.content[8:])
    with pytest.raises(BrokenNoteError, match="does not fit"):
        cosignatures(Note(text, (forged,)), [key], _verifies)


def test_the_log_is_no_witness_of_its_own() -> None:
    """A key that signs notes cannot be listed among the witnesses."""
    with pytest.raises(BrokenNoteError, match="witness"):
        cosignatures(_signed(str(_CHECKPOINT)), [_KEY], _verifies)


@pytest.mark.parametrize("text", ["", "a+b", "a+00000000+AAAA", _PUBLISHED_KEY.replace("c74f", "c74e"), "a b+x+x"])
def test_what_is_no_key_is_refused(text: str) -> None:
    """A key whose id does not fit was cut, or mixed up with another."""
    with pytest.raises(BrokenNoteError):
        VerifierKey.of(text)


@pytest.mark.parametrize(
    "written",
    [
        "",
        "a\n",
        "a\n\n",
        "a\n\n— b\n",
        "a\n\n— b AAAA\n",
        "a\n\n- b AAAAAAAA\n",
        "a\x00\n\n— b AAAAAAAA\n",
        "a\n\n— b AAAAAAAA",
    ],
)
def test_what_is_no_note_is_refused(written: str) -> None:
    """Without a whole signature line there is no signed note."""
    with pytest.raises(BrokenNoteError):
        Note.of(written)
