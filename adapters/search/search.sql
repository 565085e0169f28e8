-- Reading passages. Under the role reader, inside the scope that the transaction names.

-- name: scope
-- Row-level security reads this setting; true: it ends with the transaction.
SELECT set_config('fundstelle.scope', %(scope)s, true)

-- name: passages
-- With where the lead-in of the next passage ends: a list may go on there.
SELECT passages.ordinal, passages.number, passages.span_start, passages.span_end, passages.sentence_starts,
       passages.sentence_ends, passages.section, passages.lead_in_start, passages.lead_in_end, passages.place,
       passages.places, passages.page, passages.page_label, versions.title, versions.markup, following.lead_in_end
FROM passages
JOIN passage_versions AS versions USING (mandate, ordinal)
LEFT JOIN passages AS following
  ON (following.mandate, following.ordinal, following.number)
     = (passages.mandate, passages.ordinal, passages.number + 1)
WHERE passages.mandate = ANY (%(mandates)s)
  AND (passages.ordinal, passages.number) IN (SELECT * FROM unnest(%(ordinals)s::bigint[], %(numbers)s::integer[]))

-- name: numbered_versions
SELECT DISTINCT ordinal
FROM passage_sections
WHERE mandate = ANY (%(mandates)s) AND ordinal = ANY (%(ordinals)s)

-- name: sections
-- Where the sections asked for stand, in the versions asked for.
SELECT sign, section, ordinal, passage, paragraphs
FROM passage_sections
WHERE mandate = ANY (%(mandates)s) AND ordinal = ANY (%(ordinals)s)
  AND (sign, section) IN (SELECT * FROM unnest(%(signs)s::text[], %(sections)s::text[]))
ORDER BY ordinal, passage, sign, section
