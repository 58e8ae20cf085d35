-- The Merkle trees over the ledger. A log is all entries of a tenant (''), or those that one person
-- made ('person:' and the id), so that a person's proofs count nothing that others do.

-- Where each entry stands in its person's log, from 0.
CREATE TABLE places (
  tenant   TEXT NOT NULL,
  log      TEXT NOT NULL,
  no       INTEGER NOT NULL,
  sequence INTEGER NOT NULL,
  PRIMARY KEY (tenant, log, no),
  UNIQUE (tenant, sequence)
) STRICT, WITHOUT ROWID;

-- REPLACE would delete without firing the delete trigger, so that inserts are checked too.
CREATE TRIGGER places_are_new BEFORE INSERT ON places
WHEN EXISTS (SELECT 1 FROM places WHERE tenant = NEW.tenant AND (log = NEW.log AND no = NEW.no OR sequence = NEW.sequence))
BEGIN SELECT RAISE (ABORT, 'ledger entries are append-only'); END;
CREATE TRIGGER places_are_kept BEFORE DELETE ON places
BEGIN SELECT RAISE (ABORT, 'ledger entries are append-only'); END;
CREATE TRIGGER places_are_fixed BEFORE UPDATE ON places
BEGIN SELECT RAISE (ABORT, 'ledger entries are append-only'); END;

-- The hashes of the leaves and of every full subtree, about two for an entry in each log.
CREATE TABLE nodes (
  tenant TEXT NOT NULL,
  log    TEXT NOT NULL,
  no     INTEGER NOT NULL,
  hash   BLOB NOT NULL CHECK (length(hash) = 32),
  PRIMARY KEY (tenant, log, no)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER nodes_are_new BEFORE INSERT ON nodes
WHEN EXISTS (SELECT 1 FROM nodes WHERE tenant = NEW.tenant AND log = NEW.log AND no = NEW.no)
BEGIN SELECT RAISE (ABORT, 'the ledger''s trees are append-only'); END;
CREATE TRIGGER nodes_are_kept BEFORE DELETE ON nodes
BEGIN SELECT RAISE (ABORT, 'the ledger''s trees are append-only'); END;
CREATE TRIGGER nodes_are_fixed BEFORE UPDATE ON nodes
BEGIN SELECT RAISE (ABORT, 'the ledger''s trees are append-only'); END;

-- What the steps of a run were, word for word: prompts, answers of the model, results of tools. The
-- record of one that held an erased version's text is gone; its hash stays.
CREATE TABLE recordings (
  run    TEXT NOT NULL REFERENCES runs (id),
  no     INTEGER NOT NULL,
  hash   TEXT NOT NULL,
  record TEXT NOT NULL,
  PRIMARY KEY (run, no)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER recordings_are_new BEFORE INSERT ON recordings
WHEN EXISTS (SELECT 1 FROM recordings WHERE run = NEW.run AND no = NEW.no)
BEGIN SELECT RAISE (ABORT, 'recordings are append-only'); END;
CREATE TRIGGER recordings_are_kept BEFORE DELETE ON recordings
BEGIN SELECT RAISE (ABORT, 'recordings are append-only'); END;
CREATE TRIGGER recordings_are_fixed BEFORE UPDATE ON recordings 
WHEN NEW.record <> '' OR NEW.hash <> OLD.hash OR NEW.run <> OLD.run OR NEW.no <> OLD.no
BEGIN SELECT RAISE (ABORT, 'recordings are append-only'); END;
