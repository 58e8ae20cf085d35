// Package textseal binds the stored text of a version, and its chunks, to the ledger's entry of the version: hashes
// under a nonce that stands beside the text and goes with it. It works inside transactions that its caller holds.
package textseal

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/chunk"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/seal"
	"github.com/kaoju/kaoju/internal/sqlite/database"
	"github.com/kaoju/kaoju/internal/sqlite/proof"
	"github.com/kaoju/kaoju/internal/sqlite/row"
	"github.com/kaoju/kaoju/internal/sqlite/stored"
)

// Sums are the hashes of what is stored of a version: of its text with its structure, and of its chunks.
type Sums struct {
	Text   string `json:"text_hash"`
	Chunks string `json:"chunks_hash"`
}

// Of makes the hashes of a version by its row, under the nonce that is stored with its text; empty ones without a nonce.
// A version without a text is problem.NotFound.
func Of(ctx context.Context, q row.Queries, document int64) (s Sums, err error) {
	var nonce, text, record string
	if err := q.QueryRowContext(ctx, `SELECT nonce, text, record FROM texts WHERE document = ?`, document).Scan(&nonce, &text, &record); err != nil {
		return s, row.Missing(err)
	}
	if nonce == "" {
		return s, nil
	}
	rows, err := q.QueryContext(ctx, `SELECT id, no, text, record FROM chunks WHERE document = ? ORDER BY no`, document)
	chunks, err := row.Collect(rows, err, func(r row.Scanner) (string, error) {
		var id, text, record string
		var no int
		err := r.Scan(&id, &no, &text, &record)
		return together(id, strconv.Itoa(no), text, record), err
	})
	if err != nil {
		return s, err
	}
	by := seal.Seal{Key: nonce}
	return Sums{Text: by.Hash("text", together(text, record)), Chunks: by.Hash("chunks", together(chunks...))}, nil
}

// OfRows is the hash that Of makes of the chunks of a version once these rows are its chunks.
func OfRows(ctx context.Context, q row.Queries, document int64, rows []stored.Row) (string, error) {
	var nonce string
	if err := q.QueryRowContext(ctx, `SELECT nonce FROM texts WHERE document = ?`, document).Scan(&nonce); err != nil || nonce == "" {
		return "", row.Missing(err)
	}
	chunks := make([]string, len(rows))
	for i, r := range rows {
		chunks[i] = together(string(r.ID), strconv.Itoa(r.No), r.Text, r.Record)
	}
	return seal.Seal{Key: nonce}.Hash("chunks", together(chunks...)), nil
}

// together writes parts with the length of each in front, so that no two lists are one text.
func together(parts ...string) string {
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(strconv.Itoa(len(p)))
		b.WriteByte(':')
		b.WriteString(p)
	}
	return b.String()
}

// Changed is the refusal to give a text that is not the one that was taken in.
func Changed(id corpus.DocumentID) error {
	return problem.New(problem.Conflict, "text_changed",
		"The stored text of the version %s is not what the ledger tells of: it was changed since it was taken in, and is not given out.", id)
}

// Check holds what is stored of a version against the ledger's entry of it, and reports whether that has hashes: those
// of versions from before have none. A text that is another, or that the ledger does not know, is problem.Conflict
// "text_changed". It is the first entry of the version that counts: whoever adds one later can't tell of another text.
// The newest entry of a version that was cut anew tells of its chunks; since anybody can add one who can write at all,
// such chunks have to say, besides, what the text says.
func Check(ctx context.Context, q row.Queries, tenant access.TenantID, document int64, id corpus.DocumentID) (proved bool, err error) {
	e, err := proof.Added(ctx, q, string(tenant), string(id))
	if errors.Is(err, sql.ErrNoRows) || err == nil && !e.Sound() {
		return false, Changed(id)
	}
	if err != nil {
		return false, err
	}
	var was Sums
	if json.Unmarshal(e.Body, &was) != nil {
		return false, Changed(id)
	}
	recut, err := proof.Recut(ctx, q, string(tenant), string(id))
	again := err == nil
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	if err != nil {
		return false, err
	}
	if again {
		var chunks Sums
		if !recut.Sound() || json.Unmarshal(recut.Body, &chunks) != nil {
			return false, Changed(id)
		}
		was.Chunks = chunks.Chunks
	}
	now, err := Of(ctx, q, document)
	if problem.Is(err, problem.NotFound) || err == nil && now != was {
		return false, Changed(id)
	}
	if err == nil && again {
		err = faithful(ctx, q, document, id)
	}
	return was != Sums{}, err
}

