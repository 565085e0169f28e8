-- The table of contents of passages. Under the role projector.

-- name: clear
WITH versions AS (DELETE FROM passage_versions)
DELETE FROM passages

-- name: version
INSERT INTO passage_versions (mandate, ordinal, title, markup)
VALUES (%(mandate)s, %(ordinal)s, %(title)s, %(markup)s)

-- name: passage
-- Not COPY: it does not work under row-level security.
INSERT INTO passages (
    mandate, ordinal, number, span_start, span_end, sentence_starts, sentence_ends, section,
    lead_in_start, lead_in_end, place, places, page, page_label
) VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)

-- name: documents
-- How many versions and passages there are up to a position, some versions left out.
SELECT count(DISTINCT versions.ordinal) + count(passages.number)
FROM passage_versions AS versions
LEFT JOIN passages USING (mandate, ordinal)
WHERE versions.ordinal <= %(position)s AND versions.ordinal <> ALL (%(left_out)s::bigint[])
