-- What runs cite, and how far they and people have been told what has become of it.
-- Under the role projector: this is done for all mandates. Under the role reader: "scope", "untold".

-- name: told
SELECT position FROM runs_told

-- name: tell_from
INSERT INTO runs_told (position) VALUES (%(position)s)
ON CONFLICT (is_only) DO UPDATE SET position = greatest(runs_told.position, excluded.position)

-- name: forget
DELETE FROM runs_told

-- name: changed
-- Slices that ended on the day of a run after its answer was given. Either the end is new, or the answer.
WITH concerned AS (
    SELECT citations.run, citations.mandate, citations.ordinal, citations.owner
    FROM known_slices AS slices
    JOIN run_citations AS citations
      ON (citations.owner, citations.ordinal) = (slices.mandate, slices.ordinal)
     AND slices.valid @> citations.valid_on AND slices.recorded_to > citations.speaks_up_to
    WHERE slices.recorded_to > %(behind)s AND slices.recorded_to <= %(up_to)s
      AND slices.recorded_to < 9223372036854775807
    UNION
    SELECT citations.run, citations.mandate, citations.ordinal, citations.owner
    FROM run_citations AS citations
    JOIN known_slices AS slices
      ON (slices.mandate, slices.ordinal) = (citations.owner, citations.ordinal)
     AND slices.valid @> citations.valid_on AND slices.recorded_to > citations.speaks_up_to
    WHERE citations.delivered > %(behind)s AND slices.recorded_to <= %(up_to)s
)
SELECT run, mandate, ordinal, owner FROM concerned ORDER BY mandate, run, ordinal

-- name: history
SELECT recorded_from, nullif(recorded_to, 9223372036854775807), lower(valid), upper(valid)
FROM known_slices
WHERE mandate = %(owner)s AND ordinal = %(ordinal)s AND recorded_from <= %(up_to)s

-- name: tell_person
INSERT INTO people_told (mandate, person, position) VALUES (%(mandate)s, %(person)s, %(position)s)
ON CONFLICT (mandate, person) DO UPDATE SET position = greatest(people_told.position, excluded.position)

-- name: scope
-- Row-level security reads this setting; true: it ends with the transaction.
SELECT set_config('fundstelle.scope', %(mandate)s, true)

-- name: untold
-- The person's own runs that have been told something since the person was, oldest first.
SELECT changes.run, changes.told
FROM run_changes AS changes
JOIN runs USING (mandate, run)
WHERE runs.mandate = %(mandate)s AND runs.person = %(person)s AND changes.told > coalesce(
    (SELECT position FROM people_told WHERE mandate = %(mandate)s AND person = %(person)s), 0
)
ORDER BY changes.told
