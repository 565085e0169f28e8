-- The numbered sections of every version. Under the role projector.

-- name: clear
DELETE FROM passage_sections

-- name: sections
INSERT INTO passage_sections (mandate, ordinal, sign, section, passage, paragraphs)
VALUES (%s, %s, %s, %s, %s, %s)
