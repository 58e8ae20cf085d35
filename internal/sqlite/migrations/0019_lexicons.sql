-- The words and synonyms of a tenant, a line each. "words" is a hash of the words alone, "reworded" the
-- lock version at which they last changed, and "indexed" that up to which all versions were indexed anew.
CREATE TABLE lexicons (
  tenant       TEXT PRIMARY KEY REFERENCES tenants (id),
  lines        TEXT NOT NULL,
  lock_version INTEGER NOT NULL,
  words        TEXT NOT NULL,
  reworded     INTEGER NOT NULL,
  indexed      INTEGER NOT NULL,
  updated_at   INTEGER NOT NULL,
  updated_by   TEXT NOT NULL
) STRICT, WITHOUT ROWID;
