"""Checks an audit bundle offline: ``fundstelle-verify FILE [--checkpoint FILE] [--key FILE]``.

This one file stands alone: it needs Python 3.11 and the library ``cryptography``, and nothing of ours. So whoever is to
trust what it says can read it in one sitting and run a copy of it anywhere. The form of a bundle is described in
docs/decisions/0013-audit-bundle.md, that of its rows in 0002-stored-form.md. Exit codes: 0 intact, 1 not, 2 unreadable.
"""

import argparse
import hmac
import json
import os
import re
import sys
import zlib
from base64 import b64decode, b64encode
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from struct import Struct
from typing import Any, Final, NoReturn
from uuid import UUID
from zlib import crc32

from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

FORM: Final = "fundstelle bundle 1"
FILES: Final = ("README.txt", "report.html", "bundle.json")
SEAL: Final = "seal.txt"
LARGEST: Final = 1 << 29
"""Bytes of a bundle at most, and of each text in it when unpacked."""

ROOM: Final = 4 * LARGEST
"""Bytes of all texts together when unpacked: a made-up bundle must not keep its reader busy for hours."""

MOST_KEYS: Final = 1000
"""Keys, and changes of keys, for the same reason: signatures are slow to check."""

_LOCAL: Final = Struct("<4s5H3L2H")
_CENTRAL: Final = Struct("<4s6H3L5H2L")
_END: Final = Struct("<4s4H2LH")
_HEADER: Final = Struct(">4s16sQ32sQ")
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_NONE: Final = UUID(int=0)
_ENDS: Final = frozenset({"AnswerDelivered", "AnswerRefused", "RunFailed"})
_HIDDEN: Final[dict[str, Any]] = {"position": int, "number": int, "hash": str}
_CLOSED: Final[dict[str, Any]] = _HIDDEN | dict.fromkeys(("mandate", "stream", "topic", "logged_at", "state"), str)
_SEALED: Final[dict[str, Any]] = _CLOSED | {"version": int, "erased": bool}
_OPEN: Final[dict[str, Any]] = _CLOSED | {"version": int, "key": str, "plain": {"actor": dict, "event": dict}}
_TIMES: Final = {"from": (str, None), "to": (str, None)}
_SHAPE: Final = {
    "form": str,
    "made_at": str,
    "mandate": dict.fromkeys(("id", "key", "name", "time_zone"), str),
    "reader": dict.fromkeys(("person", "role", "clearance"), str),
    "selection": {"first": int, "last": int, "run": (str, None), "person": (str, None)} | _TIMES,
    "checkpoint": str,
    "earlier": [{"size": int, "root": str, "proof": [str]}],
    "keys": [str],
    "changes": [str],
    "rows": [(_HIDDEN, _SEALED, _OPEN)],
    "proof": [str],
    "texts": [dict.fromkeys(("mandate", "address", "content", "key"), str)],
    "quotes": [{"event": int, "label": str, "version": int, "start": int, "end": int, "text": str}],
    "schemas": dict,
}


class UnreadableError(Exception):
    """What was given is no bundle, no key or no checkpoint; the argument names the reason."""


@dataclass
class Finding:
    """What the checks have found: faults with what they are about, and facts for whoever reads."""

    faults: list[tuple[str, object]] = field(default_factory=list)
    facts: dict[str, Any] = field(default_factory=dict)
    room: int = ROOM

    def must(self, holds: object, fault: str, about: object = "") -> bool:
        """Note a fault unless something holds."""
        if not holds:
            self.faults.append((fault, about))
        return bool(holds)

    def unsealed(self, key: bytes, seal: bytes, bound: bytes) -> bytes | None:
        """Open a seal within the room that is left for all of them."""
        plain = unsealed(key, seal, bound, min(LARGEST, self.room))
        self.room -= len(plain or b"")
        return plain


# --- The file: a zip of four stored files with nothing in it that could be otherwise.


def packed(files: dict[str, bytes]) -> bytes:
    """Return the zip."""
    body, directory = b"", b""
    for name, content in files.items():
        told = (20, 0, 0, 0, 0x21, crc32(content), len(content), len(content), len(name), 0)
        place = (0, 0, 0, 0o100600 << 16, len(body))
        directory += _CENTRAL.pack(b"PK\x01\x02", 0x314, *told, *place) + name.encode()
        body += _LOCAL.pack(b"PK\x03\x04", *told) + name.encode() + content
    count = len(files)
    return body + directory + _END.pack(b"PK\x05\x06", 0, 0, count, count, len(directory), len(body), 0)


