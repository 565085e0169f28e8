-- A backup reads the records as their owner, so that no superuser is needed: the tables that are closed to the owner as
-- well open themselves to reading where it says what it is.
CREATE POLICY blobs_backed_up ON fundstelle.blobs FOR SELECT TO :"owner"
    USING (current_setting('fundstelle.backup', true) = 'on');
CREATE POLICY blob_keys_backed_up ON fundstelle.blob_keys FOR SELECT TO :"owner"
    USING (current_setting('fundstelle.backup', true) = 'on');
CREATE POLICY people_told_backed_up ON fundstelle.people_told FOR SELECT TO :"owner"
    USING (current_setting('fundstelle.backup', true) = 'on');
