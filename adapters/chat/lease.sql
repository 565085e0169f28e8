-- name: take
-- The lock lives as long as the session, and no longer: the server frees it when the connection ends.
SELECT pg_try_advisory_lock(hashtextextended('fundstelle chat ' || %(account)s::text, 0))

-- name: probe_often
-- Over a network, a machine that has gone without a word is given up within seconds; a socket of the same machine
-- ignores this.
SELECT set_config('tcp_keepalives_idle', '3', false), set_config('tcp_keepalives_interval', '2', false),
    set_config('tcp_keepalives_count', '3', false)

-- name: ask
SELECT 1
