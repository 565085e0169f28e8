-- The passages of every version and their vectors. Texts are not copied here: a passage is cut from its blob.
-- Readers see the mandates named by the setting fundstelle.scope and no others.

-- What the passages of a version were made with; the title is that of the ingest, it stands in the search texts.
CREATE TABLE fundstelle.passage_versions (
    mandate uuid NOT NULL,
    ordinal bigint NOT NULL,                -- journal position of VersionIngested
    title   text NOT NULL,
    markup  text NOT NULL,
    PRIMARY KEY (mandate, ordinal)
);

CREATE TABLE fundstelle.passages (
    mandate         uuid NOT NULL,
    ordinal         bigint NOT NULL,
    number          integer NOT NULL,       -- place in the version, from 0
    span_start      integer NOT NULL,
    span_end        integer NOT NULL,
    sentence_starts integer[] NOT NULL,
    sentence_ends   integer[] NOT NULL,
    section         text[] NOT NULL,
    lead_in_start   integer,
    lead_in_end     integer,
    place           text NOT NULL,
    page            integer,
    page_label      text,
    PRIMARY KEY (mandate, ordinal, number)
);

-- One partition for each mandate, so that a search reads the mandates in scope only and erasing drops a table.
CREATE TABLE fundstelle.passage_vectors (
    mandate     uuid NOT NULL,
    ordinal     bigint NOT NULL,
    number      integer NOT NULL,
    encoder     text NOT NULL,              -- fingerprint of the model
    search_text bytea NOT NULL,             -- SHA-256 of what was encoded
    embedding   halfvec(512) NOT NULL,
    PRIMARY KEY (mandate, encoder, ordinal, number)
) PARTITION BY LIST (mandate);

-- Which versions an encoder has been through, versions without passages included.
CREATE TABLE fundstelle.passage_encodings (
    mandate uuid NOT NULL,
    ordinal bigint NOT NULL,
    encoder text NOT NULL,
    PRIMARY KEY (mandate, ordinal, encoder)
);

CREATE INDEX passage_vectors_by_text ON fundstelle.passage_vectors (encoder, search_text);

-- Only the owner makes tables; the projector may have a partition opened. ATTACH does not hold readers up, whereas
-- CREATE TABLE ... PARTITION OF locks the parent against them.
CREATE FUNCTION fundstelle.open_passage_partition(mandate uuid) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = fundstelle, public, pg_temp AS $$
DECLARE
    partition text := 'passage_vectors_' || replace(mandate::text, '-', '');
BEGIN
    IF to_regclass(format('fundstelle.%I', partition)) IS NULL THEN
        EXECUTE format('CREATE TABLE fundstelle.%I (LIKE fundstelle.passage_vectors INCLUDING ALL)', partition);
        EXECUTE format('ALTER TABLE fundstelle.%I ENABLE ROW LEVEL SECURITY', partition);
        EXECUTE format('ALTER TABLE fundstelle.%I FORCE ROW LEVEL SECURITY', partition);
        EXECUTE format('ALTER TABLE fundstelle.passage_vectors ATTACH PARTITION fundstelle.%I FOR VALUES IN (%L)',
                       partition, mandate);
    END IF;
END $$;
REVOKE ALL ON FUNCTION fundstelle.open_passage_partition(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION fundstelle.open_passage_partition(uuid) TO :"projector";

ALTER TABLE fundstelle.passage_versions ENABLE ROW LEVEL SECURITY;
ALTER TABLE fundstelle.passage_versions FORCE ROW LEVEL SECURITY;
CREATE POLICY passage_versions_in_scope ON fundstelle.passage_versions FOR SELECT TO :"reader"
    USING (mandate = ANY ((SELECT fundstelle.mandates_in_scope())::uuid[]));
CREATE POLICY passage_versions_kept ON fundstelle.passage_versions TO :"projector" USING (true) WITH CHECK (true);
GRANT SELECT ON fundstelle.passage_versions TO :"reader";
GRANT SELECT, INSERT, DELETE ON fundstelle.passage_versions TO :"projector";

ALTER TABLE fundstelle.passages ENABLE ROW LEVEL SECURITY;
ALTER TABLE fundstelle.passages FORCE ROW LEVEL SECURITY;
CREATE POLICY passages_in_scope ON fundstelle.passages FOR SELECT TO :"reader"
    USING (mandate = ANY ((SELECT fundstelle.mandates_in_scope())::uuid[]));
CREATE POLICY passages_kept ON fundstelle.passages TO :"projector" USING (true) WITH CHECK (true);
GRANT SELECT ON fundstelle.passages TO :"reader";
GRANT SELECT, INSERT, DELETE ON fundstelle.passages TO :"projector";

ALTER TABLE fundstelle.passage_encodings ENABLE ROW LEVEL SECURITY;
ALTER TABLE fundstelle.passage_encodings FORCE ROW LEVEL SECURITY;
CREATE POLICY passage_encodings_in_scope ON fundstelle.passage_encodings FOR SELECT TO :"reader"
    USING (mandate = ANY ((SELECT fundstelle.mandates_in_scope())::uuid[]));
CREATE POLICY passage_encodings_kept ON fundstelle.passage_encodings TO :"projector" USING (true) WITH CHECK (true);
GRANT SELECT ON fundstelle.passage_encodings TO :"reader";
GRANT SELECT, INSERT, DELETE ON fundstelle.passage_encodings TO :"projector";

ALTER TABLE fundstelle.passage_vectors ENABLE ROW LEVEL SECURITY;
ALTER TABLE fundstelle.passage_vectors FORCE ROW LEVEL SECURITY;
CREATE POLICY passage_vectors_in_scope ON fundstelle.passage_vectors FOR SELECT TO :"reader"
    USING (mandate = ANY ((SELECT fundstelle.mandates_in_scope())::uuid[]));
CREATE POLICY passage_vectors_kept ON fundstelle.passage_vectors TO :"projector" USING (true) WITH CHECK (true);
GRANT SELECT ON fundstelle.passage_vectors TO :"reader";
GRANT SELECT, INSERT, DELETE ON fundstelle.passage_vectors TO :"projector";
