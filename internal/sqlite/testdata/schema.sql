CREATE INDEX brought_source ON brought (owner, source);

CREATE INDEX contents_by_document ON contents (tenant, document) WHERE document <> '';

CREATE INDEX contents_by_key ON contents (tenant, base, key);

CREATE INDEX contents_by_root ON contents (root);

CREATE INDEX documents_by_checksum ON documents (checksum);

CREATE INDEX documents_by_update ON documents (tenant, updated_at DESC, id);

CREATE INDEX documents_chunker ON documents (tenant, chunker);

CREATE INDEX documents_cut ON documents (tenant, cut);

CREATE INDEX documents_moved ON documents (tenant, moved);

CREATE UNIQUE INDEX documents_one_published ON documents (tenant, base, key) WHERE status = 'published';

CREATE INDEX documents_vectors ON documents (tenant, vector_mark);

CREATE INDEX drafts_by_actor ON drafts (tenant, actor, created_at DESC, id DESC);

CREATE INDEX embeddings_open ON embeddings (tenant, document);

CREATE INDEX entries_by_run ON entries (run) WHERE run <> '';

CREATE INDEX entries_of_added ON entries (tenant, body ->> '$.document') WHERE kind = 'document.added';

CREATE INDEX entries_of_erased ON entries (tenant, body ->> '$.document') WHERE kind = 'document.erased';

CREATE INDEX entries_of_recut ON entries (tenant, body ->> '$.document', sequence) WHERE kind = 'document.recut';

CREATE INDEX evaluations_started ON evaluations (tenant, started_at, id);

CREATE INDEX evidence_by_document ON evidence (document);

CREATE INDEX identities_by_user ON identities (tenant, user);

CREATE UNIQUE INDEX in_force_now ON in_force (document) WHERE closed IS NULL;

CREATE INDEX jobs_due ON jobs (tenant, number) WHERE state IN ('queued', 'running');

CREATE INDEX jobs_open ON jobs (lane, number) WHERE state IN ('queued', 'running');

CREATE INDEX marks_by_actor ON marks (tenant, actor, created_at, run, hash);

CREATE INDEX marks_by_tenant ON marks (tenant, created_at, run, hash);

CREATE INDEX members_by_group ON members (tenant, grp);

CREATE INDEX merged_held ON merged_versions (merged);

CREATE INDEX merged_tenant ON merged (tenant);

CREATE INDEX proposals_by_proposer ON proposals (tenant, proposer, created_at DESC, id DESC);

CREATE INDEX proposals_pending ON proposals (expires_at) WHERE status = 'pending';

CREATE INDEX recuts_open ON recuts (tenant, document);

CREATE INDEX requests_by_actor ON requests (tenant, actor, created_at);

CREATE INDEX requests_by_age ON requests (created_at);

CREATE INDEX runs_by_actor ON runs (tenant, actor, created_at DESC, id DESC);

CREATE INDEX runs_by_conversation ON runs (tenant, actor, conversation, created_at) WHERE conversation <> '';

CREATE INDEX runs_open ON runs (lease_until)
  WHERE state IN ('queued', 'running', 'cancelling');

CREATE INDEX segments_heads ON segments (substr(bytes, 1, 13));

CREATE INDEX sessions_by_end ON sessions (expires_at);

CREATE INDEX sessions_by_subject ON sessions (issuer, subject) WHERE issuer <> '';

CREATE INDEX sessions_by_user ON sessions (tenant, user);

CREATE INDEX spent_by_end ON spent (expires_at);

CREATE INDEX tasks_open ON tasks (created_at, id) WHERE status IN ('queued', 'running');

CREATE INDEX tokens_by_user ON tokens (tenant, user);

CREATE INDEX vectors_refused ON vectors (document, model) WHERE refused > 0;

