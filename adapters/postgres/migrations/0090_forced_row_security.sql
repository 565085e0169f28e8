-- Row-level security holds for the owner of the texts as well, and every key of a table that readers see begins with the
-- mandate, so that a duplicate tells nothing about another one.
ALTER TABLE blobs FORCE ROW LEVEL SECURITY;
ALTER TABLE blob_keys FORCE ROW LEVEL SECURITY;
ALTER TABLE fundstelle.projection_failures DROP CONSTRAINT projection_failures_pkey;
ALTER TABLE fundstelle.projection_failures ADD PRIMARY KEY (mandate, projection, position);
