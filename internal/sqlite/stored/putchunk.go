package stored

import (
	"context"
	"database/sql"
	"strings"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/problem"
)

// Preparing is a transaction that prepares statements.
type Preparing interface {
	PrepareContext(ctx context.Context, query string) (*sql.Stmt, error)
}

// Row is a chunk as its columns have it, but for the version that it belongs to.
type Row struct {
	ID           corpus.ChunkID
	No           int
	Text, Record string
}

// Rows writes chunks as their columns have them, for who has time for it: a chunk without an id gets one.
func Rows(chunks []corpus.Chunk) ([]Row, error) {
	out := make([]Row, len(chunks))
	for i, c := range chunks {
		if c.No != i+1 {
			return nil, problem.New(problem.Invalid, "invalid_chunks", "Chunk %d of the version has the number %d.", i+1, c.No)
		}
		record := Chunk(c)
		if record.Err != nil {
			return nil, record.Err
		}
		if c.ID == "" {
			c.ID = corpus.NewChunkID()
		}
		out[i] = Row{c.ID, c.No, c.Text, record.Text}
	}
	return out, nil
}

// PutChunks stores the chunks of a version, which has none.
func PutChunks(ctx context.Context, t Preparing, document int64, chunks []corpus.Chunk) error {
	rows, err := Rows(chunks)
	if err != nil {
		return err
	}
	return PutRows(ctx, t, document, rows)
}

// together is how many rows one statement writes: what a statement costs is most of what a row costs.
const together = 100

// PutRows stores the rows of a version, which has none.
func PutRows(ctx context.Context, t Preparing, document int64, rows []Row) error {
	for len(rows) >= together {
		n := len(rows) - len(rows)%together
		if err := putRows(ctx, t, document, rows[:n], together); err != nil {
			return err
		}
		rows = rows[n:]
	}
	return putRows(ctx, t, document, rows, 1)
}

// putRows writes rows by as many at once, of which their number is a multiple.
func putRows(ctx context.Context, t Preparing, document int64, rows []Row, at int) error {
	if len(rows) == 0 {
		return nil
	}
	insert, err := t.PrepareContext(ctx, `INSERT INTO chunks (id, document, no, text, record) VALUES (?, ?, ?, ?, ?)`+strings.Repeat(`, (?, ?, ?, ?, ?)`, at-1))
	if err != nil {
		return err
	}
	defer insert.Close() //nolint:errcheck // the transaction ends it too
	args := make([]any, 0, 5*at)
	for i := 0; i < len(rows); i += at {
		args = args[:0]
		for _, r := range rows[i : i+at] {
			args = append(args, r.ID, document, r.No, r.Text, r.Record)
		}
		if _, err := insert.ExecContext(ctx, args...); err != nil {
			return err
		}
	}
	return nil
}
