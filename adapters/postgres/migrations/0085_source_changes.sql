-- What the answers of runs rest on, and which of them have been told that it changed.

-- Journal position up to which an answer, or the caution above it, speaks: what changed behind it is news to the run.
ALTER TABLE fundstelle.runs ADD COLUMN speaks_up_to bigint NOT NULL DEFAULT 0;

-- The versions that a delivered answer cites.
CREATE TABLE fundstelle.run_citations (
    mandate      uuid NOT NULL,
    run          uuid NOT NULL,
    ordinal      bigint NOT NULL,               -- journal position of the cited VersionIngested
    owner        uuid NOT NULL,                 -- the mandate of that version
    valid_on     date NOT NULL,                 -- the day that the answer was given for
    speaks_up_to bigint NOT NULL,               -- as that of the run
    delivered    bigint NOT NULL,               -- journal position of AnswerDelivered
    PRIMARY KEY (mandate, run, ordinal)
);
CREATE INDEX run_citations_by_version ON fundstelle.run_citations (owner, ordinal);
CREATE INDEX run_citations_by_position ON fundstelle.run_citations (delivered);

-- What runs have been told (SourceChangeNotified).
CREATE TABLE fundstelle.run_changes (
    mandate uuid NOT NULL,
    run     uuid NOT NULL,
    told    bigint NOT NULL,                    -- journal position at which the run was told
    change  bigint NOT NULL,                    -- journal position at which the version changed
    ordinal bigint NOT NULL,                    -- the cited version
    owner   uuid NOT NULL,                      -- its mandate
    PRIMARY KEY (mandate, run, told)
);

-- How far all runs have been told: one row. Without it, all is gone through once more, and nothing told twice.
CREATE TABLE fundstelle.runs_told (
    position bigint NOT NULL,
    is_only  boolean PRIMARY KEY DEFAULT true CHECK (is_only)
);

-- Up to which change a person has been told in the chat.
CREATE TABLE fundstelle.people_told (
    mandate  uuid NOT NULL,
    person   uuid NOT NULL,                     -- pseudonym
    position bigint NOT NULL,
    PRIMARY KEY (mandate, person)
);

-- The ends of slices, whatever the mandate.
CREATE INDEX known_slices_by_change ON fundstelle.known_slices (recorded_to) WHERE recorded_to < 9223372036854775807;

ALTER TABLE fundstelle.run_citations ENABLE ROW LEVEL SECURITY;
ALTER TABLE fundstelle.run_citations FORCE ROW LEVEL SECURITY;
CREATE POLICY run_citations_kept ON fundstelle.run_citations TO :"projector" USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, DELETE ON fundstelle.run_citations TO :"projector";

ALTER TABLE fundstelle.run_changes ENABLE ROW LEVEL SECURITY;
ALTER TABLE fundstelle.run_changes FORCE ROW LEVEL SECURITY;
CREATE POLICY run_changes_in_scope ON fundstelle.run_changes FOR SELECT TO :"reader"
    USING (mandate = ANY ((SELECT fundstelle.mandates_in_scope())::uuid[]));
CREATE POLICY run_changes_kept ON fundstelle.run_changes TO :"projector" USING (true) WITH CHECK (true);
GRANT SELECT ON fundstelle.run_changes TO :"reader";
GRANT SELECT, INSERT, DELETE ON fundstelle.run_changes TO :"projector";

ALTER TABLE fundstelle.runs_told ENABLE ROW LEVEL SECURITY;
ALTER TABLE fundstelle.runs_told FORCE ROW LEVEL SECURITY;
CREATE POLICY runs_told_kept ON fundstelle.runs_told TO :"projector" USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON fundstelle.runs_told TO :"projector";

ALTER TABLE fundstelle.people_told ENABLE ROW LEVEL SECURITY;
ALTER TABLE fundstelle.people_told FORCE ROW LEVEL SECURITY;
CREATE POLICY people_told_in_scope ON fundstelle.people_told FOR SELECT TO :"reader"
    USING (mandate = ANY ((SELECT fundstelle.mandates_in_scope())::uuid[]));
CREATE POLICY people_told_kept ON fundstelle.people_told TO :"projector" USING (true) WITH CHECK (true);
GRANT SELECT ON fundstelle.people_told TO :"reader";
GRANT SELECT, INSERT, UPDATE ON fundstelle.people_told TO :"projector";
