-- Tenants take turns at the queue: served rises with every claim, the highest was served last.
ALTER TABLE tenants ADD COLUMN served INTEGER NOT NULL DEFAULT 0;

CREATE INDEX jobs_due ON jobs (tenant, number) WHERE state IN ('queued', 'running');

-- Workers name a reservation by its job, so that an id need not be reserved once over all tenants.
DROP INDEX documents_reserved;

-- Whether the upload or an edit gave the version a policy of its own. A draft without one follows
-- the published version; one that differs by now must have been given it.
ALTER TABLE documents ADD COLUMN own_policy INTEGER NOT NULL DEFAULT 0;

UPDATE documents SET own_policy = 1 WHERE status = 'draft' AND policy <> coalesce((
  SELECT p.policy FROM documents p
  WHERE p.tenant = documents.tenant AND p.base = documents.base AND p.key = documents.key AND p.status = 'published'), '"inherit"');

-- Archived versions have the policy of the published one.
UPDATE documents SET policy = coalesce((
  SELECT p.policy FROM documents p
  WHERE p.tenant = documents.tenant AND p.base = documents.base AND p.key = documents.key AND p.status = 'published'), policy)
WHERE status = 'archived';
