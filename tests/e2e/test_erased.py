"""What is erased is nowhere: a detector that finds it in every form before finds nothing after.

The detector proves itself first, on what the program has written and on forms planted for it.
"""

import asyncio
import base64
import gzip
import shutil
import struct
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from uuid import UUID, uuid4

import psycopg
import pytest
from psycopg.rows import dict_row

from adapters.eventstore.keys import OwnerKind, WrappedOwnerKey
from adapters.eventstore.master_files import load_master_key
from adapters.postgres.database import Database, open_database
from adapters.postgres.layout import find_home
from bot.config import Settings
from bot.wiring import open_app
from domain.erasing.events import RUN, VERSION, Due
from domain.erasing.ports import Order
from domain.journal.erasures import MANDATE, PERSON
from domain.journal.events import ErasureOrdered
from domain.knowledge.events import VersionIngested
from tests.detector import Detector, Trace, plain
from tests.e2e.program import Program
from tests.servers import reachable_folder, wait_until_stopped

WORD = "qxvorblazint"
PERSON_NAME = "wkrumpelstz"
OURS = """# Kündigung von Qxvorblazint

## Fristen des Qxvorblazints

Die Kündigungsfrist für ein Qxvorblazint beträgt drei Monate zum Ende des Versicherungsjahres.
"""
THEIRS = "# Archiv\n\nDas Archiv ist werktags von acht bis zwölf Uhr geöffnet.\n"
QUESTION = "Welche Kündigungsfrist gilt für ein Qxvorblazint?"
OTHER_QUESTION = "Welche Kündigungsfrist gilt zum Ende des Versicherungsjahres?"


@dataclass
class Place:
    """An installation, what was made in it, and a backup of all that with its keys."""

    program: Program
    backup: Path
    runs: dict[str, str] = field(default_factory=dict)

    @property
    def folders(self) -> list[Path]:
        home = find_home(self.program.data).folder
        return [self.program.data] if home == self.program.data else [self.program.data, home]


def written(program: Program, sql: str, *values: object) -> list[dict[str, object]]:
    """Ask the database as its superuser, once all is in its files."""
    database = open_database(program.data, None)
    try:
        with psycopg.connect(database.admin.conninfo, autocommit=True, row_factory=dict_row) as connection:
            connection.execute("SET search_path = fundstelle, public")
            found = connection.execute(sql, values or None)
            rows = found.fetchall() if found.description else []
            connection.execute("CHECKPOINT")
            return rows
    finally:
        asyncio.run(database.close())


@pytest.fixture
def place(program: Program, tmp_path: Path) -> Place:
    """A library with the word in key, title, headings and text; a mandate that reads it.

    People ask in both; who asks in the library says the word.
    """
    program.must("mandate", "open", "L", "--library")
    program.must("mandate", "open", "N")
    program.must("mandate", "subscribe", "N", "L")
    for mandate in ("L", "N"):
        program.must("mandate", "admit", mandate, PERSON_NAME, "--clearance", "internal")
    for number in range(3):
        file = tmp_path / f"text{number}.md"
        file.write_text(OURS.replace("drei", ("drei", "vier", "fünf")[number]), encoding="utf-8")
        title = f"Handbuch Qxvorblazint {number}"
        program.must(
            "ingest", file, "--mandate", "L", "--level", "internal",
            "--document", f"qxvorblazint-{number}", "--title", title, "--url", f"https://x.example/qxvorblazint/{number}",
        )  # fmt: skip
    theirs = tmp_path / "archiv.md"
    theirs.write_text(THEIRS, encoding="utf-8")
    program.must("ingest", theirs, "--mandate", "N", "--level", "internal", "--document", "archiv")
    made = Place(program, tmp_path / "backup")
    for name, mandate, more in (("own", "L", ()), ("other", "N", ()), ("person", "N", ("--as", PERSON_NAME))):
        question = QUESTION if mandate == "L" else OTHER_QUESTION
        made.runs[name] = program.must("ask", question, "--mandate", mandate, *more, "--json").json["run"]
    written(program, "ANALYZE")
    program.must("backup", made.backup)
    return made


