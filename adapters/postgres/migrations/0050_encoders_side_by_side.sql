-- Vectors of any size, and learned weights: rows of several encoders lie side by side and never meet in a search.

ALTER TABLE fundstelle.passage_vectors ALTER COLUMN embedding TYPE halfvec;

-- How many passages each version has, so that a search knows what it is about to read. Owners see no rows of tables
-- that force row-level security on them.
ALTER TABLE fundstelle.passage_encodings ADD COLUMN passages integer NOT NULL DEFAULT 0;
ALTER TABLE fundstelle.passage_encodings NO FORCE ROW LEVEL SECURITY;
ALTER TABLE fundstelle.passages NO FORCE ROW LEVEL SECURITY;
UPDATE fundstelle.passage_encodings AS encodings SET passages = counted.passages
FROM (SELECT mandate, ordinal, count(*) AS passages FROM fundstelle.passages GROUP BY mandate, ordinal) AS counted
WHERE (counted.mandate, counted.ordinal) = (encodings.mandate, encodings.ordinal);
ALTER TABLE fundstelle.passages FORCE ROW LEVEL SECURITY;
ALTER TABLE fundstelle.passage_encodings FORCE ROW LEVEL SECURITY;
ALTER TABLE fundstelle.passage_encodings ALTER COLUMN passages DROP DEFAULT;

-- Learned sparse weights, a partition for each mandate as for vectors.
CREATE TABLE fundstelle.passage_weights (
    mandate     uuid NOT NULL,
    ordinal     bigint NOT NULL,
    number      integer NOT NULL,
    encoder     text NOT NULL,              -- fingerprint of the model
    search_text bytea NOT NULL,             -- HMAC-SHA256 of what was encoded
    embedding   sparsevec NOT NULL,         -- element n + 1 is the weight of feature n
    PRIMARY KEY (mandate, encoder, ordinal, number)
) PARTITION BY LIST (mandate);
CREATE INDEX passage_weights_by_text ON fundstelle.passage_weights (encoder, search_text);

CREATE TABLE fundstelle.weight_encodings (
    mandate  uuid NOT NULL,
    ordinal  bigint NOT NULL,
    encoder  text NOT NULL,
    passages integer NOT NULL,
    PRIMARY KEY (mandate, ordinal, encoder)
);

ALTER TABLE fundstelle.passage_weights ENABLE ROW LEVEL SECURITY;
ALTER TABLE fundstelle.passage_weights FORCE ROW LEVEL SECURITY;
CREATE POLICY passage_weights_in_scope ON fundstelle.passage_weights FOR SELECT TO :"reader"
    USING (mandate = ANY ((SELECT fundstelle.mandates_in_scope())::uuid[]));
CREATE POLICY passage_weights_kept ON fundstelle.passage_weights TO :"projector" USING (true) WITH CHECK (true);
GRANT SELECT ON fundstelle.passage_weights TO :"reader";
GRANT SELECT, INSERT, DELETE ON fundstelle.passage_weights TO :"projector";

ALTER TABLE fundstelle.weight_encodings ENABLE ROW LEVEL SECURITY;
ALTER TABLE fundstelle.weight_encodings FORCE ROW LEVEL SECURITY;
CREATE POLICY weight_encodings_in_scope ON fundstelle.weight_encodings FOR SELECT TO :"reader"
    USING (mandate = ANY ((SELECT fundstelle.mandates_in_scope())::uuid[]));
CREATE POLICY weight_encodings_kept ON fundstelle.weight_encodings TO :"projector" USING (true) WITH CHECK (true);
GRANT SELECT ON fundstelle.weight_encodings TO :"reader";
GRANT SELECT, INSERT, DELETE ON fundstelle.weight_encodings TO :"projector";

-- Rows of up to a page stay in line: a scan that fetches each of 1,024 dimensions from the side is five times slower.
CREATE FUNCTION fundstelle.open_partition(parent text, mandate uuid) RETURNS void
LANGUAGE plpgsql SET search_path = fundstelle, public, pg_temp AS $$
DECLARE
    partition text := parent || '_' || replace(mandate::text, '-', '');
