"""A newer program over the database of an older one."""

import asyncio
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from adapters.eventstore.master_files import make_master_key
from adapters.postgres import migrations, roles
from adapters.postgres.database import open_database
from adapters.postgres.endpoint import Role
from bot.installation import master_key
from tests.e2e.program import Program
from tests.servers import wait_until_stopped


@pytest.fixture(params=[5, -1], ids=["five migrations", "all but the last"])
def old(request: pytest.FixtureRequest) -> Iterator[Program]:
    """An installation that a program with fewer migrations has set up; its server stays up."""
    folder = Path(tempfile.mkdtemp(prefix="fundstelle-upgrade-"))
    folder.chmod(0o711)
    program = Program(folder / "data")
    database = open_database(program.data, None)
    try:
        names = {role.value: database.role_name(role) for role in Role}
        with roles.connect(database.endpoint(Role.OWNER)) as connection:
            migrations.migrate(connection, migrations.shipped()[: request.param], names)
        make_master_key(master_key(program.data))
        (program.data / "format").write_text("1\n", encoding="ascii")
        yield program
    finally:
        asyncio.run(database.close())
        wait_until_stopped(program.data)
        shutil.rmtree(folder)


def test_an_older_database_is_said_before_anything_is_read(old: Program, tmp_path: Path) -> None:
    """A command names it and says what to do, whatever it would have read first.

    That includes a backup: this program cannot read the keys as an older one kept them, and the advice says so.
    """
    backup = ["backup", str(tmp_path / "backup")]
    for command in (["mandate", "open", "Recht"], ["ask", "Frist?", "--mandate", "Recht"], backup):
        told = old(*command, "--json")
        assert (told.code, told.json["error"]["key"]) == (3, "database_outdated")
    checks = {check["name"]: check for check in old("doctor", "--json").json["checks"]}
    assert checks["schema"]["error"]["key"] == "database_outdated"

    assert old.must("migrate", "--json").json["applied"] > 0
    old.must("mandate", "open", "Recht")
    assert old.must("doctor", "--json").json["ok"]
