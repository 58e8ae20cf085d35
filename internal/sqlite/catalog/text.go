package catalog

import (
	"context"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/sqlite/database"
	"github.com/kaoju/kaoju/internal/sqlite/row"
	"github.com/kaoju/kaoju/internal/sqlite/stored"
	"github.com/kaoju/kaoju/internal/sqlite/textseal"
	"github.com/kaoju/kaoju/internal/sqlite/versions"
)

// Texts implements corpus.Texts.
type Texts struct {
	DB *database.DB
	// Known are the versions whose texts were found to be those that the ledger tells of.
	Known *textseal.Known
}

// whole is versions.Admitted for whoever reads the content of a version: one that was changed beside the product is problem.Conflict
// "text_changed".
func (x *Texts) whole(ctx context.Context, t *database.Tx, scope access.Scope, id corpus.DocumentID) (versions.Row, error) {
	v, err := versions.Admitted(ctx, t, scope, id)
	if err == nil {
		err = x.Known.Check(ctx, t, v.Tenant, v.Number, v.ID)
	}
	return v, err
}

// Text implements corpus.Texts.
func (x *Texts) Text(ctx context.Context, scope access.Scope, id corpus.DocumentID) (out corpus.Text, err error) {
	err = x.DB.ReadScoped(ctx, scope, func(ctx context.Context, t *database.Tx) error {
		v, err := x.whole(ctx, t, scope, id)
		if err != nil {
			return err
		}
		var column string
		if err := t.QueryRowContext(ctx, `SELECT text, record FROM texts WHERE document = ?`, v.Number).Scan(&out.Text, &column); err != nil {
			return row.Missing(err)
		}
		out.Blocks, err = stored.ReadBlocks(column)
		for _, b := range out.Blocks {
			out.Segments = append(out.Segments, b.Segments...)
		}
		out.Document = v.Document
		return err
	})
	if err != nil {
		return corpus.Text{}, err
	}
	return out, nil
}

// Stretch implements corpus.Texts.
func (x *Texts) Stretch(ctx context.Context, scope access.Scope, id corpus.DocumentID, span corpus.Span) (out corpus.Stretch, err error) {
	err = x.DB.ReadScoped(ctx, scope, func(ctx context.Context, t *database.Tx) error {
		v, err := x.whole(ctx, t, scope, id)
		if err != nil {
			return err
		}
		out.Total = v.CharCount
		out.Span.Start = min(max(span.Start, 0), out.Total)
		out.Span.End = min(max(span.End, out.Span.Start), out.Total)
		var column string
		err = t.QueryRowContext(ctx, `SELECT substr(text, ?, ?), record FROM texts WHERE document = ?`, out.Span.Start+1, out.Span.Len(), v.Number).Scan(&out.Text, &column)
		if err != nil {
			return row.Missing(err)
		}
		out.Blocks, out.First, err = stored.BlocksWithin(column, out.Span)
		return err
	})
	if err != nil {
		return corpus.Stretch{}, err
	}
	return out, nil
}

const selectChunk = `SELECT c.id, d.id, c.no, c.text, c.record FROM chunks c JOIN documents d ON d.row = c.document `

func scanChunk(r row.Scanner) (c corpus.Chunk, err error) {
	var column string
	if err = r.Scan(&c.ID, &c.Document, &c.No, &c.Text, &column); err != nil {
		return c, err
	}
	err = stored.ReadChunk(column, &c)
	return c, err
}

// Chunks implements corpus.Texts.
func (x *Texts) Chunks(ctx context.Context, scope access.Scope, id corpus.DocumentID, after, limit int) (out []corpus.Chunk, err error) {
	err = x.DB.ReadScoped(ctx, scope, func(ctx context.Context, t *database.Tx) error {
		v, err := x.whole(ctx, t, scope, id)
		if err != nil {
			return err
		}
		rows, err := t.QueryContext(ctx, selectChunk+`WHERE c.document = ? AND c.no > ? ORDER BY c.no LIMIT ?`, v.Number, after, max(0, limit))
		out, err = row.Collect(rows, err, scanChunk)
		return err
	})
	return out, err
}

// Chunk implements corpus.Texts. The chunk's text is read only after its document is admitted.
func (x *Texts) Chunk(ctx context.Context, scope access.Scope, id corpus.ChunkID) (c corpus.Chunk, d corpus.Document, err error) {
	err = x.DB.ReadScoped(ctx, scope, func(ctx context.Context, t *database.Tx) error {
		v, err := versions.Scan(t.QueryRowContext(ctx, versions.Select+`WHERE tenant = ? AND row = (SELECT document FROM chunks WHERE id = ?)`, scope.Tenant(), id))
		if err = row.Missing(err); err != nil {
			return err
		}
		if !versions.Admits(scope, v.Document) {
			return problem.Missing()
		}
		d = v.Document
		if err := x.Known.Check(ctx, t, d.Tenant, v.Number, d.ID); err != nil {
			return err
		}
		c, err = scanChunk(t.QueryRowContext(ctx, selectChunk+`WHERE c.id = ?`, id))
		return row.Missing(err)
	})
	if err != nil {
		return corpus.Chunk{}, corpus.Document{}, err
	}
	return c, d, nil
}
