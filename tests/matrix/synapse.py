"""A real homeserver on loopback: Synapse on SQLite, as ``tests/matrix/install-synapse.sh`` installs it."""

import base64
import hashlib
import hmac
import json
import os
import secrets
import subprocess
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import ProxyHandler, Request, build_opener

from tests.matrix.person import Person
from tests.models.processes import free_port, wait_for
from tests.servers import reachable_folder

PYTHON = Path(os.environ.get("FUNDSTELLE_SYNAPSE", Path(__file__).parents[2] / ".parts" / "synapse")) / "bin" / "python"
SERVER_NAME = "kanzlei.example"
PASSWORD = "nur-fuer-diesen-test"
PATIENCE = 60
"""Seconds: it is ready after 2 to 4 on an idle processor."""

_HERE = build_opener(ProxyHandler({}))
_RAISED = {"per_second": 10_000, "burst_count": 10_000}


class Synapse:
    """A homeserver that talks to no other one.

    Attributes:
        url: its address, the same after each start.
    """

    def __init__(self, folder: Path, *, has_limits: bool = False) -> None:
        """Prepare a server.

        Args:
            folder: where its data lie, which survive a stop.
            has_limits: whether it limits rates as it is delivered; only tests about that want it.
        """
        self._folder, self._port, self._secret = folder, free_port(), secrets.token_hex(16)
        self._process: subprocess.Popen[bytes] | None = None
        self._names: Counter[str] = Counter()
        self.url = f"http://127.0.0.1:{self._port}"
        seed = base64.b64encode(secrets.token_bytes(32)).decode().rstrip("=")
        self._write("signing.key", f"ed25519 a_test {seed}\n")
        self._write("log.yaml", json.dumps(_logging(folder)))
        self._write("homeserver.yaml", json.dumps(self._settings()))
        self._write("limits.yaml", json.dumps({} if has_limits else _raised_limits()))

    def start(self) -> None:
        """Start it, for the first time or once more."""
        command = [str(PYTHON), "-m", "synapse.app.homeserver"]
        command += ["-c", str(self._folder / "homeserver.yaml"), "-c", str(self._folder / "limits.yaml")]
        output = self._folder / "output"
        with output.open("ab") as log:
            self._process = subprocess.Popen(
                command, cwd=self._folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
            )
        wait_for(self._process, f"{self.url}/_matrix/client/versions", output, PATIENCE)

    def stop(self) -> None:
        """Stop it; nothing of what was said is lost."""
        if self._process is not None:
            self._process.terminate()
            try:
                self._process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait(PATIENCE)
            self._process = None

    def register(self, name: str, *, is_admin: bool = False, display_name: str | None = None) -> Person:
        """Make an account with the password ``PASSWORD`` and log in to it.

        Args:
            name: of the account, without the server's; a number is added to one that is taken.
            is_admin: whether it may use the server's interface for administrators.
            display_name: what others read in place of the account's name.
        """
        path = "/_synapse/admin/v1/register"
        self._names[name] += 1
        name += "" if self._names[name] == 1 else str(self._names[name])
        nonce = str(self._ask(path)["nonce"])
        fields = (nonce, name, PASSWORD, "admin" if is_admin else "notadmin")
        mac = hmac.new(self._secret.encode(), b"\0".join(one.encode() for one in fields), hashlib.sha1).hexdigest()
        body = {"nonce": nonce, "username": name, "password": PASSWORD, "admin": is_admin, "mac": mac}
        made = self._ask(path, body | ({"displayname": display_name} if display_name else {}))
        return Person(self.url, made["user_id"], made["access_token"], made["device_id"])

    def log_in(self, name: str) -> Person:
        """Log in to an account with a device of its own."""
        body = {"type": "m.login.password", "identifier": {"type": "m.id.user", "user": name}, "password": PASSWORD}
        made = self._ask("/_matrix/client/v3/login", body)
        return Person(self.url, made["user_id"], made["access_token"], made["device_id"])

    def log(self) -> str:
        """Return what the server has logged: warnings and errors."""
        return (self._folder / "output").read_text(encoding="utf-8", errors="replace")

    def _ask(self, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        data = None if body is None else json.dumps(body).encode()
        request = Request(self.url + path, data, {"Content-Type": "application/json"})  # noqa: S310 - loopback
        try:
            with _HERE.open(request, timeout=PATIENCE) as reply:
                return dict(json.load(reply))
        except HTTPError as error:
            raise AssertionError(f"{path}: {error.read().decode()}") from error

    def _write(self, name: str, text: str) -> None:
        (self._folder / name).write_text(text, encoding="utf-8")

    def _settings(self) -> dict[str, Any]:
        listener = {"type": "http", "tls": False, "port": self._port, "bind_addresses": ["127.0.0.1"]}
        return {
            "server_name": SERVER_NAME,
            "public_baseurl": self.url,
            "listeners": [{**listener, "resources": [{"names": ["client"], "compress": False}]}],
            "database": {"name": "sqlite3", "args": {"database": str(self._folder / "homeserver.db")}},
            "log_config": str(self._folder / "log.yaml"),
            "media_store_path": str(self._folder / "media"),
            "signing_key_path": str(self._folder / "signing.key"),
            "registration_shared_secret": self._secret,
            "macaroon_secret_key": self._secret,
            "form_secret": self._secret,
            "report_stats": False,
            "trusted_key_servers": [],
            "federation_domain_whitelist": [],
            "presence": {"enabled": False},
            "bcrypt_rounds": 4,
        }


def is_installed() -> bool:
    """Whether the homeserver is there."""
    return PYTHON.is_file()


@contextmanager
def homeserver(*, has_limits: bool = False) -> Iterator[Synapse]:
    """Run a server of its own as long as the block runs."""
    with reachable_folder() as folder:
        synapse = Synapse(folder, has_limits=has_limits)
        try:
            synapse.start()
            yield synapse
        finally:
            synapse.stop()


def _logging(folder: Path) -> dict[str, Any]:
    return {
        "version": 1,
        "formatters": {"plain": {"format": "%(asctime)s %(name)s %(levelname)s %(message)s"}},
        "handlers": {
            "file": {"class": "logging.FileHandler", "formatter": "plain", "filename": str(folder / "output")}
        },
        "root": {"level": "WARNING", "handlers": ["file"]},
        "disable_existing_loggers": False,
    }


def _raised_limits() -> dict[str, Any]:
    single = ("message", "registration", "joins_per_room", "key_requests", "room_creation", "user_directory", "profile")
    several = {
        "login": ("address", "account", "failed_attempts"),
        "joins": ("local", "remote"),
        "invites": ("per_room", "per_user", "per_issuer"),
    }
    return {f"rc_{name}": _RAISED for name in (*single, "admin_redaction")} | {
        f"rc_{name}": dict.fromkeys(kinds, _RAISED) for name, kinds in several.items()
    }