BEGIN
    IF to_regclass(format('fundstelle.%I', partition)) IS NULL THEN
        EXECUTE format('CREATE TABLE fundstelle.%I (LIKE fundstelle.%I INCLUDING ALL) WITH (toast_tuple_target = 8160)',
                       partition, parent);
        EXECUTE format('ALTER TABLE fundstelle.%I ENABLE ROW LEVEL SECURITY', partition);
        EXECUTE format('ALTER TABLE fundstelle.%I FORCE ROW LEVEL SECURITY', partition);
        EXECUTE format('ALTER TABLE fundstelle.%I ATTACH PARTITION fundstelle.%I FOR VALUES IN (%L)',
                       parent, partition, mandate);
    END IF;
END $$;
REVOKE ALL ON FUNCTION fundstelle.open_partition(text, uuid) FROM PUBLIC;

-- Writers of a partition take turns until the end of their transactions: two that wrote and then wanted the lock for
-- a graph would wait for each other.
CREATE OR REPLACE FUNCTION fundstelle.open_passage_partition(mandate uuid) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = fundstelle, public, pg_temp AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('passage_vectors ' || mandate::text, 0));
    PERFORM fundstelle.open_partition('passage_vectors', mandate);
END $$;

CREATE FUNCTION fundstelle.open_weight_partition(mandate uuid) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = fundstelle, public, pg_temp AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('passage_weights ' || mandate::text, 0));
    PERFORM fundstelle.open_partition('passage_weights', mandate);
END $$;
REVOKE ALL ON FUNCTION fundstelle.open_weight_partition(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION fundstelle.open_weight_partition(uuid) TO :"projector";

DO $$
DECLARE
    partition regclass;
BEGIN
    FOR partition IN SELECT inhrelid FROM pg_inherits WHERE inhparent = 'fundstelle.passage_vectors'::regclass LOOP
        EXECUTE format('ALTER TABLE %s SET (toast_tuple_target = 8160)', partition);
    END LOOP;
END $$;

-- The graph of a mandate's vectors of one encoder (HNSW takes no second column, so it is a partial index; vectors of
-- other sizes lie in the same table, so it is one over an expression).
CREATE FUNCTION fundstelle.graph_name(mandate uuid, encoder text) RETURNS text
LANGUAGE sql IMMUTABLE AS $$
    SELECT 'passage_graph_' || replace(mandate::text, '-', '') || '_' || left(md5(encoder), 12)
$$;
GRANT EXECUTE ON FUNCTION fundstelle.graph_name(uuid, text) TO :"projector", :"reader";

-- Building holds up who writes into this partition, and nobody who reads.
CREATE FUNCTION fundstelle.open_passage_graph(mandate uuid, encoder text, dimensions integer) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = fundstelle, public, pg_temp AS $$
DECLARE
    partition text := 'passage_vectors_' || replace(mandate::text, '-', '');
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('passage_vectors ' || mandate::text, 0));
    EXECUTE format('CREATE INDEX IF NOT EXISTS %I ON fundstelle.%I '
                   'USING hnsw ((embedding::halfvec(%s)) halfvec_cosine_ops) WHERE encoder = %L',
                   fundstelle.graph_name(mandate, encoder), partition, dimensions, encoder);
END $$;
REVOKE ALL ON FUNCTION fundstelle.open_passage_graph(uuid, text, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION fundstelle.open_passage_graph(uuid, text, integer) TO :"projector";

CREATE FUNCTION fundstelle.drop_passage_graph(mandate uuid, encoder text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = fundstelle, public, pg_temp AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('passage_vectors ' || mandate::text, 0));
    EXECUTE format('DROP INDEX IF EXISTS fundstelle.%I', fundstelle.graph_name(mandate, encoder));
END $$;
REVOKE ALL ON FUNCTION fundstelle.drop_passage_graph(uuid, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION fundstelle.drop_passage_graph(uuid, text) TO :"projector";
