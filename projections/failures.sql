-- Events that a projection could not take in. Under the role projector.

-- name: set_aside
INSERT INTO projection_failures (projection, position, mandate, stream, kind)
VALUES (%(projection)s, %(position)s, %(mandate)s, %(stream)s, %(kind)s)

-- name: forget
DELETE FROM projection_failures WHERE projection = %(projection)s

-- name: all
SELECT projection, position, mandate, stream, kind FROM projection_failures ORDER BY projection, position
