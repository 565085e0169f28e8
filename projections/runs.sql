-- The view of runs. Under the role projector: up to "change". Under the role reader: "scope" and below.

-- name: clear
WITH changes AS (DELETE FROM run_changes), citations AS (DELETE FROM run_citations)
DELETE FROM runs

-- name: begin
INSERT INTO runs (
    mandate, run, person, asked_at, asked_position, levels, known_position, valid_on, speaks_up_to
) VALUES (
    %(mandate)s, %(run)s, %(person)s, %(asked_at)s, %(asked_position)s, %(levels)s, %(known_position)s,
    %(valid_on)s, %(speaks_up_to)s
)

-- name: finish
UPDATE runs SET ended_position = %(ended_position)s, outcome = %(outcome)s, step = %(step)s
WHERE mandate = %(mandate)s AND run = %(run)s

-- name: resume
-- A run that failed goes on: until then it was a failed one.
UPDATE runs SET failed_at = failed_at || ended_position, resumed_at = resumed_at || %(position)s::bigint,
                failed_step = failed_step || step, ended_position = NULL, outcome = NULL, step = NULL
WHERE mandate = %(mandate)s AND run = %(run)s AND outcome = 'failed'

-- name: cite
INSERT INTO run_citations (mandate, run, ordinal, owner, valid_on, speaks_up_to, delivered)
SELECT mandate, run, %(ordinal)s, %(owner)s, valid_on, speaks_up_to, %(delivered)s
FROM runs WHERE mandate = %(mandate)s AND run = %(run)s

-- name: change
INSERT INTO run_changes (mandate, run, told, change, ordinal, owner)
SELECT mandate, run, %(told)s, %(change)s, ordinal, owner
FROM run_citations WHERE mandate = %(mandate)s AND run = %(run)s AND ordinal = %(ordinal)s

-- name: scope
-- Row-level security reads this setting; true: it ends with the transaction.
SELECT set_config('fundstelle.scope', %(scope)s, true)

-- name: runs
-- Somebody's own runs, and those of others that saw nothing above the reader's levels; newest last.
SELECT run, person, asked_at, known_position, valid_on,
       CASE WHEN ended_position <= %(up_to)s THEN runs.outcome ELSE failure.outcome END,
       CASE WHEN ended_position <= %(up_to)s THEN runs.step ELSE failure.step END,
       (
           -- What has been told of versions that are open to the reader today.
           SELECT count(*) FROM run_changes AS changes
           JOIN known_versions AS versions ON (versions.mandate, versions.ordinal) = (changes.owner, changes.ordinal)
           WHERE (changes.mandate, changes.run) = (runs.mandate, runs.run) AND changes.told <= %(up_to)s
             AND versions.level = ANY (%(levels)s)
       )
FROM runs
LEFT JOIN LATERAL (
    SELECT 'failed' AS outcome, earlier.step
    FROM unnest(runs.failed_at, runs.resumed_at, runs.failed_step) AS earlier (failed, resumed, step)
    WHERE earlier.failed <= %(up_to)s AND earlier.resumed > %(up_to)s
) AS failure ON true
WHERE mandate = %(mandate)s AND asked_position <= %(up_to)s
  AND (person = %(reader)s OR (%(oversees)s AND levels <@ %(levels)s::text[]))
  AND (%(person)s::uuid IS NULL OR person = %(person)s)
  AND (%(since)s::timestamptz IS NULL OR asked_at >= %(since)s)
  AND (%(until)s::timestamptz IS NULL OR asked_at <= %(until)s)
ORDER BY asked_position

-- name: touched
-- How many runs that the reader may list have been told of a change to one of these documents, made behind a position.
SELECT count(DISTINCT runs.run)
FROM runs
JOIN run_changes AS changes USING (mandate, run)
JOIN known_versions AS versions ON (versions.mandate, versions.ordinal) = (changes.owner, changes.ordinal)
JOIN known_documents AS documents ON (documents.mandate, documents.document) = (versions.mandate, versions.document)
WHERE runs.mandate = %(mandate)s AND (person = %(reader)s OR (%(oversees)s AND levels <@ %(levels)s::text[]))
  AND versions.mandate = %(mandate)s AND documents.key = ANY (%(documents)s) AND versions.level = ANY (%(levels)s)
  AND changes.change > %(behind)s
