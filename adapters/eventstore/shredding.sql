-- name: shred
-- The identity of a person goes with the key (ON DELETE CASCADE).
WITH gone AS (DELETE FROM fundstelle.keyring WHERE kind = %(kind)s AND owner = %(owner)s RETURNING key_id, kind, owner)
INSERT INTO fundstelle.shredded_keys (key_id, kind, owner) SELECT * FROM gone

-- name: event_keys
DELETE FROM fundstelle.event_keys WHERE key_id IN (
    SELECT key_id FROM fundstelle.shredded_keys WHERE kind = %(kind)s AND owner = %(owner)s)

-- name: event_keys_told
WITH gone AS (DELETE FROM fundstelle.event_keys WHERE key_id IN (
    SELECT key_id FROM fundstelle.shredded_keys WHERE kind = %(kind)s AND owner = %(owner)s) RETURNING stream)
SELECT DISTINCT stream FROM gone

-- name: events_of_mandate
-- Questions lie under the keys of those who asked, who live on.
DELETE FROM fundstelle.event_keys AS held
USING fundstelle.journal_entries AS entry
JOIN fundstelle.stored_events AS event ON event.notification_id = entry.position
WHERE entry.mandate = %(mandate)s AND (held.stream, held.version) = (event.originator_id, event.originator_version)

-- name: scope
SELECT set_config('fundstelle.scope', %(scope)s, true)

-- name: blob_keys
DELETE FROM fundstelle.blob_keys WHERE mandate = %(mandate)s

-- name: blobs
DELETE FROM fundstelle.blobs WHERE mandate = %(mandate)s

-- name: names
-- Names inside the mandate, and its own. A channel that it has bound keeps its numbers, on which later bindings build.
DELETE FROM fundstelle.stream_names
WHERE mandate = %(mandate)s OR (stream = %(mandate)s AND kind = 'mandate')

-- name: some_event_keys
DELETE FROM fundstelle.event_keys USING unnest(%s::uuid[], %s::bigint[]) AS gone (stream, version)
WHERE (event_keys.stream, event_keys.version) = (gone.stream, gone.version)

-- name: some_blob_keys
DELETE FROM fundstelle.blob_keys WHERE mandate = %(mandate)s AND address = ANY (%(addresses)s::bytea[])
