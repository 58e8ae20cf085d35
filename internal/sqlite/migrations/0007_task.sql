-- Proposals may be of another kind than publishing: calls of tools. The tables are made anew, since
-- what a column may hold can't be changed. Decisions go first and come back last, so that no row
-- ever points nowhere.
CREATE TABLE decisions_before AS SELECT * FROM decisions;
DROP TABLE decisions;
ALTER TABLE proposals RENAME TO proposals_before;
DROP INDEX proposals_by_proposer;
DROP INDEX proposals_pending;
DROP TRIGGER proposals_are_kept;
DROP TRIGGER proposals_are_fixed;
DROP TRIGGER proposals_end_once;

-- A proposal says what is to happen to one version in one exact state. Only its status ever
-- changes, once. The record of a call is empty for other kinds.
CREATE TABLE proposals (
  id           TEXT PRIMARY KEY,
  tenant       TEXT NOT NULL REFERENCES tenants (id),
  proposer     TEXT NOT NULL,
  kind         TEXT NOT NULL CHECK (kind IN ('publish', 'tool')),
  run          TEXT NOT NULL UNIQUE REFERENCES runs (id),
  document     TEXT NOT NULL,
  base         TEXT NOT NULL,
  key          TEXT NOT NULL,
  version      INTEGER NOT NULL,
  from_version INTEGER NOT NULL,
  lock_version INTEGER NOT NULL,
  key_state    TEXT NOT NULL,
  summary      TEXT NOT NULL,
  call         TEXT NOT NULL CHECK ((kind = 'tool') = (call <> '')),
  status       TEXT NOT NULL CHECK (status IN ('pending', 'published', 'approved', 'cancelled', 'expired', 'conflict')),
  created_at   INTEGER NOT NULL,
  expires_at   INTEGER NOT NULL
) STRICT;

INSERT INTO proposals SELECT id, tenant, proposer, kind, run, document, base, key, version, from_version, lock_version, key_state, summary, '',
  status, created_at, expires_at FROM proposals_before;
DROP TABLE proposals_before;

CREATE INDEX proposals_by_proposer ON proposals (tenant, proposer, created_at DESC, id DESC);
CREATE INDEX proposals_pending ON proposals (expires_at) WHERE status = 'pending';

CREATE TRIGGER proposals_are_kept BEFORE DELETE ON proposals
BEGIN SELECT RAISE (ABORT, 'proposals are append-only'); END;
CREATE TRIGGER proposals_are_fixed BEFORE UPDATE OF
  id, tenant, proposer, kind, run, document, base, key, version, from_version, lock_version, key_state, summary, call, created_at, expires_at
ON proposals BEGIN SELECT RAISE (ABORT, 'proposals are append-only'); END;
CREATE TRIGGER proposals_end_once BEFORE UPDATE OF status ON proposals WHEN OLD.status <> 'pending' OR NEW.status = 'pending'
BEGIN SELECT RAISE (ABORT, 'a proposal ends once'); END;

-- A decision is written with its effect, or with the task that carries the effect out.
CREATE TABLE decisions (
  proposal TEXT PRIMARY KEY REFERENCES proposals (id),
  by       TEXT NOT NULL,
  at       INTEGER NOT NULL,
  approved INTEGER NOT NULL,
  request  TEXT NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO decisions SELECT * FROM decisions_before;
DROP TABLE decisions_before;

-- REPLACE would delete without firing the delete trigger, so that an insert is checked too.
CREATE TRIGGER decisions_are_new BEFORE INSERT ON decisions
WHEN EXISTS (SELECT 1 FROM decisions WHERE proposal = NEW.proposal)
BEGIN SELECT RAISE (ABORT, 'decisions are append-only'); END;
CREATE TRIGGER decisions_are_kept BEFORE DELETE ON decisions
BEGIN SELECT RAISE (ABORT, 'decisions are append-only'); END;
CREATE TRIGGER decisions_are_fixed BEFORE UPDATE ON decisions
BEGIN SELECT RAISE (ABORT, 'decisions are append-only'); END;

-- What an approved call became. The owner is the user whom it is for; '' where it names none.
CREATE TABLE tasks (
  id          TEXT PRIMARY KEY,
  proposal    TEXT NOT NULL UNIQUE REFERENCES proposals (id),
  run         TEXT NOT NULL UNIQUE REFERENCES runs (id),
  tenant      TEXT NOT NULL REFERENCES tenants (id),
  owner       TEXT NOT NULL,
  status      TEXT NOT NULL CHECK (status IN ('queued', 'running', 'succeeded', 'failed', 'unknown')),
  code        TEXT NOT NULL,
  answer      TEXT NOT NULL,
  token       INTEGER NOT NULL,
  lease_until INTEGER NOT NULL,
  created_at  INTEGER NOT NULL,
  started_at  INTEGER NOT NULL,
  ended_at    INTEGER NOT NULL
) STRICT;

CREATE INDEX tasks_open ON tasks (created_at, id) WHERE status IN ('queued', 'running');

CREATE TRIGGER tasks_are_kept BEFORE DELETE ON tasks
BEGIN SELECT RAISE (ABORT, 'tasks are kept'); END;
CREATE TRIGGER tasks_are_fixed BEFORE UPDATE OF id, proposal, run, tenant, owner, created_at ON tasks
BEGIN SELECT RAISE (ABORT, 'a task is what it was approved to be'); END;
CREATE TRIGGER tasks_end_once BEFORE UPDATE ON tasks WHEN OLD.status NOT IN ('queued', 'running')
BEGIN SELECT RAISE (ABORT, 'a task ends once'); END;
