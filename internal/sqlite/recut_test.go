package sqlite

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kaoju/kaoju/internal/chunk"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/embedding"
	"github.com/kaoju/kaoju/internal/failpoint"
	"github.com/kaoju/kaoju/internal/failpoint/failpointtest"
	"github.com/kaoju/kaoju/internal/index"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/recut"
	"github.com/kaoju/kaoju/internal/sqlite/chain"
	"github.com/kaoju/kaoju/internal/sqlite/database"
	"github.com/kaoju/kaoju/internal/sqlite/recuts"
	"github.com/kaoju/kaoju/internal/sqlite/textseal"
)

// formerly makes a version of paragraphs that a chunker of another size cut, one chunk each.
func formerly(t *testing.T, paragraphs ...string) corpus.Version {
	t.Helper()
	var p corpus.Parsed
	for i, text := range paragraphs {
		if i > 0 {
			p.Text += "\n\n"
		}
		span := corpus.Span{Start: len(p.Text), End: len(p.Text) + len(text)}
		p.Text += text
		p.Blocks = append(p.Blocks, corpus.Block{Kind: corpus.Paragraph, Span: span, Head: -1, HeadingPath: []string{}, Segments: []corpus.Segment{{Span: span, Locator: corpus.TextLocator{
			Format: "txt", Heading: []string{}, Line: 2*i + 1, Char: [2]int{0, len(text)},
		}}}})
	}
	v := corpus.Version{Title: p.Text[:10], Text: p.Text, Blocks: p.Blocks, Chunks: chunk.Split(p, chunk.Options{MaxChars: 20})}
	for i := range v.Chunks {
		v.Chunks[i].ID = corpus.NewChunkID()
	}
	var err error
	if v.Segment, err = index.Build(v.Title, v.Chunks); err != nil || len(v.Chunks) != len(paragraphs) {
		t.Fatalf("%d chunks of %d paragraphs: %v", len(v.Chunks), len(paragraphs), err)
	}
	return v
}

// cutAnew cuts all versions anew as the program cuts them.
func cutAnew(t *testing.T, db *DB) {
	t.Helper()
	w := &recut.Worker{Queue: db.Recuts(), Store: db.Recuts(), Log: slog.New(slog.DiscardHandler)}
	if err := errors.Join(w.Want(t.Context()), w.Drain(t.Context(), func() {})); err != nil {
		t.Fatal(err)
	}
}

