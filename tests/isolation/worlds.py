"""The same history told twice, with other words wherever somebody must not look.

Rings tell who may see how much: everything of a ring and of those below it is closed to its people.

0  of the mandate A everything; closed to everybody here
1  documents of B at the level ``secret`` with all that was done with them; closed to Cora and Dora
2  what only administrators and compliance see of B; closed to Ben, a member
3  of B everything; closed to Eve, who has a mandate of her own, and to somebody who has never been seen
"""

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from tests.isolation.stage import Stage, World

PEOPLE: Final = {0: ("chief",), 1: ("cora", "dora"), 2: ("ben",), 3: ("eve", "niemand")}
"""Who sees nothing of a ring and those below it."""

HIDDEN: Final = {
    0: frozenset({"run:foreign", "change:foreign", "hold:foreign"}),
    1: frozenset({"run:secret", "run:chief"}),
    2: frozenset({"run:dora", "run:dora-raised", "change:domain", "change:decided", "hold:ben"}),
    3: frozenset({"run:ben", "run:ben-raised"}),
}
"""Ids that a ring hides, besides those of the rings below."""

KEYS: Final = {
    0: ("tresor", "kammer"),
    1: ("geheim", "verborgen", "gehoben", "erhoben", "erhaben"),
    2: (),
    3: ("offen", "hinweis"),
}
"""Keys of documents that a ring hides, in the one world or the other."""

MANDATES: Final = {0: ("Ahorn", "Akazie"), 1: (), 2: (), 3: ("B", "Buche")}
CHANNELS: Final = {0: ("#ahorn", "#akazie"), 1: (), 2: (), 3: ("#b", "#buche")}
NAMES: Final = {0: ("anna", "arno"), 1: ("olga", "otto"), 2: ("mia", "max"), 3: ()}

RAISED: Final = "Hausordnung der Luftschiffhalle"
"""Title of a document whose level has been raised."""

SPOKEN: Final = (RAISED, "Siebenschläfer", "neunzehn", "Leitung", "acht Tage", "neun Tage", "nur sonntags")
"""Words of documents that are closed to everybody but the chief."""


