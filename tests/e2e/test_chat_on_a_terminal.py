"""The chat on a real (pseudo) terminal: prompt, Ctrl-C, Ctrl-D, and nothing left on disk."""

import os
import pty
import select
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.e2e.conftest import installed
from tests.e2e.program import Program

QUESTION = "Wie lang ist die Kündigungsfrist?"
SENTENCE = "Die Kündigungsfrist beträgt drei Monate"
SECONDS = 60
CTRL_D = b"\x04"


class Terminal:
    """Somebody at a terminal: types, and reads until something stands there."""

    def __init__(self, master: int, process: subprocess.Popen[bytes]) -> None:
        self._master = master
        self.process = process
        self.seen = ""

    def type(self, words: str | bytes) -> None:
        os.write(self._master, words if isinstance(words, bytes) else f"{words}\n".encode())

    def read_until(self, words: str) -> str:
        """Read until ``words`` have appeared anew; return what was read."""
        read, deadline = b"", time.monotonic() + SECONDS
        while words.encode() not in read:
            assert time.monotonic() < deadline, f"{words!r} did not appear in {read.decode(errors='replace')!r}"
            if select.select([self._master], [], [], 0.2)[0]:
                read += os.read(self._master, 65_536)
        self.seen += read.decode(errors="replace")
        return read.decode(errors="replace")


@contextmanager
def chat(program: Program, home: Path) -> Iterator[Terminal]:
    master, slave = pty.openpty()
    process = subprocess.Popen(
        program.command("chat", "--mandate", "M"),
        stdin=slave,
        stdout=slave,
        stderr=slave,
        start_new_session=True,
        env=program.environment({"TERM": "xterm", "HOME": str(home), "LC_ALL": "C.UTF-8"}),
    )
    os.close(slave)
    try:
        yield Terminal(master, process)
    finally:
        process.kill()
        process.wait()
        os.close(master)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Program]:
    file = tmp_path_factory.mktemp("texts") / "handbuch.md"
    file.write_text(f"{SENTENCE} zum Jahresende. Davor steht das.\n", encoding="utf-8")
    with installed() as program:
        program.must("mandate", "open", "M")
        program.must("ingest", file, "--mandate", "M", "--level", "internal")
        yield program


def test_ctrl_c_ends_a_question_and_not_the_program(place: Program, tmp_path: Path) -> None:
    """At the prompt it says how to end; while a question is answered it stops that; the next one is answered."""
    with chat(place, tmp_path) as terminal:
        terminal.read_until("Frage:")
        terminal.process.send_signal(signal.SIGINT)
        assert "!ende beendet das Gespräch." in terminal.read_until("Frage:")
        terminal.type(QUESTION)
        terminal.process.send_signal(signal.SIGINT)
        terminal.read_until("Frage:")
        terminal.type(QUESTION)
        assert "Quellen (1)" in terminal.read_until("Frage:")
        terminal.type("!ende")
        assert terminal.process.wait(SECONDS) == 0


def test_ctrl_d_ends_the_program_and_nothing_is_kept(place: Program, tmp_path: Path) -> None:
    """The end of input is a good end; no history of what was asked lies in the home folder."""
    with chat(place, tmp_path) as terminal:
        terminal.read_until("Frage:")
        terminal.type(QUESTION)
        terminal.read_until("Frage:")
        terminal.type("1")
        terminal.read_until("Frage:")
        terminal.type(CTRL_D)
        assert terminal.process.wait(SECONDS) == 0
    assert SENTENCE.split()[1] in terminal.seen
    assert list(tmp_path.iterdir()) == []


def test_a_signal_to_end_ends_it_at_the_prompt(place: Program, tmp_path: Path) -> None:
    """A waiting prompt does not hold the program back."""
    with chat(place, tmp_path) as terminal:
        terminal.read_until("Frage:")
        terminal.process.terminate()
        assert terminal.process.wait(SECONDS) == 143
