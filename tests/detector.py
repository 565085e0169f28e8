"""Looks for a word, and for keys, in everything that an installation and its backups leave on a disk.

A word is found in the clear, in UTF-16, hexadecimal and base64, inside what zlib or gzip has packed, inside values that
PostgreSQL has packed, among the terms of the search engine, and in events and texts that open with the keys that are
there. Keys and vectors are looked for byte by byte: a wrapped key in a dead row is a key.
"""

import base64
import re
import subprocess
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from uuid import UUID

from eventsourcing.persistence import StoredEvent
from tantivy import Index

from adapters.eventstore.form import associated, fields, seal_of
from adapters.eventstore.keys import MasterKey, OwnerKind, WrappedOwnerKey
from adapters.eventstore.seal import unseal
from adapters.postgres.binaries import wheel_binaries
from domain.errors import PartError

_PACKED = re.compile(rb"\x78[\x01\x5e\x9c\xda]|\x1f\x8b\x08")
_MOST_UNPACKED = 4_000_000


@dataclass(frozen=True)
class Trace:
    """Where something was found, and in which form."""

    form: str
    place: str


@dataclass
class Detector:
    """What to look for.

    Attributes:
        word: a word that stands in no file by chance, in small letters.
        secrets: keys, vectors and the like by name.
    """

    word: str
    secrets: Mapping[str, bytes] = field(default_factory=dict)

    def files(self, folders: Iterable[Path]) -> set[Trace]:
        """Look through every file of some folders, as bytes."""
        return {
            Trace(form, str(file))
            for folder in folders
            for file in sorted(folder.rglob("*"))
            if file.is_file() and not file.is_symlink()
            for form in self._forms(file.read_bytes())
        }

    def indexes(self, folders: Iterable[Path]) -> set[Trace]:
        """Look among the terms of every index of the search engine."""
        found = set()
        for meta in (file for folder in folders for file in sorted(folder.rglob("meta.json"))):
            searcher = Index.open(str(meta.parent)).searcher()
            for start in (self.word[:9], self.word[3:7]):
                found |= {
                    Trace("term", f"{meta.parent}: {term}") for term, _ in searcher.terms_with_prefix("term", start)
                }
        return found

    def tables(self, dumps: Sequence[str], masters: Sequence[MasterKey], place: str) -> set[Trace]:
        """Open every event and text of some dumps with every key that is in them, and look into it."""
        rows = Rows(dumps)
        found = set()
        for name, plaintext in rows.opened(masters):
            if self.word.encode() in plaintext.lower():
                found.add(Trace(f"decrypted {name}", place))
        return found

    def _forms(self, content: bytes) -> Iterator[str]:
        lowered = content.lower()
        for name, form in self._written():
            if form in (lowered if name != "base64" else content):
                yield name
        if any(form.search(lowered) for form in _pglz(self.word.encode())):
            yield "pglz"
        if any(self.word.encode() in packed.lower() for packed in _unpacked(content)):
            yield "packed"
        for name, secret in self.secrets.items():
            if secret in content or secret.hex().encode() in lowered or base64.b64encode(secret) in content:
                yield name

    def _written(self) -> Iterator[tuple[str, bytes]]:
        word = self.word.encode()
        yield "plain", word
        yield "utf-16", self.word.encode("utf-16-le")
        yield "utf-16", self.word.encode("utf-16-be")
        yield "hexadecimal", word.hex().encode()
        for cased in (word, word.capitalize()):
            for shift in range(3):
                # The first and last characters depend on what stands beside the word.
                yield "base64", base64.b64encode(bytes(shift) + cased)[4 if shift else 0 : -4]


class Rows:
    """Rows of our tables as a dump writes them: ``COPY table (columns) FROM stdin;`` and what follows."""

    def __init__(self, dumps: Sequence[str]) -> None:
        self._rows: dict[str, list[dict[str, str]]] = {}
        for dump in dumps:
            for table, columns, body in re.findall(
                r"^COPY fundstelle\.(\w+) \((.*?)\) FROM stdin;\n(.*?)^\\\.$", dump, re.DOTALL | re.MULTILINE
            ):
                names = columns.split(", ")
                lines = [dict(zip(names, line.split("\t"), strict=True)) for line in body.splitlines()]
                self._rows.setdefault(table, []).extend(lines)

    def of(self, table: str) -> list[dict[str, str]]:
        """Return the rows of a table."""
        return self._rows.get(table, [])

    def opened(self, masters: Sequence[MasterKey]) -> Iterator[tuple[str, bytes]]:
        """Yield the plaintexts of all events, texts and identities that the keys open."""
        owners = {}
        for row in self.of("keyring"):
            wrapped = WrappedOwnerKey(
                UUID(row["key_id"]), OwnerKind(row["kind"]), UUID(row["owner"]), _binary(row["wrapped"])
            )
            for master in masters:
                try:
                    owners[row["key_id"]] = master.opened(wrapped)
                except PartError:
                    continue
        data_keys = {
            (row["stream"], row["version"]): owners[row["key_id"]].unwrap(_binary(row["wrapped"]), b"event")
            for row in self.of("event_keys")
            if row["key_id"] in owners
        }
        for row in self.of("stored_events"):
            key = data_keys.get((row["originator_id"], row["originator_version"]))
            if key is not None:
                state, stream = _binary(row["state"]), UUID(row["originator_id"])
                stored = StoredEvent(stream, int(row["originator_version"]), row["topic"], state)
                bound = associated(UUID(bytes=state[4:20]), stream, stored.originator_version, stored.topic)
                yield "event", unseal(key, seal_of(state), bound)
        contents = {row["address"]: row for row in self.of("blobs")}
        for row in self.of("blob_keys"):
            blob = contents.get(row["address"])
            if blob is not None and row["key_id"] in owners:
                key = owners[row["key_id"]].unwrap(_binary(row["wrapped"]), b"blob")
                bound = fields(b"FSB\x01", UUID(row["mandate"]).bytes)
                yield "text", unseal(key, _binary(blob["content"]).removeprefix(b"FSB\x01"), bound)
        for row in self.of("people"):
            if row["key_id"] in owners:
                bound = fields(b"fundstelle identity 1", UUID(row["person"]).bytes)
                yield "identity", unseal(owners[row["key_id"]].identity_key(), _binary(row["identity"]), bound)


def plain(dump: Path) -> str:
    """Return a dump as text."""
    command = [wheel_binaries().folder / "pg_restore", "-f", "-", dump]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def _binary(text: str) -> bytes:
    return bytes.fromhex(text.removeprefix("\\\\x"))


def _unpacked(content: bytes) -> Iterator[bytes]:
    for start in _PACKED.finditer(content):
        unpacking = zlib.decompressobj(wbits=47)
        try:
            yield unpacking.decompress(content[start.start() :], _MOST_UNPACKED)
        except zlib.error:
            continue


def _pglz(word: bytes) -> list[re.Pattern[bytes]]:
    """Return what the word looks like among literals of PostgreSQL's own packing: a control byte before each eight."""
    found = []
    for first in range(1, 9):
        cuts = [word[:first], *(word[start : start + 8] for start in range(first, len(word), 8))]
        found.append(re.compile(b".".join(re.escape(cut) for cut in cuts if cut), re.DOTALL))
    return found