def detector(place: Place, kind: str, name: str) -> Detector:
    """Look for the word and for all key material of its owner, as it lies in the database now."""
    owner = written(
        place.program,
        "SELECT key_id, owner, wrapped FROM keyring WHERE kind = %s AND owner = %s", kind, _owner(place, kind, name),
    )  # fmt: skip
    secrets = {"wrapped key of the owner": owner[0]["wrapped"]}
    master = load_master_key(place.program.data / "keys" / "master.key", {})
    row = WrappedOwnerKey(owner[0]["key_id"], OwnerKind(kind), owner[0]["owner"], owner[0]["wrapped"])  # type: ignore[arg-type]
    secrets["key of the owner"] = master.opened(row).secret
    if kind == "mandate":
        sql = "SELECT embedding::text AS vector FROM passage_vectors WHERE mandate = %s LIMIT 1"
        (row,) = written(place.program, sql, owner[0]["owner"])
        numbers = [float(number) for number in str(row["vector"]).strip("[]").split(",")][:64]
        # As it lies in a row: halves, little-endian.
        secrets["vector"] = struct.pack(f"<{len(numbers)}e", *numbers)
    return Detector(WORD if kind == "mandate" else PERSON_NAME, secrets)  # type: ignore[arg-type]


def _owner(place: Place, kind: str, name: str) -> UUID:
    async def found() -> UUID:
        async with open_app(Settings(place.program.data, "de")) as app:
            if kind == "mandate":
                return (await app.mandates.find(name)).id
            person = await app.people.find(name)
            assert person is not None
            return person

    return asyncio.run(found())


def erase(place: Place, kind: str, subject: UUID) -> None:
    """Carry an erasure out, as if two people had agreed on it."""

    async def done() -> None:
        async with open_app(Settings(place.program.data, "de")) as app:
            order = ErasureOrdered(uuid4(), kind, subject, uuid4(), None, "Ende der Aufbewahrung")
            await app.erasures.carry_out(order, await app.actor())

    asyncio.run(done())


def dumped(*dumps: Path) -> list[str]:
    return [plain(dump) for dump in dumps]


def traces(place: Place, found: Detector, *, keys: Path) -> set[Trace]:
    """Everything that the detector finds: in files, in indexes, and opened by every master key and key there is."""
    masters = [
        load_master_key(file, {}) for file in (place.program.data / "keys" / "master.key", keys / "keys" / "master.key")
    ]
    written(place.program, "SELECT 1")
    live = place.backup.with_name("live")
    place.program.must("backup", live)
    try:
        opened = found.tables(dumped(live / "database.dump", live / "keys" / "keys.dump"), masters, "live")
    finally:
        shutil.rmtree(live)
    older = found.tables(dumped(place.backup / "database.dump", keys / "keys.dump"), masters, "backup")
    return found.files([*place.folders, place.backup]) | found.indexes(place.folders) | opened | older


def test_the_detector_finds_every_form(tmp_path: Path) -> None:
    """Planted one by one: each form is found, and a file without the word is not."""
    found = Detector(WORD, {"secret": b"\x01\x02\x03\x04" * 8})
    text = f"Ein {WORD} steht hier."
    forms = {
        "plain": text.encode(),
        "utf-16": text.encode("utf-16"),
        "hexadecimal": text.encode().hex().encode(),
        "base64": base64.b64encode(text.encode()),
        "zlib": b"\x00" * 5 + zlib.compress(text.encode() * 3) + b"rest",
        "gzip": gzip.compress(text.encode() * 3),
        "secret": b"x" + b"\x01\x02\x03\x04" * 8,
        "upper": text.upper().encode(),
    }
    for name, content in forms.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "nothing").write_bytes(b"Hier steht nichts." * 100)
    places = {Path(one.place).name for one in found.files([tmp_path])}
    assert places == set(forms)


def test_the_detector_sees_what_postgresql_packs(database: Database) -> None:
    """A value that lies packed in its row, and one that lies beside its table, are found in the files."""
    with psycopg.connect(database.admin.conninfo, autocommit=True) as connection:
        connection.execute("CREATE TABLE values (number integer, value text)")
        words = [" ".join(uuid4().hex for _ in range(20)) * 6, " ".join(uuid4().hex for _ in range(120))]
        for number, text in enumerate(words):
            connection.execute("INSERT INTO values VALUES (%s, %s)", (number, f"Ein Qxvorblazint {text}"))
        connection.execute("CHECKPOINT")
        row = connection.execute(
            "SELECT current_setting('data_directory'), pg_relation_filepath(oid), pg_relation_filepath(reltoastrelid) "
            "FROM pg_class WHERE relname = 'values'"
        ).fetchone()
    assert row is not None
    packed, beside = (Path(row[0]) / name for name in row[1:])
    found = {(Path(one.place).name, one.form) for one in Detector(WORD).files([packed.parent])}
    assert {(packed.name, "pglz"), (beside.name, "plain")} <= found


