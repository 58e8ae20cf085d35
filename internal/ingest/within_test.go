package ingest_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/ingest"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/parse"
	"github.com/kaoju/kaoju/internal/parse/progress"
	"github.com/kaoju/kaoju/internal/queue"
)

func TestWhatCameAnotherWayUnderTheKeyOfAFileThatWentStays(t *testing.T) {
	s := newShop(t)
	s.taken("a.eml", mail("plan.md: one", "b.md: two"))
	_, err := s.intake.Upload(t.Context(), carol, corpus.Upload{KnowledgeBase: base, FileName: "plan.md", Key: "a.eml/2/plan.md", Publish: true}, strings.NewReader("of a person"))
	must(t, err)
	must(t, s.worker.Drain(t.Context()))
	s.taken("a.eml", mail()) // neither is in it any more
	s.wants("a.eml v2 差旅", "a.eml/2/plan.md v2 plan")
	s.taken("a.eml", mail("c.md: three"))
	s.wants("a.eml v3 差旅", "a.eml/2/c.md v1 c", "a.eml/2/plan.md v2 plan")
}

func TestTheRecordNamesTheFilesThatAPolicyReached(t *testing.T) {
	s := newShop(t)
	s.taken("a.eml", mail("plan.md: one", "z.zip: "+zipped(t, "in.md: x")))
	alone := access.Policy{Restricted: true, Allow: []access.Principal{"user:carol"}}
	ids := map[corpus.Key]corpus.DocumentID{}
	for _, d := range s.listed() {
		ids[d.Key] = d.ID
	}
	edit := func(key corpus.Key, p access.Policy) {
		t.Helper()
		must(t, access.Within(t.Context(), s.db.Directory(), carol, access.Request{View: access.Catalog}, func(scope access.Scope) error {
			_, err := s.db.Catalog().Edit(t.Context(), scope, ids[key], corpus.Change{Policy: &p})
			return err
		}))
	}
	edit("a.eml", alone)
	want := []corpus.DocumentID{ids["a.eml/2/plan.md"], ids["a.eml/3/z.zip"], ids["a.eml/3/z.zip/in.md"]}
	slices.Sort(want)
	if d := cmp.Diff(want, s.reached("document.edited")); d != "" {
		t.Error(d)
	}
	edit("a.eml/2/plan.md", access.Policy{Restricted: true, Allow: []access.Principal{"user:carol", "user:alice"}})
	if got := s.reached("document.edited"); got != nil {
		t.Errorf("a file without others reached %v", got)
	}
	// The policy of a version that takes the place of another reaches them too, but not one of its own.
	wide := access.Policy{Restricted: true, Allow: []access.Principal{"user:carol", "user:mia"}}
	r, err := s.intake.Upload(t.Context(), carol, corpus.Upload{KnowledgeBase: base, FileName: "a.eml", Publish: true, Policy: wide, OwnPolicy: true}, strings.NewReader("Subject: x\n\nno more\n"))
	must(t, err)
	must(t, s.worker.Drain(t.Context()))
	if j := s.job(r.Job); j.State != queue.Succeeded {
		t.Fatalf("job %+v", j)
	}
	want = []corpus.DocumentID{ids["a.eml/3/z.zip"], ids["a.eml/3/z.zip/in.md"]}
	slices.Sort(want)
	if d := cmp.Diff(want, s.reached("document.published")); d != "" {
		t.Error(d)
	}
}

// reached are the documents that the last entry of a kind in the ledger names beside its own.
func (s *shop) reached(kind ledger.Kind) []corpus.DocumentID {
	s.t.Helper()
	entries, err := s.db.Ledger().Entries(s.t.Context(), string(tenant), 0, 1000)
	must(s.t, err)
	var body struct {
		Documents []corpus.DocumentID `json:"documents"`
	}
	for _, e := range entries {
		if e.Kind == kind {
			body.Documents = nil
			must(s.t, json.Unmarshal(e.Body, &body))
		}
	}
	return body.Documents
}

// endless reads any file, and takes one more file out of it than may come with one upload.
type endless struct {
	parse.Limits
	taken int
}

func (e *endless) Contents(_ context.Context, _ parse.File, take func(parse.Content) error) error {
	for ; e.taken < 2*corpus.MaxContents; e.taken++ {
		if err := take(parse.Content{Path: fmt.Sprint(e.taken), Name: "x.md", Code: "unknown_type"}); err != nil {
			return err
		}
	}
	return nil
}

func TestAReaderThatTakesOutFilesWithoutEndIsStopped(t *testing.T) {
	s := newShop(t)
	reader := &endless{}
	s.worker.Reader = reader
	job := s.taken("a.eml", mail("plan.md: one"))
	if job.State != queue.Failed || job.Code != "archive_entry_limit" || reader.taken != corpus.MaxContents {
		t.Errorf("after %d files, job %+v", reader.taken, job)
	}
	s.wants()
}

// counting takes files out after it told how far it is, and waits until its owner knows.
type counting struct {
	parse.Limits
	told func(context.Context)
}

func (c counting) Contents(ctx context.Context, f parse.File, take func(parse.Content) error) error {
	progress.Tell(ctx, 2, 3)
	c.told(ctx)
	return c.Limits.Contents(ctx, f, take)
}

func TestOwnerSeesHowManyFilesHaveBeenTakenOut(t *testing.T) {
	s := newShop(t)
	r, err := s.upload("a.eml", mail("plan.md: one"))
	must(t, err)
	seen := ""
	s.worker.Reader = counting{told: func(ctx context.Context) {
		j := s.wait(r.Job, func(j queue.Job) bool { return j.Done == 2 || ctx.Err() != nil })
		seen = fmt.Sprint(j.Stage, " ", j.Done, "/", j.Total)
	}}
	must(t, s.worker.Drain(t.Context()))
	if want := ingest.StageUnpack + " 2/3"; seen != want {
		t.Errorf("seen %s, want %s", seen, want)
	}
	s.wants("a.eml v1 差旅", "a.eml/2/plan.md v1 plan")
}