func TestWhatWasCutAnewIsProvedAndWhatWasForgedIsNot(t *testing.T) {
	const tell = "tell the ledger"
	for name, statements := range map[string][]string{
		"nothing":                                nil,
		"a word":                                 {`UPDATE chunks SET text = replace(text, '120', '130')`},
		"a word, and the ledger is told":         {`UPDATE chunks SET text = replace(text, '120', '130')`, tell},
		"a place, and the ledger is told":        {`UPDATE chunks SET record = json_set(record, '$.segments[0].locator.line', 7, '$.locator.line', 7)`, tell},
		"a header, and the ledger is told":       {`UPDATE chunks SET record = json_set(record, '$.context', 'The fee is 7.')`, tell},
		"the text too, and the ledger is told":   {`UPDATE texts SET text = replace(text, '120', '130')`, `UPDATE chunks SET text = replace(text, '120', '130')`, tell},
		"the entry is another":                   {`UPDATE entries SET body = json_set(body, '$.chunks_hash', 'x') WHERE kind = 'document.recut'`},
		"the entry is gone":                      {`DELETE FROM entries WHERE kind = 'document.recut'`},
		"no chunks, and the ledger is told":      {`DELETE FROM chunks`, tell},
		"a chunk is missing, the ledger is told": {`DELETE FROM chunks WHERE no = 1`, tell},
	} {
		t.Run(name, func(t *testing.T) {
			db := filled(t, t.TempDir())
			d := uploadAs(t, db, "acme", "u1", formerly(t, "The limit is 120.", "The fee is 7 euros.", "Nobody pays more."))
			old := column(t, db, `SELECT id FROM chunks`)
			cutAnew(t, db)
			if now := column(t, db, `SELECT id FROM chunks`); len(now) != 1 || slices.Contains(old, now[0]) {
				t.Fatalf("chunks %v, before %v", now, old)
			}
			disarm(t, db)
			for _, s := range statements {
				var err error
				if s == tell {
					err = db.core.Write(t.Context(), func(ctx context.Context, q *database.Tx) error {
						sums, err := textseal.Of(ctx, q, 1)
						return errors.Join(err, chain.Note(ctx, q, ledger.DocumentRecut, "acme", "", map[string]any{"document": d.ID, "chunks_hash": sums.Chunks}))
					})
				} else {
					_, err = db.writer.Exec(s)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			for way, err := range read(t, db, d) {
				if want := len(statements) > 0; want != (problem.CodeOf(err) == "text_changed") || !want && err != nil {
					t.Errorf("by %s: %v", way, err)
				}
			}
			said, err := db.TextsAgree(t.Context(), "acme")
			if len(statements) == 0 && (err != nil || said != "the texts of 1 versions are what the ledger tells of") || len(statements) > 0 && problem.CodeOf(err) != "text_changed" {
				t.Errorf("all together: %s %v", said, err)
			}
		})
	}
}

// What is read and hashed of a version before it is cut, or its vectors are made, holds up nobody who writes.
func TestAVersionIsReadForItsJobBesideTheOneWhoWrites(t *testing.T) {
	db := filled(t, t.TempDir())
	uploadAs(t, db, "acme", "u1", formerly(t, "The limit is 120.", "The fee is 7 euros."))
	if err := errors.Join(db.Recuts().Want(t.Context(), chunk.Version), db.Vectors().Want(t.Context(), embedding.Wanted{Model: "m"})); err != nil {
		t.Fatal(err)
	}
	cut, _, err := db.Recuts().Claim(t.Context(), time.Hour)
	near, _, err2 := db.Vectors().Claim(t.Context(), time.Hour)
	if err := errors.Join(err, err2); err != nil {
		t.Fatal(err)
	}
	err = db.core.Write(t.Context(), func(context.Context, *database.Tx) error {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), 20*time.Second) // where it would wait for ever
		defer cancel()
		_, err := db.Recuts().Source(ctx, cut.ID, cut.Token)
		_, err2 := db.Vectors().Source(ctx, near.ID, near.Token)
		return errors.Join(err, err2)
	})
	if err != nil {
		t.Error(err)
	}
}

