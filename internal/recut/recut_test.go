package recut_test

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/analysis"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/queue"
	"github.com/kaoju/kaoju/internal/recut"
	"github.com/kaoju/kaoju/internal/sharedtest"
)

// chunksOf returns the chunks of all versions by the keys of their documents, without ids.
func (w *world) chunksOf() map[corpus.Key][]corpus.Chunk {
	w.t.Helper()
	out := map[corpus.Key][]corpus.Chunk{}
	w.within("carol", access.Published, func(s access.Scope) error {
		page, err := w.db.Catalog().Documents(w.t.Context(), s, corpus.Filter{Limit: 200})
		for i := 0; err == nil && i < len(page.Items); i++ {
			var list []corpus.Chunk
			list, err = w.db.Texts().Chunks(w.t.Context(), s, page.Items[i].ID, 0, 10_000)
			for k := range list {
				list[k].ID, list[k].Document = "", ""
			}
			out[page.Items[i].Key] = list
		}
		return err
	})
	return out
}

// The stored text and blocks of every format hold all that the chunker reads: what is cut from them is what is cut
// from the original, to the last place.
func TestWhatIsStoredOfAFileIsEnoughToCutItAnew(t *testing.T) {
	anew, fresh := newWorld(t), newWorld(t)
	seen := map[string]int{}
	for _, root := range []string{"../../examples", sharedtest.Path(t, "data", "docs")} {
		err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			kind := filepath.Ext(path)
			info, err := e.Info()
			if err != nil || info.Size() > 60<<10 || seen[kind] >= 1 || !slices.Contains([]string{".md", ".txt", ".html", ".csv", ".pdf", ".docx", ".xlsx", ".pptx", ".epub", ".dxf", ".svg"}, kind) {
				return err
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			seen[kind]++
			up := corpus.Upload{KnowledgeBase: "open", Key: corpus.Key(path), FileName: filepath.Base(path), Publish: true}
			anew.add(up, string(text), true)
			fresh.add(up, string(text), false)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(seen) < 9 {
		t.Fatalf("formats %v", seen)
	}
	before := anew.chunksOf()
	anew.cutAnew()
	after := anew.chunksOf()
	if diff := cmp.Diff(fresh.chunksOf(), after); diff != "" {
		t.Errorf("-fresh +cut anew:\n%.4000s", diff)
	}
	if cmp.Equal(before, after) || len(after) < 9 {
		t.Errorf("nothing was cut otherwise, of %d files", len(after))
	}
	anew.sound()
}

// bench is a store of one version, and its queue.
type bench struct {
	source  recut.Source
	fault   error
	claimed int
	kept    []recut.Made
	delays  []string
	cause   *problem.Error
}

func (b *bench) Claim(context.Context, time.Duration) (queue.Job, bool, error) {
	if b.claimed++; len(b.kept) > 0 || b.claimed > 8 {
		return queue.Job{}, false, nil
	}
	return queue.Job{ID: "j", Subject: "d", Attempt: b.claimed, Token: int64(b.claimed)}, true, nil
}

func (b *bench) Report(context.Context, string, int64, queue.Progress, time.Duration) error {
	return nil
}

func (b *bench) Retry(_ context.Context, _ string, _ int64, delay time.Duration, cause *problem.Error) error {
	b.delays, b.cause = append(b.delays, delay.String()), cause
	return nil
}

func (b *bench) Recover(context.Context) (int, error) { return 0, nil }
func (b *bench) Wait(ctx context.Context) error       { <-ctx.Done(); return ctx.Err() }
func (b *bench) Want(context.Context, int) error      { return nil }
func (b *bench) Source(context.Context, string, int64) (recut.Source, error) {
	return b.source, b.fault
}

func (b *bench) Keep(_ context.Context, _ string, _ int64, m recut.Made) (bool, error) {
	b.kept = append(b.kept, m)
	return true, nil
}

func (b *bench) Waiting(context.Context, access.TenantID, int) ([]recut.Waiting, error) {
	return []recut.Waiting{{Document: "a"}, {Document: "b", Code: "text_changed"}}, nil
}

func (b *bench) Pending(context.Context, access.Scope, int) (int, error) { return 2, nil }

func (b *bench) worker() *recut.Worker {
	return &recut.Worker{Queue: b, Store: b, Log: slog.New(slog.DiscardHandler)}
}

func TestAVersionThatCannotBeCutIsTriedLessAndLessOften(t *testing.T) {
	b := &bench{fault: errors.New("CANARY of the disk")}
	if err := b.worker().Drain(t.Context(), func() {}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"3s", "6s", "12s", "24s", "24h0m0s", "24h0m0s", "24h0m0s", "24h0m0s"}, b.delays); diff != "" {
		t.Error(diff)
	}
	if b.cause.Code == "" || strings.Contains(b.cause.Error(), "CANARY") {
		t.Errorf("what is kept of the failure: %+v", b.cause)
	}
}

func TestATextThatWasChangedIsLeftForTheDay(t *testing.T) {
	b := &bench{fault: problem.New(problem.Conflict, "text_changed", "It was changed.")}
	if err := b.worker().Drain(t.Context(), func() {}); err != nil || b.delays[0] != "24h0m0s" || b.cause.Code != "text_changed" {
		t.Errorf("%v %v %+v", err, b.delays, b.cause)
	}
}

func TestAPanicOverAVersionIsItsFailure(t *testing.T) {
	b := &bench{source: recut.Source{Parsed: corpus.Parsed{Text: "x", Blocks: []corpus.Block{{Kind: corpus.Paragraph, Span: corpus.Span{End: 1}, Head: -1}}}}}
	w := b.worker()
	w.Lexicons = func(context.Context, access.TenantID) (*analysis.Lexicon, error) { panic("CANARY") }
	if err := w.Drain(t.Context(), func() {}); err != nil || b.cause.Code != "recut_failed" || len(b.kept) != 0 {
		t.Errorf("%v %+v, kept %v", err, b.cause, b.kept)
	}
}

func TestWorkThatIsInterruptedIsPutBackAtOnce(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	b := &bench{fault: errors.New("interrupted")}
	w := b.worker()
	cancel()
	if err := w.Drain(ctx, func() {}); !errors.Is(err, context.Canceled) && err != nil || b.delays[0] != "0s" || b.cause != nil {
		t.Errorf("%v %v %+v", err, b.delays, b.cause)
	}
}

func TestWhatCouldNotBeCutIsAFinding(t *testing.T) {
	if said, err := recut.Agree(t.Context(), &bench{}, "acme"); err == nil || !strings.Contains(err.Error(), "of 2 versions") || !strings.Contains(err.Error(), "text_changed:1") {
		t.Errorf("%q %v", said, err)
	}
}
