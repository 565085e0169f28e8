"""Bad input, one row a kind: the exit code of the contract and a sentence that says what to do.

The command line of a row is split as a shell does; ``{files}`` is a folder with broken files, ``{data}`` the data
folder. In the installation there are mandates M and N (ours), Fremd (somebody else's) and the library L, whose
levels M lacks; ben is a member of M, and the channel #bound belongs to N. ``says`` is part of the German text.
"""

import json
import os
import re
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import pytest

from bot.text import texts
from tests.e2e.program import Program


class Bad(NamedTuple):
    """A command line that must fail."""

    line: str
    code: int
    says: str


FOREIGN = "Das gibt es hier nicht"

BAD = (
    # The grammar
    Bad("mandat", 2, "Möglich: init"),
    Bad("mandate", 2, "Es fehlt: BEFEHL"),
    Bad("mandate frobnicate", 2, "gibt es nicht"),
    Bad("mandate show", 2, "Es fehlt: M"),
    Bad("mandate show M N", 2, "Unbekannt: N"),
    Bad("mandate show M --at", 2, "hier fehlt ein Wert"),
    Bad("mandate list --frobnicate", 2, "Unbekannt: --frobnicate"),
    Bad("mandate list --lan en", 2, "Unbekannt: --lan"),
    Bad("mandate list --lang fr", 2, "Möglich: de, en"),
    Bad("mandate admit M anna", 2, "Es fehlt: --clearance"),
    Bad("level define M", 2, "Es fehlt: LEVEL"),
    Bad("policy set M coverage 0,9", 2, "Es fehlt: --because"),
    # Data folder and configuration
    Bad("mandate list --data {files}/nowhere", 2, "fundstelle init"),
    Bad("mandate list --data {files}/broken.toml", 2, "--data"),
    Bad("init --data {files}/broken.toml", 2, "--data"),
    Bad("mandate list --data {files}/newer", 2, "Version des Programms"),
    Bad("mandate list --config {files}/nowhere.toml", 2, "--config"),
    Bad("mandate list --config {files}/broken.toml", 2, "kein gültiges TOML"),
    Bad("mandate list --config {files}/pipe", 2, "--config"),
    Bad("mandate list --config /dev/zero", 2, "--config"),
    Bad("mandate list --config {files}/latin.toml", 2, "kein gültiges TOML"),
    Bad("mandate list --config {files}/section.toml", 2, "Bekannt sind: journal, matrix, models, postgres"),
    Bad("mandate list --config {files}/key.toml", 2, "postgres.url"),
    Bad("mandate list --config {files}/type.toml", 2, "falsche Art"),
    Bad("mandate list --config {files}/flat.toml", 2, "falsche Art"),
    Bad("mandate list --config {files}/password.toml", 2, "Passwortdatei"),
    Bad("mandate list --config {files}/url.toml", 2, "postgresql://"),
    Bad("mandate list --config {files}/silent.toml", 3, "Datenbank"),
    Bad("serve", 2, "keine Chat-Plattform"),
    Bad("rebuild", 2, "Es fehlt: PROJECTION"),
    Bad("rebuild frobnicate", 2, "knowledge"),
    Bad("backup {files}", 2, "nicht leer"),
    Bad("backup {files}/broken.toml", 2, "anderen Ordner"),
    Bad("backup /proc/x", 2, "anderen Ordner"),
    Bad("backup {files}/b --data {files}/nowhere", 2, "fundstelle init"),
    Bad("restore {files}/nowhere", 2, "fundstelle backup"),
    Bad("restore {files}", 2, "keine vollständige Sicherung"),
    Bad("restore {files}/cut --data {files}/nowhere", 2, "beschädigt"),
    Bad("doctor --data {files}/nowhere", 2, "fundstelle init"),
    # Who acts
    Bad("mandate list --actor 'a b'", 2, "kein Benutzername"),
    Bad("mandate list --actor ''", 2, "kein Benutzername"),
    Bad("mandate admit M '@anna' --clearance public", 2, "kein Benutzername"),
    # Mandates
    Bad("mandate open 'a b'", 2, "kein Mandatsschlüssel"),
    Bad("mandate open ''", 2, "kein Mandatsschlüssel"),
    Bad("mandate open m", 2, "vergeben"),
    Bad("mandate open X --name ''", 2, "--name"),
    Bad("mandate open X --time-zone Mars/Olympus", 2, "Europe/Berlin"),
    Bad("mandate show nirgends", 2, FOREIGN),
    Bad("mandate show Fremd", 2, FOREIGN),
    Bad("mandate show M --actor fremde", 2, FOREIGN),
    Bad("mandate remove M ben --actor ben", 2, FOREIGN),
    Bad("mandate show M --at gestern", 2, "2026-01-31"),
    Bad("mandate show M --at 2999-01-01", 2, "Zukunft"),
    Bad("mandate show M --at 2026-02-30", 2, "kein Tag"),
    Bad("mandate show M --at 2026-01-31T12:00", 2, "Zeitverschiebung"),
    Bad("mandate show M --at 2000-01-01", 2, "noch nicht"),
    Bad("mandate subscribe M N", 2, FOREIGN),
    Bad("mandate subscribe M M", 2, "ohnehin"),
    Bad("mandate subscribe M L", 2, "fundstelle level define M"),
    Bad("mandate admit M ben --clearance public", 2, "schon zugelassen"),
    Bad("mandate admit M anna --clearance geheim", 2, "public, internal, confidential, secret"),
    Bad("mandate clear M anna public", 2, "nicht zugelassen"),
    Bad("mandate clear M ben Public", 2, "public, internal, confidential, secret"),
    Bad("mandate role M ben chef", 2, "administrator, compliance"),
    Bad("mandate role M {me} member", 2, "letzte Person"),
    Bad("mandate remove M {me}", 2, "letzte Person"),
    Bad("mandate bind M '#bound' --ceiling public", 2, "bereits gebunden"),
    Bad("mandate bind M '' --ceiling public", 2, "Kanal ist leer"),
    Bad("mandate bind M '#x' --ceiling geheim", 2, "public, internal, confidential, secret"),
    Bad("mandate unbind '#nirgends'", 2, FOREIGN),
    Bad("mandate release-domain M https://a.example", 2, "keine Domain"),
    # Levels and policies
    Bad("level list nirgends", 2, FOREIGN),
    Bad("level define M public secret", 2, "in ihrer Reihenfolge"),
    Bad("level define M public internal confidential secret SECRET", 2, "zweimal"),
    Bad("level define M public internal confidential secret streng", 2, "Über der höchsten Stufe"),
    Bad("level define M public internal confidential secret 'a b'", 2, "kein Name einer Stufe"),
    Bad("policy show Fremd", 2, FOREIGN),
    Bad("policy pending M --actor ben", 2, FOREIGN),
    Bad("policy set M frobnicate 0,5 --because x", 2, "relevance, coverage"),
    Bad("policy set M coverage 80 --because x", 2, "von 0 bis 1"),
    Bad("policy set M coverage nan --because x", 2, "von 0 bis 1"),
    Bad("policy set M coverage 0,9 --because ' '", 2, "--because"),
    # Questions, searches and runs
    Bad("ask --mandate M", 2, "--batch"),
    Bad("ask Frist --mandate M --batch {files}/empty.jsonl", 2, "schließen sich aus"),
    Bad("ask '' --mandate M", 2, "weder Buchstaben noch Ziffern"),
    Bad("ask ' \u00ad\u200b ' --mandate M", 2, "weder Buchstaben noch Ziffern"),
    Bad("search '?! …' --mandate M", 2, "weder Buchstaben noch Ziffern"),
    Bad(f"ask {'Frist' * 20_000} --mandate M", 2, "höchstens 4000"),
    Bad("ask 'Frist\x07' --mandate M", 2, "Steuerzeichen"),
    Bad("ask Frist --mandate nirgends", 2, FOREIGN),
    Bad("ask Frist --mandate Fremd", 2, FOREIGN),
    Bad("ask Frist --mandate M --as niemand", 2, FOREIGN),
    Bad("ask Frist --mandate M --scope N", 2, FOREIGN),
    Bad("ask Frist --mandate M --scope M,,N", 2, "--scope"),
    Bad("ask Frist --mandate M --document nirgends", 2, FOREIGN),
    Bad("ask Frist --mandate M --document a@b", 2, "ohne @"),
    Bad("ask Frist --mandate M --channel '#bound'", 2, FOREIGN),
    Bad("ask Frist --mandate M --at 2999-01-01", 2, "Zukunft"),
    Bad("search Frist --mandate M --valid-on 31.01.2026", 2, "Jahr-Monat-Tag"),
    Bad("ask Frist --mandate M --context -1", 2, "0 bis"),
    Bad("ask --batch {files}/nowhere.jsonl --mandate M", 2, "lässt sich nicht lesen"),
    Bad("ask --batch {files}/pipe --mandate M", 2, "keine gewöhnliche Datei"),
    Bad("ask --batch /dev/zero --mandate M", 2, "keine gewöhnliche Datei"),
    Bad("search --batch {files}/empty.jsonl --mandate M", 2, "keine Zeile"),
    Bad("chat --mandate nirgends", 2, FOREIGN),
    Bad("run show 7", 2, "keine Kennung"),
    Bad("run show 00000000-0000-4000-8000-000000000000", 2, FOREIGN),
    Bad("run list --mandate Fremd", 2, FOREIGN),
    Bad("run list --mandate M --from gestern", 2, "kein Zeitpunkt"),
    Bad("run list --mandate M --from 2999-01-01", 2, "Zukunft"),
    Bad("run list --mandate M --from 9999-12-31T23:59-12:00", 2, "kein Zeitpunkt"),
    Bad("run list --mandate M --to 2999-01-01", 2, "Zukunft"),
    Bad("run list --mandate M --at 2999-01-01T00:00+23:59", 2, "Zukunft"),
    Bad("run list --mandate M --person 'a b'", 2, "kein Benutzername"),
)

