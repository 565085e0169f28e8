-- What was encoded is marked by a keyed hash: a plain one lets whoever reads the table confirm a guess. The vectors
-- that were marked by a plain one go, those of encoders no longer in use as well; the projection makes its own anew.
TRUNCATE fundstelle.passage_vectors, fundstelle.passage_encodings;
COMMENT ON COLUMN fundstelle.passage_vectors.search_text IS 'HMAC-SHA256 of what was encoded';
