-- Keys that have been destroyed. They tell what was erased on purpose from what got lost, and running processes by their
-- number that what they remember is to be forgotten. Only the owner deletes keys: no role that the program works with
-- all day may.
CREATE TABLE fundstelle.shredded_keys (
    number bigserial PRIMARY KEY,
    key_id uuid NOT NULL UNIQUE,
    kind   text NOT NULL,
    owner  uuid NOT NULL
);
CREATE INDEX shredded_keys_owner_idx ON fundstelle.shredded_keys (owner);
GRANT SELECT ON fundstelle.shredded_keys TO :"writer";

-- The owner erases inside the scope that it has set, also where tables force row-level security on it.
CREATE POLICY blobs_erased ON fundstelle.blobs TO :"owner"
    USING (mandate::text = current_setting('fundstelle.scope', true));
CREATE POLICY blob_keys_erased ON fundstelle.blob_keys TO :"owner"
    USING (mandate::text = current_setting('fundstelle.scope', true));

-- No partition is opened for a mandate whose key is gone, for whoever still had its texts in hand.
CREATE OR REPLACE FUNCTION fundstelle.open_partition(parent text, mandate uuid) RETURNS void
LANGUAGE plpgsql SET search_path = fundstelle, public, pg_temp AS $$
DECLARE
    partition text := parent || '_' || replace(mandate::text, '-', '');
BEGIN
    IF EXISTS (SELECT FROM fundstelle.shredded_keys AS gone
               WHERE gone.kind = 'mandate' AND gone.owner = open_partition.mandate) THEN
        RAISE EXCEPTION 'the mandate has been erased';
    END IF;
    IF to_regclass(format('fundstelle.%I', partition)) IS NULL THEN
        EXECUTE format('CREATE TABLE fundstelle.%I (LIKE fundstelle.%I INCLUDING ALL) WITH (toast_tuple_target = 8160)',
                       partition, parent);
        EXECUTE format('ALTER TABLE fundstelle.%I ENABLE ROW LEVEL SECURITY', partition);
        EXECUTE format('ALTER TABLE fundstelle.%I FORCE ROW LEVEL SECURITY', partition);
        EXECUTE format('ALTER TABLE fundstelle.%I ATTACH PARTITION fundstelle.%I FOR VALUES IN (%L)',
                       parent, partition, mandate);
    END IF;
END $$;

-- Takes what is encoded of an erased mandate away, file by file; whoever just writes there comes first.
CREATE FUNCTION fundstelle.drop_partitions(mandate uuid) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = fundstelle, public, pg_temp AS $$
DECLARE
    parent text;
BEGIN
    IF NOT EXISTS (SELECT FROM fundstelle.shredded_keys AS gone
                   WHERE gone.kind = 'mandate' AND gone.owner = drop_partitions.mandate) THEN
        RAISE EXCEPTION 'the mandate has its key';
    END IF;
    FOREACH parent IN ARRAY ARRAY['passage_vectors', 'passage_weights'] LOOP
        PERFORM pg_advisory_xact_lock(hashtextextended(parent || ' ' || mandate::text, 0));
        EXECUTE format('DROP TABLE IF EXISTS fundstelle.%I', parent || '_' || replace(mandate::text, '-', ''));
    END LOOP;
END $$;
REVOKE ALL ON FUNCTION fundstelle.drop_partitions(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION fundstelle.drop_partitions(uuid) TO :"projector";

-- Statistics of the planner hold values of rows. None of a column with words of a document: they would outlive it.
ALTER TABLE fundstelle.known_documents
    ALTER COLUMN key TYPE text, ALTER COLUMN key SET STATISTICS 0;
ALTER TABLE fundstelle.known_versions
    ALTER COLUMN title TYPE text, ALTER COLUMN title SET STATISTICS 0,
    ALTER COLUMN url TYPE text, ALTER COLUMN url SET STATISTICS 0,
    ALTER COLUMN sha256 TYPE text, ALTER COLUMN sha256 SET STATISTICS 0;
ALTER TABLE fundstelle.known_slices
    ALTER COLUMN title TYPE text, ALTER COLUMN title SET STATISTICS 0,
    ALTER COLUMN url TYPE text, ALTER COLUMN url SET STATISTICS 0;
ALTER TABLE fundstelle.passage_versions
    ALTER COLUMN title TYPE text, ALTER COLUMN title SET STATISTICS 0;
ALTER TABLE fundstelle.passages
    ALTER COLUMN section TYPE text[], ALTER COLUMN section SET STATISTICS 0,
    ALTER COLUMN place TYPE text, ALTER COLUMN place SET STATISTICS 0,
    ALTER COLUMN places TYPE text[], ALTER COLUMN places SET STATISTICS 0,
    ALTER COLUMN page_label TYPE text, ALTER COLUMN page_label SET STATISTICS 0;