def unpacked(raw: bytes) -> dict[str, bytes]:
    """Return the files of the zip, whose sizes alone are believed."""
    files, place = {}, 0
    for name in (*FILES, SEAL):
        head = raw[place : place + _LOCAL.size]
        place += _LOCAL.size + len(name)
        if len(head) < _LOCAL.size or raw[place - len(name) : place] != name.encode():
            raise UnreadableError("file")
        size = _LOCAL.unpack(head)[7]
        files[name] = raw[place : place + size]
        place += size
    return files


# --- Notes, keys and checkpoints (c2sp.org/signed-note, tlog-checkpoint, tlog-cosignature).


@dataclass(frozen=True)
class Key:
    """A public key; ``kind`` 1 signs the text of notes, 4 checkpoints as a witness."""

    name: str
    kind: int
    public: bytes
    id: bytes

    @classmethod
    def of(cls, line: str) -> "Key":
        """Read ``NAME+ID+BASE64``."""
        name, told, coded = line.split("+", 2)
        content = b64decode(coded, validate=True)
        found = sha256(name.encode() + b"\n" + content).digest()[:4]
        if content[:1] not in {b"\x01", b"\x04"} or len(content) != 33 or told != found.hex():
            raise UnreadableError("key")
        return cls(name, content[0], content[1:], found)

    def fits(self, text: str, signature: bytes) -> bool:
        """Whether the signature is one of the text."""
        message = text.encode()
        if self.kind == 4:
            seconds, signature = int.from_bytes(signature[:8], "big"), signature[8:]
            message = f"cosignature/v1\ntime {seconds}\n{text}".encode()
        try:
            Ed25519PublicKey.from_public_bytes(self.public).verify(signature, message)
        except (InvalidSignature, ValueError):
            return False
        return True


def signers(note: str, keys: Sequence[Key]) -> tuple[str, list[Key]]:
    """Return the text of a note and which keys have signed it; none when a signature that names one does not fit."""
    text, parted, below = note.rpartition("\n\n")
    lines = [re.fullmatch(r"— (\S+) (\S+)", line) for line in dict.fromkeys(below.removesuffix("\n").split("\n"))]
    if not parted or not below.endswith("\n") or len(lines) > 100 or not all(lines):
        raise UnreadableError("note")
    signed, text = [], text + "\n"
    known = {(key.name, key.id): key for key in reversed(keys)}
    for line in filter(None, lines):
        content = b64decode(line[2], validate=True)
        if key := known.get((line[1], content[:4])):
            if not key.fits(text, content[4:]):
                return text, []
            signed.append(key)
    return text, list(dict.fromkeys(signed))


def checkpoint(text: str) -> tuple[str, int, bytes]:
    """Return origin, size and root."""
    origin, size, root, *_ = text.split("\n")
    decoded = b64decode(root, validate=True)
    if not origin or not size.isdecimal() or len(size) > 18 or str(int(size)) != size or len(decoded) != 32:
        raise UnreadableError("checkpoint")
    return origin, int(size), decoded


# --- The tree (RFC 9162 section 2.1).


def node(left: bytes, right: bytes) -> bytes:
    """Return the hash of an inner node."""
    return sha256(b"\x01" + left + right).digest()


def root_of(leaves: dict[int, bytes], size: int, proof: Sequence[bytes]) -> bytes:
    """Return the root over ``leaves`` by index; ``proof`` holds the subtrees without any, from left to right."""
    places, rest = sorted(leaves), iter(proof)

    def subtree(start: int, end: int) -> bytes:
        first = bisect_left(places, start)
        if first == len(places) or places[first] >= end:
            return next(rest)
        if end - start == 1:
            return sha256(b"\x00" + leaves[start]).digest()
        middle = start + (1 << ((end - start - 1).bit_length() - 1))
        return node(subtree(start, middle), subtree(middle, end))

    try:
        root = subtree(0, size)
    except StopIteration:
        return b""
    return b"" if any(True for _ in rest) else root


def extends(old: bytes, first: int, root: bytes, second: int, path: Sequence[bytes]) -> bool:
    """Whether ``path`` shows the tree of ``first`` leaves to be a prefix of that of ``second`` (section 2.1.4.2)."""
    if not 0 < first < second:
        return first == second and not path and old == root
    steps = [old, *path] if first.bit_count() == 1 else list(path)
    place, last = first - 1, second - 1
    while place & 1:
        place, last = place >> 1, last >> 1
    older = newer = steps[0] if steps else b""
    for step in steps[1:]:
        if last == 0:
            return False
        if place & 1 or place == last:
            older, newer = node(step, older), node(step, newer)
            while not place & 1 and place:
                place, last = place >> 1, last >> 1
        else:
            newer = node(newer, step)
        place, last = place >> 1, last >> 1
    return last == 0 and (older, newer) == (old, root)


# --- Rows and texts (0002-stored-form.md).


