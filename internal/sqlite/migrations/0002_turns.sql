-- Tenants take turns at the queue: served rises with every claim, the highest was served last.
ALTER TABLE tenants ADD COLUMN served INTEGER NOT NULL DEFAULT 0;

CREATE INDEX jobs_due ON jobs (tenant, number) WHERE state IN ('queued', 'running');

-- Workers name a reservation by its job, so that an id need not be reserved once over all tenants.
DROP INDEX documents_reserved;
