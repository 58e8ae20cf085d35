-- Requests with an Idempotency-Key. The client's key is kept as a hash; the receipt names what the
-- request made and is '' until the transaction that made it. Token fences requests off that worked
-- longer than their lease.
CREATE TABLE requests (
  number      INTEGER PRIMARY KEY,
  tenant      TEXT NOT NULL REFERENCES tenants (id),
  actor       TEXT NOT NULL,
  operation   TEXT NOT NULL,
  key         TEXT NOT NULL,
  digest      TEXT NOT NULL,
  receipt     TEXT NOT NULL DEFAULT '',
  token       INTEGER NOT NULL,
  lease_until INTEGER NOT NULL,
  created_at  INTEGER NOT NULL,
  UNIQUE (tenant, actor, operation, key)
) STRICT;

CREATE INDEX requests_by_age ON requests (created_at);
CREATE INDEX requests_by_actor ON requests (tenant, actor, created_at);
