-- The view of what is known: versions, and their slices on both time axes.
-- Under the role projector: everything up to "open_slice". Under the role reader: "scope" and below.

-- name: clear
WITH slices AS (DELETE FROM known_slices), versions AS (DELETE FROM known_versions)
DELETE FROM known_documents

-- name: register
INSERT INTO known_documents (mandate, document, key) VALUES (%(mandate)s, %(document)s, %(key)s)

-- name: ingest
INSERT INTO known_versions (
    mandate, ordinal, document, version, blob_address, sha256, characters, sentences, passages, recorded_at,
    title, url, level, claim, valid_from_kind
) VALUES (
    %(mandate)s, %(ordinal)s, %(document)s, %(version)s, %(address)s, %(sha256)s, %(characters)s, %(sentences)s,
    %(passages)s, %(recorded_at)s, %(title)s, %(url)s, %(level)s, daterange(%(valid_from)s, %(valid_to)s), %(kind)s
)

-- name: correct
UPDATE known_versions
SET title = %(title)s, url = %(url)s, claim = daterange(%(valid_from)s, %(valid_to)s), valid_from_kind = %(kind)s
WHERE mandate = %(mandate)s AND document = %(document)s AND version = %(version)s

-- name: assign_level
UPDATE known_versions SET level = %(level)s WHERE mandate = %(mandate)s AND document = %(document)s

-- name: withdraw
UPDATE known_versions SET live = false WHERE mandate = %(mandate)s AND document = %(document)s

-- name: live
-- What the document's versions claim now.
SELECT ordinal, version, lower(claim), upper(claim), title, url, level, valid_from_kind
FROM known_versions
WHERE mandate = %(mandate)s AND document = %(document)s AND live

-- name: open_slices
SELECT slices.ordinal, lower(slices.valid), upper(slices.valid),
       slices.title, slices.url, slices.level, slices.valid_from_kind
FROM known_slices AS slices
JOIN known_versions AS versions USING (mandate, ordinal)
WHERE slices.mandate = %(mandate)s AND versions.document = %(document)s
  AND slices.recorded_to = 9223372036854775807

-- name: close_slice
UPDATE known_slices SET recorded_to = %(position)s
WHERE mandate = %(mandate)s AND ordinal = %(ordinal)s AND valid = daterange(%(valid_from)s, %(valid_to)s)
  AND recorded_to = 9223372036854775807

-- name: open_slice
INSERT INTO known_slices (mandate, ordinal, recorded_from, valid, title, url, level, valid_from_kind)
VALUES (%(mandate)s, %(ordinal)s, %(position)s, daterange(%(valid_from)s, %(valid_to)s),
        %(title)s, %(url)s, %(level)s, %(kind)s)

-- name: scope
-- Row-level security reads this setting; true: it ends with the transaction.
SELECT set_config('fundstelle.scope', %(scope)s, true)

-- name: visible
-- The one filter: scope, level then and level now, recorded and valid time, documents. A document with an event that
-- a search could not take in is closed from there on; one whose levels or days are not known whole is closed at all.
SELECT slices.ordinal, slices.mandate, versions.document, documents.key, versions.version, slices.title, slices.url,
       slices.level, versions.blob_address, versions.sha256, lower(slices.valid), upper(slices.valid),
       slices.valid_from_kind, versions.recorded_at
FROM known_slices AS slices
JOIN known_versions AS versions USING (mandate, ordinal)
JOIN known_documents AS documents USING (mandate, document)
WHERE slices.mandate = ANY (%(scope)s)
  AND slices.recorded_from <= %(position)s AND slices.recorded_to > %(position)s
  AND slices.valid @> %(valid_on)s::date
  AND slices.level = ANY (%(levels)s) AND versions.level = ANY (%(levels)s)
  AND (%(documents)s::text[] IS NULL OR documents.key = ANY (%(documents)s))
  AND NOT EXISTS (
      SELECT FROM projection_failures AS failures
      WHERE failures.mandate = slices.mandate AND failures.stream = versions.document
        AND (failures.projection = 'knowledge' OR failures.position <= %(position)s)
  )
ORDER BY slices.ordinal

-- name: history
-- As "visible", on any day: each version with every stretch that it answers for.
SELECT slices.ordinal, slices.mandate, versions.document, documents.key, versions.version, slices.title, slices.url,
       slices.level, versions.blob_address, versions.sha256, lower(slices.valid), upper(slices.valid),
       slices.valid_from_kind, versions.recorded_at
FROM known_slices AS slices
JOIN known_versions AS versions USING (mandate, ordinal)
JOIN known_documents AS documents USING (mandate, document)
WHERE slices.mandate = ANY (%(scope)s)
  AND slices.recorded_from <= %(position)s AND slices.recorded_to > %(position)s
  AND slices.level = ANY (%(levels)s) AND versions.level = ANY (%(levels)s)
  AND (%(documents)s::text[] IS NULL OR documents.key = ANY (%(documents)s))
  AND NOT EXISTS (
      SELECT FROM projection_failures AS failures
      WHERE failures.mandate = slices.mandate AND failures.stream = versions.document
        AND (failures.projection = 'knowledge' OR failures.position <= %(position)s)
  )
ORDER BY slices.ordinal, lower(slices.valid) NULLS FIRST

-- name: documents
-- Which documents have a version inside the horizon on any day.
SELECT DISTINCT documents.key
FROM known_slices AS slices
JOIN known_versions AS versions USING (mandate, ordinal)
JOIN known_documents AS documents USING (mandate, document)
WHERE slices.mandate = ANY (%(scope)s)
  AND slices.recorded_from <= %(position)s AND slices.recorded_to > %(position)s
  AND slices.level = ANY (%(levels)s) AND versions.level = ANY (%(levels)s)
  AND (%(documents)s::text[] IS NULL OR documents.key = ANY (%(documents)s))
  AND NOT EXISTS (
      SELECT FROM projection_failures AS failures
      WHERE failures.mandate = slices.mandate AND failures.stream = versions.document
        AND (failures.projection = 'knowledge' OR failures.position <= %(position)s)
  )

-- name: version
-- A version by key and number, whether or not it answers today; the level is that of today.
SELECT versions.ordinal, versions.mandate, versions.document, documents.key, versions.version, versions.title,
       versions.url, versions.level, versions.blob_address, versions.sha256, lower(versions.claim),
       upper(versions.claim), versions.valid_from_kind, versions.recorded_at
FROM known_documents AS documents
JOIN known_versions AS versions USING (mandate, document)
WHERE documents.mandate = ANY (%(scope)s) AND documents.key = %(key)s AND versions.version = %(version)s
  AND versions.level = ANY (%(levels)s)
  AND NOT EXISTS (
      SELECT FROM projection_failures AS failures
      WHERE failures.mandate = versions.mandate AND failures.stream = versions.document
  )
ORDER BY array_position(%(scope)s, documents.mandate)
LIMIT 1
