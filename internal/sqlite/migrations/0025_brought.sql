-- Who brought a version, from which source, and its place there: what a source no longer has may only be
-- taken out of force if it came from there. A version that came by itself has no row, and an erased one
-- has none any more.
CREATE TABLE brought (
  document INTEGER PRIMARY KEY REFERENCES documents (row) ON DELETE CASCADE,
  owner    TEXT NOT NULL,
  source   TEXT NOT NULL,
  path     TEXT NOT NULL
) STRICT;

CREATE INDEX brought_source ON brought (owner, source);
