-- How far each projection has come, and by which version of its code. The row is also the lock: whoever keeps a
-- projection holds it for the transaction.
CREATE TABLE projection_positions (
    name     text PRIMARY KEY,
    version  integer NOT NULL,
    position bigint NOT NULL DEFAULT 0
);
GRANT SELECT, INSERT, UPDATE ON projection_positions TO :"projector";
GRANT SELECT ON projection_positions TO :"reader";
