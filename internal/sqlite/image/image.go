// Package image reads what a server's own index follows of a tenant, inside the driver's transactions:
// the versions, as far as rights are judged by them, and their search segments.
package image

import (
	"context"
	"database/sql"
	"encoding/json"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/retrieval"
	"github.com/kaoju/kaoju/internal/sqlite/interval"
	"github.com/kaoju/kaoju/internal/sqlite/row"
)

// columns are what rights are judged by, and whether any scope could admit the version.
const columns = `SELECT row, id, base, key, status, policy, updated_at, chunk_count, cut,
  (SELECT group_concat(opened || ':' || coalesce(closed, ''), ' ' ORDER BY no) FROM in_force WHERE document = documents.row),
  status IN ('draft', 'published', 'archived') FROM documents `

// Whole selects the versions of a tenant that any scope could admit.
const Whole = columns + `WHERE tenant = ? AND status IN ('draft', 'published', 'archived') ORDER BY row`

// Changed selects those that were added, changed or taken away after an epoch, or cut anew after a number of cuts.
const Changed = columns + `WHERE tenant = ?1 AND (moved > ?2 OR cut > ?3) AND status <> 'reserved' ORDER BY row`

// State returns how far a tenant is; an unknown one is problem.NotFound.
func State(ctx context.Context, q row.Queries, tenant access.TenantID) (s retrieval.State, err error) {
	err = q.QueryRowContext(ctx, `SELECT epoch, cuts FROM tenants WHERE id = ?`, tenant).Scan(&s.Epoch, &s.Cuts)
	return s, row.Missing(err)
}

// Read returns what the rows say of a tenant; of the changes after a state if that is not the zero State.
func Read(ctx context.Context, q row.Queries, tenant access.TenantID, since retrieval.State, have func(corpus.DocumentID, int64) bool) (retrieval.Image, error) {
	now, err := State(ctx, q, tenant)
	if err != nil {
		return retrieval.Image{}, err
	}
	img := retrieval.Image{State: now, Whole: since == retrieval.State{}}
	query, args := Whole, []any{tenant}
	if !img.Whole {
		query, args = Changed, []any{tenant, since.Epoch, since.Cuts}
	}
	r := reader{tenant: tenant, policies: map[string]access.Policy{}, words: map[string]string{}}
	rows, err := q.QueryContext(ctx, query, args...)
	all, err := row.Collect(rows, err, r.version)
	for i := 0; err == nil && i < len(all); i++ {
		v := &all[i]
		if v.gone {
			img.Gone = append(img.Gone, v.Document)
			continue
		}
		if v.Chunks > 0 && (have == nil || !have(v.Document, v.Cut)) {
			v.Segment, err = segment(ctx, q, v.row)
		}
		img.Documents = append(img.Documents, v.Indexed)
	}
	if err != nil {
		return retrieval.Image{}, err
	}
	return img, nil
}

// version is a row.
type version struct {
	row  int64
	gone bool
	retrieval.Indexed
}

// reader reads rows. Many say the same of policies, bases and states, which it keeps once.
type reader struct {
	tenant   access.TenantID
	policies map[string]access.Policy
	words    map[string]string
}

func (r *reader) version(s row.Scanner) (v version, err error) {
	var base, status, policy, inForce sql.RawBytes
	var updated int64
	var there bool
	x := &v.Resource
	if err = s.Scan(&v.row, &v.Document, &base, &x.DocKey, &status, &policy, &updated, &v.Chunks, &v.Cut, &inForce, &there); err != nil {
		return v, err
	}
	v.gone = !there
	x.Tenant, x.KnowledgeBase, x.Status, x.UpdatedAt = r.tenant, access.KnowledgeBaseID(r.word(base)), access.Status(r.word(status)), row.At(updated)
	if x.InForce, err = interval.Parse(string(inForce)); err != nil {
		return v, err
	}
	p, ok := r.policies[string(policy)]
	if !ok {
		if err = json.Unmarshal(policy, &p); err != nil {
			return v, err
		}
		r.policies[string(policy)] = p
	}
	x.Policy = p
	return v, nil
}

// word returns the bytes as a string, the same one for the same bytes.
func (r *reader) word(b []byte) string {
	w, ok := r.words[string(b)]
	if !ok {
		w = string(b)
		r.words[w] = w
	}
	return w
}

// segment reads one version's segment; nil if it was published without.
func segment(ctx context.Context, q row.Queries, document int64) ([]byte, error) {
	rows, err := q.QueryContext(ctx, `SELECT bytes FROM segments WHERE document = ?`, document)
	found, err := row.Collect(rows, err, func(r row.Scanner) (b []byte, err error) {
		err = r.Scan(&b)
		return b, err
	})
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return found[0], nil
}
