-- Tenants take turns at the queue: served rises with every claim, the highest was served last.
ALTER TABLE tenants ADD COLUMN served INTEGER NOT NULL DEFAULT 0;

CREATE INDEX jobs_due ON jobs (tenant, number) WHERE state IN ('queued', 'running');

-- Whether the upload or an edit gave the version a policy of its own. A draft without one follows
-- the published version.
ALTER TABLE documents ADD COLUMN own_policy INTEGER NOT NULL DEFAULT 0;

-- Workers name a reservation by its job, so that an id need not be reserved once over all tenants.
DROP INDEX documents_reserved;