CREATE TABLE bases (
  tenant       TEXT NOT NULL REFERENCES tenants (id),
  id           TEXT NOT NULL,
  name         TEXT NOT NULL,
  publishing   TEXT NOT NULL CHECK (publishing IN ('proposal', 'direct')),
  lock_version INTEGER NOT NULL,
  created_at   INTEGER NOT NULL,
  PRIMARY KEY (tenant, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE blobs (
  checksum TEXT PRIMARY KEY,
  size     INTEGER NOT NULL,
  pending  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE brought (
  document INTEGER PRIMARY KEY REFERENCES documents (row) ON DELETE CASCADE,
  owner    TEXT NOT NULL,
  source   TEXT NOT NULL,
  path     TEXT NOT NULL
) STRICT;

CREATE TABLE chunks (
  id       TEXT PRIMARY KEY CHECK (id NOT LIKE 'doc-%'),
  document INTEGER NOT NULL REFERENCES documents (row) ON DELETE CASCADE,
  no       INTEGER NOT NULL,
  text     TEXT NOT NULL,
  record   TEXT NOT NULL,
  UNIQUE (document, no)
) STRICT;

CREATE TABLE contents (
  holder   INTEGER NOT NULL REFERENCES documents (row) ON DELETE CASCADE,
  no       INTEGER NOT NULL,
  root     INTEGER NOT NULL,
  depth    INTEGER NOT NULL,
  tenant   TEXT NOT NULL REFERENCES tenants (id),
  base     TEXT NOT NULL,
  path     TEXT NOT NULL,
  key      TEXT NOT NULL,
  document TEXT NOT NULL,
  version  INTEGER NOT NULL,
  job      TEXT NOT NULL,
  code     TEXT NOT NULL,
  detail   TEXT NOT NULL,
  PRIMARY KEY (holder, no)
) STRICT, WITHOUT ROWID;

CREATE TABLE decisions (
  proposal TEXT PRIMARY KEY REFERENCES proposals (id),
  by       TEXT NOT NULL,
  at       INTEGER NOT NULL,
  approved INTEGER NOT NULL,
  request  TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE documents (
  row          INTEGER PRIMARY KEY,
  tenant       TEXT NOT NULL REFERENCES tenants (id),
  id           TEXT NOT NULL,
  base         TEXT NOT NULL,
  key          TEXT NOT NULL,
  version      INTEGER NOT NULL,
  status       TEXT NOT NULL CHECK (status IN ('reserved', 'draft', 'published', 'archived', 'deleted', 'erased')),
  title        TEXT NOT NULL,
  source_uri   TEXT NOT NULL,
  policy       TEXT NOT NULL,
  checksum     TEXT NOT NULL,
  media_type   TEXT NOT NULL,
  language     TEXT NOT NULL,
  size         INTEGER NOT NULL,
  labels       TEXT NOT NULL,
  notices      TEXT NOT NULL,
  chunk_count  INTEGER NOT NULL,
  char_count   INTEGER NOT NULL,
  lock_version INTEGER NOT NULL,
  created_at   INTEGER NOT NULL,
  updated_at   INTEGER NOT NULL,
  published_at INTEGER NOT NULL,
  titled       INTEGER NOT NULL, own_policy INTEGER NOT NULL DEFAULT 0, vector_mark INTEGER NOT NULL DEFAULT 0, moved INTEGER NOT NULL DEFAULT 0, chunker INTEGER NOT NULL DEFAULT 0, cut INTEGER NOT NULL DEFAULT 0, -- whether a person gave the title
  UNIQUE (tenant, id),
  UNIQUE (tenant, base, key, version)
) STRICT;

CREATE TABLE draft_versions (
  draft    TEXT NOT NULL REFERENCES drafts (id),
  no       INTEGER NOT NULL,
  title    TEXT NOT NULL,
  titled   INTEGER NOT NULL, -- whether a person gave the title
  body     TEXT NOT NULL,
  hash     TEXT NOT NULL,
  record   TEXT NOT NULL,
  saved_at INTEGER NOT NULL,
  PRIMARY KEY (draft, no)
) STRICT, WITHOUT ROWID;

CREATE TABLE drafts (
  id         TEXT PRIMARY KEY,
  tenant     TEXT NOT NULL REFERENCES tenants (id),
  actor      TEXT NOT NULL,
  run        TEXT NOT NULL UNIQUE REFERENCES runs (id),
  newest     INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE embedding_model (
  one    INTEGER PRIMARY KEY CHECK (one = 1),
  name   TEXT NOT NULL,
  remote INTEGER NOT NULL
) STRICT;

CREATE TABLE embeddings (
  document INTEGER PRIMARY KEY REFERENCES documents (row) ON DELETE CASCADE,
  id       TEXT NOT NULL UNIQUE,
  tenant   TEXT NOT NULL REFERENCES tenants (id),
  running  INTEGER NOT NULL,
  attempt  INTEGER NOT NULL,
  token    INTEGER NOT NULL,
  code     TEXT NOT NULL,
  detail   TEXT NOT NULL,
  due_at   INTEGER NOT NULL
) STRICT;

CREATE TABLE entries (
  tenant   TEXT NOT NULL REFERENCES tenants (id),
  sequence INTEGER NOT NULL,
  id       TEXT NOT NULL UNIQUE,
  kind     TEXT NOT NULL,
  run      TEXT NOT NULL,
  actor    TEXT NOT NULL,
  time     INTEGER NOT NULL,
  body     TEXT NOT NULL,
  previous TEXT NOT NULL,
  hash     TEXT NOT NULL,
  PRIMARY KEY (tenant, sequence)
) STRICT, WITHOUT ROWID;

CREATE TABLE evaluations (
  tenant TEXT NOT NULL REFERENCES tenants (id),
  id TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  summary TEXT NOT NULL,
  record TEXT NOT NULL,
  PRIMARY KEY (tenant, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE events (
  run      TEXT NOT NULL REFERENCES runs (id),
  sequence INTEGER NOT NULL,
  attempt  INTEGER NOT NULL,
  type     TEXT NOT NULL,
  time     INTEGER NOT NULL,
  data     TEXT NOT NULL,
  PRIMARY KEY (run, sequence)
) STRICT, WITHOUT ROWID;

CREATE TABLE evidence (
  run    TEXT NOT NULL REFERENCES runs (id),
  no     INTEGER NOT NULL,
  ref    TEXT NOT NULL,
  document TEXT NOT NULL,
  record TEXT NOT NULL,
  PRIMARY KEY (run, no),
  UNIQUE (run, ref)
) STRICT, WITHOUT ROWID;

CREATE TABLE grants (
  tenant    TEXT NOT NULL,
  base      TEXT NOT NULL,
  principal TEXT NOT NULL,
  level     INTEGER NOT NULL CHECK (level BETWEEN 1 AND 3),
  PRIMARY KEY (tenant, base, principal),
  FOREIGN KEY (tenant, base) REFERENCES bases (tenant, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE groups (
  tenant TEXT NOT NULL REFERENCES tenants (id),
  id     TEXT NOT NULL,
  PRIMARY KEY (tenant, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE heads (
  tenant   TEXT PRIMARY KEY REFERENCES tenants (id),
  sequence INTEGER NOT NULL,
  hash     TEXT NOT NULL
) STRICT, WITHOUT ROWID;

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

CREATE TABLE in_force (
  document INTEGER NOT NULL REFERENCES documents (row) ON DELETE CASCADE,
  no       INTEGER NOT NULL,
  opened   INTEGER NOT NULL,
  closed   INTEGER CHECK (closed >= opened),
  PRIMARY KEY (document, no)
) STRICT, WITHOUT ROWID;

CREATE TABLE jobs (
  number       INTEGER PRIMARY KEY AUTOINCREMENT,
  id           TEXT NOT NULL UNIQUE,
  tenant       TEXT NOT NULL REFERENCES tenants (id),
  owner        TEXT NOT NULL,
  subject      TEXT NOT NULL,
  lane         TEXT NOT NULL,
  state        TEXT NOT NULL CHECK (state IN ('queued', 'running', 'succeeded', 'failed', 'cancelled')),
  stage        TEXT NOT NULL DEFAULT '',
  done         INTEGER NOT NULL DEFAULT 0,
  total        INTEGER NOT NULL DEFAULT 0,
  attempt      INTEGER NOT NULL DEFAULT 0,
  token        INTEGER NOT NULL DEFAULT 0,
  notices      TEXT NOT NULL DEFAULT '[]',
  code         TEXT NOT NULL DEFAULT '',
  detail       TEXT NOT NULL DEFAULT '',
  cancel_asked INTEGER NOT NULL DEFAULT 0,
  due_at       INTEGER NOT NULL,
  created_at   INTEGER NOT NULL,
  updated_at   INTEGER NOT NULL
) STRICT;

CREATE TABLE lexicons (
  tenant       TEXT PRIMARY KEY REFERENCES tenants (id),
  lines        TEXT NOT NULL,
  lock_version INTEGER NOT NULL,
  words        TEXT NOT NULL,
  reworded     INTEGER NOT NULL,
  indexed      INTEGER NOT NULL,
  updated_at   INTEGER NOT NULL,
  updated_by   TEXT NOT NULL
, nonce TEXT NOT NULL DEFAULT '') STRICT, WITHOUT ROWID;

CREATE TABLE marks (
  tenant     TEXT NOT NULL REFERENCES tenants (id),
  actor      TEXT NOT NULL,
  run        TEXT NOT NULL REFERENCES runs (id),
  hash       TEXT NOT NULL,
  sentence   TEXT NOT NULL,
  verdict    TEXT NOT NULL CHECK (verdict IN ('correct', 'wrong', 'unclear')),
  note       TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (run, hash)
) STRICT, WITHOUT ROWID;

CREATE TABLE members (
  tenant    TEXT NOT NULL,
  grp       TEXT NOT NULL,
  principal TEXT NOT NULL,
  PRIMARY KEY (tenant, principal, grp),
  FOREIGN KEY (tenant, grp) REFERENCES groups (tenant, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE memories (
  tenant       TEXT NOT NULL REFERENCES tenants (id),
  actor        TEXT NOT NULL,
  conversation TEXT NOT NULL,
  summary      TEXT NOT NULL,
  updated_at   INTEGER NOT NULL,
  PRIMARY KEY (tenant, actor, conversation)
) STRICT, WITHOUT ROWID;

CREATE TABLE merged (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant TEXT NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  size   INTEGER NOT NULL,
  whole  INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE merged_pieces (
  merged INTEGER NOT NULL REFERENCES merged (number) ON DELETE CASCADE,
  no     INTEGER NOT NULL,
  bytes  BLOB NOT NULL,
  PRIMARY KEY (merged, no)
) STRICT;

CREATE TABLE merged_versions (
  document INTEGER NOT NULL REFERENCES segments (document),
  merged   INTEGER NOT NULL REFERENCES merged (number) ON DELETE CASCADE,
  PRIMARY KEY (document, merged)
) STRICT, WITHOUT ROWID;

CREATE TABLE nodes (
  tenant TEXT NOT NULL,
  log    TEXT NOT NULL,
  no     INTEGER NOT NULL,
  hash   BLOB NOT NULL CHECK (length(hash) = 32),
  PRIMARY KEY (tenant, log, no)
) STRICT, WITHOUT ROWID;

CREATE TABLE passwords (
  tenant TEXT NOT NULL,
  user   TEXT NOT NULL,
  phc    TEXT NOT NULL,
  PRIMARY KEY (tenant, user),
  FOREIGN KEY (tenant, user) REFERENCES users (tenant, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE places (
  tenant   TEXT NOT NULL,
  log      TEXT NOT NULL,
  no       INTEGER NOT NULL,
  sequence INTEGER NOT NULL,
  PRIMARY KEY (tenant, log, no),
  UNIQUE (tenant, sequence)
) STRICT, WITHOUT ROWID;

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

CREATE TABLE provided (
  tenant TEXT NOT NULL,
  user   TEXT NOT NULL,
  kind   TEXT NOT NULL CHECK (kind IN ('group', 'role')),
  name   TEXT NOT NULL,
  PRIMARY KEY (tenant, user, kind, name),
  FOREIGN KEY (tenant, user) REFERENCES users (tenant, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE recordings (
  run    TEXT NOT NULL REFERENCES runs (id),
  no     INTEGER NOT NULL,
  hash   TEXT NOT NULL,
  record TEXT NOT NULL,
  PRIMARY KEY (run, no)
) STRICT, WITHOUT ROWID;

CREATE TABLE recuts (
  document INTEGER PRIMARY KEY REFERENCES documents (row) ON DELETE CASCADE,
  id       TEXT NOT NULL UNIQUE,
  tenant   TEXT NOT NULL REFERENCES tenants (id),
  running  INTEGER NOT NULL,
  attempt  INTEGER NOT NULL,
  token    INTEGER NOT NULL,
  code     TEXT NOT NULL,
  detail   TEXT NOT NULL,
  due_at   INTEGER NOT NULL
) STRICT;

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

CREATE TABLE reservations (
  document  INTEGER PRIMARY KEY REFERENCES documents (row) ON DELETE CASCADE,
  job       TEXT NOT NULL UNIQUE REFERENCES jobs (id),
  file_name TEXT NOT NULL,
  publish   INTEGER NOT NULL,
  operator  INTEGER NOT NULL,
  own_policy INTEGER NOT NULL -- whether the upload brought a policy; otherwise it is inherited
) STRICT;

CREATE TABLE runs (
  id           TEXT PRIMARY KEY,
  tenant       TEXT NOT NULL REFERENCES tenants (id),
  actor        TEXT NOT NULL,
  conversation TEXT NOT NULL,
  state        TEXT NOT NULL,
  step         INTEGER NOT NULL,
  events       INTEGER NOT NULL,
  token        INTEGER NOT NULL,
  leased       INTEGER NOT NULL,
  lease_until  INTEGER NOT NULL,
  created_at   INTEGER NOT NULL,
  record       TEXT NOT NULL
, checkpoint TEXT NOT NULL DEFAULT '', committed_at INTEGER NOT NULL DEFAULT 0, seen_at INTEGER NOT NULL DEFAULT 0) STRICT;

CREATE TABLE schema_versions (
  version    INTEGER PRIMARY KEY,
  applied_at INTEGER NOT NULL
) STRICT;

CREATE TABLE segments (
  document INTEGER PRIMARY KEY REFERENCES documents (row) ON DELETE CASCADE,
  bytes    BLOB NOT NULL
) STRICT;

CREATE TABLE sessions (
  hash       TEXT PRIMARY KEY,
  tenant     TEXT NOT NULL,
  user       TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_seen  INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  agent      TEXT NOT NULL, issuer TEXT NOT NULL DEFAULT '', subject TEXT NOT NULL DEFAULT '', sid TEXT NOT NULL DEFAULT '',
  FOREIGN KEY (tenant, user) REFERENCES users (tenant, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE spent (
  id         TEXT PRIMARY KEY,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

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

CREATE TABLE tenants (
  id         TEXT PRIMARY KEY,
  name       TEXT NOT NULL,
  epoch      INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL
, served INTEGER NOT NULL DEFAULT 0, local_only INTEGER NOT NULL DEFAULT 0, vector_model TEXT NOT NULL DEFAULT '', vector_mark INTEGER NOT NULL DEFAULT 0, vector_turn INTEGER NOT NULL DEFAULT 0, cuts INTEGER NOT NULL DEFAULT 0, recut_turn INTEGER NOT NULL DEFAULT 0) STRICT;

CREATE TABLE texts (
  document INTEGER PRIMARY KEY REFERENCES documents (row) ON DELETE CASCADE,
  text     TEXT NOT NULL,
  record   TEXT NOT NULL
, nonce TEXT NOT NULL DEFAULT '') STRICT;

CREATE TABLE tokens (
  id         TEXT PRIMARY KEY,
  hash       TEXT NOT NULL UNIQUE,
  tenant     TEXT NOT NULL,
  user       TEXT NOT NULL,
  name       TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  permissions INTEGER NOT NULL,
  last_used  INTEGER NOT NULL,
  FOREIGN KEY (tenant, user) REFERENCES users (tenant, id)
) STRICT;

CREATE TABLE users (
  tenant       TEXT NOT NULL REFERENCES tenants (id),
  id           TEXT NOT NULL,
  display_name TEXT NOT NULL,
  roles        TEXT NOT NULL,
  suspended    INTEGER NOT NULL,
  service      INTEGER NOT NULL,
  PRIMARY KEY (tenant, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE vectors (
  document INTEGER NOT NULL REFERENCES documents (row) ON DELETE CASCADE,
  model    TEXT NOT NULL,
  bytes    BLOB NOT NULL, refused INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (document, model)
) STRICT;

CREATE TRIGGER chunks_are_fixed BEFORE UPDATE ON chunks
BEGIN SELECT RAISE (ABORT, 'chunks are fixed'); END;

CREATE TRIGGER decisions_are_fixed BEFORE UPDATE ON decisions
BEGIN SELECT RAISE (ABORT, 'decisions are append-only'); END;

CREATE TRIGGER decisions_are_kept BEFORE DELETE ON decisions
BEGIN SELECT RAISE (ABORT, 'decisions are append-only'); END;

CREATE TRIGGER decisions_are_new BEFORE INSERT ON decisions
WHEN EXISTS (SELECT 1 FROM decisions WHERE proposal = NEW.proposal)
BEGIN SELECT RAISE (ABORT, 'decisions are append-only'); END;

CREATE TRIGGER documents_moved_changed AFTER UPDATE ON documents
WHEN NEW.status <> OLD.status OR NEW.cut = OLD.cut AND NEW.vector_mark = OLD.vector_mark AND NEW.chunker = OLD.chunker BEGIN
  UPDATE documents SET moved = (SELECT epoch + 1 FROM tenants WHERE id = NEW.tenant) WHERE row = NEW.row;
END;

CREATE TRIGGER documents_moved_closed AFTER UPDATE ON in_force BEGIN
  UPDATE documents SET moved = (SELECT epoch + 1 FROM tenants WHERE id = tenant) WHERE row IN (OLD.document, NEW.document);
END;

CREATE TRIGGER documents_moved_new AFTER INSERT ON documents BEGIN
  UPDATE documents SET moved = (SELECT epoch + 1 FROM tenants WHERE id = NEW.tenant) WHERE row = NEW.row;
END;

CREATE TRIGGER documents_moved_opened AFTER INSERT ON in_force BEGIN
  UPDATE documents SET moved = (SELECT epoch + 1 FROM tenants WHERE id = tenant) WHERE row = NEW.document;
END;

CREATE TRIGGER documents_moved_undone AFTER DELETE ON in_force BEGIN
  UPDATE documents SET moved = (SELECT epoch + 1 FROM tenants WHERE id = tenant) WHERE row = OLD.document;
END;

CREATE TRIGGER draft_versions_are_fixed BEFORE UPDATE OF draft, no, titled, hash, saved_at ON draft_versions
BEGIN SELECT RAISE (ABORT, 'versions of drafts are kept'); END;

CREATE TRIGGER draft_versions_are_kept BEFORE DELETE ON draft_versions
BEGIN SELECT RAISE (ABORT, 'versions of drafts are kept'); END;

CREATE TRIGGER draft_versions_are_new BEFORE INSERT ON draft_versions
WHEN EXISTS (SELECT 1 FROM draft_versions WHERE draft = NEW.draft AND no = NEW.no)
BEGIN SELECT RAISE (ABORT, 'versions of drafts are kept'); END;

CREATE TRIGGER draft_versions_are_only_emptied BEFORE UPDATE OF title, body ON draft_versions WHEN NEW.title <> '' OR NEW.body <> ''
BEGIN SELECT RAISE (ABORT, 'versions of drafts are kept'); END;

CREATE TRIGGER draft_versions_records_are_only_emptied BEFORE UPDATE OF record ON draft_versions
WHEN NEW.record <> json_remove(OLD.record, '$.checks', '$.nonce')
BEGIN SELECT RAISE (ABORT, 'versions of drafts are kept'); END;

CREATE TRIGGER drafts_are_fixed BEFORE UPDATE OF id, tenant, actor, run, created_at ON drafts
BEGIN SELECT RAISE (ABORT, 'drafts are kept'); END;

CREATE TRIGGER drafts_are_kept BEFORE DELETE ON drafts
BEGIN SELECT RAISE (ABORT, 'drafts are kept'); END;

CREATE TRIGGER drafts_are_new BEFORE INSERT ON drafts
WHEN EXISTS (SELECT 1 FROM drafts WHERE (id = NEW.id OR run = NEW.run)
  AND NOT (id = NEW.id AND tenant = NEW.tenant AND actor = NEW.actor AND run = NEW.run AND created_at = NEW.created_at AND newest + 1 = NEW.newest))
BEGIN SELECT RAISE (ABORT, 'drafts are kept'); END;

CREATE TRIGGER drafts_count_up BEFORE UPDATE OF newest ON drafts WHEN NEW.newest <> OLD.newest + 1
BEGIN SELECT RAISE (ABORT, 'drafts are kept'); END;

CREATE TRIGGER entries_are_fixed BEFORE UPDATE ON entries
BEGIN SELECT RAISE (ABORT, 'ledger entries are append-only'); END;

CREATE TRIGGER entries_are_kept BEFORE DELETE ON entries
BEGIN SELECT RAISE (ABORT, 'ledger entries are append-only'); END;

CREATE TRIGGER entries_are_new BEFORE INSERT ON entries
WHEN EXISTS (SELECT 1 FROM entries WHERE tenant = NEW.tenant AND sequence = NEW.sequence OR id = NEW.id)
BEGIN SELECT RAISE (ABORT, 'ledger entries are append-only'); END;

CREATE TRIGGER evaluations_are_kept BEFORE DELETE ON evaluations
BEGIN SELECT RAISE (ABORT, 'an evaluation never changes'); END;

CREATE TRIGGER evaluations_are_new BEFORE INSERT ON evaluations
WHEN EXISTS (SELECT 1 FROM evaluations WHERE tenant = NEW.tenant AND id = NEW.id)
BEGIN SELECT RAISE (IGNORE); END;

CREATE TRIGGER evaluations_stay BEFORE UPDATE ON evaluations BEGIN
  SELECT RAISE (ABORT, 'an evaluation never changes');
END;

CREATE TRIGGER events_are_fixed BEFORE UPDATE ON events
WHEN OLD.type <> 'run.tool.started' OR NEW.data <> json_remove(OLD.data, '$.args')
  OR NEW.run <> OLD.run OR NEW.sequence <> OLD.sequence OR NEW.attempt <> OLD.attempt OR NEW.type <> OLD.type OR NEW.time <> OLD.time
BEGIN SELECT RAISE (ABORT, 'events are append-only'); END;

CREATE TRIGGER events_are_kept BEFORE DELETE ON events
BEGIN SELECT RAISE (ABORT, 'events are append-only'); END;

CREATE TRIGGER events_are_new BEFORE INSERT ON events
WHEN EXISTS (SELECT 1 FROM events WHERE run = NEW.run AND sequence = NEW.sequence)
BEGIN SELECT RAISE (ABORT, 'events are append-only'); END;

CREATE TRIGGER evidence_is_fixed BEFORE UPDATE OF run, no, ref, document ON evidence
BEGIN SELECT RAISE (ABORT, 'evidence is append-only'); END;

CREATE TRIGGER evidence_is_kept BEFORE DELETE ON evidence
BEGIN SELECT RAISE (ABORT, 'evidence is append-only'); END;

CREATE TRIGGER evidence_is_new BEFORE INSERT ON evidence
WHEN EXISTS (SELECT 1 FROM evidence WHERE run = NEW.run AND (no = NEW.no OR ref = NEW.ref))
BEGIN SELECT RAISE (IGNORE); END;

CREATE TRIGGER evidence_is_only_emptied BEFORE UPDATE OF record ON evidence
WHEN EXISTS (SELECT 1 FROM json_each('["excerpt","context","title","source_uri","locator","segments","nonce"]') f
    WHERE coalesce(NEW.record ->> ('$.' || f.value), '') <> '')
  OR EXISTS (SELECT 1 FROM json_each('["ref","document","knowledge_base","doc_key","version","status","chunk","chunks","span","hash","truncated_before","truncated_after","read_at"]') f
    WHERE coalesce(NEW.record ->> ('$.' || f.value), '') <> coalesce(OLD.record ->> ('$.' || f.value), ''))
BEGIN SELECT RAISE (ABORT, 'evidence is append-only'); END;

CREATE TRIGGER heads_are_kept BEFORE DELETE ON heads
BEGIN SELECT RAISE (ABORT, 'the ledger head only moves on'); END;

CREATE TRIGGER heads_begin_once BEFORE INSERT ON heads
WHEN EXISTS (SELECT 1 FROM heads WHERE tenant = NEW.tenant AND NEW.sequence <> sequence + 1)
BEGIN SELECT RAISE (ABORT, 'the ledger head only moves on'); END;

CREATE TRIGGER heads_move_on BEFORE UPDATE ON heads WHEN NEW.sequence <> OLD.sequence + 1 OR NEW.tenant <> OLD.tenant
BEGIN SELECT RAISE (ABORT, 'the ledger head only moves on'); END;

CREATE TRIGGER nodes_are_fixed BEFORE UPDATE ON nodes
BEGIN SELECT RAISE (ABORT, 'the ledger''s trees are append-only'); END;

CREATE TRIGGER nodes_are_kept BEFORE DELETE ON nodes
BEGIN SELECT RAISE (ABORT, 'the ledger''s trees are append-only'); END;

CREATE TRIGGER nodes_are_new BEFORE INSERT ON nodes
WHEN EXISTS (SELECT 1 FROM nodes WHERE tenant = NEW.tenant AND log = NEW.log AND no = NEW.no)
BEGIN SELECT RAISE (ABORT, 'the ledger''s trees are append-only'); END;

CREATE TRIGGER places_are_fixed BEFORE UPDATE ON places
BEGIN SELECT RAISE (ABORT, 'ledger entries are append-only'); END;

CREATE TRIGGER places_are_kept BEFORE DELETE ON places
BEGIN SELECT RAISE (ABORT, 'ledger entries are append-only'); END;

CREATE TRIGGER places_are_new BEFORE INSERT ON places
WHEN EXISTS (SELECT 1 FROM places WHERE tenant = NEW.tenant AND log = NEW.log AND no = NEW.no)
  OR EXISTS (SELECT 1 FROM places WHERE tenant = NEW.tenant AND sequence = NEW.sequence)
BEGIN SELECT RAISE (ABORT, 'ledger entries are append-only'); END;

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

CREATE TRIGGER recordings_are_fixed BEFORE UPDATE ON recordings 
WHEN NEW.record <> '' OR NEW.hash <> OLD.hash OR NEW.run <> OLD.run OR NEW.no <> OLD.no
BEGIN SELECT RAISE (ABORT, 'recordings are append-only'); END;

CREATE TRIGGER recordings_are_kept BEFORE DELETE ON recordings
BEGIN SELECT RAISE (ABORT, 'recordings are append-only'); END;

CREATE TRIGGER recordings_are_new BEFORE INSERT ON recordings
WHEN EXISTS (SELECT 1 FROM recordings WHERE run = NEW.run AND no = NEW.no)
BEGIN SELECT RAISE (ABORT, 'recordings are append-only'); END;

CREATE TRIGGER segments_removed BEFORE DELETE ON segments BEGIN
  DELETE FROM merged WHERE number IN (SELECT merged FROM merged_versions WHERE document = OLD.document);
END;

CREATE TRIGGER segments_replaced BEFORE UPDATE ON segments BEGIN
  DELETE FROM merged WHERE number IN (SELECT merged FROM merged_versions WHERE document = OLD.document);
END;

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

CREATE TRIGGER texts_are_fixed BEFORE UPDATE ON texts
BEGIN SELECT RAISE (ABORT, 'texts are fixed'); END;
