-- Events, their journal, keys, names, people and texts. The stored form is described in adapters/eventstore/form.py.
-- The writer appends: nothing here is granted UPDATE, DELETE or TRUNCATE but the one row of journal_clock.

-- As the library "eventsourcing" expects it. Ciphertext does not compress, and kept out of line uncompressed the
-- header can be cut out of a large state without reading it whole.
CREATE TABLE stored_events (
    originator_id      uuid NOT NULL,
    originator_version bigint NOT NULL CHECK (originator_version > 0),
    topic              text NOT NULL,
    state              bytea NOT NULL,
    notification_id    bigserial NOT NULL,
    PRIMARY KEY (originator_id, originator_version)
) WITH (
    -- A vacuum and an append wait for each other's lock. Nothing is ever updated here, so there is nothing to clean.
    autovacuum_vacuum_insert_threshold = -1,
    autovacuum_vacuum_threshold = 100000000,
    autovacuum_analyze_threshold = 1000,
    autovacuum_analyze_scale_factor = 0.01
);
ALTER TABLE stored_events ALTER COLUMN state SET STORAGE EXTERNAL;
CREATE UNIQUE INDEX stored_events_notification_id_idx ON stored_events (notification_id);
CREATE TYPE stored_event_uuid AS (originator_id uuid, originator_version bigint, topic text, state bytea);

-- MAINTAIN lets the writer lock the table; it is there from PostgreSQL 17 on.
GRANT SELECT, INSERT, MAINTAIN ON stored_events TO :"writer";
-- UPDATE on the sequence: each append sets it to the last position, so that rolled back appends leave no gap.
GRANT USAGE, UPDATE ON SEQUENCE stored_events_notification_id_seq TO :"writer";

-- One row for each event, in the same transaction: the heads of the chains, and times by index.
CREATE TABLE journal_entries (
    position  bigint PRIMARY KEY,
    logged_at timestamptz NOT NULL,
    mandate   uuid NOT NULL,
    number    bigint NOT NULL CHECK (number > 0),
    hash      bytea NOT NULL CHECK (length(hash) = 32),
    UNIQUE (mandate, number)
);
CREATE INDEX journal_entries_logged_at_idx ON journal_entries (logged_at, position);
GRANT SELECT, INSERT ON journal_entries TO :"writer";

-- Nothing is logged before this instant any more: raised when somebody has asked what was known at an instant.
CREATE TABLE journal_clock (
    singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
    floor     timestamptz NOT NULL
);
INSERT INTO journal_clock (floor) VALUES ('1970-01-01 00:00:00+00');
GRANT SELECT, UPDATE (floor) ON journal_clock TO :"writer";

-- Keys of mandates and people, wrapped by the master key. Deleting a row erases all that the key protects.
CREATE TABLE keyring (
    key_id  uuid PRIMARY KEY,
    kind    text NOT NULL CHECK (kind IN ('mandate', 'person')),
    owner   uuid NOT NULL,
    wrapped bytea NOT NULL,
    UNIQUE (kind, owner)
);
GRANT SELECT, INSERT ON keyring TO :"writer";

-- Data keys of events, wrapped by a key of the keyring; never beside the event.
CREATE TABLE event_keys (
    stream  uuid NOT NULL,
    version bigint NOT NULL,
    key_id  uuid NOT NULL,
    wrapped bytea NOT NULL,
    PRIMARY KEY (stream, version)
);
CREATE INDEX event_keys_key_id_idx ON event_keys (key_id);
GRANT SELECT, INSERT ON event_keys TO :"writer";

-- Names that must be unique, as message authentication codes: names of documents can be confidential.
-- The zero UUID stands for names that are unique over the whole store.
CREATE TABLE stream_names (
    mandate uuid NOT NULL,
    kind    text NOT NULL,
    mac     bytea NOT NULL,
    stream  uuid NOT NULL,
    PRIMARY KEY (mandate, kind, mac)
);
GRANT SELECT, INSERT ON stream_names TO :"writer";

-- The register of people. With a person's key the identity goes as well, and the next sight makes a new pseudonym.
CREATE TABLE people (
    person   uuid PRIMARY KEY,
    key_id   uuid NOT NULL REFERENCES keyring ON DELETE CASCADE,
    mac      bytea NOT NULL UNIQUE,
    identity bytea NOT NULL
);
CREATE INDEX people_key_id_idx ON people (key_id);
GRANT SELECT, INSERT ON people TO :"writer";

-- Texts, addressed by the hash of what is stored. Even the writer sees only those of the mandate it has set.
CREATE TABLE blobs (
    mandate uuid NOT NULL,
    address bytea NOT NULL CHECK (length(address) = 32),
    content bytea NOT NULL,
    PRIMARY KEY (mandate, address)
);
ALTER TABLE blobs ALTER COLUMN content SET STORAGE EXTERNAL;
CREATE TABLE blob_keys (
    mandate uuid NOT NULL,
    address bytea NOT NULL,
    key_id  uuid NOT NULL,
    wrapped bytea NOT NULL,
    PRIMARY KEY (mandate, address)
);
CREATE INDEX blob_keys_key_id_idx ON blob_keys (key_id);
-- An empty or missing setting gives an array without a match: no rows.
ALTER TABLE blobs ENABLE ROW LEVEL SECURITY;
CREATE POLICY blobs_in_scope ON blobs
    USING (mandate::text = ANY (string_to_array(current_setting('fundstelle.scope', true), ',')));
ALTER TABLE blob_keys ENABLE ROW LEVEL SECURITY;
CREATE POLICY blob_keys_in_scope ON blob_keys
    USING (mandate::text = ANY (string_to_array(current_setting('fundstelle.scope', true), ',')));
GRANT SELECT, INSERT ON blobs, blob_keys TO :"writer";
GRANT SELECT ON blobs TO :"reader", :"projector";
