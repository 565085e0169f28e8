"""Where a server is and as whom we speak to it."""

from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Self

from psycopg.conninfo import make_conninfo


class Role(Enum):
    """The four roles of the database; the last three own nothing and may bypass nothing."""

    OWNER = "owner"
    WRITER = "writer"
    PROJECTOR = "projector"
    READER = "reader"


@dataclass(frozen=True, slots=True)
class Endpoint:
    """All that is needed to connect, piece by piece.

    Attributes:
        host: host name, address, or the folder of the Unix socket.
        port: port, also part of the socket's name.
        dbname: database.
        user: role name.
        password: kept out of ``repr``.
        extra: further libpq options, such as ``sslmode``.
    """

    host: str
    port: int
    dbname: str
    user: str
    password: str = field(repr=False)
    extra: tuple[tuple[str, str], ...] = ()

    @property
    def conninfo(self) -> str:
        """The connection string of libpq, password included: never log it."""
        return make_conninfo(
            host=self.host,
            port=self.port,
            dbname=self.dbname,
            user=self.user,
            password=self.password,
            application_name="fundstelle",
            **dict(self.extra),
        )

    def as_user(self, user: str, password: str) -> Self:
        """Return the same place for another role."""
        return replace(self, user=user, password=password)

    def in_database(self, dbname: str) -> Self:
        """Return the same role in another database of the server."""
        return replace(self, dbname=dbname)
