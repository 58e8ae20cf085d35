-- The model that versions are embedded with: one row, or none where there is no such model.
CREATE TABLE embedding_model (
  one    INTEGER PRIMARY KEY CHECK (one = 1),
  name   TEXT NOT NULL,
  remote INTEGER NOT NULL
) STRICT;

-- What a model made of a version. It goes with the version's content.
CREATE TABLE vectors (
  document INTEGER NOT NULL REFERENCES documents (row) ON DELETE CASCADE,
  model    TEXT NOT NULL,
  bytes    BLOB NOT NULL,
  PRIMARY KEY (document, model)
) STRICT;

-- The versions that wait for the vectors of the model, or are being embedded. A job that has ended
-- is no row any more.
CREATE TABLE embeddings (
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

CREATE INDEX embeddings_open ON embeddings (tenant, document);

-- Whose vectors a tenant's questions are compared with, a number that changes with them, and when
-- the tenant's turn was.
ALTER TABLE tenants ADD COLUMN vector_model TEXT NOT NULL DEFAULT '';
ALTER TABLE tenants ADD COLUMN vector_mark INTEGER NOT NULL DEFAULT 0;
ALTER TABLE tenants ADD COLUMN vector_turn INTEGER NOT NULL DEFAULT 0;
