-- Whether nothing of a tenant may be sent to a model elsewhere.
ALTER TABLE tenants ADD COLUMN local_only INTEGER NOT NULL DEFAULT 0;