def test_an_erased_mandate_is_nowhere(place: Place) -> None:
    """Found before in heap, log, index, dumps and decrypted; found nowhere after; the rest of the store is whole."""
    program = place.program
    found = detector(place, "mandate", "L")
    before = traces(place, found, keys=place.backup / "keys")
    forms = {one.form for one in before}
    assert {"plain", "term", "decrypted event", "decrypted text", "wrapped key of the owner", "vector"} <= forms
    assert any("/pg_wal/" in one.place and one.form == "plain" for one in before)
    assert any("/base/" in one.place and one.form == "plain" for one in before)
    assert any("/base/" in one.place and one.form == "wrapped key of the owner" for one in before)
    assert {"live", "backup"} <= {one.place for one in before if one.form == "decrypted event"}

    erase(place, MANDATE, _owner(place, "mandate", "L"))
    newest = _with_newest_keys(place)

    assert traces(place, found, keys=newest) == set()
    assert program.must("journal", "verify", "--json").code == 0
    _goes_on_without_it(place)
    for view in ("knowledge", "passages", "weights", "sections", "lexical", "subwords", "runs"):
        program.must("rebuild", view)
    _goes_on_without_it(place)
    assert traces(place, found, keys=newest) == set()


def _with_newest_keys(place: Place) -> Path:
    """Do what the operator has to: the keys of a new backup take the place of the older ones."""
    after = place.backup.with_name("after")
    place.program.must("backup", after)
    shutil.rmtree(place.backup / "keys")
    shutil.copytree(after / "keys", place.backup / "keys")
    shutil.rmtree(after)
    return place.backup / "keys"


def _goes_on_without_it(place: Place) -> None:
    """The mandate is not there, who subscribed to it has the rest, and what quoted it says that it is gone."""
    program = place.program
    gone, absent = (program("known", "--mandate", name, "--json") for name in ("L", "nirgends"))
    assert (gone.code, gone.json["error"]["key"]) == (absent.code, absent.json["error"]["key"])
    known = program.must("known", "--mandate", "N", "--json").json["documents"]
    assert [one["document"] for one in known] == ["archiv"]
    shown = program.must("run", "show", place.runs["other"], "--json")
    assert shown.json["erased"] is True
    assert shown.json["question"] == OTHER_QUESTION
    assert WORD not in shown.out.lower()
    assert "gelöscht" in program.must("run", "show", place.runs["other"]).out
    assert program("run", "show", place.runs["own"]).code == 2
    assert program("run", "replay", place.runs["other"], "--json").json["error"]["key"] == "answer_erased"
    assert program("run", "resume", place.runs["other"], "--json").json["error"]["key"] == "answer_erased"
    assert program.must("ask", "Wann ist das Archiv geöffnet?", "--mandate", "N", "--json").json["outcome"]
    assert program.must("doctor", "--json").json["ok"]
    listed = program.must("run", "list", "--mandate", "N", "--json").json["runs"]
    assert all(one["outcome"] for one in listed)


def test_a_backup_from_before_gives_back_the_rest(place: Place) -> None:
    """With the newest keys the old data is restored without what was erased since, and the journal verifies."""
    found = detector(place, "mandate", "L")
    erase(place, MANDATE, _owner(place, "mandate", "L"))
    _with_newest_keys(place)

    with _restored(place.backup) as other:
        assert other("known", "--mandate", "L").code == 2
        known = other.must("known", "--mandate", "N", "--json").json["documents"]
        assert [one["document"] for one in known] == ["archiv"]
        assert other.must("journal", "verify", "--json").code == 0
        home = find_home(other.data).folder
        assert found.files({other.data, home}) | found.indexes([other.data]) == set()