class Telling:
    """Tells a history.

    Args:
        differs: up to which ring the words are the other ones; -1 for none.
    """

    def __init__(self, stage: Stage, world: World, texts: Path, differs: int) -> None:
        self._stage = stage
        self._world = world
        self._texts = texts
        self._differs = differs

    def tell(self) -> None:
        """Tell it from the beginning to the end."""
        self._names()
        self._beginnings()
        self._elsewhere()
        self._raised()
        self._secrets()
        self._questions()
        self._waiting()
        self._looks()
        self._instant("t2")

    def _names(self) -> None:
        self.a, self.b = (self._of(ring, *MANDATES[ring]) for ring in (0, 3))
        self._instant("t0")

    def _beginnings(self) -> None:
        self._do("chief", "mandate", "open", self.b)
        self._do("lib", "mandate", "open", "L", "--library")
        self._do("eve", "mandate", "open", "E")
        for person in ("ben", "cora", "dora"):
            self._do("chief", "mandate", "admit", self.b, person, "--clearance", "internal")
        self._do("chief", "mandate", "role", self.b, "cora", "compliance")
        self._do("chief", "mandate", "role", self.b, "dora", "administrator")
        self._do("chief", "mandate", "subscribe", self.b, "L")
        self._do("chief", "mandate", "bind", self.b, self._of(3, *CHANNELS[3]), "--ceiling", "internal")
        self._ingest("chief", self.b, "offen", "Die Kündigungsfrist beträgt drei Monate zum Monatsende.")
        self._ingest("chief", self.b, "hinweis", "Anträge werden binnen zwei Wochen geprüft.", level="public")
        self._ingest("lib", "L", "pflichten", "Die Aufbewahrungspflicht für Belege beträgt zehn Jahre.", level="public")
        self._ingest("eve", "E", "eigenes", "Die Reisekosten werden binnen einem Monat erstattet.")
        self._do("eve", "ask", "Wann werden die Reisekosten erstattet?", "--mandate", "E", run="run:eve")

    def _elsewhere(self) -> None:
        """Tell of the mandate A; the other world has more of it."""
        owner = self._of(0, *NAMES[0])
        self._do(owner, "mandate", "open", self.a)
        self._do(owner, "mandate", "bind", self.a, self._of(0, *CHANNELS[0]), "--ceiling", "internal")
        text = self._of(0, "Das Kennwort der Kammer lautet Siebenschläfer.", "Die Kündigungsfrist beträgt neun Tage.")
        self._ingest(owner, self.a, self._of(0, *KEYS[0]), text)
        question = self._of(0, "Wie lautet das Kennwort?", "Wie lang ist die Kündigungsfrist?")
        self._do(owner, "ask", question, "--mandate", self.a, run="run:foreign")
        domain = self._of(0, "a.example", "k.example")
        self._do(owner, "mandate", "release-domain", self.a, domain, change="change:foreign")
        self._do(owner, "mandate", "hold", self.a, "--because", self._of(0, "Prozess", "Prüfung"))
        self._hold(owner, self.a, "hold:foreign")
        if self._differs >= 0:
            self._ingest(owner, self.a, "noch-mehr", "Die Kündigungsfrist beträgt ein Jahr.")
            self._do(owner, "ask", "Wie lang ist die Kündigungsfrist?", "--mandate", self.a)

    def _raised(self) -> None:
        """Let Ben and Dora be told of a document that is closed to them afterwards."""
        self._ingest("chief", self.b, "erhaben", "Der Zeppelin wird nur sonntags gelüftet.", "--title", RAISED)
        for person in ("ben", "dora"):
            asked = "Wer darf den Zeppelin an einem Dienstag fahren?"
            self._do(person, "ask", asked, "--mandate", self.b, run=f"run:{person}-raised")
        self._do("chief", "level", "assign", "erhaben", "secret", "--mandate", self.b)

    def _secrets(self) -> None:
        key, raised = (self._of(1, *pair) for pair in (KEYS[1][:2], KEYS[1][2:4]))
        text = self._of(1, "Die Sondervergütung beträgt neunzehn Prozent.", "Die Kündigungsfrist beträgt acht Tage.")
        self._ingest("chief", self.b, key, text, level="secret")
        self._do("chief", "mandate", "bind", self.b, self._of(2, "#leitung", "#spitze"), "--ceiling", "public")
        self._instant("t1")
        text = self._of(1, "Die Kündigungsfrist der Leitung beträgt ein Jahr.", "Die Belege der Leitung sind geheim.")
        self._ingest("chief", self.b, raised, text, level="secret")
        dates = ("--valid-from", "2019-01-01", "--valid-to", "2020-01-01")
        self._ingest("chief", self.b, f"{key}-alt", f"{text} Dies galt früher.", *dates, level="secret")

    def _questions(self) -> None:
        asked = self._of(1, "Wie hoch ist die Sondervergütung?", "Welche Kündigungsfrist gilt?")
        self._do("chief", "ask", asked, "--mandate", self.b, run="run:secret")
        asked = self._of(1, "Wie lang ist die Kündigungsfrist?", "Wie lange gilt die Frist?")
        self._do("chief", "ask", asked, "--mandate", self.b, run="run:chief")
        asked = self._of(2, "Wann werden Anträge geprüft?", "Wie lange gilt die Aufbewahrungspflicht für Belege?")
        self._do("dora", "ask", asked, "--mandate", self.b, run="run:dora")
        self._do("ben", "ask", "Wie lang ist die Kündigungsfrist?", "--mandate", self.b, run="run:ben")
        text = "Die Kündigungsfrist beträgt vier Monate zum Monatsende."
        self._ingest("chief", self.b, "offen", text)

    def _waiting(self) -> None:
        domain = self._of(2, "x.example", "y.example")
        decided = self._do("chief", "mandate", "release-domain", self.b, "b.example", change="change:decided")
        assert decided
        self._do("dora", "policy", "approve", self._world.names["change:decided"])
        self._do("chief", "mandate", "release-domain", self.b, domain, change="change:domain")
        because = self._of(2, "Rechtsstreit", "Anfrage")
        self._do("chief", "mandate", "hold", self.b, "--person", "ben", "--because", because)
        self._hold("chief", self.b, "hold:ben")
        self._do("chief", "mandate", "admit", self.b, self._of(2, *NAMES[2]), "--clearance", "public")
        self._do("chief", "policy", "set", self.b, "retention_versions", "90d", "--because", "Datensparsamkeit")

    def _looks(self) -> None:
        """Let somebody act for the chief: one's own runs are looked at freely, on somebody's behalf none is."""
        for run, ring in (("run:secret", 1), ("run:ben", 2)):
            operator = self._of(ring, *NAMES[1])
            self._do(operator, "run", "show", self._world.names[run], "--as", "chief")

    def _of(self, ring: int, one: str, other: str) -> str:
        return other if ring <= self._differs else one

    def _ingest(self, person: str, mandate: str, key: str, text: str, *options: str, level: str = "internal") -> None:
        file = self._texts / f"{key}.{level}.txt"
        file.write_text(text, encoding="utf-8")
        self._do(person, "ingest", str(file), "--mandate", mandate, "--level", level, "--document", key, *options)

    def _hold(self, person: str, mandate: str, name: str) -> None:
        (found,) = self._do(person, "mandate", "holds", mandate)
        self._world.names[name] = found["holds"][0]["hold"]

    def _instant(self, name: str) -> None:
        self._world.names[name] = datetime.now(UTC).isoformat()

    def _do(self, person: str, *words: str, run: str = "", change: str = "") -> Sequence[dict[str, object]]:
        seen = self._stage.run(self._world, person, [*words, "--json"])
        assert seen.code == 0, (person, words, seen)
        documents = [json.loads(line) for line in seen.out.splitlines()]
        if run:
            self._world.names[run] = documents[0]["run"]
        if change:
            self._world.names[change] = documents[0]["change"]
        return documents