// faithful holds the chunks of a version against its text.
func faithful(ctx context.Context, q row.Queries, document int64, id corpus.DocumentID) error {
	var p corpus.Parsed
	var record string
	if err := q.QueryRowContext(ctx, `SELECT text, record FROM texts WHERE document = ?`, document).Scan(&p.Text, &record); err != nil {
		return err
	}
	rows, err := q.QueryContext(ctx, `SELECT no, text, record FROM chunks WHERE document = ? ORDER BY no`, document)
	chunks, err := row.Collect(rows, err, func(r row.Scanner) (c corpus.Chunk, err error) {
		var record string
		if err = r.Scan(&c.No, &c.Text, &record); err == nil {
			err = stored.ReadChunk(record, &c)
		}
		return c, err
	})
	if err != nil {
		return err
	}
	if p.Blocks, err = stored.ReadBlocks(record); err == nil && !chunk.Faithful(p, chunks) {
		err = Changed(id)
	}
	return err
}

// Known remembers which versions a process has checked. What was found changed is looked at again.
type Known struct {
	mu      sync.Mutex
	checked map[corpus.DocumentID]bool
}

// mostKnown bounds what is remembered.
const mostKnown = 1 << 16

// Check is Check, once a version.
func (k *Known) Check(ctx context.Context, q row.Queries, tenant access.TenantID, document int64, id corpus.DocumentID) error {
	k.mu.Lock()
	done := k.checked[id]
	k.mu.Unlock()
	if done {
		return nil
	}
	if _, err := Check(ctx, q, tenant, document, id); err != nil {
		return err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.checked == nil || len(k.checked) >= mostKnown {
		k.checked = map[corpus.DocumentID]bool{}
	}
	k.checked[id] = true
	return nil
}

// Tally is what came of checking the texts of a tenant.
type Tally struct {
	Versions int
	Unproved int                 // of these, from before there were hashes
	Changed  []corpus.DocumentID // of these, in order
}

// All checks every version of a tenant whose text was not erased, without what a process remembers.
func All(ctx context.Context, read database.Run, tenant access.TenantID) (n Tally, err error) {
	type version struct {
		row int64
		id  corpus.DocumentID
	}
	var list []version
	err = read(ctx, func(ctx context.Context, t *database.Tx) error {
		rows, err := t.QueryContext(ctx, `SELECT row, id FROM documents WHERE tenant = ? AND status NOT IN ('reserved', 'erased') ORDER BY id`, tenant)
		list, err = row.Collect(rows, err, func(r row.Scanner) (v version, err error) {
			err = r.Scan(&v.row, &v.id)
			return v, err
		})
		return err
	})
	for _, v := range list {
		if err != nil {
			return n, err
		}
		err = read(ctx, func(ctx context.Context, t *database.Tx) error {
			var there bool // still, since another process may erase it meanwhile
			err := t.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM documents WHERE row = ? AND status NOT IN ('reserved', 'erased'))`, v.row).Scan(&there)
			if err != nil || !there {
				return err
			}
			proved, err := Check(ctx, t, tenant, v.row, v.id)
			switch {
			case problem.CodeOf(err) == "text_changed":
				n.Changed, err = append(n.Changed, v.id), nil
			case err == nil && !proved:
				n.Unproved++
			}
			n.Versions++
			return err
		})
	}
	return n, err
}

// mostNamed bounds how many versions are named at once.
const mostNamed = 20

// Verdict says what was found. Texts that were changed are problem.Conflict "text_changed", with the names of the first.
func (n Tally) Verdict() (string, error) {
	if len(n.Changed) > 0 {
		names, more := n.Changed, ""
		if len(names) > mostNamed {
			names, more = names[:mostNamed], " and others"
		}
		return "", problem.New(problem.Conflict, "text_changed", "Of the texts of %d versions, %d are not what the ledger tells of: %s%s.",
			n.Versions, len(n.Changed), strings.Trim(fmt.Sprint(names), "[]"), more)
	}
	if n.Unproved > 0 {
		return fmt.Sprintf("the texts of %d versions are what the ledger tells of; those of %d were taken in by an earlier version, and it tells nothing of them",
			n.Versions-n.Unproved, n.Unproved), nil
	}
	return fmt.Sprintf("the texts of %d versions are what the ledger tells of", n.Versions), nil
}
