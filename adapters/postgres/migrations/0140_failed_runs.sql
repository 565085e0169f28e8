-- A run that failed and went on was a failed one in between, and is listed so as of that time.

ALTER TABLE fundstelle.runs
    ADD COLUMN failed_at   bigint[] NOT NULL DEFAULT '{}',  -- journal positions at which it failed and did not stay so
    ADD COLUMN resumed_at  bigint[] NOT NULL DEFAULT '{}',  -- for each of them, the one at which it went on
    ADD COLUMN failed_step text[]   NOT NULL DEFAULT '{}';  -- and where it had ended
