-- The schema itself is made with the roles; from here on each migration grants what each role needs, so that a
-- forgotten grant is an error and never an opening.
ALTER DEFAULT PRIVILEGES IN SCHEMA fundstelle REVOKE ALL ON TABLES FROM PUBLIC;
ALTER DEFAULT PRIVILEGES REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC;
GRANT SELECT ON fundstelle.migrations TO :"writer", :"projector", :"reader";
