-- name: alone
-- A backup copies wrapped keys and then the file of the master key: they must belong together.
SELECT pg_advisory_lock(5124970311003)

-- name: lock
-- Reading goes on; new keys wait, and then find that another master key is in use.
LOCK TABLE fundstelle.keyring, fundstelle.store_keys IN EXCLUSIVE MODE

-- name: store_keys
SELECT master, marking FROM fundstelle.store_keys

-- name: keyring
SELECT key_id, kind, owner, wrapped FROM fundstelle.keyring

-- name: wrap
UPDATE fundstelle.keyring SET wrapped = %s WHERE key_id = %s

-- name: take_over
UPDATE fundstelle.store_keys SET master = %(master)s, marking = %(marking)s

-- name: forget_keyring
VACUUM (FULL) fundstelle.keyring

-- name: forget_store_keys
VACUUM (FULL) fundstelle.store_keys
