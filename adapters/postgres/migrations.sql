-- name: create_table
CREATE TABLE IF NOT EXISTS fundstelle.migrations (
    number     integer PRIMARY KEY,
    name       text NOT NULL,
    checksum   text NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now()
)

-- name: lock
-- Two programs that migrate at once: the second waits, then finds nothing to do.
SELECT pg_advisory_lock(5124970311002)

-- name: applied
SELECT number, name, checksum FROM fundstelle.migrations ORDER BY number

-- name: record
INSERT INTO fundstelle.migrations (number, name, checksum) VALUES (%(number)s, %(name)s, %(checksum)s)
