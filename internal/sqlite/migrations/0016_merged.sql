-- Merged segments of many versions of a tenant, so that a server that starts need not merge again.
-- One that is not whole yet is being written, or was left by a process that ended.
CREATE TABLE merged (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant TEXT NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  size   INTEGER NOT NULL,
  whole  INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE INDEX merged_tenant ON merged (tenant);

CREATE TABLE merged_pieces (
  merged INTEGER NOT NULL REFERENCES merged (number) ON DELETE CASCADE,
  no     INTEGER NOT NULL,
  bytes  BLOB NOT NULL,
  PRIMARY KEY (merged, no)
) STRICT;

-- The versions whose words are in it.
CREATE TABLE merged_versions (
  document INTEGER NOT NULL REFERENCES segments (document),
  merged   INTEGER NOT NULL REFERENCES merged (number) ON DELETE CASCADE,
  PRIMARY KEY (document, merged)
) STRICT, WITHOUT ROWID;

CREATE INDEX merged_held ON merged_versions (merged);

-- It goes with the segment of any of them, in the same transaction, whoever takes that away.
CREATE TRIGGER segments_replaced BEFORE UPDATE ON segments BEGIN
  DELETE FROM merged WHERE number IN (SELECT merged FROM merged_versions WHERE document = OLD.document);
END;

CREATE TRIGGER segments_removed BEFORE DELETE ON segments BEGIN
  DELETE FROM merged WHERE number IN (SELECT merged FROM merged_versions WHERE document = OLD.document);
END;
