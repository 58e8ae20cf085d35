-- The nonce under which the ledger's entry of a version has the hashes of its text and its chunks. Versions from before
-- have none. It goes with the text.
ALTER TABLE texts ADD COLUMN nonce TEXT NOT NULL DEFAULT '';

-- By a version, the entry that tells of it.
CREATE INDEX entries_of_added ON entries (tenant, body ->> '$.document') WHERE kind = 'document.added';

-- Nothing of the product changes a text or a chunk: they come with a version and go with it.
CREATE TRIGGER texts_are_fixed BEFORE UPDATE ON texts
BEGIN SELECT RAISE (ABORT, 'texts are fixed'); END;
CREATE TRIGGER chunks_are_fixed BEFORE UPDATE ON chunks
BEGIN SELECT RAISE (ABORT, 'chunks are fixed'); END;
