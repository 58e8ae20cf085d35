-- How many passages of the version the model refused for what they say; they are found by their words.
ALTER TABLE vectors ADD COLUMN refused INTEGER NOT NULL DEFAULT 0;
