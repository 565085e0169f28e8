"""An installation that answers in the rooms of a homeserver, and people who ask there."""

import json
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import ProxyHandler, build_opener

from tests.e2e.program import CHECKOUT, Program
from tests.matrix.person import Event, Person
from tests.matrix.synapse import PASSWORD, SERVER_NAME, Synapse
from tests.models.processes import free_port, wait_for

MANDATE = "raeume"
NOTICE, DISCOUNT, MOON = (
    "Wie lang ist die Kündigungsfrist für Sachversicherungen?",
    "Wie hoch ist der Nachlass für Bestandskunden?",
    "Wer war der erste Mensch auf dem Mond?",
)
"""A public answer, an internal one, and none."""

_FILES = {
    "handbuch.md": "# Handbuch Bestand\n\n## 3.2 Kündigung\n\nDie Kündigungsfrist für Sachversicherungen beträgt drei "
    "Monate zum Ende des Versicherungsjahres. Der Vertrag verlängert sich um ein Jahr, wenn niemand kündigt.\n",
    "nachlass.md": "# Nachlässe\n\nDer Nachlass für Bestandskunden beträgt höchstens zwölf Prozent der Jahresprämie.\n",
}
_MANIFEST = (
    {"path": "handbuch.md", "document": "handbuch", "title": "Handbuch Bestand", "level": "public"}
    | {"valid_from": "2026-07-01", "valid_from_kind": "legal"},
    {"path": "nachlass.md", "document": "nachlass", "title": "Nachlässe", "level": "internal"},
)
_STOP_SECONDS = 60
_START_SECONDS = 90
_HERE = build_opener(ProxyHandler({}))


class Served:
    """``fundstelle serve`` for an account of its own, with a mandate that knows two short documents."""

    def __init__(self, program: Program, synapse: Synapse, folder: Path) -> None:
        self.program, self.folder = program, folder
        self.bot: Person = synapse.register("fundstelle", display_name="Fundstelle")
        self.log, self._config, self._port = folder / "log", folder / "serving.toml", free_port()
        self._process: subprocess.Popen[bytes] | None = None
        password = folder / "password"
        password.write_text(f"{PASSWORD}\n", encoding="utf-8")
        password.chmod(0o600)
        account = {"homeserver": synapse.url, "user": self.bot.id, "password_file": str(password)}
        lines = [f"{name} = {json.dumps(value)}" for name, value in account.items()]
        self._config.write_text(
            "\n".join(
                ("[matrix]", *lines, f'servers = ["{SERVER_NAME}"]', "[serve]", f'listen = "127.0.0.1:{self._port}"')
            ),
            encoding="utf-8",
        )
        self._teach()

    @property
    def config(self) -> tuple[str, str]:
        """The option that names the account."""
        return "--config", str(self._config)

    def admit(self, person: Person, clearance: str) -> None:
        """Make somebody a member of the mandate."""
        self.program.must("mandate", "admit", MANDATE, person.id, "--clearance", clearance)

    def bind(self, room: str, ceiling: str) -> None:
        """Bind a room to the mandate."""
        self.program.must("mandate", "bind", MANDATE, room, "--ceiling", ceiling)

    def start(self) -> None:
        """Start it, and wait until it can answer."""
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                self.program.command("serve", "--config", self._config),
                cwd=CHECKOUT,
                env=self.program.environment(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        wait_for(self._process, f"http://127.0.0.1:{self._port}/readyz", self.log, _START_SECONDS)

    def stop(self) -> None:
        """Ask it to end, which it does in its own way."""
        assert self._process is not None
        self._process.send_signal(signal.SIGTERM)
        assert self._process.wait(_STOP_SECONDS) == 0, self.told()
        self._process = None

    def kill(self) -> None:
        """End it as by the power switch."""
        if self._process is not None:
            self._process.kill()
            self._process.wait(_STOP_SECONDS)
            self._process = None

    def numbers(self) -> str:
        """Return what it tells a monitor."""
        with _HERE.open(f"http://127.0.0.1:{self._port}/metrics", timeout=10) as reply:
            return str(reply.read().decode())

    def told(self) -> str:
        """Return its log."""
        return self.log.read_text(encoding="utf-8")

    def _teach(self) -> None:
        for name, text in _FILES.items():
            (self.folder / name).write_text(text, encoding="utf-8")
        manifest = self.folder / "manifest.jsonl"
        manifest.write_text("".join(f"{json.dumps(line)}\n" for line in _MANIFEST), encoding="utf-8")
        self.program.must("mandate", "open", MANDATE)
        self.program.must("ingest", "--manifest", manifest, "--mandate", MANDATE)


@contextmanager
def served(program: Program, synapse: Synapse, folder: Path) -> Iterator[Served]:
    """An installation that has not been started yet; gone at the end."""
    one = Served(program, synapse, folder)
    try:
        yield one
    finally:
        one.kill()


def body(event: Event) -> str:
    """Return what a message says in plain text, in its last version if it is an edit."""
    content = event["content"]
    return str(content.get("m.new_content", content)["body"])


def mentioned(event: Event) -> list[str]:
    """Return who is notified by a message."""
    people: list[str] = event["content"].get("m.mentions", {}).get("user_ids", [])
    return people
