-- name: no_erasing
-- An erasure waits until a backup that has begun is done, and the other way round: none holds what the other removes.
SELECT pg_advisory_lock_shared(5124970311003)

-- name: begin
BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY

-- name: export
SELECT pg_export_snapshot()

-- name: count_events
SELECT count(*) FROM fundstelle.stored_events

-- name: has_tables
SELECT 1 FROM pg_tables WHERE schemaname = 'fundstelle' LIMIT 1

-- name: describe
SELECT current_setting('server_version'),
       coalesce((SELECT extversion FROM pg_extension WHERE extname = 'vector'), ''),
       pg_database_size(current_database())

-- name: forget_later_event_keys
-- Keys of events that came after the data: their places will be taken by others.
DELETE FROM fundstelle.event_keys AS held WHERE NOT EXISTS (
    SELECT FROM fundstelle.stored_events WHERE (originator_id, originator_version) = (held.stream, held.version))

-- name: forget_later_blob_keys
DELETE FROM fundstelle.blob_keys AS held WHERE NOT EXISTS (
    SELECT FROM fundstelle.blobs WHERE (mandate, address) = (held.mandate, held.address))

-- name: forget_erased_blobs
DELETE FROM fundstelle.blobs AS held WHERE NOT EXISTS (
    SELECT FROM fundstelle.keyring WHERE kind = 'mandate' AND owner = held.mandate)

-- name: forget_erased_names
-- Names inside mandates that have been erased since, and the names of those mandates.
DELETE FROM fundstelle.stream_names AS held
WHERE (mandate <> '00000000-0000-0000-0000-000000000000' OR kind = 'mandate') AND NOT EXISTS (
    SELECT FROM fundstelle.keyring WHERE keyring.kind = 'mandate' AND owner =
        CASE WHEN held.kind = 'mandate' AND mandate = '00000000-0000-0000-0000-000000000000' THEN stream ELSE mandate END)

-- name: count_erased
SELECT count(*) FROM fundstelle.stored_events AS event WHERE NOT EXISTS (
    SELECT FROM fundstelle.event_keys JOIN fundstelle.keyring USING (key_id)
    WHERE (stream, version) = (event.originator_id, event.originator_version))

-- name: default_privileges
ALTER DEFAULT PRIVILEGES REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC

-- name: open_texts
ALTER TABLE fundstelle.blobs NO FORCE ROW LEVEL SECURITY;
ALTER TABLE fundstelle.blob_keys NO FORCE ROW LEVEL SECURITY

-- name: close_texts
ALTER TABLE fundstelle.blobs FORCE ROW LEVEL SECURITY;
ALTER TABLE fundstelle.blob_keys FORCE ROW LEVEL SECURITY
