"""The database everybody uses: where it is, connections for each role, migrations, the check at start."""

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Final, Self

import psycopg
from psycopg.conninfo import conninfo_to_dict
from psycopg_pool import PoolClosed, PoolTimeout

from adapters.postgres import migrations, roles
from adapters.postgres.cluster import Cluster
from adapters.postgres.endpoint import Endpoint, Role
from adapters.postgres.failures import folder_usable, translated
from adapters.postgres.layout import find_home, prepare_data
from adapters.postgres.pools import AnyConnection, Pools
from adapters.postgres.settings import PORT
from adapters.postgres.starting import SUPERUSER
from domain.errors import InputError, PartError

__all__ = ["DATABASE", "AnyConnection", "Database", "open_database"]

DATABASE: Final = "fundstelle"
"""Name of the database in the embedded server."""

_NAME_BYTES: Final = 63 - len("_projector")
"""A role's name carries the database's, and PostgreSQL cuts names off at 63 bytes."""

_ATTEMPTS: Final = 30
"""How often a pool is asked for a connection before the database counts as silent; each time for half a second."""


class Database:
    """One database with its four roles; use ``open_database`` to get one."""

    def __init__(self, place: Endpoint, prefix: str, secrets: Path, cluster: Cluster | None) -> None:
        self._place = place
        self._prefix = prefix
        self._secrets = secrets
        self._cluster = cluster
        self._reviving = threading.Lock()
        self._pools = Pools(self.conninfo)
        self._starts = cluster.starts if cluster is not None else 0
        self._closed = False

    @property
    def admin(self) -> Endpoint:
        """The role that made ours: the superuser of the embedded server, or the user of the external address."""
        return self._place

    def in_database(self, dbname: str) -> "Database":
        """Return another database of this server with the same roles; closing it leaves the server alone."""
        return Database(self._place.in_database(dbname), self._prefix, self._secrets, None)

    def endpoint(self, role: Role) -> Endpoint:
        """Return host, port, database, user and password of ``role``, for libraries with a pool of their own."""
        name = roles.role_name(self._prefix, role)
        return self._place.as_user(name, roles.password(self._secrets, name))

    def conninfo(self, role: Role) -> str:
        """Return the connection string of ``role``, password included: never log it."""
        return self.endpoint(role).conninfo

    def role_name(self, role: Role) -> str:
        """Return what ``role`` is called on the server."""
        return roles.role_name(self._prefix, role)

    @asynccontextmanager
    async def connection(self, role: Role) -> AsyncIterator[AnyConnection]:
        """Lend a connection in a transaction: committed at the end of the block, rolled back on an error.

        Raises:
            PartError: the server cannot be reached or has no space left.
        """
        with translated():
            async with AsyncExitStack() as stack:
                yield await self._lend(role, stack)

    def revive(self) -> None:
        """Start the embedded server again if it was killed; safe from several threads.

        Raises:
            PartError: it does not start, or this database was closed.
        """
        with self._reviving:
            if self._closed:
                raise PartError("database")
            if self._cluster is not None and not self._cluster.alive:
                self._cluster.attach(roles.password(self._secrets, SUPERUSER))

    async def migrate(self) -> int:
        """Apply the migrations that are missing and return how many there were.

        Raises:
            PartError: the database is newer than the program, or an applied migration was edited.
        """
        return await asyncio.to_thread(self._migrate)

    async def must_be_current(self) -> None:
        """Refuse a database whose schema this program does not know, or whose writer may do too much.

        Raises:
            PartError: ``database_outdated``, ``database_newer``, ``migration_edited`` or ``database_role``.
        """
        await asyncio.to_thread(self._must_be_current)

    async def check(self) -> None:
        """Assert the server's version, pgvector and that no role can get round the filters.

        Raises:
            PartError: one of them is not so.
        """
        await asyncio.to_thread(self._check)

    async def close(self) -> None:
        """Close all connections; an embedded server without further clients is stopped by its keeper."""
        await self._pools.renew()
        await asyncio.to_thread(self._leave)

    async def __aenter__(self) -> Self:
        """Return itself."""
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close."""
        await self.close()

    async def _lend(self, role: Role, stack: AsyncExitStack) -> AnyConnection:
        """Wait for a connection in slices: a server killed in between is noticed and started again."""
        for _ in range(_ATTEMPTS - 1):
            try:
                await self._revive_if_dead()
                return await self._pools.lend(role, stack)
            except (PoolTimeout, PoolClosed):
                continue
        return await self._pools.lend(role, stack)

    async def _revive_if_dead(self) -> None:
        if self._cluster is None:
            return
        if not self._cluster.alive:
            await asyncio.to_thread(self.revive)
        if self._starts != self._cluster.starts:
            self._starts = self._cluster.starts
            await self._pools.renew()

    def _leave(self) -> None:
        with self._reviving:
            self._closed = True
            if self._cluster is not None:
                self._cluster.close()

    def _migrate(self) -> int:
        names = {role.value: self.role_name(role) for role in Role}
        with roles.connect(self.endpoint(Role.OWNER)) as connection, translated():
            return migrations.migrate(connection, migrations.shipped(), names)

    def _must_be_current(self) -> None:
        with roles.connect(self.endpoint(Role.WRITER)) as connection, translated():
            roles.assert_role(connection)
            if migrations.missing(connection, migrations.shipped()):
                raise PartError("database_outdated")

    def _check(self) -> None:
        for role in (Role.WRITER, Role.PROJECTOR, Role.READER):
            with roles.connect(self.endpoint(role)) as connection, translated():
                roles.assert_role(connection)
                roles.assert_extension(connection)


def open_database(data: Path, external_url: str | None) -> Database:
    """Open the database of a data folder, making what is missing; blocks for as long as a server takes to start.

    Args:
        data: the data folder; passwords of our roles lie in its ``secrets``.
        external_url: ``postgresql://user:password@host:port/database`` of a server of one's own, or None for the
            embedded one. The user must be able to create roles, or our roles exist and their passwords are there.

    Raises:
        InputError: the folder or the address cannot be used.
        PartError: the server cannot be started or reached, or lacks something.
    """
    data = prepare_data(data)
    secrets = data / "secrets"
    if external_url is not None:
        admin = _external(external_url)
        with folder_usable(secrets):
            _provision_once(admin, secrets)
        return Database(admin, admin.dbname, secrets, None)
    home = find_home(data)
    cluster = Cluster(home)
    try:
        with folder_usable(secrets):
            superuser_password = roles.password(secrets, SUPERUSER)
            cluster.attach(superuser_password)
            admin = Endpoint(str(home.socket), PORT, DATABASE, SUPERUSER, superuser_password)
            _provision_once(admin, secrets, create=True)
    except BaseException:
        cluster.close()
        raise
    return Database(admin, DATABASE, secrets, cluster)


def _provision_once(admin: Endpoint, secrets: Path, *, create: bool = False) -> None:
    if roles.provisioned(admin, secrets):
        return
    if create:
        roles.create_database(admin)
    roles.provision(admin, secrets)


def _external(url: str) -> Endpoint:
    try:
        parts = {key: str(value) for key, value in conninfo_to_dict(url).items() if value is not None}
        port = int(parts.pop("port", "5432"))
    except (psycopg.ProgrammingError, ValueError) as error:
        raise InputError("database_url") from error
    user, dbname, secret = parts.pop("user", ""), parts.pop("dbname", ""), parts.pop("password", "")
    host = parts.pop("host", "") or parts.pop("hostaddr", "")
    if not user or not dbname or not host:
        raise InputError("database_url")
    if len(dbname.encode()) > _NAME_BYTES:
        raise InputError("database_name", limit=_NAME_BYTES)
    return Endpoint(host, port, dbname, user, secret, tuple(parts.items()))
