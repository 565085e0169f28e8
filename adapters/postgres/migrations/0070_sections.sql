-- Which numbered sections (§ 8, Art. 46) each version has, and the passages of each.
-- Readers see the mandates named by the setting fundstelle.scope and no others.

CREATE TABLE fundstelle.passage_sections (
    mandate    uuid NOT NULL,
    ordinal    bigint NOT NULL,         -- journal position of VersionIngested
    sign       text NOT NULL,           -- § or art
    section    text NOT NULL,           -- number with its letter: 5a
    passage    integer NOT NULL,        -- place in the version, from 0
    paragraphs text[] NOT NULL,         -- numbers of the paragraphs that it holds sentences of
    PRIMARY KEY (mandate, sign, section, ordinal, passage)
);

ALTER TABLE fundstelle.passage_sections ENABLE ROW LEVEL SECURITY;
ALTER TABLE fundstelle.passage_sections FORCE ROW LEVEL SECURITY;
CREATE POLICY passage_sections_in_scope ON fundstelle.passage_sections FOR SELECT TO :"reader"
    USING (mandate = ANY ((SELECT fundstelle.mandates_in_scope())::uuid[]));
CREATE POLICY passage_sections_kept ON fundstelle.passage_sections TO :"projector" USING (true) WITH CHECK (true);
GRANT SELECT ON fundstelle.passage_sections TO :"reader";
GRANT SELECT, INSERT, DELETE ON fundstelle.passage_sections TO :"projector";
