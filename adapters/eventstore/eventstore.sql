-- name: head
-- Under the lock of the table: where the stream, the mandate and the journal stand. Setting the sequence closes the
-- gaps that appends which were rolled back have left.
SELECT
    coalesce((SELECT originator_version FROM stored_events WHERE originator_id = %(stream)s
     ORDER BY originator_version DESC LIMIT 1), 0) AS version,
    (SELECT substring(state FROM 5 FOR 16) FROM stored_events
     WHERE originator_id = %(stream)s AND originator_version = 1) AS mandate,
    coalesce(last.position, 0) AS position,
    greatest(last.logged_at, journal_clock.floor) AS logged_at,
    coalesce(own.number, 0) AS number,
    own.hash AS hash,
    setval('stored_events_notification_id_seq', coalesce(last.position, 0) + 1, false)
FROM journal_clock
LEFT JOIN LATERAL (
    SELECT position, logged_at FROM journal_entries ORDER BY position DESC LIMIT 1
) AS last ON true
LEFT JOIN LATERAL (
    SELECT number, hash FROM journal_entries WHERE mandate = %(mandate)s ORDER BY number DESC LIMIT 1
) AS own ON true

-- name: insert_entries
INSERT INTO journal_entries (position, logged_at, mandate, number, hash)
SELECT * FROM unnest(%s::bigint[], %s::timestamptz[], %s::uuid[], %s::bigint[], %s::bytea[])

-- name: insert_event_keys
INSERT INTO event_keys (stream, version, key_id, wrapped)
SELECT * FROM unnest(%s::uuid[], %s::bigint[], %s::uuid[], %s::bytea[])

-- name: claim_name
INSERT INTO stream_names (mandate, kind, mac, stream) VALUES (%(mandate)s, %(kind)s, %(mac)s, %(stream)s)
ON CONFLICT DO NOTHING RETURNING stream

-- name: find_name
SELECT stream FROM stream_names WHERE mandate = %(mandate)s AND kind = %(kind)s AND mac = %(mac)s

-- name: find_names
SELECT stream FROM stream_names WHERE mandate = %(mandate)s AND kind = %(kind)s

-- name: personal
SELECT DISTINCT event_keys.stream FROM keyring JOIN event_keys USING (key_id)
WHERE keyring.kind = 'person' AND keyring.owner = %(person)s

-- name: stream
SELECT originator_id, originator_version, topic, state, notification_id FROM stored_events
WHERE originator_id = %(stream)s AND notification_id <= %(up_to)s ORDER BY originator_version

-- name: batch
-- Of each topic the name without its version. What nobody here knows comes along, so that it is refused and not missed.
SELECT originator_id, originator_version, topic, state, notification_id FROM stored_events
WHERE notification_id > %(after)s AND notification_id <= %(head)s
    AND (split_part(topic, ':', 1) = ANY (%(names)s) OR split_part(topic, ':', 1) <> ALL (%(known)s))
ORDER BY notification_id LIMIT %(limit)s

-- name: companions
-- What belongs to events of these positions: the hash in the journal, and the keys, as far as they are still there.
SELECT asked.position AS asked, entry.hash, event_key.wrapped AS event_key,
    keyring.key_id, keyring.kind, keyring.owner, keyring.wrapped
FROM unnest(%s::bigint[], %s::uuid[], %s::bigint[]) AS asked (position, stream, version)
LEFT JOIN journal_entries AS entry ON entry.position = asked.position
LEFT JOIN event_keys AS event_key ON event_key.stream = asked.stream AND event_key.version = asked.version
LEFT JOIN keyring ON keyring.key_id = event_key.key_id

-- name: span
-- The numbers of a mandate's events logged between two instants.
SELECT min(number) AS first, max(number) AS last FROM journal_entries
WHERE mandate = %(mandate)s AND position <= %(up_to)s
  AND (%(since)s::timestamptz IS NULL OR logged_at >= %(since)s)
  AND (%(until)s::timestamptz IS NULL OR logged_at <= %(until)s)

-- name: entries
SELECT position, number, hash, logged_at FROM journal_entries
WHERE mandate = %(mandate)s AND number BETWEEN %(first)s AND %(last)s ORDER BY number

-- name: rows
SELECT originator_id, originator_version, topic, state, notification_id FROM stored_events
WHERE notification_id = ANY (%(positions)s) ORDER BY notification_id

-- name: last_entry
SELECT position, logged_at FROM journal_entries ORDER BY position DESC LIMIT 1

-- name: position_at
SELECT coalesce(max(position), 0) AS position FROM (
    SELECT position FROM journal_entries WHERE logged_at <= %(instant)s ORDER BY logged_at DESC, position DESC LIMIT 1
) AS found

-- name: lock_journal
LOCK TABLE stored_events IN EXCLUSIVE MODE

-- name: raise_floor
UPDATE journal_clock SET floor = %(floor)s WHERE floor < %(floor)s

-- name: find_owner_key
SELECT key_id, kind, owner, wrapped FROM keyring WHERE kind = %(kind)s AND owner = %(owner)s

-- name: any_owner_key
SELECT key_id, kind, owner, wrapped FROM keyring LIMIT 1

-- name: insert_owner_key
-- Not while another master key takes over: nobody could open the row afterwards.
INSERT INTO keyring (key_id, kind, owner, wrapped)
SELECT %(key_id)s, %(kind)s, %(owner)s, %(wrapped)s FROM store_keys WHERE master = %(master)s
ON CONFLICT DO NOTHING

-- name: insert_store_keys
INSERT INTO store_keys (master, marking) VALUES (%(master)s, %(marking)s) ON CONFLICT DO NOTHING

-- name: store_keys
SELECT master, marking FROM store_keys

-- name: mandate_has_events
SELECT EXISTS (SELECT FROM journal_entries WHERE mandate = %(mandate)s) AS found

-- name: insert_person
INSERT INTO people (person, key_id, mac, identity) VALUES (%(person)s, %(key_id)s, %(mac)s, %(identity)s)
ON CONFLICT (mac) DO NOTHING

-- name: find_person
SELECT person FROM people WHERE mac = %(mac)s

-- name: identities
SELECT person, identity, key_id, kind, owner, wrapped FROM people JOIN keyring USING (key_id)
WHERE person = ANY (%(people)s)

-- name: set_scope
SELECT set_config('fundstelle.scope', %(scope)s, true)

-- name: insert_blob
INSERT INTO blobs (mandate, address, content) VALUES (%(mandate)s, %(address)s, %(content)s)

-- name: insert_blob_key
INSERT INTO blob_keys (mandate, address, key_id, wrapped)
VALUES (%(mandate)s, %(address)s, %(key_id)s, %(wrapped)s)

-- name: shredded
-- Rises with every key that is destroyed.
SELECT coalesce(max(number), 0) AS shredded FROM shredded_keys

-- name: is_shredded
SELECT FROM shredded_keys WHERE kind = 'mandate' AND owner = %(mandate)s

-- name: blob_key
SELECT blob_keys.wrapped AS blob_key, key_id, kind, owner, keyring.wrapped
FROM blob_keys JOIN keyring USING (key_id)
WHERE mandate = %(mandate)s AND address = %(address)s

-- name: blob
SELECT content FROM blobs WHERE mandate = %(mandate)s AND address = %(address)s
