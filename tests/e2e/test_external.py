"""The whole program on a PostgreSQL of one's own, named in the configuration."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.program import Program
from tests.servers import ExternalServer, external_server


@pytest.fixture
def server() -> Iterator[ExternalServer]:
    with external_server() as running:
        running.execute("CREATE ROLE chef LOGIN CREATEROLE PASSWORD 'pw'")
        _make_database(running)
        yield running


def _make_database(server: ExternalServer) -> None:
    server.execute("CREATE DATABASE acme OWNER chef")
    server.execute("CREATE EXTENSION vector", database="acme")


def test_an_external_server_works_the_same(server: ExternalServer, tmp_path: Path) -> None:
    """Address and password come from files; set up, used, looked at, backed up, lost and brought back.

    None of it needs a superuser, once pgvector is there.
    """
    password, configuration = tmp_path / "password", tmp_path / "config.toml"
    password.write_text("pw\n")
    url = f"postgresql://chef@127.0.0.1:{server.port}/acme"
    configuration.write_text(f"[postgres]\nurl = '{url}'\npassword_file = '{password}'\n")
    program = Program(tmp_path / "data")
    config = ("--config", configuration)

    program.must("init", *config)
    program.must("mandate", "open", "Recht", *config)
    text = tmp_path / "text.md"
    text.write_text("Die Frist beträgt drei Monate.\n", encoding="utf-8")
    program.must("ingest", text, "--mandate", "Recht", "--level", "internal", *config)
    shown = program.must("mandate", "show", "Recht", "--json", *config).json
    checks = {check["name"]: check for check in program.must("doctor", "--json", *config).json["checks"]}
    assert checks["database"]["facts"]["kind"] == "external"
    made = program.must("backup", tmp_path / "backup", "--json", *config).json

    other = Program(tmp_path / "other")
    occupied = other("restore", tmp_path / "backup", "--json", *config)
    assert (occupied.code, occupied.json["error"]["key"]) == (2, "backup_target")
    server.execute("DROP DATABASE acme WITH (FORCE)")
    _make_database(server)
    third = Program(tmp_path / "third")
    assert third.must("restore", tmp_path / "backup", "--json", *config).json["events"] == made["events"]
    assert third.must("mandate", "show", "Recht", "--json", *config).json == shown
    assert "drei Monate" in third.must("show", "text@1:0-30", "--mandate", "Recht", *config).out
    third.must("backup", tmp_path / "once more", *config)
    assert not list((tmp_path / "data").glob("postgres*"))
