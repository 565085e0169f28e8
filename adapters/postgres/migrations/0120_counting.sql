-- A view that was built anew is counted (ANALYZE) before anybody reads it: until PostgreSQL comes round to that by itself, it
-- plans with the numbers of before. MAINTAIN is the right to do so.
GRANT MAINTAIN ON fundstelle.known_documents, fundstelle.known_versions, fundstelle.known_slices,
    fundstelle.passage_versions, fundstelle.passages, fundstelle.passage_sections,
    fundstelle.runs, fundstelle.run_citations, fundstelle.run_changes, fundstelle.looks TO :"projector";
