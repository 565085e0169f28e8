"""The roles of a database: made once with generated passwords, asserted at every start.

Roles belong to a server, not to a database, so their names carry the name of the database. They are made here and
not by a migration, because their passwords lie in ``DATA/secrets``, one file for each role, mode 0600.
"""

import os
import secrets
from pathlib import Path
from typing import Final, LiteralString

import psycopg
from psycopg import errors, sql

from adapters.postgres.endpoint import Endpoint, Role
from adapters.postgres.failures import translated
from adapters.postgres.sql import statements
from domain.errors import InputError, PartError

OLDEST_VERSION: Final = 17
"""MAINTAIN and the builtin collations are there from this major version on."""

_SQL: Final = statements("adapters.postgres", "roles.sql")
_CONNECT_SECONDS: Final = 10


def role_name(prefix: str, role: Role) -> str:
    """Return the name of ``role`` for the database called ``prefix``."""
    return f"{prefix}_{role.value}"


def password(folder: Path, name: str) -> str:
    """Return the password kept in ``folder/NAME.password``, making one if there is none."""
    path = folder / f"{name}.password"
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    except FileExistsError:
        return path.read_text(encoding="utf-8").strip()
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(f"{secrets.token_urlsafe(24)}\n")
        file.flush()
        os.fsync(file.fileno())
    return path.read_text(encoding="utf-8").strip()


def connect(endpoint: Endpoint) -> psycopg.Connection[tuple[object, ...]]:
    """Open one connection in autocommit mode.

    Raises:
        PartError: the server cannot be reached, or is too old.
    """
    with translated():
        connection = psycopg.connect(endpoint.conninfo, autocommit=True, connect_timeout=_CONNECT_SECONDS)
    found = connection.info.server_version // 10_000
    if found < OLDEST_VERSION:
        connection.close()
        raise PartError("postgres_old", found=found, needed=OLDEST_VERSION)
    return connection


def create_database(admin: Endpoint) -> None:
    """Make the database of ``admin`` if it is not there; for the embedded server, where nobody else does."""
    with connect(admin.in_database("postgres")) as connection, translated():
        connection.execute(_SQL["serialise"])
        if connection.execute(_SQL["database_exists"], {"database": admin.dbname}).fetchone() is None:
            connection.execute(_composed("create_database", database=admin.dbname))


def provision(admin: Endpoint, folder: Path) -> None:
    """Make roles, schema and extension of the database of ``admin``; nothing happens where they are there.

    Args:
        admin: a role that may create roles and owns the database, or any role if ours exist already.
        folder: where the passwords lie.

    Raises:
        InputError: the roles belong to another installation, whose passwords we lack.
        PartError: the server cannot be reached, is too old, or has no pgvector.
    """
    prefix = admin.dbname
    with connect(admin) as connection, translated():
        connection.execute(_SQL["serialise"])
        for role in Role:
            _make_role(connection, prefix, role, folder)
        names = {role.value: role_name(prefix, role) for role in Role}
        _try(connection, "close_database", database=prefix)
        _try(connection, "let_owner_in", database=prefix, role=names["owner"])
        for role in (Role.WRITER, Role.PROJECTOR, Role.READER):
            _try(connection, "let_in", database=prefix, role=names[role.value])
        _make_extension(connection)
    owner = admin.as_user(names["owner"], password(folder, names["owner"]))
    with connect(owner) as connection, translated():
        connection.execute(_SQL["create_schema"])
        connection.execute(_composed("open_schema", **{key: name for key, name in names.items() if key != "owner"}))


def grant_entry(admin: Endpoint, prefix: str) -> None:
    """Let the roles of ``prefix`` into the database of ``admin``, as after copying a template."""
    with connect(admin) as connection, translated():
        connection.execute(_composed("close_database", database=admin.dbname))
        connection.execute(_composed("let_owner_in", database=admin.dbname, role=role_name(prefix, Role.OWNER)))
        for role in (Role.WRITER, Role.PROJECTOR, Role.READER):
            connection.execute(_composed("let_in", database=admin.dbname, role=role_name(prefix, role)))


def assert_role(connection: psycopg.Connection[tuple[object, ...]]) -> None:
    """Refuse a role that could get round the filters.

    Raises:
        PartError: the role is superuser, owner of anything, BYPASSRLS or member of another role.
    """
    found = [str(row[0]) for row in connection.execute(_SQL["privileges_too_wide"]).fetchall()]
    if found:
        raise PartError("database_role", role=connection.info.user, found=", ".join(found))


def assert_extension(connection: psycopg.Connection[tuple[object, ...]]) -> None:
    """Refuse a database without pgvector.

    Raises:
        PartError: the extension is not there.
    """
    if connection.execute(_SQL["has_extension"]).fetchone() is None:
        raise PartError("pgvector")


def _make_role(connection: psycopg.Connection[tuple[object, ...]], prefix: str, role: Role, folder: Path) -> None:
    name = role_name(prefix, role)
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
        connection.execute(_composed("search_path", role=name))
    except errors.InsufficientPrivilege:
        raise InputError("database_admin", user=connection.info.user) from None


def _try(connection: psycopg.Connection[tuple[object, ...]], name: str, **identifiers: str) -> None:
    """Run a grant that an administrator of the server may have made in our place."""
    try:
        connection.execute(_composed(name, **identifiers))
    except errors.InsufficientPrivilege:
        return


def _make_extension(connection: psycopg.Connection[tuple[object, ...]]) -> None:
    if connection.execute(_SQL["has_extension"]).fetchone() is not None:
        return
    try:
        connection.execute(_SQL["create_extension"])
    except (errors.FeatureNotSupported, errors.UndefinedFile, errors.InsufficientPrivilege):
        raise PartError("pgvector") from None


def _composed(name: LiteralString, **identifiers: str) -> sql.Composed:
    return sql.SQL(_SQL[name]).format(**{key: sql.Identifier(value) for key, value in identifiers.items()})
