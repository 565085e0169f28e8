-- name: rows
-- Both tables whole, side by side; what one of them lacks stays NULL.
SELECT coalesce(event.notification_id, entry.position) AS place,
    event.originator_id, event.originator_version, event.topic, event.state, event.notification_id,
    entry.logged_at, entry.mandate, entry.number, entry.hash
FROM stored_events AS event
FULL JOIN journal_entries AS entry ON entry.position = event.notification_id
ORDER BY 1

-- name: scope
SELECT set_config('fundstelle.scope', %(scope)s, true)

-- name: damaged_texts
SELECT encode(address, 'hex') FROM blobs WHERE sha256(content) <> address ORDER BY 1
