-- name: take_all_turns
SELECT FROM projection_positions ORDER BY name FOR UPDATE

-- name: drop_partitions
SELECT drop_partitions(%(mandate)s)

-- name: forget
DELETE FROM {table} WHERE mandate = %(mandate)s

-- name: forget_runs
WITH changes AS (DELETE FROM run_changes WHERE mandate = %(mandate)s AND run = ANY (%(runs)s)),
     citations AS (DELETE FROM run_citations WHERE mandate = %(mandate)s AND run = ANY (%(runs)s))
DELETE FROM runs WHERE mandate = %(mandate)s AND run = ANY (%(runs)s)

-- name: forget_versions
DELETE FROM {table} WHERE mandate = %(mandate)s AND ordinal = ANY (%(ordinals)s)

-- name: partitions
SELECT relname::text FROM pg_class
WHERE relnamespace = 'fundstelle'::regnamespace AND relkind = 'r'
  AND relname IN ('passage_vectors_' || replace(%(mandate)s::text, '-', ''),
                  'passage_weights_' || replace(%(mandate)s::text, '-', ''))

-- name: forget_person
WITH theirs AS (DELETE FROM runs WHERE person = %(person)s RETURNING mandate, run),
     changes AS (DELETE FROM run_changes WHERE (mandate, run) IN (SELECT mandate, run FROM theirs))
DELETE FROM run_citations WHERE (mandate, run) IN (SELECT mandate, run FROM theirs)
