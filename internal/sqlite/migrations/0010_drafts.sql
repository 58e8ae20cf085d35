-- A draft is the text of one run, in the versions that its actor saved. A version is never changed;
-- only erasing a source empties what was written from it.
CREATE TABLE drafts (
  id         TEXT PRIMARY KEY,
  tenant     TEXT NOT NULL REFERENCES tenants (id),
  actor      TEXT NOT NULL,
  run        TEXT NOT NULL UNIQUE REFERENCES runs (id),
  newest     INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

CREATE INDEX drafts_by_actor ON drafts (tenant, actor, created_at DESC, id DESC);

CREATE TABLE draft_versions (
  draft    TEXT NOT NULL REFERENCES drafts (id),
  no       INTEGER NOT NULL,
  title    TEXT NOT NULL,
  titled   INTEGER NOT NULL, -- whether a person gave the title
  body     TEXT NOT NULL,
  hash     TEXT NOT NULL,
  record   TEXT NOT NULL,
  saved_at INTEGER NOT NULL,
  PRIMARY KEY (draft, no)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER draft_versions_are_new BEFORE INSERT ON draft_versions
WHEN EXISTS (SELECT 1 FROM draft_versions WHERE draft = NEW.draft AND no = NEW.no)
BEGIN SELECT RAISE (ABORT, 'versions of drafts are kept'); END;
CREATE TRIGGER draft_versions_are_kept BEFORE DELETE ON draft_versions
BEGIN SELECT RAISE (ABORT, 'versions of drafts are kept'); END;
CREATE TRIGGER draft_versions_are_fixed BEFORE UPDATE OF draft, no, titled, hash, saved_at ON draft_versions
BEGIN SELECT RAISE (ABORT, 'versions of drafts are kept'); END;
CREATE TRIGGER draft_versions_are_only_emptied BEFORE UPDATE OF title, body ON draft_versions WHEN NEW.title <> '' OR NEW.body <> ''
BEGIN SELECT RAISE (ABORT, 'versions of drafts are kept'); END;