// What will be stored of a version is compared, written as columns and hashed beside the one who writes: a long version holds
// up nobody but for the rows themselves.
func TestWhatTakesThePlaceOfAVersionIsMadeReadyBesideTheOneWhoWrites(t *testing.T) {
	db := filled(t, t.TempDir())
	v := formerly(t, "The limit is 120.", "The fee is 7 euros.")
	uploadAs(t, db, "acme", "u1", v)
	if err := db.Recuts().Want(t.Context(), chunk.Version); err != nil {
		t.Fatal(err)
	}
	job, _, err := db.Recuts().Claim(t.Context(), time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	chunks := chunk.Split(corpus.Parsed{Text: v.Text, Blocks: v.Blocks}, chunk.Options{})
	for i := range chunks {
		chunks[i].ID = corpus.NewChunkID()
	}
	segment, err := index.Build(v.Title, chunks)
	if err != nil {
		t.Fatal(err)
	}
	ready, kept := make(chan struct{}), make(chan error, 1)
	ctx := failpointtest.With(t.Context(), func(p failpoint.Point) {
		if p == failpoint.RecutPrepared {
			close(ready)
		}
	})
	err = db.core.Write(t.Context(), func(context.Context, *database.Tx) error {
		go func() {
			_, err := db.Recuts().Keep(ctx, job.ID, job.Token, recut.Made{Chunker: chunk.Version, Title: v.Title, Chunks: chunks, Segment: segment})
			kept <- err
		}()
		select {
		case <-ready:
			return nil
		case <-time.After(20 * time.Second): // where it would wait for ever
			return errors.New("nothing is made ready while somebody writes")
		}
	})
	if err := errors.Join(err, <-kept); err != nil {
		t.Fatal(err)
	}
	if said, err := db.TextsAgree(t.Context(), "acme"); err != nil || len(column(t, db, `SELECT id FROM chunks`)) != 1 {
		t.Errorf("%s %v", said, err)
	}
}

// Rows are written by the hundred; what is left over is written too, and every one at its number.
func TestManyChunksAreWrittenEachAtItsNumber(t *testing.T) {
	db := filled(t, t.TempDir())
	var paragraphs []string
	for i := range 205 {
		paragraphs = append(paragraphs, fmt.Sprintf("Paragraph no. %d.", i))
	}
	v := formerly(t, paragraphs...)
	uploadAs(t, db, "acme", "u1", v)
	var want []string
	for i, c := range v.Chunks {
		want = append(want, fmt.Sprintf("%d %s", i+1, c.Text))
	}
	if got := column(t, db, `SELECT no || ' ' || text FROM chunks ORDER BY no`); !slices.Equal(got, want) {
		t.Errorf("%d chunks: %v", len(got), got)
	}
	if said, err := db.TextsAgree(t.Context(), "acme"); err != nil {
		t.Errorf("%s %v", said, err)
	}
}

func TestATextThatWasChangedIsNotCutAnew(t *testing.T) {
	db := filled(t, t.TempDir())
	d := uploadAs(t, db, "acme", "u1", formerly(t, "The limit is 120.", "The fee is 7 euros."))
	disarm(t, db)
	if _, err := db.writer.Exec(`UPDATE texts SET text = replace(text, '120', '130')`); err != nil {
		t.Fatal(err)
	}
	cutAnew(t, db)
	if n := column(t, db, `SELECT count(*) || ' ' || max(chunker) FROM chunks JOIN documents ON row = document`); n[0] != "2 0" {
		t.Errorf("chunks and chunker: %s", n[0])
	}
	waiting, err := db.Recuts().Waiting(t.Context(), "acme", chunk.Version)
	if err != nil || len(waiting) != 1 || waiting[0] != (recut.Waiting{Document: d.ID, Code: "text_changed"}) {
		t.Errorf("%v %v", waiting, err)
	}
}

func TestAVersionOfBeforeTheLedgerToldOfTextsIsCutAnewAndStaysUnproved(t *testing.T) {
	db := filled(t, t.TempDir())
	d := uploadAs(t, db, "acme", "u1", formerly(t, "The limit is 120.", "The fee is 7 euros."))
	disarm(t, db)
	if _, err := db.writer.Exec(`UPDATE texts SET nonce = ''; DELETE FROM entries; DELETE FROM heads; DELETE FROM places; DELETE FROM nodes`); err != nil {
		t.Fatal(err)
	}
	err := db.core.Write(t.Context(), func(ctx context.Context, q *database.Tx) error {
		return chain.Note(ctx, q, ledger.DocumentAdded, "acme", "u1", map[string]any{"document": d.ID})
	})
	if err != nil {
		t.Fatal(err)
	}
	cutAnew(t, db)
	for way, err := range read(t, db, d) {
		if err != nil {
			t.Errorf("by %s: %v", way, err)
		}
	}
	if said, err := db.TextsAgree(t.Context(), "acme"); err != nil || !strings.Contains(said, "of 1 were taken in by an earlier version") {
		t.Errorf("%s %v", said, err)
	}
	if n := column(t, db, `SELECT count(*) FROM chunks`); n[0] != "1" {
		t.Errorf("%s chunks", n[0])
	}
}

func TestAWorkerThatDiedOverAVersionLeavesItToTheNextProcess(t *testing.T) {
	dir := t.TempDir()
	db := filled(t, dir)
	uploadAs(t, db, "acme", "u1", formerly(t, "The limit is 120.", "The fee is 7 euros."))
	if err := db.Recuts().Want(t.Context(), chunk.Version); err != nil {
		t.Fatal(err)
	}
	if _, ok, err := db.Recuts().Claim(t.Context(), 1<<50); !ok || err != nil {
		t.Fatal(ok, err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	db = opened(t, dir)
	if n := column(t, db, `SELECT count(*) FROM `+recuts.Jobs.Name+` WHERE NOT running AND due_at = 0`); n[0] != "1" {
		t.Errorf("%s jobs are due", n[0])
	}
}
