-- What belongs to the store as a whole: which master key wraps its keys, and the keys that mark names, texts and
-- identities. The program fills the row at its first start; only the owner changes it.
CREATE TABLE fundstelle.store_keys (
    singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
    master    text NOT NULL,            -- fingerprint of the master key
    marking   bytea NOT NULL            -- wrapped by the master key
);
GRANT SELECT, INSERT ON fundstelle.store_keys TO :"writer";

-- The statistics of the planner hold values of rows. They must hold no key, which would outlive its row. Setting the
-- type of a column to what it is drops the statistics that are there.
ALTER TABLE fundstelle.store_keys ALTER COLUMN marking SET STATISTICS 0;
ALTER TABLE fundstelle.keyring ALTER COLUMN wrapped TYPE bytea, ALTER COLUMN wrapped SET STATISTICS 0;
ALTER TABLE fundstelle.event_keys ALTER COLUMN wrapped TYPE bytea, ALTER COLUMN wrapped SET STATISTICS 0;
ALTER TABLE fundstelle.blob_keys ALTER COLUMN wrapped TYPE bytea, ALTER COLUMN wrapped SET STATISTICS 0;
ALTER TABLE fundstelle.people
    ALTER COLUMN mac TYPE bytea, ALTER COLUMN mac SET STATISTICS 0,
    ALTER COLUMN identity TYPE bytea, ALTER COLUMN identity SET STATISTICS 0;
ALTER TABLE fundstelle.stream_names ALTER COLUMN mac TYPE bytea, ALTER COLUMN mac SET STATISTICS 0;
