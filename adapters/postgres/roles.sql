-- name: database_exists
SELECT 1 FROM pg_database WHERE datname = %(database)s

-- name: create_database
CREATE DATABASE {database}

-- name: role_exists
SELECT 1 FROM pg_roles WHERE rolname = %(role)s

-- name: create_role
-- Nothing beyond logging in.
CREATE ROLE {role} LOGIN PASSWORD {verifier}
    NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS

-- name: search_path
-- Said by each role of itself, which needs no administrator; every connection then finds the schema.
ALTER ROLE CURRENT_USER SET search_path = fundstelle, public

-- name: let_owner_in
GRANT CONNECT, CREATE, TEMPORARY ON DATABASE {database} TO {role}

-- name: let_in
GRANT CONNECT ON DATABASE {database} TO {role}

-- name: serialise
-- One number for all programs of ours that prepare a database of this server.
SELECT pg_advisory_lock(5124970311001)

-- name: create_schema
CREATE SCHEMA IF NOT EXISTS fundstelle

-- name: open_schema
GRANT USAGE ON SCHEMA fundstelle TO {writer}, {projector}, {reader}

-- name: has_schema
-- The schema is the last thing that is made: where it is, all is.
SELECT 1 FROM pg_namespace WHERE nspname = 'fundstelle'

-- name: create_extension
-- Only a superuser may do this, or an administrator has done it before us.
CREATE EXTENSION IF NOT EXISTS vector WITH SCHEMA public

-- name: has_extension
SELECT 1 FROM pg_extension WHERE extname = 'vector'

-- name: privileges_too_wide
-- What a role has that it must not have: a name for each, no row if all is well.
WITH me AS (SELECT * FROM pg_roles WHERE rolname = current_user)
SELECT 'superuser' FROM me WHERE rolsuper
UNION ALL SELECT 'bypassrls' FROM me WHERE rolbypassrls
UNION ALL SELECT 'createrole' FROM me WHERE rolcreaterole
UNION ALL SELECT 'createdb' FROM me WHERE rolcreatedb
UNION ALL SELECT 'replication' FROM me WHERE rolreplication
UNION ALL SELECT 'member of ' || roleid::regrole FROM pg_auth_members WHERE member = (SELECT oid FROM me)
UNION ALL SELECT DISTINCT 'owner' FROM pg_shdepend
    WHERE refclassid = 'pg_authid'::regclass AND refobjid = (SELECT oid FROM me) AND deptype = 'o'
