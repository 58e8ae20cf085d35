package ingest_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/ingest"
	"github.com/kaoju/kaoju/internal/parse"
	"github.com/kaoju/kaoju/internal/parse/progress"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/queue"
)

// hooked reads files after a hook that may fail them.
type hooked struct {
	parse.Limits
	before func(ctx context.Context, f parse.File) error
}

func (h hooked) Parse(ctx context.Context, f parse.File) (parse.Result, error) {
	if err := h.before(ctx, f); err != nil {
		return parse.Result{}, err
	}
	return h.Limits.Parse(ctx, f)
}

// run works with n workers until every job has ended.
func (s *shop) run(n int, jobs ...string) {
	s.t.Helper()
	s.worker.Lease = time.Minute // a busy machine is no reason to lose a job
	ctx, stop := context.WithCancel(s.t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		s.worker.Run(ctx, n)
	}()
	for _, id := range jobs {
		s.wait(id, func(j queue.Job) bool { return j.State.Final() })
	}
	stop()
	<-ended
}

// wait looks at a job until it is as is wanted.
func (s *shop) wait(id string, wanted func(queue.Job) bool) queue.Job {
	s.t.Helper()
	for s.t.Context().Err() == nil {
		if j := s.job(id); wanted(j) {
			return j
		}
	}
	return queue.Job{}
}

func TestBadFilesOfABatchHoldUpNoOther(t *testing.T) {
	s := newShop(t)
	var good sync.WaitGroup
	good.Add(6)
	s.worker.Reader = hooked{before: func(_ context.Context, f parse.File) error {
		switch {
		case strings.HasPrefix(f.Name, "good"):
			good.Done()
		case f.Name == "hangs.md":
			good.Wait() // for as long as any other file is left
			return problem.New(problem.Invalid, "too_slow", "%s takes too long.", f.Name)
		case f.Name == "panics.md":
			panic("on hostile input")
		}
		return nil
	}}
	var jobs []string
	want := map[string]string{}
	for _, name := range []string{"hangs.md", "good1.md", "empty.md", "good2.md", "panics.md", "good3.md", "一个.xyzzy", "good4.md", "good5.md", "good6.md"} {
		text := "# " + name + "\n\n住宿上限 650 元。\n"
		if name == "empty.md" {
			text = ""
		}
		r, err := s.upload(name, text)
		must(t, err)
		jobs, want[name] = append(jobs, r.Job), map[string]string{
			"hangs.md": "too_slow", "empty.md": "empty_document", "panics.md": "parser_failed", "一个.xyzzy": "unknown_type",
		}[name]
	}
	s.run(2, jobs...)
	got := map[string]string{}
	for i, name := range []string{"hangs.md", "good1.md", "empty.md", "good2.md", "panics.md", "good3.md", "一个.xyzzy", "good4.md", "good5.md", "good6.md"} {
		j := s.job(jobs[i])
		if got[name] = j.Code; j.Code != "" && (j.State != queue.Failed || !strings.Contains(j.Detail, name)) {
			t.Errorf("%s: %+v", name, j)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("what became of the files, -want +got:\n%s", diff)
	}
	if docs := s.listed(); len(docs) != 6 {
		t.Errorf("%d documents are there", len(docs))
	}
}

func TestAsManyFilesAreReadAtOnceAsThereAreWorkers(t *testing.T) {
	s := newShop(t)
	const workers = 4
	var together sync.WaitGroup
	together.Add(workers)
	s.worker.Reader = hooked{before: func(context.Context, parse.File) error {
		together.Done()
		together.Wait() // which ends when all are here
		return nil
	}}
	var jobs []string
	for i := range workers {
		r, err := s.upload(fmt.Sprintf("%d.md", i), fmt.Sprintf("Text %d.", i))
		must(t, err)
		jobs = append(jobs, r.Job)
	}
	s.run(workers, jobs...)
	if docs := s.listed(); len(docs) != workers {
		t.Errorf("%d documents are there", len(docs))
	}
}

func TestOwnerSeesHowManyPagesHaveBeenRead(t *testing.T) {
	s := newShop(t)
	var r corpus.Reservation
	var seen []string
	note := func(ctx context.Context, j queue.Job) {
		if at := fmt.Sprintf("%s %d/%d", j.Stage, j.Done, j.Total); !slices.Contains(seen, at) && ctx.Err() == nil {
			seen = append(seen, at)
		}
	}
	s.worker.Reader = hooked{before: func(ctx context.Context, _ parse.File) error {
		note(ctx, s.job(r.Job))
		for _, page := range []int{2, 5} {
			progress.Tell(ctx, page, 7)
			note(ctx, s.wait(r.Job, func(j queue.Job) bool { return j.Done == page || ctx.Err() != nil }))
		}
		return nil
	}}
	var err error
	r, err = s.upload("a.md", "hello")
	must(t, err)
	must(t, s.worker.Drain(t.Context()))
	j := s.job(r.Job)
	note(t.Context(), j)
	if diff := cmp.Diff([]string{ingest.StageParse + " 0/1", ingest.StageParse + " 2/7", ingest.StageParse + " 5/7", ingest.StagePublish + " 1/1"}, seen); diff != "" || j.State != queue.Succeeded {
		t.Errorf("seen, -want +got, of %s:\n%s", j.State, diff)
	}
}

func TestCancelEndsAFileInTheMiddleOfItsReading(t *testing.T) {
	s := newShop(t)
	s.worker.Lease = 3 * time.Second
	var r corpus.Reservation
	s.worker.Reader = hooked{before: func(ctx context.Context, _ parse.File) error {
		progress.Tell(ctx, 1, 2)
		if _, err := s.db.Jobs().Cancel(ctx, string(tenant), "carol", r.Job); err != nil {
			return err
		}
		<-ctx.Done()
		return context.Cause(ctx)
	}}
	var err error
	r, err = s.upload("a.md", "hello")
	must(t, err)
	must(t, s.worker.Drain(t.Context()))
	if j := s.job(r.Job); j.State != queue.Cancelled || j.Code != "" {
		t.Errorf("job %+v", j)
	}
	if body, err := s.db.Blobs().Open(t.Context(), checksum("hello")); err == nil {
		raw, _ := io.ReadAll(body)
		body.Close()
		t.Errorf("the bytes of the cancelled upload are still there: %q", raw)
	}
	again, err := s.upload("a.md", "hello again")
	must(t, err)
	if again.Version != 1 {
		t.Errorf("the next upload is version %d", again.Version)
	}
}

func checksum(text string) corpus.Checksum {
	return corpus.Checksum(fmt.Sprintf("%x", sha256.Sum256([]byte(text))))
}
