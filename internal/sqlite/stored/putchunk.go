package stored

import (
	"context"
	"database/sql"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/problem"
)

// Preparing is a transaction that prepares statements.
type Preparing interface {
	PrepareContext(ctx context.Context, query string) (*sql.Stmt, error)
}

// PutChunks writes the chunks of a version by its row in documents. Their numbers count from 1.
func PutChunks(ctx context.Context, t Preparing, document int64, chunks []corpus.Chunk) error {
	insert, err := t.PrepareContext(ctx, `INSERT INTO chunks (id, document, no, text, record) VALUES (?, ?, ?, ?, ?)`)
	if err != nil {
		return err
	}
	defer insert.Close() //nolint:errcheck // the transaction ends it too
	for i, c := range chunks {
		if c.No != i+1 {
			return problem.New(problem.Invalid, "invalid_chunks", "Chunk %d of the version has the number %d.", i+1, c.No)
		}
		if c.ID == "" {
			c.ID = corpus.NewChunkID()
		}
		if _, err := insert.ExecContext(ctx, c.ID, document, c.No, c.Text, Chunk(c)); err != nil {
			return err
		}
	}
	return nil
}
