-- What came of an evaluation, as it was kept: a result belongs to one tenant and never changes.
-- The summary is the record without its cases, for lists.
CREATE TABLE evaluations (
  tenant TEXT NOT NULL REFERENCES tenants (id),
  id TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  summary TEXT NOT NULL,
  record TEXT NOT NULL,
  PRIMARY KEY (tenant, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX evaluations_started ON evaluations (tenant, started_at, id);

CREATE TRIGGER evaluations_stay BEFORE UPDATE ON evaluations BEGIN
  SELECT RAISE (ABORT, 'an evaluation never changes');
END;
