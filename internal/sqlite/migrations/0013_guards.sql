-- What is append-only stays so against every statement, and what erasing empties can be emptied and
-- nothing else. REPLACE deletes without firing the trigger that refuses to delete, so that inserts are
-- checked too: where a writer asks for ON CONFLICT DO NOTHING, an insert that would replace does nothing.

CREATE TRIGGER events_are_new BEFORE INSERT ON events
WHEN EXISTS (SELECT 1 FROM events WHERE run = NEW.run AND sequence = NEW.sequence)
BEGIN SELECT RAISE (ABORT, 'events are append-only'); END;

-- A piece of evidence stays what was read. Erasing its document takes the words and leaves the hash.
CREATE TRIGGER evidence_is_new BEFORE INSERT ON evidence
WHEN EXISTS (SELECT 1 FROM evidence WHERE run = NEW.run AND (no = NEW.no OR ref = NEW.ref))
BEGIN SELECT RAISE (IGNORE); END;
CREATE TRIGGER evidence_is_kept BEFORE DELETE ON evidence
BEGIN SELECT RAISE (ABORT, 'evidence is append-only'); END;
CREATE TRIGGER evidence_is_fixed BEFORE UPDATE OF run, no, ref, document ON evidence
BEGIN SELECT RAISE (ABORT, 'evidence is append-only'); END;
CREATE TRIGGER evidence_is_only_emptied BEFORE UPDATE OF record ON evidence
WHEN coalesce(NEW.record ->> '$.excerpt', '') <> '' OR coalesce(NEW.record ->> '$.context', '') <> ''
  OR NEW.record ->> '$.hash' IS NOT OLD.record ->> '$.hash' OR NEW.record ->> '$.version' IS NOT OLD.record ->> '$.version'
  OR NEW.record ->> '$.document' IS NOT OLD.record ->> '$.document' OR NEW.record ->> '$.ref' IS NOT OLD.record ->> '$.ref'
BEGIN SELECT RAISE (ABORT, 'evidence is append-only'); END;

CREATE TRIGGER proposals_are_new BEFORE INSERT ON proposals
WHEN EXISTS (SELECT 1 FROM proposals WHERE id = NEW.id OR run = NEW.run)
BEGIN SELECT RAISE (IGNORE); END;
DROP TRIGGER proposals_are_fixed;
CREATE TRIGGER proposals_are_fixed BEFORE UPDATE OF
  id, tenant, proposer, kind, run, document, base, key, version, from_version, lock_version, key_state, summary, created_at, expires_at
ON proposals BEGIN SELECT RAISE (ABORT, 'proposals are append-only'); END;
-- Erasing a document takes the arguments of calls, which may repeat it, and leaves their hash.
CREATE TRIGGER proposals_calls_are_only_emptied BEFORE UPDATE OF call ON proposals
WHEN OLD.call = '' OR NEW.call ->> '$.args' IS NOT NULL
  OR json_remove(NEW.call, '$.args', '$.args_hash') <> json_remove(OLD.call, '$.args', '$.args_hash')
  OR length(coalesce(NEW.call ->> '$.args_hash', '')) <> 64
  OR OLD.call ->> '$.args_hash' IS NOT NULL AND NEW.call ->> '$.args_hash' <> OLD.call ->> '$.args_hash'
BEGIN SELECT RAISE (ABORT, 'proposals are append-only'); END;

CREATE TRIGGER tasks_are_new BEFORE INSERT ON tasks
WHEN EXISTS (SELECT 1 FROM tasks WHERE id = NEW.id OR proposal = NEW.proposal OR run = NEW.run)
BEGIN SELECT RAISE (ABORT, 'tasks are kept'); END;
DROP TRIGGER tasks_end_once;
CREATE TRIGGER tasks_end_once BEFORE UPDATE ON tasks
WHEN OLD.status NOT IN ('queued', 'running') AND (NEW.answer <> '' OR NEW.status <> OLD.status OR NEW.code <> OLD.code OR NEW.token <> OLD.token
  OR NEW.lease_until <> OLD.lease_until OR NEW.started_at <> OLD.started_at OR NEW.ended_at <> OLD.ended_at)
BEGIN SELECT RAISE (ABORT, 'a task ends once'); END;

CREATE TRIGGER heads_begin_once BEFORE INSERT ON heads
WHEN EXISTS (SELECT 1 FROM heads WHERE tenant = NEW.tenant AND NEW.sequence <> sequence + 1)
BEGIN SELECT RAISE (ABORT, 'the ledger head only moves on'); END;

CREATE TRIGGER evaluations_are_new BEFORE INSERT ON evaluations
WHEN EXISTS (SELECT 1 FROM evaluations WHERE tenant = NEW.tenant AND id = NEW.id)
BEGIN SELECT RAISE (IGNORE); END;
CREATE TRIGGER evaluations_are_kept BEFORE DELETE ON evaluations
BEGIN SELECT RAISE (ABORT, 'an evaluation never changes'); END;

-- A draft belongs to its run for good, and counts its versions up.
CREATE TRIGGER drafts_are_new BEFORE INSERT ON drafts
WHEN EXISTS (SELECT 1 FROM drafts WHERE (id = NEW.id OR run = NEW.run)
  AND NOT (id = NEW.id AND tenant = NEW.tenant AND actor = NEW.actor AND run = NEW.run AND created_at = NEW.created_at AND newest + 1 = NEW.newest))
BEGIN SELECT RAISE (ABORT, 'drafts are kept'); END;
CREATE TRIGGER drafts_are_kept BEFORE DELETE ON drafts
BEGIN SELECT RAISE (ABORT, 'drafts are kept'); END;
CREATE TRIGGER drafts_are_fixed BEFORE UPDATE OF id, tenant, actor, run, created_at ON drafts
BEGIN SELECT RAISE (ABORT, 'drafts are kept'); END;
CREATE TRIGGER drafts_count_up BEFORE UPDATE OF newest ON drafts WHEN NEW.newest <> OLD.newest + 1
BEGIN SELECT RAISE (ABORT, 'drafts are kept'); END;

-- What a version leans on stays; erasing a source takes the checks, which repeat its sentences.
CREATE TRIGGER draft_versions_records_are_only_emptied BEFORE UPDATE OF record ON draft_versions
WHEN NEW.record <> json_remove(OLD.record, '$.checks')
BEGIN SELECT RAISE (ABORT, 'versions of drafts are kept'); END;