def fields(*parts: bytes) -> bytes:
    """Join parts, each preceded by its length."""
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)


def unsealed(key: bytes, seal: bytes, bound: bytes, most: int = LARGEST) -> bytes | None:
    """Return the plaintext of a seal, nothing when it does not open.

    Raises:
        UnreadableError: it unpacks to more than ``most`` bytes.
    """
    if len(key) != 32 or not hmac.compare_digest(hmac.digest(key, b"fundstelle commit 1", "sha256"), seal[:32]):
        return None
    try:
        cipher = AESGCM(hmac.digest(key, b"fundstelle encrypt 1", "sha256"))
        plain = cipher.decrypt(seal[32:44], seal[44:], bound)
        if plain[:1] == b"\x01":
            unpacking = zlib.decompressobj()
            plain = unpacking.decompress(plain[1:], most + 1)
            if len(plain) > most:
                raise UnreadableError("unpacked")
            return plain if unpacking.eof and not unpacking.unused_data else None
    except (InvalidTag, ValueError, zlib.error):
        return None
    return plain[1:] if plain[:1] == b"\x00" else None


@dataclass(frozen=True)
class Row:
    """A row of the journal; all but the first three are empty where only its hash is shown."""

    position: int
    number: int
    hash: bytes
    mandate: UUID = _NONE
    stream: UUID = _NONE
    version: int = 0
    topic: str = ""
    logged_at: str = ""
    state: bytes = b""
    key: bytes = b""
    plain: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, document: dict[str, Any]) -> "Row":
        """Read a row."""
        given: dict[str, Any] = {name: value for name, value in document.items() if name != "erased"}
        coded: dict[str, Any] = {
            name: b64decode(given[name], validate=True) for name in ("hash", "state", "key") if name in given
        }
        named: dict[str, Any] = {name: UUID(given[name]) for name in ("mandate", "stream") if name in given}
        return cls(**(given | coded | named))

    @property
    def header(self) -> tuple[bytes, bytes, int, bytes, int]:
        """Return form, mandate, number, previous hash and microseconds."""
        found: tuple[bytes, bytes, int, bytes, int] = _HEADER.unpack(self.state[: _HEADER.size].ljust(_HEADER.size))
        return found

    @property
    def event(self) -> dict[str, Any]:
        """Return the event of an open row."""
        found: dict[str, Any] = self.plain["event"]
        return found

    def check(self, finding: Finding) -> None:
        """Compare the row with its hash and its header, and what is shown of its content with its ciphertext."""
        columns = (self.stream.bytes, self.version.to_bytes(8, "big"), self.topic.encode())
        whole = fields(b"fundstelle event 1", *columns, self.state, self.position.to_bytes(8, "big"))
        finding.must(sha256(whole).digest() == self.hash, "hash", self.position)
        form, mandate, number, _, micros = self.header
        finding.must((form, mandate, number) == (b"FSE\x01", self.mandate.bytes, self.number), "header", self.position)
        finding.must(self.logged_at == _instant(micros), "time", self.position)
        if self.plain:
            found = finding.unsealed(self.key, self.state[68:], fields(form, mandate, *columns))
            if finding.must(found is not None, "content", self.position):
                shown = read_json((found or b"").decode("utf-8", "surrogatepass"))
                finding.must(_same(shown, self.plain), "plain", self.position)


def _same(one: object, other: object) -> bool:
    """Whether two JSON values are the same; Python itself takes 1, 1.0 and true for equal."""
    return _coded(one) == _coded(other)


def _coded(value: object) -> str:
    return json.dumps(value, sort_keys=True)


def _instant(micros: int) -> str:
    try:
        return (_EPOCH + timedelta(microseconds=micros)).isoformat()
    except OverflowError:
        return ""


