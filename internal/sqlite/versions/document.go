// Package versions holds the rows of documents inside the driver's transactions: how a version is read, whom a scope
// lets see it, and what is true of all versions of a key together, such as that one at most is in force.
package versions

import (
	"context"
	"encoding/json"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/sqlite/contents"
	"github.com/kaoju/kaoju/internal/sqlite/database"
	"github.com/kaoju/kaoju/internal/sqlite/interval"
	"github.com/kaoju/kaoju/internal/sqlite/row"
)

// The statuses that only the store knows. No scope admits such a row, and no query that looks for
// documents returns it. A deleted version keeps what it held until it is erased; an erased one
// keeps its ids, number, policy and checksum.
const (
	Deleted = access.Status("deleted")
	Erased  = access.Status("erased")
)

// Select reads rows of documents for Scan.
const Select = `SELECT row, tenant, id, base, key, version, status, title, source_uri, policy, checksum, media_type, language,
  size, labels, notices, chunk_count, char_count, lock_version, created_at, updated_at, published_at, titled, own_policy,
  (SELECT coalesce(group_concat(opened || ':' || coalesce(closed, ''), ' ' ORDER BY no), '') FROM in_force WHERE document = documents.row)
FROM documents `

// Row is a row of documents with its number in the table.
type Row struct {
	Number int64
	Titled bool // a person gave the title
	Own    bool // it was given a policy of its own
	corpus.Document
}

// Scan reads a row that Select selected.
func Scan(r row.Scanner) (v Row, err error) {
	var policy, labels, notices, inForce string
	var created, updated, published int64
	err = r.Scan(&v.Number, &v.Tenant, &v.ID, &v.KnowledgeBase, &v.Key, &v.Version, &v.Status, &v.Title, &v.SourceURI, &policy, &v.Checksum,
		&v.MediaType, &v.Language, &v.Size, &labels, &notices, &v.ChunkCount, &v.CharCount, &v.LockVersion, &created, &updated, &published, &v.Titled, &v.Own, &inForce)
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

// Put writes a new row and sets its number.
func Put(ctx context.Context, t *database.Tx, v *Row) error {
	r, err := t.ExecContext(ctx, `INSERT INTO documents (tenant, id, base, key, version, status, title, source_uri, policy, checksum,
  media_type, language, size, labels, notices, chunk_count, char_count, lock_version, created_at, updated_at, published_at, titled)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		v.Tenant, v.ID, v.KnowledgeBase, v.Key, v.Version, v.Status, v.Title, v.SourceURI, row.Marshal(v.Policy), v.Checksum,
		v.MediaType, v.Language, v.Size, row.Marshal(row.List(v.Labels)), row.Marshal(row.List(v.Notices)), v.ChunkCount, v.CharCount, v.LockVersion,
		v.CreatedAt.UnixMicro(), v.UpdatedAt.UnixMicro(), v.PublishedAt.UnixMicro(), v.Titled)
	if err == nil {
		v.Number, err = r.LastInsertId()
	}
	return err
}

// Admitted reads a version and lets the scope decide. Absent, reserved, deleted and invisible are
// one answer after the same work: the row is looked up, and nothing of its content is touched
// before it is admitted.
func Admitted(ctx context.Context, t *database.Tx, scope access.Scope, id corpus.DocumentID) (Row, error) {
	v, err := Scan(t.QueryRowContext(ctx, Select+`WHERE tenant = ? AND id = ?`, scope.Tenant(), id))
	if err = row.Missing(err); err != nil {
		return Row{}, err
	}
	if !Admits(scope, v.Document) {
		return Row{}, problem.Missing()
	}
	return v, nil
}

// Admits asks the scope about a row. Even a scope without bounds sees neither tombstones nor
// reservations.
func Admits(scope access.Scope, d corpus.Document) bool {
	return d.Status != Deleted && d.Status != Erased && scope.Admits(d.Resource())
}

// MayWrite reports whether the scope's actor may add to or replace a version: the level on the
// knowledge base, and no policy in the way. The view of the scope does not matter here, nor
// whether the version is published, so the resource is looked at as if it were.
func MayWrite(scope access.Scope, d corpus.Document, level access.Level) bool {
	r := d.Resource()
	r.Status = access.StatusPublished
	return scope.Level(d.KnowledgeBase) >= level && scope.Admits(r)
}

// Of reads the versions of a key, reserved ones too but no deleted ones, oldest first.
func Of(ctx context.Context, t *database.Tx, tenant access.TenantID, kb access.KnowledgeBaseID, key corpus.Key) ([]Row, error) {
	rows, err := t.QueryContext(ctx, Select+`WHERE tenant = ? AND base = ? AND key = ? AND status NOT IN ('deleted', 'erased') ORDER BY version`, tenant, kb, key)
	return row.Collect(rows, err, Scan)
}

// Body is what the ledger keeps of a version: no title, no key, no text.
func Body(d corpus.Document) map[string]any {
	return map[string]any{
		"document": d.ID, "knowledge_base": d.KnowledgeBase, "version": d.Version, "status": d.Status, "checksum": d.Checksum,
		"size": d.Size, "chunks": d.ChunkCount, "lock_version": d.LockVersion,
	}
}

// HolderOf returns a version as what may hold the contents of its file.
func HolderOf(v Row) contents.Holder {
	return contents.Holder{Row: v.Number, Tenant: v.Tenant, Base: v.KnowledgeBase, Key: v.Key, ID: v.ID}
}

// ValidPolicy refuses a policy that could not be read back.
func ValidPolicy(p access.Policy) error {
	for _, l := range [][]access.Principal{p.Allow, p.Deny} {
		for _, name := range l {
			if _, err := access.ParsePrincipal(string(name)); err != nil {
				return err
			}
		}
	}
	if !p.Restricted && len(p.Allow) > 0 {
		return problem.New(problem.Invalid, "invalid_policy", "A policy with an allow list must be a restricted one.")
	}
	return nil
}
