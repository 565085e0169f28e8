-- Who looked at what in audit views and bundles, without a word of what stood there.
-- Readers see the mandates named by the setting fundstelle.scope (ids, parted by commas) and no others.

CREATE TABLE fundstelle.looks (
    mandate    uuid NOT NULL,
    position   bigint NOT NULL,                 -- journal position of RecordViewed
    viewed_at  timestamptz NOT NULL,
    person     uuid NOT NULL,                   -- pseudonym of who looked
    operator   uuid,                            -- and of who did so on their behalf
    what       text NOT NULL,
    runs       uuid[] NOT NULL,                 -- the runs looked at, where they are named
    levels     text[] NOT NULL,                 -- what those could see
    of_person  uuid,                            -- how a list was narrowed
    since      timestamptz,
    until      timestamptz,
    told_up_to bigint,                          -- journal position up to which a list told
    PRIMARY KEY (mandate, position)
);

ALTER TABLE fundstelle.looks ENABLE ROW LEVEL SECURITY;
ALTER TABLE fundstelle.looks FORCE ROW LEVEL SECURITY;
CREATE POLICY looks_in_scope ON fundstelle.looks FOR SELECT TO :"reader"
    USING (mandate = ANY ((SELECT fundstelle.mandates_in_scope())::uuid[]));
CREATE POLICY looks_kept ON fundstelle.looks TO :"projector" USING (true) WITH CHECK (true);
GRANT SELECT ON fundstelle.looks TO :"reader";
GRANT SELECT, INSERT, UPDATE, DELETE ON fundstelle.looks TO :"projector";
