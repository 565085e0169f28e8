"""The roles of a database: made once with generated passwords, asserted at every start.

Roles belong to a server, not to a database, so their names carry the name of the database. They are made here and
not by a migration, because their passwords lie in ``DATA/secrets``, one file for each role, mode 0600.
"""

import os
import secrets
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, LiteralString

import psycopg
from psycopg import errors, sql

from adapters.postgres.endpoint import Endpoint, Role
from adapters.postgres.failures import translated
from adapters.postgres.sql import statements
from domain.errors import InputError, PartError

OLDEST_VERSION: Final = 17
"""MAINTAIN and the builtin collations are there from this major version on."""

AnyConnection = psycopg.Connection[tuple[object, ...]]
AnyAsyncConnection = psycopg.AsyncConnection[tuple[Any, ...]]

_SQL: Final = statements("adapters.postgres", "roles.sql")
_CONNECT_SECONDS: Final = 10


def role_name(prefix: str, role: Role) -> str:
    """Return the name of ``role`` for the database called ``prefix``."""
    return f"{prefix}_{role.value}"


def password(folder: Path, name: str) -> str:
    """Return the password kept in ``folder/NAME.password``, making one if there is none.

    Raises:
        OSError: the file cannot be read or made.
    """
    path = folder / f"{name}.password"
    if not path.exists():
        _make_password(path)
    return path.read_text(encoding="utf-8").strip()


def _make_password(path: Path) -> None:
    """Make the file whole or not at all; of two programs that do so at once, the first wins."""
    descriptor, made = tempfile.mkstemp(dir=path.parent, prefix=".new-")
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(f"{secrets.token_urlsafe(24)}\n")
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileExistsError):
            path.hardlink_to(made)
    finally:
        Path(made).unlink()


def connect(endpoint: Endpoint) -> AnyConnection:
    """Open one connection in autocommit mode.

    Raises:
        PartError: the server cannot be reached, is too old, or the database does not keep Unicode.
    """
    with translated():
        connection = psycopg.connect(endpoint.conninfo, autocommit=True, connect_timeout=_CONNECT_SECONDS)
    found = connection.info.server_version // 10_000
    if found < OLDEST_VERSION:
        connection.close()
        raise PartError("postgres_old", found=found, needed=OLDEST_VERSION)
    encoding = connection.info.parameter_status("server_encoding")
    if encoding != "UTF8":
        connection.close()
        raise PartError("database_encoding", database=endpoint.dbname, found=encoding)
    return connection


def create_database(admin: Endpoint) -> None:
    """Make the database of ``admin`` if it is not there; for the embedded server, where nobody else does."""
    with connect(admin.in_database("postgres")) as connection, translated():
        connection.execute(_SQL["serialise"])
        if connection.execute(_SQL["database_exists"], {"database": admin.dbname}).fetchone() is None:
            connection.execute(_composed("create_database", database=admin.dbname))


def provisioned(admin: Endpoint, folder: Path) -> bool:
    """Whether roles and schema of the database of ``admin`` are there already, as the owner sees it."""
    owner = role_name(admin.dbname, Role.OWNER)
    if not all((folder / f"{role_name(admin.dbname, role)}.password").is_file() for role in Role):
        return False
    place = admin.as_user(owner, password(folder, owner))
    try:
        with psycopg.connect(place.conninfo, autocommit=True, connect_timeout=_CONNECT_SECONDS) as connection:
            return connection.execute(_SQL["has_schema"]).fetchone() is not None
    except psycopg.OperationalError:
        # Whatever it is, the administrator's connection meets it again and says it.
        return False


