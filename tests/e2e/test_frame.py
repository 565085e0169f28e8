"""What every command has in common."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.program import CHECKOUT, Program


def ran(program: Program, *arguments: str, environment: dict[str, str] | None = None) -> tuple[int, bytes, bytes]:
    """Run with bytes on both streams."""
    done = subprocess.run(
        program.command(*arguments), check=False, capture_output=True, env=program.environment(environment), timeout=60
    )
    return done.returncode, done.stdout, done.stderr


def test_without_arguments_there_is_an_overview(tmp_path: Path) -> None:
    """Somebody who types the bare name is told what there is and where to begin."""
    done = subprocess.run(
        [sys.executable, "-P", "-m", "bot"],
        check=False,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**Program.environment(), "FUNDSTELLE_DATA": str(tmp_path), "LC_ALL": "en_GB.UTF-8"},
    )
    assert done.returncode == 0
    assert "First steps" in done.stdout
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize(("language", "word"), [("de", "Aufruf: fundstelle mandate admit"), ("en", "Usage: ")])
def test_help_speaks_both_languages(tmp_path: Path, language: str, word: str) -> None:
    """The help of a command is in the language asked for, and needs no data folder."""
    outcome = Program(tmp_path, language)("mandate", "admit", "--help")
    assert outcome.code == 0
    assert word in outcome.out
    assert "--clearance LEVEL" in outcome.out


def test_global_options_stand_anywhere(shared_program: Program) -> None:
    """Before the command, between its words and behind it."""
    data = str(shared_program.data)
    base = [sys.executable, "-P", "-m", "bot"]
    calls = [
        ["--data", data, "--json", "mandate", "list"],
        ["mandate", "--data", data, "list", "--json"],
        ["mandate", "list", "--json", "--data", data],
        ["--data", "/nowhere", "mandate", "list", f"--data={data}", "--json"],
    ]
    outputs = {
        subprocess.run([*base, *call], check=True, capture_output=True, env=Program.environment()).stdout
        for call in calls
    }
    assert len(outputs) == 1


def test_language_follows_the_locale(tmp_path: Path) -> None:
    """Without ``--lang`` an English locale means English, any other German."""
    for locale, word in (("en_US.UTF-8", b"not set up"), ("de_DE.UTF-8", b"eingerichtet"), ("C", b"eingerichtet")):
        done = subprocess.run(
            [sys.executable, "-P", "-m", "bot", "--data", str(tmp_path), "mandate", "list"],
            check=False,
            capture_output=True,
            env=Program.environment({"LC_ALL": locale}),
        )
        assert done.returncode == 2
        assert word in done.stderr


def test_a_terminal_without_umlauts_gets_plain_letters(tmp_path: Path) -> None:
    """What the stream cannot encode is spelled out; nothing fails over it."""
    ascii_only = {"PYTHONIOENCODING": "ascii", "LC_ALL": "C", "PYTHONUTF8": "0"}
    code, out, err = ran(Program(tmp_path), "mandate", "list", "--json", environment=ascii_only)
    assert code == 2
    assert out.isascii()
    assert err.isascii()
    assert b"fundstelle init" in err


def test_json_stays_json_on_an_ascii_stream(shared_program: Program) -> None:
    """Letters beyond ASCII are escaped, not spelled out, so a script reads the true name."""
    shared_program.must("mandate", "open", "Prüfung")
    environment = {"PYTHONIOENCODING": "ascii"}
    outcome = shared_program.must("mandate", "show", "prüfung", "--json", environment=environment)
    assert outcome.json["mandate"] == "Prüfung"
    assert outcome.out.isascii()


def test_piped_output_is_plain(shared_program: Program) -> None:
    """No colour, no frames, nothing cut when the output is no terminal."""
    name = "Ein sehr langer Name " + "x" * 150
    shared_program.must("mandate", "open", "Lang", "--name", name)
    outcome = shared_program.must("mandate", "list", environment={"COLUMNS": "40"})
    assert name in outcome.out
    assert not re.search(r"[\x1b\u2500-\u257f]", outcome.out)
    assert outcome.err == ""


def test_a_closed_pipe_is_quiet(shared_program: Program) -> None:
    """A reader that stops early causes no complaint."""
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = subprocess.run(
            shared_program.command("mandate", "list"),
            check=False,
            stdout=writer,
            stderr=subprocess.PIPE,
            env=shared_program.environment(),
        )
    finally:
        os.close(writer)
    assert done.returncode == 141
    assert done.stderr == b""


def test_a_full_output_is_told(shared_program: Program) -> None:
    """Output that cannot be written is an error, not a silent success."""
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            shared_program.command("mandate", "list"),
            check=False,
            stdout=full,
            stderr=subprocess.PIPE,
            env=shared_program.environment(),
        )
    assert done.returncode == 3
    assert b"Speicherplatz" in done.stderr
    assert b"Traceback" not in done.stderr


_SLEEPER = """
import asyncio, sys
from bot.cli import main, mandates
async def slow(app, arguments):
    print("running", flush=True)
    await asyncio.sleep(3600)
async def broken(app, arguments):
    raise ZeroDivisionError("private words")
mandates.list_mandates = {"slow": slow, "broken": broken}[sys.argv.pop(1)]
sys.exit(main.main())
"""


def _start(program: Program, behaviour: str) -> subprocess.Popen[bytes]:
    """The program with one command that takes long, or has a fault of ours."""
    options = program.command("mandate", "list", "--json")[4:]
    return subprocess.Popen(
        [sys.executable, "-P", "-c", _SLEEPER, behaviour, *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=program.environment({"PYTHONPATH": str(CHECKOUT)}),
    )


@pytest.mark.parametrize(("sent", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupt_ends_quietly(shared_program: Program, sent: signal.Signals, code: int) -> None:
    """Ctrl-C and a polite kill end a command at once, without a word."""
    process = _start(shared_program, "slow")
    assert process.stdout is not None
    assert process.stdout.readline() == b"running\n"
    process.send_signal(sent)
    # Left alone it would sleep for much longer than is waited for here.
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (code, b"", b"")


def test_an_unforeseen_error_is_a_sentence(shared_program: Program) -> None:
    """A fault of ours ends with exit 3 and a sentence; the log names its kind and place, and no value."""
    out, err = _start(shared_program, "broken").communicate(timeout=60)
    assert b"Traceback" not in out + err
    assert b'"key": "unexpected"' in out
    assert b"ZeroDivisionError" in err
    log = (shared_program.data / "log" / "faults.log").read_text(encoding="utf-8")
    assert "ZeroDivisionError at" in log
    assert "private words" not in log + out.decode() + err.decode()
