-- name: size
SELECT coalesce(max(position), 0) FROM journal_entries

-- name: hashes
SELECT hash FROM journal_entries WHERE position > %(after)s AND position <= %(up_to)s ORDER BY position

-- name: blocks
SELECT hash FROM fundstelle.journal_blocks WHERE number < %(count)s ORDER BY number

-- name: insert_blocks
-- Another process may be at it as well; what it wrote is the same.
INSERT INTO fundstelle.journal_blocks (number, hash)
SELECT * FROM unnest(%(numbers)s::bigint[], %(hashes)s::bytea[]) ON CONFLICT DO NOTHING