def provision(admin: Endpoint, folder: Path) -> None:
    """Make roles, schema and extension of the database of ``admin``; what is there stays as it is.

    Args:
        admin: a role that may create roles and owns the database, or any role if ours exist already.
        folder: where the passwords lie.

    Raises:
        InputError: the administrator lacks a right, or the roles are another installation's, whose passwords we lack.
        PartError: the server cannot be reached, is too old, or has no pgvector.
    """
    names = {role: role_name(admin.dbname, role) for role in Role}
    with connect(admin) as connection, translated():
        connection.execute(_SQL["serialise"])
        for role, name in names.items():
            _make_role(connection, name, folder)
            _try(connection, "let_owner_in" if role is Role.OWNER else "let_in", database=admin.dbname, role=name)
        _make_extension(connection)
        for name in names.values():
            with connect(admin.as_user(name, password(folder, name))) as own:
                own.execute(_SQL["search_path"])
        _make_schema(admin.as_user(names[Role.OWNER], password(folder, names[Role.OWNER])), names)


def assert_role(connection: AnyConnection) -> None:
    """Refuse a role that could get round the filters.

    Raises:
        PartError: the role is superuser, owner of anything, BYPASSRLS or member of another role.
    """
    _must_be_narrow(connection.info.user, connection.execute(_SQL["privileges_too_wide"]).fetchall())


async def assert_lent(connection: AnyAsyncConnection) -> None:
    """Refuse a role that could get round the filters, in a transaction of its own.

    Raises:
        PartError: as ``assert_role``.
    """
    found = await (await connection.execute(_SQL["privileges_too_wide"])).fetchall()
    await connection.commit()
    _must_be_narrow(connection.info.user, found)


def assert_extension(connection: AnyConnection) -> None:
    """Refuse a database without pgvector.

    Raises:
        PartError: the extension is not there.
    """
    if connection.execute(_SQL["has_extension"]).fetchone() is None:
        raise PartError("pgvector")


def _must_be_narrow(user: str, found: Sequence[tuple[object, ...]]) -> None:
    if found:
        raise PartError("database_role", role=user, found=", ".join(str(name) for (name,) in found))


def _make_role(connection: AnyConnection, name: str, folder: Path) -> None:
    exists = connection.execute(_SQL["role_exists"], {"role": name}).fetchone() is not None
    if exists and not (folder / f"{name}.password").exists():
        raise InputError("database_password_missing", role=name, folder=folder)
    secret = password(folder, name)
    if exists:
        return
    # Hashed here, so that the server never sees the password, in no log and no statistics view.
    verifier = connection.pgconn.encrypt_password(secret.encode(), name.encode(), b"scram-sha-256").decode()
    try:
        statement = sql.SQL(_SQL["create_role"]).format(role=sql.Identifier(name), verifier=sql.Literal(verifier))
        connection.execute(statement)
    except errors.InsufficientPrivilege:
        raise InputError("database_admin", user=connection.info.user) from None


def _make_schema(owner: Endpoint, names: Mapping[Role, str]) -> None:
    try:
        with connect(owner) as connection, connection.transaction():
            connection.execute(_SQL["create_schema"])
            others = {role.value: name for role, name in names.items() if role is not Role.OWNER}
            connection.execute(_composed("open_schema", **others))
    except errors.InsufficientPrivilege:
        raise InputError("database_admin", user=owner.user) from None


def _try(connection: AnyConnection, name: str, **identifiers: str) -> None:
    """Run a grant that an administrator of the server may have made in our place."""
    try:
        connection.execute(_composed(name, **identifiers))
    except errors.InsufficientPrivilege:
        return


def _make_extension(connection: AnyConnection) -> None:
    if connection.execute(_SQL["has_extension"]).fetchone() is not None:
        return
    try:
        connection.execute(_SQL["create_extension"])
    except (errors.FeatureNotSupported, errors.UndefinedFile, errors.InsufficientPrivilege):
        raise PartError("pgvector") from None


def _composed(name: LiteralString, **identifiers: str) -> sql.Composed:
    return sql.SQL(_SQL[name]).format(**{key: sql.Identifier(value) for key, value in identifiers.items()})
