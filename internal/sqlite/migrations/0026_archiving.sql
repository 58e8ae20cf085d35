-- Proposals may be about archiving, and end as archived. The tables are made anew, since what a column may
-- hold can't be changed. Decisions and tasks go first and come back last, so that no row ever points nowhere.
CREATE TABLE decisions_before AS SELECT * FROM decisions;
DROP TABLE decisions;
CREATE TABLE tasks_before AS SELECT * FROM tasks;
DROP TABLE tasks;
CREATE TABLE proposals_before AS SELECT * FROM proposals;
DROP TABLE proposals;

CREATE TABLE proposals (
  id           TEXT PRIMARY KEY,
  tenant       TEXT NOT NULL REFERENCES tenants (id),
  proposer     TEXT NOT NULL,
  kind         TEXT NOT NULL CHECK (kind IN ('publish', 'archive', 'tool')),
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
  status       TEXT NOT NULL CHECK (status IN ('pending', 'published', 'archived', 'approved', 'cancelled', 'expired', 'conflict')),
  created_at   INTEGER NOT NULL,
  expires_at   INTEGER NOT NULL,
  seal         TEXT NOT NULL DEFAULT ''
) STRICT;

INSERT INTO proposals SELECT * FROM proposals_before;
DROP TABLE proposals_before;

CREATE INDEX proposals_by_proposer ON proposals (tenant, proposer, created_at DESC, id DESC);
CREATE INDEX proposals_pending ON proposals (expires_at) WHERE status = 'pending';
CREATE TRIGGER proposals_are_fixed BEFORE UPDATE OF
  id, tenant, proposer, kind, run, document, base, key, version, from_version, lock_version, key_state, summary, created_at, expires_at
ON proposals BEGIN SELECT RAISE (ABORT, 'proposals are append-only'); END;
CREATE TRIGGER proposals_are_kept BEFORE DELETE ON proposals
BEGIN SELECT RAISE (ABORT, 'proposals are append-only'); END;
CREATE TRIGGER proposals_are_new BEFORE INSERT ON proposals
WHEN EXISTS (SELECT 1 FROM proposals WHERE id = NEW.id OR run = NEW.run)
BEGIN SELECT RAISE (IGNORE); END;
CREATE TRIGGER proposals_calls_are_only_emptied BEFORE UPDATE OF call ON proposals
WHEN OLD.call = '' OR NEW.call ->> '$.args' IS NOT NULL
  OR json_remove(NEW.call, '$.args', '$.args_hash') <> json_remove(OLD.call, '$.args', '$.args_hash')
  OR length(coalesce(NEW.call ->> '$.args_hash', '')) <> 64
  OR OLD.call ->> '$.args_hash' IS NOT NULL AND NEW.call ->> '$.args_hash' <> OLD.call ->> '$.args_hash'
BEGIN SELECT RAISE (ABORT, 'proposals are append-only'); END;
CREATE TRIGGER proposals_end_once BEFORE UPDATE OF status ON proposals WHEN OLD.status <> 'pending' OR NEW.status = 'pending'
BEGIN SELECT RAISE (ABORT, 'a proposal ends once'); END;
CREATE TRIGGER proposals_seals_are_only_exchanged BEFORE UPDATE OF seal ON proposals
WHEN NEW.seal <> OLD.seal AND (OLD.seal = '' OR NEW.call = '' OR NEW.call ->> '$.args' IS NOT NULL)
BEGIN SELECT RAISE (ABORT, 'proposals are append-only'); END;

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

INSERT INTO tasks SELECT * FROM tasks_before;
DROP TABLE tasks_before;

CREATE INDEX tasks_open ON tasks (created_at, id) WHERE status IN ('queued', 'running');
CREATE TRIGGER tasks_are_fixed BEFORE UPDATE OF id, proposal, run, tenant, owner, created_at ON tasks
BEGIN SELECT RAISE (ABORT, 'a task is what it was approved to be'); END;
CREATE TRIGGER tasks_are_kept BEFORE DELETE ON tasks
BEGIN SELECT RAISE (ABORT, 'tasks are kept'); END;
CREATE TRIGGER tasks_are_new BEFORE INSERT ON tasks
WHEN EXISTS (SELECT 1 FROM tasks WHERE id = NEW.id OR proposal = NEW.proposal OR run = NEW.run)
BEGIN SELECT RAISE (ABORT, 'tasks are kept'); END;
CREATE TRIGGER tasks_end_once BEFORE UPDATE ON tasks
WHEN OLD.status NOT IN ('queued', 'running') AND (NEW.answer <> '' OR NEW.status <> OLD.status OR NEW.code <> OLD.code OR NEW.token <> OLD.token
  OR NEW.lease_until <> OLD.lease_until OR NEW.started_at <> OLD.started_at OR NEW.ended_at <> OLD.ended_at)
BEGIN SELECT RAISE (ABORT, 'a task ends once'); END;

CREATE TABLE decisions (
  proposal TEXT PRIMARY KEY REFERENCES proposals (id),
  by       TEXT NOT NULL,
  at       INTEGER NOT NULL,
  approved INTEGER NOT NULL,
  request  TEXT NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO decisions SELECT * FROM decisions_before;
DROP TABLE decisions_before;

CREATE TRIGGER decisions_are_fixed BEFORE UPDATE ON decisions
BEGIN SELECT RAISE (ABORT, 'decisions are append-only'); END;
CREATE TRIGGER decisions_are_kept BEFORE DELETE ON decisions
BEGIN SELECT RAISE (ABORT, 'decisions are append-only'); END;
CREATE TRIGGER decisions_are_new BEFORE INSERT ON decisions
WHEN EXISTS (SELECT 1 FROM decisions WHERE proposal = NEW.proposal)
BEGIN SELECT RAISE (ABORT, 'decisions are append-only'); END;