def read_json(text: str) -> Any:
    """Read JSON without numbers that are none and without keys that are there twice."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len(dict(pairs)) != len(pairs):
            raise UnreadableError("json")
        return dict(pairs)

    def refuse(_: str) -> NoReturn:
        raise UnreadableError("json")

    return json.loads(text, object_pairs_hook=once, parse_constant=refuse)


def fits(value: object, shape: Any) -> bool:
    """Whether a JSON value has a shape: a type, ``None``, a tuple of alternatives, a list or an object."""
    if isinstance(shape, tuple):
        return any(fits(value, one) for one in shape)
    if isinstance(shape, list):
        return isinstance(value, list) and all(fits(one, shape[0]) for one in value)
    if isinstance(shape, dict):
        same = isinstance(value, dict) and value.keys() == shape.keys()
        return same and isinstance(value, dict) and all(fits(value[name], one) for name, one in shape.items())
    return (
        value is None
        if shape is None
        else type(value) is shape and not (type(value) is int and not 0 <= value < 1 << 63)
    )


# --- The checks.


def verify(raw: bytes, trusted: Sequence[Key] = (), held: str | None = None) -> Finding:
    """Check a bundle.

    Args:
        raw: the file.
        trusted: keys that count; without any, those that the bundle names itself.
        held: a checkpoint that was kept elsewhere.

    Raises:
        UnreadableError: it is no bundle.
    """
    finding, files = Finding(), unpacked(raw)
    bundle = read_json(files["bundle.json"].decode())
    if not fits(bundle, _SHAPE) or bundle["form"] != FORM:
        raise UnreadableError("shape")
    rows = [Row.of(one) for one in bundle["rows"]]
    keys = followed(list(trusted) or [Key.of(line) for line in bundle["keys"]], bundle["changes"])
    finding.must(packed(files) == raw, "bytes")
    text, by = signers(files[SEAL].decode(), keys)
    finding.must(text == sealed_text(files), "seal")
    text, witnessed = signers(bundle["checkpoint"], keys)
    origin, size, root = checkpoint(text)
    finding.must([key for key in by if (key.kind, key.name) == (1, origin)], "seal_signature")
    finding.must([key for key in witnessed if (key.kind, key.name) == (1, origin)], "signature")
    finding.facts |= {"origin": origin, "size": size, "root": b64encode(root).decode(), "key_trusted": bool(trusted)}
    finding.facts["signed_by"] = [f"{key.name}+{key.id.hex()}" for key in witnessed]
    for row in (row for row in rows if row.state):
        row.check(finding)
    _tree(finding, rows, bundle, (size, root))
    _chain(finding, rows, bundle)
    _texts(finding, {row.position: row for row in rows if row.plain}, bundle)
    _held(finding, bundle, keys, held, (origin, size, root))
    return finding


def followed(keys: list[Key], changes: Sequence[str]) -> list[Key]:
    """Return ``keys`` with those that a key among them has named as the one after it, in a checkpoint of its own.

    Raises:
        UnreadableError: there are more than ever were.
    """
    for note in changes:
        if len(keys) > MOST_KEYS or len(changes) > MOST_KEYS:
            raise UnreadableError("keys")
        text, by = signers(note, keys)
        named = [
            Key.of(line.removeprefix("next-key ")) for line in text.split("\n")[3:] if line.startswith("next-key ")
        ]
        keys = keys + [one for one in named if any((key.kind, key.name) == (one.kind, one.name) for key in by)]
    return keys


def sealed_text(files: dict[str, bytes]) -> str:
    """Return the text that seals the files of a bundle."""
    return f"{FORM}\n" + "".join(f"{name} {b64encode(sha256(files[name]).digest()).decode()}\n" for name in FILES)


def _tree(finding: Finding, rows: Sequence[Row], bundle: dict[str, Any], head: tuple[int, bytes]) -> None:
    size, root = head
    positions = [row.position for row in rows]
    ordered = all(one < other for one, other in zip([0, *positions], [*positions, size + 1], strict=False))
    if finding.must(ordered and size, "order"):
        proof = [b64decode(one, validate=True) for one in bundle["proof"]]
        finding.must(root_of({row.position - 1: row.hash for row in rows}, size, proof) == root, "root")
    for one in bundle["earlier"]:
        path = [b64decode(step, validate=True) for step in one["proof"]]
        fit = extends(b64decode(one["root"], validate=True), one["size"], root, size, path)
        finding.must(fit, "earlier", one["size"])


def _chain(finding: Finding, rows: Sequence[Row], bundle: dict[str, Any]) -> None:
    selection, mandate = bundle["selection"], UUID(bundle["mandate"]["id"])
    first, last = selection["first"], selection["last"]
    own, other = list[Row](), list[Row]()
    for row in rows:
        (own if not row.state or (row.mandate == mandate and first <= row.number <= last) else other).append(row)
    # Counted before it is compared: what a made-up bundle says to cover can be more than there is memory for.
    whole = len(own) == last - first + 1 and all(row.number == number for number, row in enumerate(own, first))
    finding.must(whole and first, "gap")
    finding.must(all(row.plain and row.topic.startswith("VersionIngested:") for row in other), "stranger")
    known = {row.number: row.hash for row in own} | {0: bytes(32)}
    for row in (row for row in own if row.state):
        finding.must(known.get(row.number - 1, row.header[3]) == row.header[3], "previous", row.position)
    times = [row.header[4] for row in rows if row.state]
    finding.must(times == sorted(times), "times")
    streams: dict[UUID, tuple[int, int]] = {}
    hidden = 0
    for row in own:
        hidden += not row.state
        version, before = streams.get(row.stream, (row.version - 1, hidden))
        if row.state:
            finding.must(0 <= row.version - 1 - version <= hidden - before, "stream", row.position)
            streams[row.stream] = (row.version, hidden)
    shown = {"first": first, "last": last, "open": sum(bool(row.plain) for row in own), "hidden": hidden}
    finding.facts |= {**shown, "sealed": len(own) - shown["open"] - hidden, "cited": len(other)}
    finding.facts["edges_open"] = _open_edges(own, selection)
    finding.facts["runs"] = list(_runs(own))


def _open_edges(own: Sequence[Row], selection: dict[str, Any]) -> list[str]:
    """Return which ends of a period are not shown to be its ends."""
    since, until = (selection[name] and datetime.fromisoformat(selection[name]) for name in ("from", "to"))
    before = not since or own[0].number == 1 or (own[0].state and datetime.fromisoformat(own[0].logged_at) < since)
    behind = not until or (own[-1].state and datetime.fromisoformat(own[-1].logged_at) > until)
    return [name for name, shown in (("from", before), ("to", behind)) if own and not shown]


def _runs(own: Sequence[Row]) -> Iterator[dict[str, str]]:
    kinds = [(row.stream, row.topic.partition(":")[0]) for row in own if row.plain]
    ends = {stream: kind for stream, kind in kinds if kind in _ENDS}
    for row in own:
        if row.topic.startswith("QuestionAsked:") and row.plain:
            yield {"run": str(row.stream), "question": str(row.event["text"]), "end": ends.get(row.stream, "…")}


def _texts(finding: Finding, opened: dict[int, Row], bundle: dict[str, Any]) -> None:
    versions = {place: row for place, row in opened.items() if row.topic.startswith("VersionIngested:")}
    blobs = {(str(row.mandate), row.event["blob"]["address"]): row for row in versions.values()}
    # By what the versions name, not by version: as many of the one as of the other would take their product in time.
    named = {place: _coded(row.event["blob"]) for place, row in versions.items()}
    texts: dict[str, str] = {}
    for one in bundle["texts"]:
        address, row = one["address"], blobs.get((one["mandate"], one["address"]))
        content, key = (b64decode(one[name], validate=True) for name in ("content", "key"))
        finding.must(sha256(content).hexdigest() == address, "address", address)
        plain = finding.unsealed(key, content[4:], fields(content[:4], UUID(one["mandate"]).bytes)) or b""
        finding.must(row, "uncited", address)
        if row and finding.must(sha256(plain).hexdigest() == row.event["blob"]["sha256"], "text", address):
            texts[named[row.position]] = plain.decode("utf-8", "surrogatepass")
    given = [(one["event"], one["label"], one["version"], one["start"], one["end"]) for one in bundle["quotes"]]
    cited = {one for row in opened.values() for one in _cited(row, versions) if named.get(one[2]) in texts}
    finding.must(len(given) == len(set(given)) and set(given) == cited, "quotes")
    for one in bundle["quotes"]:
        text, start = texts.get(named.get(one["version"], ""), ""), one["start"]
        # Measured before it is compared: cutting long pieces out of a long text, many times, takes long.
        same = one["end"] == start + len(one["text"]) and text.startswith(one["text"], start)
        finding.must(same, "quote", f"{one['event']} [{one['label']}]")
    finding.facts |= {"texts": len(bundle["texts"]), "quotes": len(given)}


def _cited(row: Row, versions: dict[int, Row]) -> Iterator[tuple[int, str, int, int, int]]:
    """Yield what an event cites: its position, label, position of the version, start and end."""
    if row.topic == "AnswerDelivered:1":
        for one in row.event["sources"]:
            yield row.position, one["label"], one["ordinal"], one["span"]["start"], one["span"]["end"]
    if row.topic == "PassagesSelected:1":
        for one in row.event["passages"]:
            ordinal, number = one["passage"]["ordinal"], one["passage"]["number"]
            if ordinal in versions:
                span = versions[ordinal].event["passages"][number]["span"]
                yield row.position, one["label"], ordinal, span["start"], span["end"]


def _held(
    finding: Finding, bundle: dict[str, Any], keys: Sequence[Key], held: str | None, head: tuple[str, int, bytes]
) -> None:
    """Compare with a checkpoint that was kept elsewhere, and say what it does not protect yet."""
    positions, protected = [one["position"] for one in bundle["rows"]], 0
    if held is not None:
        text, by = signers(held, keys)
        origin, size, root = checkpoint(text)
        finding.must(by, "held_signature")
        if finding.must(origin == head[0], "held_origin") and finding.must(size <= head[1], "held_newer", size):
            proofs = {one["size"]: one["proof"] for one in bundle["earlier"]} | {head[1]: []}
            if size and finding.must(size in proofs, "held_unproven", size):
                path = [b64decode(step, validate=True) for step in proofs[size]]
                finding.must(extends(root, size, head[2], head[1], path), "held_differs", size)
        protected = size
    finding.facts |= {"held": held is not None, "protected": protected}
    finding.facts["tail"] = sum(position > protected for position in positions)


# --- The command.

_WORDS: Final = {
    "de": {
        "intact": "Unversehrt: {file}",
        "broken": "NICHT unversehrt: {file}",
        "unreadable": "{file} lässt sich nicht lesen: {reason}",
        "reason_file": "Es ist kein Prüfbündel (eine ZIP-Datei mit README.txt, report.html, bundle.json und seal.txt).",
        "reason_json": "Sein Inhalt ist kein gültiges JSON.",
        "reason_shape": "Sein Inhalt hat nicht die Form „fundstelle bundle 1“.",
        "reason_key": "Es ist kein Prüfschlüssel der Form NAME+KENNUNG+SCHLÜSSEL.",
        "reason_note": "Es ist kein signierter Prüfpunkt.",
        "reason_checkpoint": "Es ist kein Prüfpunkt.",
        "reason_size": "Die Datei ist größer als 512 MB.",
        "reason_unpacked": "Was in ihr gepackt ist, ist zu groß.",
        "reason_keys": "Sie nennt mehr Schlüssel, als es je gab.",
        "reason_missing": "Die Datei fehlt oder ist nicht zugänglich.",
        "rows": "Ereignisse {first} bis {last} des Mandats, lückenlos: {open} offen, {sealed} versiegelt, {hidden} nur "
        "als Hash; dazu {cited} zitierte Fassungen, {texts} Texte, {quotes} Zitate.",
        "tree": "Prüfpunkt {origin}: {size} Ereignisse, Wurzel {root}, signiert von {signed_by}.",
        "untrusted": "ACHTUNG: Der Schlüssel stammt aus dem Bündel selbst und wurde mit keinem verglichen, dem Sie "
        "vertrauen. Wer fälscht, legt seinen eigenen bei. Holen Sie den Schlüssel auf anderem Weg und nennen Sie ihn "
        "mit --key.",
        "unheld": "ACHTUNG: Ohne einen anderswo verwahrten Prüfpunkt (--checkpoint) beruht alles allein auf der "
        "Signatur des Betreibers; ob er die Geschichte umgeschrieben hat, zeigt sich so nicht.",
        "held": "Der vorgelegte Prüfpunkt über {protected} Ereignisse ist in diesem enthalten.",
        "tail": "Noch ungeschützt: {tail} der gezeigten Ereignisse liegen hinter Position {protected} und beruhen "
        "allein auf der Signatur des Betreibers.",
        "edge_from": "Nicht gezeigt: ob vor dem ersten Ereignis noch eines in den Zeitraum fällt.",
        "edge_to": "Nicht gezeigt: ob nach dem letzten Ereignis noch eines in den Zeitraum fällt.",
        "run": "Lauf {run}: „{question}“ → {end}",
        "AnswerDelivered": "beantwortet",
        "AnswerRefused": "nicht beantwortet",
        "RunFailed": "fehlgeschlagen",
        "…": "ohne gezeigtes Ende",
        "fault": "Fehler ({fault}): {words}",
        "more": "… und {count} weitere.",
        "bytes": "Die Datei enthält Bytes, die nicht zum Bündel gehören.",
        "seal": "Eine der Dateien ist nicht die, die versiegelt wurde.",
        "seal_signature": "Das Siegel ist von keinem der Schlüssel signiert.",
        "signature": "Der Prüfpunkt ist von keinem der Schlüssel signiert.",
        "hash": "Position {about}: die Zeile passt nicht zu ihrem Hash.",
        "header": "Position {about}: Mandat oder Nummer stehen anders in der gespeicherten Zeile.",
        "time": "Position {about}: die Zeit steht anders in der gespeicherten Zeile.",
        "content": "Position {about}: der Schlüssel öffnet den Inhalt nicht.",
        "plain": "Position {about}: der gezeigte Inhalt ist nicht der gespeicherte.",
        "order": "Die Zeilen stehen nicht in ihrer Reihenfolge, oder eine liegt hinter dem Prüfpunkt.",
        "root": "Die Zeilen und ihr Beweis ergeben nicht die Wurzel des Prüfpunkts.",
        "earlier": "Der frühere Prüfpunkt über {about} Ereignisse ist in diesem nicht enthalten.",
        "gap": "Die Nummern des Mandats haben eine Lücke.",
        "stranger": "Eine Zeile gehört weder zum Mandat noch zu einer zitierten Fassung.",
        "previous": "Position {about}: die Zeile schließt nicht an das vorige Ereignis des Mandats an.",
        "times": "Die Zeiten laufen rückwärts.",
        "stream": "Position {about}: davor fehlt ein Ereignis desselben Vorgangs.",
        "address": "Text {about}: die Adresse ist nicht der Hash des Texts.",
        "uncited": "Text {about}: keine offene Fassung nennt ihn.",
        "text": "Text {about}: er lässt sich nicht öffnen oder ist nicht der erfasste.",
        "quotes": "Die Zitate sind nicht die der gezeigten Antworten.",
        "quote": "Zitat {about}: so steht es nicht im Text.",
        "held_signature": "Der vorgelegte Prüfpunkt ist von keinem der Schlüssel signiert.",
        "held_origin": "Der vorgelegte Prüfpunkt gehört zu einem anderen Journal.",
        "held_newer": "Der vorgelegte Prüfpunkt ist neuer ({about} Ereignisse): das Bündel ist alt, oder das Journal "
        "wurde gekürzt. Verlangen Sie ein neues.",
        "held_unproven": "Für den vorgelegten Prüfpunkt ({about} Ereignisse) fehlt der Beweis.",
        "held_differs": "Der vorgelegte Prüfpunkt ({about} Ereignisse) gehört zu einer anderen Geschichte.",
    },
    "en": {
        "intact": "Intact: {file}",
        "broken": "NOT intact: {file}",
        "unreadable": "{file} cannot be read: {reason}",
        "reason_file": "It is no audit bundle (a ZIP file with README.txt, report.html, bundle.json and seal.txt).",
        "reason_json": "Its content is not valid JSON.",
        "reason_shape": "Its content is not of the form “fundstelle bundle 1”.",
        "reason_key": "It is no verifier key of the form NAME+ID+KEY.",
        "reason_note": "It is no signed checkpoint.",
        "reason_checkpoint": "It is no checkpoint.",
        "reason_size": "The file is larger than 512 MB.",
        "reason_unpacked": "What is packed in it is too large.",
        "reason_keys": "It names more keys than there ever were.",
        "reason_missing": "The file is missing or cannot be accessed.",
        "rows": "Events {first} to {last} of the mandate, without a gap: {open} open, {sealed} sealed, {hidden} as a "
        "hash only; besides {cited} cited versions, {texts} texts, {quotes} quotes.",
        "tree": "Checkpoint {origin}: {size} events, root {root}, signed by {signed_by}.",
        "untrusted": "WARNING: the key comes from the bundle itself and was compared with none that you trust. Whoever "
        "forges a bundle puts a key of their own in. Get the key by another way and name it with --key.",
        "unheld": "WARNING: without a checkpoint kept elsewhere (--checkpoint) everything rests on the operator's "
        "signature alone; whether the operator has rewritten history does not show.",
        "held": "The checkpoint given, over {protected} events, is contained in this one.",
        "tail": "Not yet protected: {tail} of the events shown lie behind position {protected} and rest on the "
        "operator's signature alone.",
        "edge_from": "Not shown: whether another event falls into the period before the first one.",
        "edge_to": "Not shown: whether another event falls into the period after the last one.",
        "run": "Run {run}: “{question}” → {end}",
        "AnswerDelivered": "answered",
        "AnswerRefused": "not answered",
        "RunFailed": "failed",
        "…": "no end shown",
        "fault": "Fault ({fault}): {words}",
        "more": "… and {count} more.",
        "bytes": "The file holds bytes that do not belong to the bundle.",
        "seal": "One of the files is not the one that was sealed.",
        "seal_signature": "The seal is not signed by any of the keys.",
        "signature": "The checkpoint is not signed by any of the keys.",
        "hash": "Position {about}: the row does not match its hash.",
        "header": "Position {about}: mandate or number stand otherwise in the stored row.",
        "time": "Position {about}: the time stands otherwise in the stored row.",
        "content": "Position {about}: the key does not open the content.",
        "plain": "Position {about}: the content shown is not the one stored.",
        "order": "The rows are not in their order, or one lies behind the checkpoint.",
        "root": "The rows and their proof do not give the root of the checkpoint.",
        "earlier": "The earlier checkpoint over {about} events is not contained in this one.",
        "gap": "The numbers of the mandate have a gap.",
        "stranger": "A row belongs neither to the mandate nor to a cited version.",
        "previous": "Position {about}: the row does not follow the mandate's previous event.",
        "times": "The times run backwards.",
        "stream": "Position {about}: an event of the same course is missing before it.",
        "address": "Text {about}: the address is not the hash of the text.",
        "uncited": "Text {about}: no open version names it.",
        "text": "Text {about}: it does not open, or is not the one recorded.",
        "quotes": "The quotes are not those of the answers shown.",
        "quote": "Quote {about}: that is not what the text says there.",
        "held_signature": "The checkpoint given is not signed by any of the keys.",
        "held_origin": "The checkpoint given belongs to another journal.",
        "held_newer": "The checkpoint given is newer ({about} events): the bundle is old, or the journal was "
        "truncated. Ask for a new one.",
        "held_unproven": "The proof for the checkpoint given ({about} events) is missing.",
        "held_differs": "The checkpoint given ({about} events) belongs to another history.",
    },
}
_MOST_SHOWN: Final = 20


def _lines(finding: Finding, file: str, words: dict[str, str]) -> Iterator[str]:
    facts = finding.facts | {"signed_by": ", ".join(finding.facts["signed_by"]) or "–"}
    yield words["broken" if finding.faults else "intact"].format(file=file)
    for fault, about in finding.faults[:_MOST_SHOWN]:
        yield words["fault"].format(fault=fault, words=words[fault].format(about=about))
    if len(finding.faults) > _MOST_SHOWN:
        yield words["more"].format(count=len(finding.faults) - _MOST_SHOWN)
    told = [] if finding.faults else ["rows", "tree"]
    told += [] if facts["key_trusted"] else ["untrusted"]
    if not finding.faults:
        told += (["held"] + ["tail"] * bool(facts["tail"])) if facts["held"] else ["unheld"]
        told += [f"edge_{name}" for name in facts["edges_open"]]
    yield from (words[one].format(**facts) for one in told)
    runs = facts["runs"][: 0 if finding.faults else _MOST_SHOWN]
    yield from (words["run"].format(**run | {"end": words[run["end"]]}) for run in runs)


def _read(file: Path) -> bytes:
    try:
        # Asked before opening: a pipe would wait for a writer, a device may never end.
        if not file.is_file():
            raise UnreadableError("missing")
        if file.stat().st_size > LARGEST:
            raise UnreadableError("size")
        return file.read_bytes()
    except (OSError, ValueError):
        raise UnreadableError("missing") from None


def _keys(file: Path) -> list[Key]:
    lines = (line.strip() for line in _read(file).decode().split("\n"))
    found = [Key.of(line) for line in lines if line and not line.startswith("#")]
    if not found:
        raise UnreadableError("key")
    return found


def _note(file: Path) -> str:
    held = _read(file).decode()
    checkpoint(signers(held, ())[0])
    return held


def _checked(arguments: argparse.Namespace) -> Finding:
    """Check the files named on the command line; whatever cannot be read is told by its file and a reason."""
    file, reason = arguments.key, "key"
    try:
        trusted = [] if file is None else _keys(file)
        file, reason = arguments.checkpoint, "note"
        held = None if file is None else _note(file)
        file, reason = arguments.file, "shape"
        return verify(_read(file), trusted, held)
    except UnreadableError as error:
        raise UnreadableError(str(file), str(error)) from None
    except (ArithmeticError, LookupError, RecursionError, TypeError, ValueError, AttributeError, MemoryError):
        raise UnreadableError(str(file), reason) from None


def main(argv: Sequence[str] | None = None) -> int:
    """Check a bundle and return the exit code."""
    local = next((os.environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if os.environ.get(name)), "")
    parser = argparse.ArgumentParser("fundstelle-verify", description="0 intact, 1 not intact, 2 unreadable")
    parser.add_argument("file", type=Path, metavar="FILE")
    for option in ("--checkpoint", "--key"):
        parser.add_argument(option, type=Path, metavar="FILE")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--lang", choices=sorted(_WORDS), default="en" if local.startswith("en") else "de")
    arguments = parser.parse_args(argv)
    sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]  # no terminal refuses a character
    words = _WORDS[arguments.lang]
    try:
        finding = _checked(arguments)
    except UnreadableError as error:
        file, reason = error.args
        message = words["unreadable"].format(file=file, reason=words[f"reason_{reason}"])
        _print(
            json.dumps({"intact": None, "error": {"key": reason, "message": message}}) if arguments.json else message
        )
        return 2
    if arguments.json:
        faults = [
            {"check": fault, "about": about, "message": words[fault].format(about=about)}
            for fault, about in finding.faults
        ]
        _print(json.dumps({"intact": not faults, "faults": faults, **finding.facts}, ensure_ascii=True))
    else:
        _print(*_lines(finding, str(arguments.file), words))
    return 1 if finding.faults else 0


def _print(*lines: str) -> None:
    """Print without letting control characters of others reach the terminal."""
    try:
        for line in lines:
            sys.stdout.write(re.sub(r"[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", " ", line) + "\n")
        sys.stdout.flush()
    except BrokenPipeError:
        # Python flushes once more on its way out; that must not meet the closed pipe again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
