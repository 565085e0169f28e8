-- Encoders whose rows projections keep up to date. Under the role projector.

-- name: live
SELECT encoder FROM live_encoders

-- name: keep
INSERT INTO live_encoders (encoder) VALUES (%(encoder)s) ON CONFLICT DO NOTHING
