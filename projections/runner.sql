-- name: place
-- Version 0: not built yet.
INSERT INTO projection_positions (name, version) VALUES (%(name)s, 0) ON CONFLICT DO NOTHING

-- name: take
-- The row is the lock: no row means that another process is at it.
SELECT version, position FROM projection_positions WHERE name = %(name)s FOR UPDATE SKIP LOCKED

-- name: await_turn
SELECT version, position FROM projection_positions WHERE name = %(name)s FOR UPDATE

-- name: move
UPDATE projection_positions SET version = %(version)s, position = %(position)s WHERE name = %(name)s

-- name: positions
SELECT name, version, position FROM projection_positions WHERE name = ANY (%(names)s)
ORDER BY array_position(%(names)s::text[], name)
