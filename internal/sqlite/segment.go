package sqlite

import (
	"context"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/retrieval"
	"github.com/kaoju/kaoju/internal/sqlite/merged"
	"github.com/kaoju/kaoju/internal/sqlite/renewal"
	"github.com/kaoju/kaoju/internal/sqlite/vectors"
)

// Segments implements retrieval.Store and retrieval.Archive.
type Segments struct{ db *DB }

// Segments returns the stored search structures of all tenants.
func (db *DB) Segments() *Segments { return &Segments{db} }

// Vectors returns the seam to what embedding models made of versions, and the queue of its jobs.
func (db *DB) Vectors() *vectors.Store {
	return &vectors.Store{Read: lent(db.read), Write: lent(db.write), Bells: db.jobs}
}

// Merged returns the merged segments that are kept of all tenants.
func (db *DB) Merged() *merged.Store {
	return &merged.Store{Read: lent(db.read), Write: lent(db.write)}
}

// Epoch implements retrieval.Store.
func (s *Segments) Epoch(ctx context.Context, tenant access.TenantID) (epoch access.Epoch, err error) {
	err = s.db.read(ctx, func(ctx context.Context, t *tx) (err error) {
		epoch, err = epochOf(ctx, t, tenant)
		return err
	})
	return epoch, err
}

// Image implements retrieval.Store. Versions come in the order in which they came in.
func (s *Segments) Image(ctx context.Context, tenant access.TenantID, have func(corpus.DocumentID) bool) (img retrieval.Image, err error) {
	err = s.db.read(ctx, func(ctx context.Context, t *tx) error {
		if img.Epoch, err = epochOf(ctx, t, tenant); err != nil {
			return err
		}
		rows, err := t.QueryContext(ctx, selectDocument+`WHERE tenant = ? AND status IN ('draft', 'published', 'archived') ORDER BY row`, tenant)
		all, err := collect(rows, err, scanDocument)
		if err != nil {
			return err
		}
		img.Documents = make([]retrieval.Indexed, len(all))
		for i, v := range all {
			img.Documents[i] = retrieval.Indexed{Document: v.ID, Resource: v.Resource(), Chunks: v.ChunkCount}
			if v.ChunkCount == 0 || have != nil && have(v.ID) {
				continue
			}
			if img.Documents[i].Segment, err = segment(ctx, t, v.row); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return retrieval.Image{}, err
	}
	return img, nil
}

// segment reads one version's segment; nil if it was published without.
func segment(ctx context.Context, t *tx, row int64) ([]byte, error) {
	rows, err := t.QueryContext(ctx, `SELECT bytes FROM segments WHERE document = ?`, row)
	found, err := collect(rows, err, func(r scanner) (b []byte, err error) {
		err = r.Scan(&b)
		return b, err
	})
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return found[0], nil
}

// Outdated implements retrieval.Archive.
func (s *Segments) Outdated(ctx context.Context, outdated func(head []byte) bool) (out []retrieval.Stored, err error) {
	err = s.db.read(ctx, func(ctx context.Context, t *tx) error {
		out, err = renewal.Outdated(ctx, t.Tx, outdated)
		return err
	})
	return out, err
}

// Content implements retrieval.Archive.
func (s *Segments) Content(ctx context.Context, v retrieval.Stored) (title string, chunks []corpus.Chunk, err error) {
	err = s.db.read(ctx, func(ctx context.Context, t *tx) error {
		title, chunks, err = renewal.Content(ctx, t.Tx, v)
		return err
	})
	return title, chunks, err
}

// Renew implements retrieval.Archive.
func (s *Segments) Renew(ctx context.Context, v retrieval.Stored, segment []byte) error {
	return s.db.write(ctx, func(ctx context.Context, t *tx) error { return renewal.Replace(ctx, t.Tx, v, segment) })
}
