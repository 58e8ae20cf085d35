package embedding_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/embedding"
	"github.com/kaoju/kaoju/internal/index/vector"
	"github.com/kaoju/kaoju/internal/llm/llmtest"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/queue"
)

// desk is a store and its queue in memory, for one worker at a time. A job is named by its version.
type desk struct {
	sources map[string]embedding.Source
	open    []string // in order
	due     map[string]time.Time
	attempt map[string]int
	kept    map[string]*vector.Segment
	refused map[string]int
	retried []time.Duration
	reports int
	report  error // what Report answers
	keep    error // what Keep answers
	cause   *problem.Error
	stored  chan struct{}
}

func newDesk(versions ...embedding.Source) *desk {
	d := &desk{
		sources: map[string]embedding.Source{}, due: map[string]time.Time{}, attempt: map[string]int{}, kept: map[string]*vector.Segment{}, refused: map[string]int{},
		stored: make(chan struct{}, 100),
	}
	for i, v := range versions {
		id := fmt.Sprint("d", i+1)
		d.sources[id], d.open = v, append(d.open, id)
	}
	return d
}

func (d *desk) Want(context.Context, embedding.Wanted) error { return nil }

func (d *desk) Source(_ context.Context, job string, token int64) (embedding.Source, error) {
	if s, ok := d.sources[job]; ok && token == int64(d.attempt[job]) {
		return s, nil
	}
	d.open = slices.DeleteFunc(d.open, func(id string) bool { return id == job })
	return embedding.Source{}, problem.Missing()
}

func (d *desk) Keep(_ context.Context, job string, _ int64, m embedding.Made) error {
	if d.keep != nil {
		return d.keep
	}
	s, err := vector.Open(m.Segment)
	if err != nil {
		return err
	}
	d.kept[job], d.refused[job] = s, m.Refused
	d.open = slices.DeleteFunc(d.open, func(id string) bool { return id == job })
	d.stored <- struct{}{}
	return nil
}

func (d *desk) Claim(context.Context, time.Duration) (queue.Job, bool, error) {
	for _, id := range d.open {
		if !d.due[id].After(time.Now()) {
			d.attempt[id]++
			return queue.Job{ID: id, Subject: id, Attempt: d.attempt[id], Token: int64(d.attempt[id])}, true, nil
		}
	}
	return queue.Job{}, false, nil
}

func (d *desk) Report(context.Context, string, int64, queue.Progress, time.Duration) error {
	d.reports++
	return d.report
}

func (d *desk) Retry(_ context.Context, id string, _ int64, delay time.Duration, cause *problem.Error) error {
	d.due[id], d.cause = time.Now().Add(delay), cause
	d.retried = append(d.retried, delay)
	return nil
}

func (d *desk) Recover(context.Context) (int, error) { return 0, nil }

// Wait looks again after half a second, as a store does.
func (d *desk) Wait(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(500 * time.Millisecond):
		return nil
	}
}

func (d *desk) worker(m *embedding.Model) *embedding.Worker {
	return &embedding.Worker{Queue: d, Store: d, Model: m, Log: slog.New(slog.NewTextHandler(io.Discard, nil)), Batch: 2}
}

// text makes a version of chunks.
func text(chunks ...string) embedding.Source {
	s := embedding.Source{Title: "Pumps"}
	for i, c := range chunks {
		s.Chunks = append(s.Chunks, corpus.Chunk{ID: corpus.ChunkID(fmt.Sprint("c", i+1)), No: i + 1, Text: c})
	}
	return s
}

func TestVersionGetsAVectorForEachChunkThatTheModelReads(t *testing.T) {
	d := newDesk(text("valve", "阀门", "seal"), text("阀门"))
	var seen []string
	m := embedding.New(&llmtest.Lexicon{Name: "m", Before: func(_ context.Context, texts []string) error {
		seen = append(seen, texts...)
		return nil
	}}, embedding.Traits{Reads: func(s string) bool { return !strings.Contains(s, "阀") }})
	if err := d.worker(m).Drain(t.Context()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"Pumps\nvalve", "Pumps\nseal"}, seen); diff != "" {
		t.Error(diff)
	}
	set, err := vector.NewSet(m.Space()).Change([]vector.Entry{{Document: "d1", Segment: d.kept["d1"]}, {Document: "d2", Segment: d.kept["d2"]}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	q, err := m.Question(t.Context(), "Pumps\nseal")
	if err != nil {
		t.Fatal(err)
	}
	got, err := set.Filter(func(corpus.DocumentID) bool { return true }).Nearest(q, 9)
	if err != nil || len(got) != 2 || got[0].Chunk != "c3" || got[0].No != 3 || got[0].Similarity < 0.99 {
		t.Errorf("nearest %+v (%v)", got, err)
	}
	if d.kept["d2"].Chunks() != 0 || len(d.open) != 0 {
		t.Errorf("a version of which nothing is read has %d vectors; open %v", d.kept["d2"].Chunks(), d.open)
	}
}

func TestLongVersionGoesInBatchesThatRenewTheLease(t *testing.T) {
	d := newDesk(text("a", "b", "c", "d", "e"))
	lexicon := &llmtest.Lexicon{Name: "m"}
	if err := d.worker(embedding.New(lexicon, embedding.Traits{})).Drain(t.Context()); err != nil {
		t.Fatal(err)
	}
	if lexicon.Calls() != 3 || d.reports != 3 || d.kept["d1"].Chunks() != 5 {
		t.Errorf("%d calls, %d reports, %d vectors", lexicon.Calls(), d.reports, d.kept["d1"].Chunks())
	}
}

func TestChunkIsEmbeddedWithWhereItStands(t *testing.T) {
	c := corpus.Chunk{HeadingPath: []string{"Care", "Seals"}, Context: "part | price\n", Text: "S-1 | 4\n"}
	if got, want := embedding.Text("Pumps", c), "Pumps\nCare > Seals\npart | price\nS-1 | 4"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := embedding.Text("Pumps", corpus.Chunk{HeadingPath: []string{"Pumps"}, Text: " x "}); got != "Pumps\nx" {
		t.Errorf("a heading that is the title gives %q", got)
	}
}

// TestModelThatIsAwayIsAskedLessAndLessAndNeverGivenUp runs in a clock of its own.
func TestModelThatIsAwayIsAskedLessAndLessAndNeverGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(text("a"), text("b"))
		away := 9
		lexicon := &llmtest.Lexicon{Name: "m", Before: func(context.Context, []string) error {
			if away--; away >= 0 {
				return errors.New("no route to host")
			}
			return nil
		}}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() {
			defer close(done)
			d.worker(embedding.New(lexicon, embedding.Traits{})).Run(ctx)
		}()
		<-d.stored
		<-d.stored
		cancel()
		<-done
		if d.cause.Code != "embedding_failed" || strings.Contains(d.cause.Detail, "route") {
			t.Errorf("stored cause %+v", d.cause)
		}
		if len(d.retried) != 9 || d.retried[0] != 3*time.Second || slices.Max(d.retried) < 24*time.Second || slices.Max(d.retried) > 192*time.Second {
			t.Errorf("delays %v", d.retried)
		}
		if d.kept["d1"].Chunks() != 1 || d.kept["d2"].Chunks() != 1 {
			t.Error("a version has no vectors in the end")
		}
	})
}

