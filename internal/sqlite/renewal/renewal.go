// Package renewal reads what search segments are built from, and puts new ones in the place of old
// ones, inside the driver's transactions.
package renewal

import (
	"context"
	"database/sql"
	"errors"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/retrieval"
	"github.com/kaoju/kaoju/internal/sqlite/stored"
)

// Outdated returns the versions whose segment the function says yes to by its beginning.
func Outdated(ctx context.Context, t *sql.Tx, outdated func(head []byte) bool) (out []retrieval.Stored, err error) {
	rows, err := t.QueryContext(ctx, `SELECT d.tenant, d.id, substr(s.bytes, 1, ?) FROM segments s JOIN documents d ON d.row = s.document ORDER BY d.row`, retrieval.HeadSize)
	if err != nil {
		return nil, err
	}
	defer rows.Close() //nolint:errcheck // Err below has what went wrong
	for rows.Next() {
		var v retrieval.Stored
		var head []byte
		if err := rows.Scan(&v.Tenant, &v.Document, &head); err != nil {
			return nil, err
		}
		if outdated(head) {
			out = append(out, v)
		}
	}
	return out, rows.Err()
}

// Content returns the title and the chunks of a version; problem.NotFound if it is gone.
func Content(ctx context.Context, t *sql.Tx, v retrieval.Stored) (title string, chunks []corpus.Chunk, err error) {
	var row int64
	err = t.QueryRowContext(ctx, `SELECT row, title FROM documents WHERE tenant = ? AND id = ? AND status IN ('draft', 'published', 'archived', 'deleted')`,
		v.Tenant, v.Document).Scan(&row, &title)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil, problem.Missing()
	}
	if err != nil {
		return "", nil, err
	}
	rows, err := t.QueryContext(ctx, `SELECT id, no, text, record FROM chunks WHERE document = ? ORDER BY no`, row)
	if err != nil {
		return "", nil, err
	}
	defer rows.Close() //nolint:errcheck // Err below has what went wrong
	for rows.Next() {
		c, record := corpus.Chunk{Document: v.Document}, ""
		if err := rows.Scan(&c.ID, &c.No, &c.Text, &record); err != nil {
			return "", nil, err
		}
		if err := stored.ReadChunk(record, &c); err != nil {
			return "", nil, err
		}
		chunks = append(chunks, c)
	}
	return title, chunks, rows.Err()
}

// Replace puts a segment in the place of the version's, if it has one.
func Replace(ctx context.Context, t *sql.Tx, v retrieval.Stored, segment []byte) error {
	_, err := t.ExecContext(ctx, `UPDATE segments SET bytes = ? WHERE document = (SELECT row FROM documents WHERE tenant = ? AND id = ?)`, segment, v.Tenant, v.Document)
	return err
}
