-- name: rows
-- Both tables whole, side by side; what one of them lacks stays NULL, as does a time that no event can have.
SELECT coalesce(event.notification_id, entry.position) AS place,
    event.originator_id, event.originator_version, event.topic, event.state, event.notification_id,
    CASE WHEN entry.logged_at BETWEEN '1970-01-01Z' AND '9999-12-30Z' THEN entry.logged_at END AS logged_at,
    entry.mandate, entry.number, entry.hash
FROM stored_events AS event
FULL JOIN journal_entries AS entry ON entry.position = event.notification_id
ORDER BY 1

-- name: clock
-- No row unless it is there and holds a time that an event can have.
SELECT FROM journal_clock WHERE floor BETWEEN '1970-01-01Z' AND '9999-12-30Z'

-- name: scope
SELECT set_config('fundstelle.scope', %(scope)s, true)

-- name: damaged_texts
SELECT encode(address, 'hex') FROM blobs WHERE sha256(content) <> address ORDER BY 1
