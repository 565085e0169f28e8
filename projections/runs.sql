-- The view of runs. Under the role projector: "clear", "begin", "finish". Under the role reader: "scope", "runs".

-- name: clear
DELETE FROM runs

-- name: begin
INSERT INTO runs (mandate, run, person, asked_at, asked_position, levels, known_position, valid_on)
VALUES (%(mandate)s, %(run)s, %(person)s, %(asked_at)s, %(asked_position)s, %(levels)s, %(known_position)s,
        %(valid_on)s)

-- name: finish
UPDATE runs SET ended_position = %(ended_position)s, outcome = %(outcome)s, step = %(step)s
WHERE mandate = %(mandate)s AND run = %(run)s

-- name: scope
-- Row-level security reads this setting; true: it ends with the transaction.
SELECT set_config('fundstelle.scope', %(mandate)s, true)

-- name: runs
-- Somebody's own runs, and those of others that saw nothing above the reader's levels; newest last.
SELECT run, person, asked_at, known_position, valid_on,
       CASE WHEN ended_position <= %(up_to)s THEN outcome END,
       CASE WHEN ended_position <= %(up_to)s THEN step END
FROM runs
WHERE mandate = %(mandate)s AND asked_position <= %(up_to)s
  AND (person = %(reader)s OR (%(oversees)s AND levels <@ %(levels)s::text[]))
  AND (%(person)s::uuid IS NULL OR person = %(person)s)
  AND (%(since)s::timestamptz IS NULL OR asked_at >= %(since)s)
  AND (%(until)s::timestamptz IS NULL OR asked_at <= %(until)s)
ORDER BY asked_position
