"""Grows the views in the database by copies of what is there, far faster than passages could be fed."""

from uuid import UUID

from adapters.postgres import roles
from adapters.postgres.database import Database

TABLES = ("passage_versions", "passages", "passage_encodings", "passage_vectors")
APART = 10_000_000
"""Between the ordinals of a version and those of its copies."""

_COLUMNS = """
SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum)
FROM pg_attribute WHERE attrelid = %s::regclass AND attnum > 0 AND NOT attisdropped
"""


def grow(database: Database, probe: UUID, passages: int) -> int:
    """Copy the versions of all mandates but ``probe`` until there are about so many passages; return how many.

    The indexes of words are a folder for each mandate, and only that of ``probe`` is opened: they stay as they are.
    """
    with roles.connect(database.admin) as connection:
        counted = """
            SELECT count(*) FILTER (WHERE mandate = %(probe)s), count(*) FILTER (WHERE ordinal < %(apart)s),
                   max(ordinal) / %(apart)s
            FROM fundstelle.passages
        """
        own, fed, made = connection.execute(counted, {"probe": probe, "apart": APART}).fetchone() or (0, 0, 0)
        copies = (passages - own) // (fed - own) - 1
        for table in TABLES:
            (columns,) = connection.execute(_COLUMNS, [f"fundstelle.{table}"]).fetchone() or ("",)
            moved = columns.replace("ordinal", "ordinal + copy * %s", 1)
            connection.execute(
                f"INSERT INTO fundstelle.{table} ({columns}) SELECT {moved} "  # noqa: S608 - names of columns
                f"FROM fundstelle.{table}, generate_series(%s::bigint, %s::bigint) AS copy "
                "WHERE mandate <> %s AND ordinal < %s",
                [APART, made + 1, copies, probe, APART],
            )
        connection.execute("VACUUM ANALYZE")
        return int(own + (copies + 1) * (fed - own))
