-- The runs of a mandate, without a word of their questions.
-- Readers see the mandates named by the setting fundstelle.scope (ids, parted by commas) and no others.

CREATE TABLE fundstelle.runs (
    mandate        uuid NOT NULL,
    run            uuid NOT NULL,
    person         uuid NOT NULL,               -- pseudonym of the asker
    asked_at       timestamptz NOT NULL,
    asked_position bigint NOT NULL,             -- journal position of QuestionAsked
    levels         text[] NOT NULL,             -- what the question could see
    known_position bigint NOT NULL,             -- the horizon of the question
    valid_on       date NOT NULL,
    ended_position bigint,                      -- journal position of the last event, NULL while the run is open
    outcome        text CHECK (outcome IN ('answered', 'refused', 'failed')),
    step           text,                        -- where a run without answer ended
    PRIMARY KEY (mandate, run),
    CHECK ((ended_position IS NULL) = (outcome IS NULL))
);

CREATE INDEX runs_by_time ON fundstelle.runs (mandate, asked_position);

ALTER TABLE fundstelle.runs ENABLE ROW LEVEL SECURITY;
ALTER TABLE fundstelle.runs FORCE ROW LEVEL SECURITY;
CREATE POLICY runs_in_scope ON fundstelle.runs FOR SELECT TO :"reader"
    USING (mandate = ANY ((SELECT fundstelle.mandates_in_scope())::uuid[]));
CREATE POLICY runs_kept ON fundstelle.runs TO :"projector" USING (true) WITH CHECK (true);
GRANT SELECT ON fundstelle.runs TO :"reader";
GRANT SELECT, INSERT, UPDATE, DELETE ON fundstelle.runs TO :"projector";
