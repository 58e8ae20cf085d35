-- Who a person is at an identity provider. Issuer and subject belong to one person of a tenant.
CREATE TABLE identities (
  tenant     TEXT NOT NULL,
  id         TEXT NOT NULL,
  user       TEXT NOT NULL,
  issuer     TEXT NOT NULL,
  subject    TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (tenant, id),
  UNIQUE (tenant, issuer, subject),
  FOREIGN KEY (tenant, user) REFERENCES users (tenant, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX identities_by_user ON identities (tenant, user);

-- The memberships and roles that a provider gave, so that they can be taken back without taking
-- what was given by hand.
CREATE TABLE provided (
  tenant TEXT NOT NULL,
  user   TEXT NOT NULL,
  kind   TEXT NOT NULL CHECK (kind IN ('group', 'role')),
  name   TEXT NOT NULL,
  PRIMARY KEY (tenant, user, kind, name),
  FOREIGN KEY (tenant, user) REFERENCES users (tenant, id)
) STRICT, WITHOUT ROWID;

-- What can be used once and was, until nothing that it stands for could be good any longer.
CREATE TABLE spent (
  id         TEXT PRIMARY KEY,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX spent_by_end ON spent (expires_at);

-- Which session of which provider a session came of; empty for one that a password began.
ALTER TABLE sessions ADD COLUMN issuer TEXT NOT NULL DEFAULT '';
ALTER TABLE sessions ADD COLUMN subject TEXT NOT NULL DEFAULT '';
ALTER TABLE sessions ADD COLUMN sid TEXT NOT NULL DEFAULT '';

CREATE INDEX sessions_by_subject ON sessions (issuer, subject) WHERE issuer <> '';
