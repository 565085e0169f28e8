-- Versions that have come to an end. Under the role reader.

-- name: scope
-- Row-level security reads this setting; true: it ends with the transaction.
SELECT set_config('fundstelle.scope', %(mandate)s, true)

-- name: ended
-- Per version: the position at which its last slice was closed, or while one is open the day on which all of them end.
-- A document with an event that could not be taken in is left alone: its days are not known whole.
SELECT versions.ordinal, versions.document, documents.key, versions.version,
       CASE WHEN coalesce(max(slices.recorded_to), 0) < 9223372036854775807
            -- Covered whole by a later one from the beginning, it has no slice and ended when it was recorded.
            THEN coalesce(max(slices.recorded_to), versions.ordinal) END,
       max(upper(slices.valid)) FILTER (WHERE slices.recorded_to = 9223372036854775807)
FROM known_versions AS versions
JOIN known_documents AS documents USING (mandate, document)
LEFT JOIN known_slices AS slices USING (mandate, ordinal)
WHERE versions.mandate = %(mandate)s AND versions.level = ANY (%(levels)s)
  AND NOT EXISTS (
      SELECT FROM projection_failures AS failures
      WHERE failures.mandate = versions.mandate AND failures.stream = versions.document
  )
GROUP BY versions.ordinal, versions.document, documents.key, versions.version
HAVING NOT coalesce(bool_or(slices.recorded_to = 9223372036854775807 AND upper(slices.valid) IS NULL), false)
ORDER BY versions.ordinal
