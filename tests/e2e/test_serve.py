"""``fundstelle serve`` against a real homeserver: it gets ready, answers, stops in good order, and is taken over."""

import json
import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import ProxyHandler, build_opener

import pytest

from tests.e2e.conftest import installed
from tests.e2e.program import Program
from tests.matrix.person import Person
from tests.matrix.synapse import PASSWORD, SERVER_NAME, Synapse
from tests.servers import postmaster_pid

pytestmark = pytest.mark.synapse

PATIENCE = 60
_HERE = build_opener(ProxyHandler({}))


class Serving:
    """A running ``fundstelle serve``."""

    def __init__(self, program: Program, log: Path, *options: str | Path) -> None:
        self.log = log
        with log.open("wb") as stderr:
            self.process = subprocess.Popen(
                program.command("serve", "--json", *options),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=stderr,
                text=True,
                env=program.environment(),
            )

    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.log.read_text("utf-8").splitlines()]

    def url(self) -> str:
        return str(self.wait_for("health and metrics are told")["url"])

    def wait_for(self, what: str) -> dict[str, Any]:
        """Wait for a line of the log."""
        deadline = time.monotonic() + PATIENCE
        while True:
            found = [line for line in self.lines() if line["what"] == what]
            if found:
                return found[0]
            assert self.process.poll() is None, self.log.read_text("utf-8")
            assert time.monotonic() < deadline, self.log.read_text("utf-8")
            time.sleep(0.05)

    def get(self, path: str) -> tuple[int, str]:
        try:
            with _HERE.open(self.url() + path, timeout=10) as reply:
                return reply.status, reply.read().decode()
        except HTTPError as error:
            return error.code, error.read().decode()

    def wait_until_ready(self) -> None:
        deadline = time.monotonic() + PATIENCE
        while True:
            status, text = self.get("/readyz")
            if status == 200:
                return
            assert time.monotonic() < deadline, (text, self.log.read_text("utf-8"))
            time.sleep(0.1)

    def numbers_when(self, line: str) -> list[str]:
        """Return the metrics as soon as a line is among them."""
        deadline = time.monotonic() + PATIENCE
        while line not in (found := self.get("/metrics")[1].splitlines()):
            assert time.monotonic() < deadline, found
            time.sleep(0.05)
        return found

    def stop(self) -> tuple[int, dict[str, Any]]:
        """Ask it to stop, and return its exit code and what it has printed."""
        self.process.send_signal(signal.SIGTERM)
        out, _ = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, json.loads(out)


@pytest.fixture(scope="module")
def program(synapse: Synapse) -> Iterator[Program]:
    """An installation with an account on the homeserver."""
    bot = synapse.register("fundstelle")
    with installed() as one:
        password = one.data / "matrix.password"
        password.write_text(PASSWORD, "utf-8")
        password.chmod(0o600)
        (one.data / "config.toml").write_text(
            f'[matrix]\nhomeserver = "{synapse.url}"\nuser = "{bot.id}"\npassword_file = "{password}"\n'
            f'servers = ["{SERVER_NAME}"]\n[serve]\nlisten = "127.0.0.1:0"\n',
            "utf-8",
        )
        yield one


@contextmanager
def serving(program: Program, folder: Path, name: str = "serve", *options: str | Path) -> Iterator[Serving]:
    one = Serving(program, folder / f"{name}.log", *options)
    try:
        yield one
    finally:
        one.process.kill()
        one.process.wait()


@pytest.fixture(scope="module")
def bot(program: Program) -> str:
    """Our account's id."""
    return next(line for line in (program.data / "config.toml").read_text().splitlines() if line[:4] == "user")[8:-1]


async def test_it_answers_and_stops_in_good_order(program: Program, synapse: Synapse, bot: str, tmp_path: Path) -> None:
    """Ready, invited, asked, answered in the thread; then told to stop, with an exit code of 0 and nothing left."""
    anna = synapse.register("anna")
    text = tmp_path / "frist.md"
    text.write_text("# Kündigung\n\nDie Frist für eine Kündigung beträgt drei Monate zum Quartalsende.\n", "utf-8")
    program.must("mandate", "open", "m")
    program.must("mandate", "admit", "m", anna.id, "--clearance", "internal")
    program.must("ingest", text, "--mandate", "m", "--level", "public")
    with serving(program, tmp_path) as one:
        one.wait_until_ready()
        facts = program.must("doctor", "--json").json["checks"][-1]["facts"]
        assert (bool(facts["device"]), facts["commands"]) == (True, "by_device")
        assert "Befehle nur verschlüsselt aus bestätigten Sitzungen" in program.must("doctor").out
        room = await anna.create_room(invite=[bot])
        program.must("mandate", "bind", "m", room, "--ceiling", "internal")
        await anna.await_member(room, bot)
        asked = await anna.send(room, "Welche Frist gilt für eine Kündigung?", mentions=[bot])
        (reply,) = await anna.await_reply(room, asked, bot)
        assert "drei Monate" in reply["content"]["body"]
        numbers = one.numbers_when("fundstelle_pending 0.0")
        assert 'fundstelle_questions_total{outcome="answered"} 1.0' in numbers
        assert "fundstelle_lease 1.0" in numbers
        assert one.stop() == (0, {"status": "stopped", "left": 0})
    told = one.log.read_text("utf-8")
    assert "Kündigung" not in told
    assert anna.id not in told


