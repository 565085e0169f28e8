-- What encoders make of passages, by encoder: {made} holds a row for each passage, in a column of type {type}, and
-- {encodings} one for each version that an encoder has been through. Under the role projector.

-- name: mandates
SELECT DISTINCT mandate FROM {encodings}

-- name: forget
-- What an encoder has made in a mandate goes; what others have made stays.
WITH gone AS (DELETE FROM {encodings} WHERE mandate = %(mandate)s AND encoder = %(encoder)s)
DELETE FROM {made} WHERE mandate = %(mandate)s AND encoder = %(encoder)s

-- name: take_turn
SELECT {open_partition}(%(mandate)s)

-- name: is_encoded
SELECT FROM {encodings} WHERE mandate = %(mandate)s AND ordinal = %(ordinal)s AND encoder = %(encoder)s

-- name: known
-- Which of these search texts the mandate has had encoded before.
SELECT DISTINCT search_text FROM {made}
WHERE mandate = %(mandate)s AND encoder = %(encoder)s AND search_text = ANY (%(marks)s::bytea[])

-- name: put
INSERT INTO {made} (mandate, ordinal, number, encoder, search_text, embedding)
SELECT %(mandate)s, %(ordinal)s, number, %(encoder)s, search_text, embedding::{type}
FROM unnest(%(numbers)s::integer[], %(marks)s::bytea[], %(values)s::text[]) AS new (number, search_text, embedding)

-- name: reuse
INSERT INTO {made} (mandate, ordinal, number, encoder, search_text, embedding)
SELECT %(mandate)s, %(ordinal)s, wanted.number, %(encoder)s, wanted.search_text, known.embedding
FROM unnest(%(numbers)s::integer[], %(marks)s::bytea[]) AS wanted (number, search_text)
CROSS JOIN LATERAL (
    SELECT made.embedding FROM {made} AS made
    WHERE made.mandate = %(mandate)s AND made.encoder = %(encoder)s AND made.search_text = wanted.search_text
    LIMIT 1
) AS known

-- name: encoded
INSERT INTO {encodings} (mandate, ordinal, encoder, passages)
VALUES (%(mandate)s, %(ordinal)s, %(encoder)s, %(passages)s)

-- name: waiting
-- Versions that an encoder has not been through, from a position on.
SELECT versions.ordinal FROM passage_versions AS versions
WHERE versions.mandate = %(mandate)s AND versions.ordinal > %(behind)s AND NOT EXISTS (
    SELECT FROM {encodings} AS encodings
    WHERE (encodings.mandate, encodings.ordinal) = (versions.mandate, versions.ordinal)
      AND encodings.encoder = %(encoder)s
)
ORDER BY versions.ordinal

-- name: encoders
-- Which encoders have been through a mandate, with how many versions and passages.
SELECT encoder, count(*), coalesce(sum(passages), 0)::bigint FROM {encodings}
WHERE mandate = %(mandate)s GROUP BY encoder ORDER BY encoder

-- name: passages
SELECT coalesce(sum(passages), 0)::bigint FROM {encodings} WHERE mandate = %(mandate)s AND encoder = %(encoder)s
