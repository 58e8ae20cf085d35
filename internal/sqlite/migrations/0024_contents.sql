-- The files that were in a version's file. What is taken of one is a document of its own, with a job; what
-- is not has a reason. root is the outermost of files inside files, depth how far a content is inside it.

CREATE TABLE contents (
  holder   INTEGER NOT NULL REFERENCES documents (row) ON DELETE CASCADE,
  no       INTEGER NOT NULL,
  root     INTEGER NOT NULL,
  depth    INTEGER NOT NULL,
  tenant   TEXT NOT NULL REFERENCES tenants (id),
  base     TEXT NOT NULL,
  path     TEXT NOT NULL,
  key      TEXT NOT NULL,
  document TEXT NOT NULL,
  version  INTEGER NOT NULL,
  job      TEXT NOT NULL,
  code     TEXT NOT NULL,
  detail   TEXT NOT NULL,
  PRIMARY KEY (holder, no)
) STRICT, WITHOUT ROWID;

CREATE INDEX contents_by_key ON contents (tenant, base, key);

CREATE INDEX contents_by_document ON contents (tenant, document) WHERE document <> '';

CREATE INDEX contents_by_root ON contents (root);
