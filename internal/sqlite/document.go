package sqlite

import (
	"context"
	"encoding/json"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/sqlite/database"
	"github.com/kaoju/kaoju/internal/sqlite/interval"
	"github.com/kaoju/kaoju/internal/sqlite/row"
)

// The statuses that only the store knows. No scope admits such a row, and no query that looks for
// documents returns it. A deleted version keeps what it held until it is erased; an erased one
// keeps its ids, number, policy and checksum.
const (
	deleted = access.Status("deleted")
	erased  = access.Status("erased")
)

const selectDocument = `SELECT row, tenant, id, base, key, version, status, title, source_uri, policy, checksum, media_type, language,
  size, labels, notices, chunk_count, char_count, lock_version, created_at, updated_at, published_at, titled, own_policy,
  (SELECT coalesce(group_concat(opened || ':' || coalesce(closed, ''), ' ' ORDER BY no), '') FROM in_force WHERE document = documents.row)
FROM documents `

// version is a row of documents with its number in the table.
type version struct {
	row    int64
	titled bool // a person gave the title
	own    bool // it was given a policy of its own
	corpus.Document
}

func scanDocument(r row.Scanner) (v version, err error) {
	var policy, labels, notices, inForce string
	var created, updated, published int64
	err = r.Scan(&v.row, &v.Tenant, &v.ID, &v.KnowledgeBase, &v.Key, &v.Version, &v.Status, &v.Title, &v.SourceURI, &policy, &v.Checksum,
		&v.MediaType, &v.Language, &v.Size, &labels, &notices, &v.ChunkCount, &v.CharCount, &v.LockVersion, &created, &updated, &published, &v.titled, &v.own, &inForce)
	if err != nil {
		return v, err
	}
	if v.InForce, err = interval.Parse(inForce); err != nil {
		return v, err
	}
	v.CreatedAt, v.UpdatedAt, v.PublishedAt = row.At(created), row.At(updated), row.At(published)
	if err = json.Unmarshal([]byte(policy), &v.Policy); err != nil {
		return v, err
	}
	if v.Labels, err = row.Words(labels); err != nil {
		return v, err
	}
	v.Notices, err = row.Words(notices)
	return v, err
}

// put writes a new row and sets its number.
func put(ctx context.Context, t *database.Tx, v *version) error {
	r, err := t.ExecContext(ctx, `INSERT INTO documents (tenant, id, base, key, version, status, title, source_uri, policy, checksum,
  media_type, language, size, labels, notices, chunk_count, char_count, lock_version, created_at, updated_at, published_at, titled)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		v.Tenant, v.ID, v.KnowledgeBase, v.Key, v.Version, v.Status, v.Title, v.SourceURI, row.Marshal(v.Policy), v.Checksum,
		v.MediaType, v.Language, v.Size, row.Marshal(row.List(v.Labels)), row.Marshal(row.List(v.Notices)), v.ChunkCount, v.CharCount, v.LockVersion,
		v.CreatedAt.UnixMicro(), v.UpdatedAt.UnixMicro(), v.PublishedAt.UnixMicro(), v.titled)
	if err == nil {
		v.row, err = r.LastInsertId()
	}
	return err
}

// admitted reads a version and lets the scope decide. Absent, reserved, deleted and invisible are
// one answer after the same work: the row is looked up, and nothing of its content is touched
// before it is admitted.
func admitted(ctx context.Context, t *database.Tx, scope access.Scope, id corpus.DocumentID) (version, error) {
	v, err := scanDocument(t.QueryRowContext(ctx, selectDocument+`WHERE tenant = ? AND id = ?`, scope.Tenant(), id))
	if err = row.Missing(err); err != nil {
		return version{}, err
	}
	if !admits(scope, v.Document) {
		return version{}, problem.Missing()
	}
	return v, nil
}

// admits asks the scope about a row. Even a scope without bounds sees neither tombstones nor
// reservations.
func admits(scope access.Scope, d corpus.Document) bool {
	return d.Status != deleted && d.Status != erased && scope.Admits(d.Resource())
}

// mayWrite reports whether the scope's actor may add to or replace a version: the level on the
// knowledge base, and no policy in the way. The view of the scope does not matter here, nor
// whether the version is published, so the resource is looked at as if it were.
func mayWrite(scope access.Scope, d corpus.Document, level access.Level) bool {
	r := d.Resource()
	r.Status = access.StatusPublished
	return scope.Level(d.KnowledgeBase) >= level && scope.Admits(r)
}

// versions reads the versions of a key, reserved ones too but no deleted ones, oldest first.
func versions(ctx context.Context, t *database.Tx, tenant access.TenantID, kb access.KnowledgeBaseID, key corpus.Key) ([]version, error) {
	rows, err := t.QueryContext(ctx, selectDocument+`WHERE tenant = ? AND base = ? AND key = ? AND status NOT IN ('deleted', 'erased') ORDER BY version`, tenant, kb, key)
	return row.Collect(rows, err, scanDocument)
}

// documentBody is what the ledger keeps of a version: no title, no key, no text.
func documentBody(d corpus.Document) map[string]any {
	return map[string]any{
		"document": d.ID, "knowledge_base": d.KnowledgeBase, "version": d.Version, "status": d.Status, "checksum": d.Checksum,
		"size": d.Size, "chunks": d.ChunkCount, "lock_version": d.LockVersion,
	}
}