FILES = {
    "empty.jsonl": b"\n \n",
    "broken.toml": b"[postgres",
    "latin.toml": b"# \xfc",
    "section.toml": b"[postgre]\nurl = 'x'",
    "key.toml": b"[postgres]\nuri = 'x'",
    "type.toml": b"[postgres]\nurl = 5",
    "flat.toml": b"postgres = 'x'",
    "password.toml": b"[postgres]\nurl = 'postgresql://u@127.0.0.1:1/d'\npassword_file = '/nowhere/p'",
    "url.toml": b"[postgres]\nurl = 'no address'",
    "silent.toml": b"[postgres]\nurl = 'postgresql://u:p@127.0.0.1:1/d'",
    "newer/format": b"99\n",
    "cut/backup.json": b'{"format":1,"events":1',
}


@dataclass(frozen=True)
class World:
    """An installation with the mandates that the rows speak of."""

    program: Program
    files: Path
    me: str
    recorded: int

    def arguments(self, line: str) -> list[str]:
        return [part.format(files=self.files, me=self.me, data=self.program.data) for part in shlex.split(line)]


@pytest.fixture(scope="module")
def world(shared_program: Program, tmp_path_factory: pytest.TempPathFactory) -> World:
    files = tmp_path_factory.mktemp("files")
    for name, content in FILES.items():
        (files / name).parent.mkdir(exist_ok=True)
        (files / name).write_bytes(content)
    os.mkfifo(files / "pipe")
    run = shared_program.must
    for key in ("M", "N"):
        run("mandate", "open", key)
    run("mandate", "open", "L", "--library")
    run("level", "define", "L", "public", "internal", "confidential", "streng", "secret")
    run("mandate", "open", "Fremd", "--actor", "cara")
    run("mandate", "admit", "M", "ben", "--clearance", "internal")
    run("mandate", "bind", "N", "#bound", "--ceiling", "public")
    shown = run("mandate", "show", "N", "--json").json
    return World(shared_program, files, shown["members"][0]["user"], shown["position"])


@pytest.mark.parametrize("bad", BAD, ids=[bad.line for bad in BAD])
def test_bad_input_is_told_what_to_do(world: World, bad: Bad) -> None:
    """The exit code fits, the words are there in both languages, standard output holds one JSON document."""
    outcome = world.program(*world.arguments(bad.line), "--json")

    assert outcome.code == bad.code, outcome
    assert "Traceback" not in outcome.out + outcome.err
    error = outcome.json["error"]
    assert bad.says in error["message"]
    assert error["message"] in outcome.err
    assert not re.search(r"[{}]", error["message"]), "a placeholder was left open"
    template = texts("en")._entries[f"errors.{error['key']}"]
    assert template
    assert template != texts("de")._entries[f"errors.{error['key']}"]


def test_arguments_that_are_no_text(world: World) -> None:
    """Bytes that are no UTF-8 are refused with a sentence, and the reply is still JSON."""
    outcome = world.program("mandate", "open", "a\udcff", "--json")
    assert outcome.code == 2
    assert json.loads(outcome.out)["error"]["key"] == "argument_text"


def test_bad_input_changes_nothing(world: World) -> None:
    """Nothing has been recorded by the rows above."""
    assert world.program.must("mandate", "show", "M", "--json").json["position"] == world.recorded