@contextmanager
def _restored(folder: Path) -> Iterator[Program]:
    with reachable_folder() as place:
        other = Program(place / "data")
        assert other.must("restore", folder, "--json").json["erased"] > 0
        yield other
        assert wait_until_stopped(other.data)


def test_an_erased_person_is_nowhere(place: Place) -> None:
    """Identity and questions are gone, what others asked stays, and the next sight is somebody else."""
    program = place.program
    found = detector(place, "person", PERSON_NAME)
    before = {one.form for one in traces(place, found, keys=place.backup / "keys")}
    assert {"decrypted identity", "wrapped key of the owner"} <= before
    person = _owner(place, "person", PERSON_NAME)

    erase(place, PERSON, person)
    newest = _with_newest_keys(place)

    assert traces(place, found, keys=newest) == set()
    assert program.must("journal", "verify", "--json").code == 0
    listed = {one["run"]: one for one in program.must("run", "list", "--mandate", "N", "--json").json["runs"]}
    assert place.runs["person"] not in listed
    assert listed[place.runs["other"]]["question"] == OTHER_QUESTION
    program.must("mandate", "admit", "N", PERSON_NAME, "--clearance", "internal")
    assert _owner(place, "person", PERSON_NAME) != person


def test_an_erased_version_is_nowhere(place: Place, tmp_path: Path) -> None:
    """Text, titles, words, vectors and what answers quote of one version go, all else of its document stays right.

    So do the answers that were given without it.
    """
    program, data = place.program, place.program.data
    file = tmp_path / "kurz.md"

    def ingest(text: str, title: str) -> None:
        file.write_text(f"# Preise\n\n{text}\n", encoding="utf-8")
        program.must("ingest", file, "--mandate", "N", "--level", "internal", "--document", "preise", "--title", title)

    for title in ("Ybrimstolk", "Der Ybrimstolk"):
        ingest("Ein Ybrimstolk kostet drei Euro.", title)
    run = program.must("ask", "Was kostet ein Ybrimstolk?", "--mandate", "N", "--json").json["run"]
    quoting = program.must("ask", "Was kostet drei Euro?", "--mandate", "N", "--json").json
    assert (quoting["outcome"], "Ybrimstolk" in quoting["text"]) == ("answered", True)
    ingest("Ein Ruderboot kostet vier Euro.", "Boot")
    found = Detector("ybrimstolk")
    assert {"plain", "term", "decrypted text"} <= {one.form for one in traces(place, found, keys=place.backup / "keys")}

    async def erase_records() -> None:
        async with open_app(Settings(data, "de")) as app:
            mandate = await app.mandates.find("N")
            recorded = [one for one in await app.store.after(0, 10_000) if one.mandate == mandate.id]
            versions = [one for one in recorded if isinstance(one.event, VersionIngested)]
            first = next(one for one in versions if one.event.title == "Ybrimstolk")
            due = [
                Due(VERSION, first.stream, first.position, None, date(2026, 1, 1)),
                Due(RUN, UUID(run), 0, None, date(2026, 1, 1)),
            ]
            await app.eraser.records(due, Order(uuid4(), mandate.id, await app.actor()))

    asyncio.run(erase_records())
    newest = _with_newest_keys(place)

    assert traces(place, found, keys=newest) == set()
    assert program("run", "show", run).code == 2
    shown = program.must("run", "show", quoting["run"], "--json").json
    assert (shown["erased"], shown["outcome"], shown["question"]) == (True, "answered", "Was kostet drei Euro?")
    assert program.must("run", "show", place.runs["other"], "--json").json["text"]
    known = program.must("known", "--mandate", "N", "--json").json["documents"]
    assert ("preise", 2) in {(one["document"], one["version"]) for one in known}
    listed = program.must("search", "Was kostet ein Ruderboot?", "--mandate", "N", "--json").json["lists"]
    assert {one["document"] for one in listed["bm25"]} >= {"preise"}
    file.write_text("# Preise\n\nEin Kanu kostet fünf Euro.\n", encoding="utf-8")
    again = program.must("ingest", file, "--mandate", "N", "--level", "internal", "--document", "preise", "--json").json
    assert again["version"] == 3
    assert program.must("journal", "verify", "--json").code == 0
    assert program.must("doctor", "--json").json["ok"]