def _lease(one: Serving) -> bool:
    return bool(json.loads(one.get("/readyz")[1])["lease"])


async def test_a_second_instance_takes_over(program: Program, synapse: Synapse, bot: str, tmp_path: Path) -> None:
    """It waits, answers nothing, and goes on by itself when the first is killed; each word is said once."""
    ben: Person = synapse.register("ben")
    room = await ben.create_room(invite=[bot])
    # The second one posts checkpoints as well.
    config = tmp_path / "config.toml"
    config.write_text((program.data / "config.toml").read_text("utf-8") + f'[journal]\nroom = "{room}"\n', "utf-8")
    note = program.must("journal", "checkpoint", "--json").json["note"]
    with serving(program, tmp_path, "first") as first:
        first.wait_until_ready()
        await ben.await_member(room, bot)
        with serving(program, tmp_path, "second", "--config", config) as second:
            second.wait_for("another instance answers; waiting for its end")
            assert second.get("/healthz")[0] == 200
            assert second.get("/readyz")[0] == 503
            assert (_lease(first), _lease(second)) == (True, False)
            os.kill(first.process.pid, signal.SIGKILL)
            asked = await ben.send(room, "!hilfe", mentions=[bot])
            second.wait_until_ready()

            def is_ours(event: dict[str, Any]) -> bool:
                return event["sender"] == bot and event["type"] == "m.room.message"

            await ben.await_in(room, is_ours, count=2)
            assert second.stop()[0] == 0
    said = [one["content"]["body"] for one in await ben.said(room, bot)]
    in_thread = [one for one in await ben.thread(room, asked) if is_ours(one)]
    assert len(said) == 2
    assert len(in_thread) == 1
    assert len([one for one in said if note.strip() in one]) == 1


def test_a_password_that_others_can_read_is_refused(program: Program, tmp_path: Path) -> None:
    """Before anything is sent, with what to do about it; an address that is taken likewise."""
    config, text = tmp_path / "config.toml", (program.data / "config.toml").read_text("utf-8")
    open_file = tmp_path / "open.password"
    open_file.write_text(PASSWORD, "utf-8")
    open_file.chmod(0o644)
    config.write_text(text.replace(str(program.data / "matrix.password"), str(open_file)), "utf-8")
    refused = program("serve", "--config", config)
    assert refused.code == 2
    assert "chmod 600" in refused.err
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        config.write_text(text.replace("127.0.0.1:0", f"127.0.0.1:{taken.getsockname()[1]}"), "utf-8")
        refused = program("serve", "--config", config)
    assert refused.code == 2
    assert "[serve]" in refused.err


def test_lost_keys_of_the_account_are_made_anew_by_who_asks_for_it(program: Program) -> None:
    """Without their file nothing is made by itself, and `doctor` says so; a reset makes others and all is in order."""
    file = program.data / "keys" / "matrix-cross-signing.json"
    first = program.must("matrix", "reset", "--json").json["key"]
    file.unlink()
    checks = {check["name"]: check for check in program("doctor", "--json").json["checks"]}
    assert not checks["matrix"]["ok"]
    assert program.must("matrix", "reset", "--json").json["key"] != first
    assert program.must("doctor", "--json").json["ok"]
    assert file.stat().st_mode & 0o777 == 0o600


async def test_it_outlives_its_database_and_its_homeserver(
    program: Program, synapse: Synapse, bot: str, tmp_path: Path
) -> None:
    """Both are killed or stopped while it runs; it applies for the lease anew and goes on."""
    carl = synapse.register("carl")
    room = await carl.create_room(invite=[bot])
    with serving(program, tmp_path, "outliving") as one:
        one.wait_until_ready()
        await carl.await_member(room, bot)
        server = postmaster_pid(program.data)
        assert server is not None
        os.kill(server, signal.SIGKILL)
        await _is_replied_to_once(carl, room, bot)
        one.wait_until_ready()
        synapse.stop()
        synapse.start()
        other = await carl.create_room(invite=[bot])
        await carl.await_member(other, bot)
        await _is_replied_to_once(carl, other, bot)
        assert one.stop()[0] == 0


async def _is_replied_to_once(person: Person, room: str, bot: str) -> None:
    """Say something in a room that is bound to no mandate, which the bot says once a day."""
    asked = await person.send(room, "Wer ist da?", mentions=[bot])
    await person.await_in(room, lambda event: event["sender"] == bot and event["type"] == "m.room.message")
    assert len([said for said in await person.thread(room, asked) if said["sender"] == bot]) == 1
