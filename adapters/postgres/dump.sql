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
