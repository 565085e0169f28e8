-- The citation place of each sentence of a passage, empty where all stand in the place of the passage.
ALTER TABLE fundstelle.passages ADD COLUMN places text[] NOT NULL DEFAULT '{}';
