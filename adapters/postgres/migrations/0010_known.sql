-- What is known: documents, their versions, and the versions' slices of recorded positions and of validity.
-- Readers see the mandates named by the setting fundstelle.scope (ids, parted by commas) and no others.

CREATE TABLE fundstelle.known_documents (
    mandate  uuid NOT NULL,
    document uuid NOT NULL,
    key      text NOT NULL,
    PRIMARY KEY (mandate, document),
    UNIQUE (mandate, key)
);

-- A version as it stands now.
CREATE TABLE fundstelle.known_versions (
    mandate         uuid NOT NULL,
    ordinal         bigint NOT NULL,            -- journal position of VersionIngested
    document        uuid NOT NULL,
    version         integer NOT NULL,
    blob_address    text NOT NULL,
    sha256          text NOT NULL,
    characters      integer NOT NULL,
    sentences       integer NOT NULL,
    passages        integer NOT NULL,
    recorded_at     timestamptz NOT NULL,
    title           text NOT NULL,
    url             text,
    level           text NOT NULL,
    claim           daterange NOT NULL,         -- what it claims; what it answers for stands in its slices
    valid_from_kind text NOT NULL,
    live            boolean NOT NULL DEFAULT true,
    PRIMARY KEY (mandate, ordinal),
    UNIQUE (mandate, document, version)
);

-- A version answered for the days of "valid" at the positions from recorded_from up to, not including, recorded_to.
CREATE TABLE fundstelle.known_slices (
    mandate         uuid NOT NULL,
    ordinal         bigint NOT NULL,
    recorded_from   bigint NOT NULL,
    recorded_to     bigint NOT NULL DEFAULT 9223372036854775807,  -- the greatest bigint: still open
    valid           daterange NOT NULL CHECK (NOT isempty(valid)),
    title           text NOT NULL,
    url             text,
    level           text NOT NULL,
    valid_from_kind text NOT NULL,
    PRIMARY KEY (mandate, ordinal, recorded_from, valid),
    CHECK (recorded_from < recorded_to)
);

CREATE INDEX known_slices_by_end ON fundstelle.known_slices (mandate, recorded_to, recorded_from);

-- The mandates that this transaction may see; none unless it says so.
CREATE FUNCTION fundstelle.mandates_in_scope() RETURNS uuid[] LANGUAGE sql STABLE PARALLEL SAFE AS
$$ SELECT string_to_array(nullif(current_setting('fundstelle.scope', true), ''), ',')::uuid[] $$;
GRANT EXECUTE ON FUNCTION fundstelle.mandates_in_scope() TO :"reader";

ALTER TABLE fundstelle.known_documents ENABLE ROW LEVEL SECURITY;
ALTER TABLE fundstelle.known_documents FORCE ROW LEVEL SECURITY;
CREATE POLICY known_documents_in_scope ON fundstelle.known_documents FOR SELECT TO :"reader"
    USING (mandate = ANY ((SELECT fundstelle.mandates_in_scope())::uuid[]));
CREATE POLICY known_documents_kept ON fundstelle.known_documents TO :"projector" USING (true) WITH CHECK (true);
GRANT SELECT ON fundstelle.known_documents TO :"reader";
GRANT SELECT, INSERT, UPDATE, DELETE ON fundstelle.known_documents TO :"projector";

ALTER TABLE fundstelle.known_versions ENABLE ROW LEVEL SECURITY;
ALTER TABLE fundstelle.known_versions FORCE ROW LEVEL SECURITY;
CREATE POLICY known_versions_in_scope ON fundstelle.known_versions FOR SELECT TO :"reader"
    USING (mandate = ANY ((SELECT fundstelle.mandates_in_scope())::uuid[]));
CREATE POLICY known_versions_kept ON fundstelle.known_versions TO :"projector" USING (true) WITH CHECK (true);
GRANT SELECT ON fundstelle.known_versions TO :"reader";
GRANT SELECT, INSERT, UPDATE, DELETE ON fundstelle.known_versions TO :"projector";

ALTER TABLE fundstelle.known_slices ENABLE ROW LEVEL SECURITY;
ALTER TABLE fundstelle.known_slices FORCE ROW LEVEL SECURITY;
CREATE POLICY known_slices_in_scope ON fundstelle.known_slices FOR SELECT TO :"reader"
    USING (mandate = ANY ((SELECT fundstelle.mandates_in_scope())::uuid[]));
CREATE POLICY known_slices_kept ON fundstelle.known_slices TO :"projector" USING (true) WITH CHECK (true);
GRANT SELECT ON fundstelle.known_slices TO :"reader";
GRANT SELECT, INSERT, UPDATE, DELETE ON fundstelle.known_slices TO :"projector";
