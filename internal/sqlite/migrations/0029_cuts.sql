-- Which chunker cut the chunks of a version; 0 for those from before chunkers had numbers. How often chunks of a tenant
-- were cut anew, and of a version the number from which on its chunks are as they are: a server that holds another
-- number reads its segment again, without any right having moved.
ALTER TABLE documents ADD COLUMN chunker INTEGER NOT NULL DEFAULT 0;
ALTER TABLE documents ADD COLUMN cut INTEGER NOT NULL DEFAULT 0;
ALTER TABLE tenants ADD COLUMN cuts INTEGER NOT NULL DEFAULT 0;
ALTER TABLE tenants ADD COLUMN recut_turn INTEGER NOT NULL DEFAULT 0;

CREATE INDEX documents_cut ON documents (tenant, cut);
CREATE INDEX documents_chunker ON documents (tenant, chunker);

-- The versions that wait for being cut anew, or are being cut. A job that has ended is no row any more.
CREATE TABLE recuts (
  document INTEGER PRIMARY KEY REFERENCES documents (row) ON DELETE CASCADE,
  id       TEXT NOT NULL UNIQUE,
  tenant   TEXT NOT NULL REFERENCES tenants (id),
  running  INTEGER NOT NULL,
  attempt  INTEGER NOT NULL,
  token    INTEGER NOT NULL,
  code     TEXT NOT NULL,
  detail   TEXT NOT NULL,
  due_at   INTEGER NOT NULL
) STRICT;

CREATE INDEX recuts_open ON recuts (tenant, document);

-- By a version, the entries that tell of its chunks as they were cut anew.
CREATE INDEX entries_of_recut ON entries (tenant, body ->> '$.document', sequence) WHERE kind = 'document.recut';

-- What moves with vectors and with chunks alone has numbers of its own, and moves nothing else. Without a move of the epoch a
-- follower would be told of it again each time that it asks.
DROP TRIGGER documents_moved_changed;
CREATE TRIGGER documents_moved_changed AFTER UPDATE ON documents
WHEN NEW.status <> OLD.status OR NEW.cut = OLD.cut AND NEW.vector_mark = OLD.vector_mark AND NEW.chunker = OLD.chunker BEGIN
  UPDATE documents SET moved = (SELECT epoch + 1 FROM tenants WHERE id = NEW.tenant) WHERE row = NEW.row;
END;
