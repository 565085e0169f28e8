-- Events that a projection could not take in. The document that such an event belongs to is closed until a rebuild
-- succeeds; nothing else waits for it. The row is written in the transaction that moves the position past the event.
CREATE TABLE fundstelle.projection_failures (
    projection text NOT NULL,
    position   bigint NOT NULL,
    mandate    uuid NOT NULL,
    stream     uuid NOT NULL,
    kind       text NOT NULL,               -- kind of the error, without a word of the document
    PRIMARY KEY (projection, position)
);
CREATE INDEX projection_failures_by_stream ON fundstelle.projection_failures (mandate, stream);

ALTER TABLE fundstelle.projection_failures ENABLE ROW LEVEL SECURITY;
ALTER TABLE fundstelle.projection_failures FORCE ROW LEVEL SECURITY;
CREATE POLICY projection_failures_in_scope ON fundstelle.projection_failures FOR SELECT TO :"reader"
    USING (mandate = ANY ((SELECT fundstelle.mandates_in_scope())::uuid[]));
CREATE POLICY projection_failures_kept ON fundstelle.projection_failures TO :"projector"
    USING (true) WITH CHECK (true);
GRANT SELECT ON fundstelle.projection_failures TO :"reader";
GRANT SELECT, INSERT, DELETE ON fundstelle.projection_failures TO :"projector";
