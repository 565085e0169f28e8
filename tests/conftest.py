"""Fixtures shared by all tests: one embedded server for the session, a fresh migrated database for each test."""

import asyncio
import os
import secrets
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings
from psycopg import sql

from adapters.postgres import roles
from adapters.postgres.database import DATABASE, Database, open_database
from tests.matrix.synapse import Synapse, homeserver
from tests.opensearch.nodes import Node, fresh, single_node
from tests.servers import reachable_folder, wait_until_stopped

if TYPE_CHECKING:
    from adapters.search.opensearch_server import Server

# How long an example takes says more about the machine than about the program. CI tries the same examples each time, so
# that a change is judged by itself; everywhere else, and at night, new ones are looked for.
hypothesis_settings.register_profile(
    "patient",
    deadline=None,
    derandomize=os.environ.get("CI") == "true",
    suppress_health_check=[HealthCheck.too_slow],
)
hypothesis_settings.load_profile("patient")

_COPY = sql.SQL("CREATE DATABASE {} TEMPLATE {} STRATEGY FILE_COPY")
_DROP = sql.SQL("DROP DATABASE {} WITH (FORCE)")


@pytest.fixture(scope="session")
def session_database() -> Iterator[Database]:
    """The embedded server of the session with its migrated database, which serves as template: do not write to it."""
    with reachable_folder() as folder:
        database = open_database(folder / "data", None)
        try:
            asyncio.run(database.migrate())
            _hurry(database)
            yield database
        finally:
            asyncio.run(database.close())
            assert wait_until_stopped(folder / "data"), "the embedded server outlived its last client"


def _hurry(database: Database) -> None:
    """Spare the disk: what becomes of this server in a power cut is nobody's concern."""
    with roles.connect(database.admin) as connection:
        connection.execute("ALTER SYSTEM SET fsync = off")
        connection.execute("SELECT pg_reload_conf()")


@pytest.fixture
async def database(session_database: Database) -> AsyncIterator[Database]:
    """A database of the test's own, migrated and empty."""
    name = f"test_{secrets.token_hex(6)}"
    admin = session_database.admin
    with roles.connect(admin.in_database("postgres")) as connection:
        connection.execute(_COPY.format(sql.Identifier(name), sql.Identifier(DATABASE)))
    copy = session_database.in_database(name)
    try:
        yield copy
    finally:
        await copy.close()
        with roles.connect(admin.in_database("postgres")) as connection:
            connection.execute(_DROP.format(sql.Identifier(name)))


@pytest.fixture
def data_folder() -> Iterator[Path]:
    """A data folder that does not exist yet; a server that was started in it is gone before the folder is."""
    with reachable_folder() as folder:
        data = folder / "data"
        yield data
        if data.is_dir():
            assert wait_until_stopped(data), "the embedded server outlived its last client"


@pytest.fixture(scope="session")
def opensearch_node() -> Iterator[Node]:
    """The OpenSearch node of the session."""
    with single_node() as node:
        yield node


@pytest.fixture(scope="module")
def opensearch(opensearch_node: Node) -> Iterator["Server"]:
    """The session's node with indexes of the module's own."""
    server = fresh(opensearch_node)
    yield server
    server.synchronous().indices.delete(index=f"{server.prefix}-*")


@pytest.fixture(scope="session")
def synapse() -> Iterator[Synapse]:
    """The homeserver of the session, without limits of rates."""
    with homeserver() as server:
        yield server
