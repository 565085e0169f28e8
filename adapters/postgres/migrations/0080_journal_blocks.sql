-- Roots of whole blocks of 1,024 leaves of the journal's tree, so that a proof reads thousands of hashes and not
-- millions. They can be made again from journal_entries at any time, and "journal verify" does not believe them.
CREATE TABLE fundstelle.journal_blocks (
    number bigint PRIMARY KEY CHECK (number >= 0),
    hash   bytea NOT NULL CHECK (length(hash) = 32)
);
GRANT SELECT, INSERT ON fundstelle.journal_blocks TO :"writer";
