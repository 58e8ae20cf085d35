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
	"github.com/kaoju/kaoju/internal/sqlite/database"
	"github.com/kaoju/kaoju/internal/sqlite/row"
	"github.com/kaoju/kaoju/internal/sqlite/stored"
)

// Heads reads the beginnings of all segments from the index of the schema that has them, so that no
// segment is read for it. It fails where that index does not hold what is asked for.
const Heads = `SELECT document, substr(bytes, 1, 13) FROM segments INDEXED BY segments_heads ORDER BY document`

// Outdated returns the versions whose segment the function says yes to by its beginning.
func Outdated(ctx context.Context, t *database.Tx, outdated func(head []byte) bool) (out []retrieval.Stored, err error) {
	rows, err := t.QueryContext(ctx, Heads)
	found, err := row.Collect(rows, err, func(r row.Scanner) (document int64, err error) {
		var head sql.RawBytes
		if err = r.Scan(&document, &head); err == nil && !outdated(head) {
			document = 0
		}
		return document, err
	})
	for i := 0; err == nil && i < len(found); i++ {
		if found[i] == 0 {
			continue
		}
		var v retrieval.Stored
		err = t.QueryRowContext(ctx, `SELECT tenant, id, cut FROM documents WHERE row = ?`, found[i]).Scan(&v.Tenant, &v.Document, &v.Cut)
		out = append(out, v)
	}
	if err != nil {
		return nil, err
	}
	return out, nil
}

// Content returns the title and the chunks of a version; problem.NotFound if it is gone or was cut anew.
func Content(ctx context.Context, t *database.Tx, v retrieval.Stored) (title string, chunks []corpus.Chunk, err error) {
	var number int64
	err = t.QueryRowContext(ctx, `SELECT row, title FROM documents WHERE tenant = ? AND id = ? AND cut = ? AND status IN ('draft', 'published', 'archived', 'deleted')`,
		v.Tenant, v.Document, v.Cut).Scan(&number, &title)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil, problem.Missing()
	}
	if err != nil {
		return "", nil, err
	}
	rows, err := t.QueryContext(ctx, `SELECT id, no, text, record FROM chunks WHERE document = ? ORDER BY no`, number)
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

// Replace puts a segment in the place of the version's, if it has one, and if that is of the same chunks: whoever works on
// the folder beside may have cut them anew since they were read.
func Replace(ctx context.Context, t *database.Tx, v retrieval.Stored, segment []byte) error {
	_, err := t.ExecContext(ctx, `UPDATE segments SET bytes = ? WHERE document = (SELECT row FROM documents WHERE tenant = ? AND id = ? AND cut = ?)`, segment, v.Tenant, v.Document, v.Cut)
	return err
}