func TestVersionThatTheModelCannotBearIsGivenUpAfterAWhile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(text("bomb"), text("b"))
		lexicon := &llmtest.Lexicon{Name: "m", Before: func(_ context.Context, texts []string) error {
			if strings.Contains(texts[0], "bomb") {
				panic("index out of range")
			}
			return nil
		}}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() {
			defer close(done)
			d.worker(embedding.New(lexicon, embedding.Traits{})).Run(ctx)
		}()
		<-d.stored
		<-d.stored
		cancel()
		<-done
		if len(d.retried) != 4 || d.kept["d1"].Chunks() != 0 || d.refused["d1"] != 1 || d.kept["d2"].Chunks() != 1 || len(d.open) != 0 {
			t.Errorf("%d retries, vectors %v, open %v", len(d.retried), d.kept, d.open)
		}
		if d.cause.Code != "embedding_failed" || strings.Contains(d.cause.Detail, "range") {
			t.Errorf("stored cause %+v", d.cause)
		}
	})
}

func TestWorkerLetsGoOfWhatIsNotItsOwn(t *testing.T) {
	for _, code := range []string{"lease_lost", "cancelled"} {
		d := newDesk(text("a"))
		d.report = problem.New(problem.Conflict, code, "Not this one.")
		lexicon := &llmtest.Lexicon{Name: "m"}
		w := d.worker(embedding.New(lexicon, embedding.Traits{}))
		stop := errors.New("stop")
		claims := 0
		w.Queue = claiming{d, func() error {
			if claims++; claims > 1 {
				return stop
			}
			return nil
		}}
		if err := w.Drain(t.Context()); !errors.Is(err, stop) {
			t.Fatal(err)
		}
		if lexicon.Calls() != 0 || len(d.retried) != 0 || len(d.kept) != 0 {
			t.Errorf("%s: %d calls, %d retries, %d kept", code, lexicon.Calls(), len(d.retried), len(d.kept))
		}
	}
	d := newDesk(text("a"))
	delete(d.sources, "d1")
	if err := d.worker(embedding.New(&llmtest.Lexicon{Name: "m"}, embedding.Traits{})).Drain(t.Context()); err != nil || len(d.open) != 0 {
		t.Errorf("a version that is gone: %v, open %v", err, d.open)
	}
}

// claiming asks a hook before each claim.
type claiming struct {
	*desk
	before func() error
}

func (c claiming) Claim(ctx context.Context, lease time.Duration) (queue.Job, bool, error) {
	if err := c.before(); err != nil {
		return queue.Job{}, false, err
	}
	return c.desk.Claim(ctx, lease)
}

func TestProcessThatStopsLeavesTheJobToTheNext(t *testing.T) {
	d := newDesk(text("a"))
	ctx, cancel := context.WithCancel(t.Context())
	lexicon := &llmtest.Lexicon{Name: "m", Before: func(ctx context.Context, _ []string) error {
		cancel()
		return ctx.Err()
	}}
	d.worker(embedding.New(lexicon, embedding.Traits{})).Run(ctx)
	if len(d.retried) != 1 || d.retried[0] != 0 || len(d.open) != 1 {
		t.Errorf("delays %v, open %v", d.retried, d.open)
	}
}

// TestStoreThatFailsEndsNothing plays a full disk.
func TestStoreThatFailsEndsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(text("a"))
		d.keep = problem.New(problem.Unavailable, "storage", "The data folder can't be read or written.")
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() {
			defer close(done)
			d.worker(embedding.New(&llmtest.Lexicon{Name: "m"}, embedding.Traits{})).Run(ctx)
		}()
		time.Sleep(time.Minute)
		synctest.Wait()
		if len(d.retried) < 3 || len(d.open) != 1 || d.cause.Code != "storage" {
			t.Errorf("%d retries, open %v, cause %+v", len(d.retried), d.open, d.cause)
		}
		cancel()
		<-done
	})
}
