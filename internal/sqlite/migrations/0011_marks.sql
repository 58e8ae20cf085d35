-- What a person said of an answer or of one of its sentences: one current verdict for each. The hash
-- is that of the sentence, and '' for the whole answer; erasing a source empties sentence and note.
CREATE TABLE marks (
  tenant     TEXT NOT NULL REFERENCES tenants (id),
  actor      TEXT NOT NULL,
  run        TEXT NOT NULL REFERENCES runs (id),
  hash       TEXT NOT NULL,
  sentence   TEXT NOT NULL,
  verdict    TEXT NOT NULL CHECK (verdict IN ('correct', 'wrong', 'unclear')),
  note       TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (run, hash)
) STRICT, WITHOUT ROWID;

CREATE INDEX marks_by_actor ON marks (tenant, actor, created_at, run, hash);
CREATE INDEX marks_by_tenant ON marks (tenant, created_at, run, hash);
