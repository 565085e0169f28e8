-- name: attempt
SELECT pg_try_advisory_lock(5124970311003)

-- name: rewrite
VACUUM (FULL) {table}

-- name: rewrite_statistics
VACUUM (FULL) pg_catalog.pg_statistic

-- name: now
SELECT pg_current_xact_id()::text

-- name: older_transactions
-- Transactions that run since before, and snapshots that still see rows of before, as far as this role may see them.
SELECT pg_snapshot_xmin(pg_current_snapshot()) <= %(now)s::xid8 OR EXISTS (
    SELECT FROM pg_stat_activity
    WHERE backend_xmin IS NOT NULL AND pid <> pg_backend_pid() AND datname = current_database()
      AND age(backend_xmin) >= age(%(now)s::xid8::xid))

-- name: fill
SELECT pg_logical_emit_message(false, 'fundstelle', '')

-- name: switch
SELECT pg_switch_wal()

-- name: has_prepared
SELECT EXISTS (SELECT FROM pg_ls_waldir()
               WHERE name ~ '^[0-9A-F]{24}$' AND name > pg_walfile_name(pg_current_wal_insert_lsn()))

-- name: checkpoint
CHECKPOINT
