-- The table of contents of passages, and their vectors. Under the role projector.

-- name: clear
-- Vectors of other encoders stay: questions about the past are asked with the encoder of that time.
WITH versions AS (DELETE FROM passage_versions),
     encodings AS (DELETE FROM passage_encodings WHERE encoder = %(encoder)s),
     vectors AS (DELETE FROM passage_vectors WHERE encoder = %(encoder)s)
DELETE FROM passages

-- name: open_partition
SELECT open_passage_partition(%(mandate)s)

-- name: version
INSERT INTO passage_versions (mandate, ordinal, title, markup)
VALUES (%(mandate)s, %(ordinal)s, %(title)s, %(markup)s)

-- name: encoded
INSERT INTO passage_encodings (mandate, ordinal, encoder) VALUES (%(mandate)s, %(ordinal)s, %(encoder)s)

-- name: passage
-- Not COPY: it does not work under row-level security.
INSERT INTO passages (
    mandate, ordinal, number, span_start, span_end, sentence_starts, sentence_ends, section,
    lead_in_start, lead_in_end, place, places, page, page_label
) VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)

-- name: reuse
-- Passages whose search text the mandate has had encoded before get that vector.
INSERT INTO passage_vectors (mandate, ordinal, number, encoder, search_text, embedding)
SELECT %(mandate)s, %(ordinal)s, wanted.number - 1, %(encoder)s, wanted.search_text, known.embedding
FROM unnest(%(hashes)s::bytea[]) WITH ORDINALITY AS wanted (search_text, number)
CROSS JOIN LATERAL (
    SELECT vectors.embedding FROM passage_vectors AS vectors
    WHERE vectors.mandate = %(mandate)s AND vectors.encoder = %(encoder)s
      AND vectors.search_text = wanted.search_text
    LIMIT 1
) AS known
RETURNING number

-- name: vectors
INSERT INTO passage_vectors (mandate, ordinal, number, encoder, search_text, embedding)
SELECT %(mandate)s, %(ordinal)s, number, %(encoder)s, search_text, embedding::halfvec(512)
FROM unnest(%(numbers)s::integer[], %(hashes)s::bytea[], %(vectors)s::text[]) AS new (number, search_text, embedding)
