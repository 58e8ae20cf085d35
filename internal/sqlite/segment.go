package sqlite

import (
	"context"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/retrieval"
	"github.com/kaoju/kaoju/internal/sqlite/database"
	"github.com/kaoju/kaoju/internal/sqlite/image"
	"github.com/kaoju/kaoju/internal/sqlite/merged"
	"github.com/kaoju/kaoju/internal/sqlite/pending"
	"github.com/kaoju/kaoju/internal/sqlite/recuts"
	"github.com/kaoju/kaoju/internal/sqlite/renewal"
	"github.com/kaoju/kaoju/internal/sqlite/vectors"
)

// Segments implements retrieval.Store and retrieval.Archive.
type Segments struct{ db *database.DB }

// Segments returns the stored search structures of all tenants.
func (db *DB) Segments() *Segments { return &Segments{db: db.core} }

// Vectors returns the seam to what embedding models made of versions, and the queue of its jobs.
func (db *DB) Vectors() *vectors.Store {
	return &vectors.Store{Queue: db.pending(vectors.Jobs)}
}

// Recuts returns the seam to versions that a former chunker cut, and the queue of its jobs.
func (db *DB) Recuts() *recuts.Store { return &recuts.Store{Queue: db.pending(recuts.Jobs)} }

// pending returns the queue of a table of jobs.
func (db *DB) pending(table pending.Table) pending.Queue {
	return pending.Queue{Table: table, DB: db.core}
}

// Merged returns the merged segments that are kept of all tenants.
func (db *DB) Merged() *merged.Store {
	return &merged.Store{Read: db.core.Read, Write: db.core.Write}
}

// State implements retrieval.Store.
func (s *Segments) State(ctx context.Context, tenant access.TenantID) (state retrieval.State, err error) {
	err = s.db.Read(ctx, func(ctx context.Context, t *database.Tx) (err error) {
		state, err = image.State(ctx, t, tenant)
		return err
	})
	return state, err
}

// Image implements retrieval.Store. Versions come in the order in which they came in.
func (s *Segments) Image(ctx context.Context, tenant access.TenantID, since retrieval.State, have func(corpus.DocumentID, int64) bool) (img retrieval.Image, err error) {
	err = s.db.Read(ctx, func(ctx context.Context, t *database.Tx) (err error) {
		img, err = image.Read(ctx, t, tenant, since, have)
		return err
	})
	return img, err
}

// Outdated implements retrieval.Archive.
func (s *Segments) Outdated(ctx context.Context, outdated func(head []byte) bool) (out []retrieval.Stored, err error) {
	err = s.db.Read(ctx, func(ctx context.Context, t *database.Tx) error {
		out, err = renewal.Outdated(ctx, t, outdated)
		return err
	})
	return out, err
}

// Content implements retrieval.Archive.
func (s *Segments) Content(ctx context.Context, v retrieval.Stored) (title string, chunks []corpus.Chunk, err error) {
	err = s.db.Read(ctx, func(ctx context.Context, t *database.Tx) error {
		title, chunks, err = renewal.Content(ctx, t, v)
		return err
	})
	return title, chunks, err
}

// Renew implements retrieval.Archive.
func (s *Segments) Renew(ctx context.Context, v retrieval.Stored, segment []byte) error {
	return s.db.Write(ctx, func(ctx context.Context, t *database.Tx) error { return renewal.Replace(ctx, t, v, segment) })
}
