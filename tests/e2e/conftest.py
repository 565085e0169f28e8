"""Installations for the tests of the real program."""

import asyncio
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from adapters.postgres.database import open_database
from tests.e2e.corner import Corner
from tests.e2e.program import Program
from tests.e2e.statutes import Statutes, ingested
from tests.servers import wait_until_stopped


@contextmanager
def installed() -> Iterator[Program]:
    """An initialised data folder of its own, whose server stays up for as long as the block runs."""
    # Not a folder of pytest: those are 0700, and as root the server's user could not reach its data.
    folder = Path(tempfile.mkdtemp(prefix="fundstelle-e2e-"))
    folder.chmod(0o711)
    program = Program(folder / "data")
    try:
        program.must("init")
        server = open_database(program.data, None)
        try:
            yield program
        finally:
            asyncio.run(server.close())
            assert wait_until_stopped(program.data), "the embedded server outlived its last client"
    finally:
        shutil.rmtree(folder)


@pytest.fixture
def program() -> Iterator[Program]:
    """The program on an empty installation of the test's own."""
    with installed() as one:
        yield one


@pytest.fixture(scope="session")
def shared_program() -> Iterator[Program]:
    """The program on an installation that all tests share: use mandates of your own, and change nothing else."""
    with installed() as one:
        yield one


@pytest.fixture(scope="session")
def statutes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Statutes]:
    """Six acts in all their versions; needs the folder of German acts."""
    with installed() as program:
        yield ingested(program, tmp_path_factory.mktemp("statutes"))


@pytest.fixture
def corner(shared_program: Program, tmp_path: Path) -> Corner:
    return Corner(shared_program, tmp_path)
