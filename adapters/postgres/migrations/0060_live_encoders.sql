-- Encoders beside the embedded one whose rows projections keep up to date, in all mandates: a mandate may subscribe to
-- any library, and a search uses one encoder for all that it looks at.

CREATE TABLE fundstelle.live_encoders (
    encoder text PRIMARY KEY            -- its fingerprint
);

GRANT SELECT, INSERT ON fundstelle.live_encoders TO :"projector";
