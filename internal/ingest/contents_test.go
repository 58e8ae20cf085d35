package ingest_test

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/queue"
)

// mail writes a message with files beside it, each "NAME: TEXT".
func mail(files ...string) string {
	b := "Subject: 差旅\nContent-Type: multipart/mixed; boundary=x\n\n--x\n\nSee below.\n"
	for _, f := range files {
		name, text, _ := strings.Cut(f, ": ")
		b += "--x\nContent-Type: application/octet-stream\nContent-Disposition: attachment; filename=\"" + name + "\"\n\n" + text + "\n"
	}
	return b + "--x--\n"
}

// zipped writes an archive of files, each "PATH: TEXT".
func zipped(t *testing.T, files ...string) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, f := range files {
		name, text, _ := strings.Cut(f, ": ")
		w, err := z.Create(name)
		must(t, err)
		_, err = io.WriteString(w, text)
		must(t, err)
	}
	must(t, z.Close())
	return b.String()
}

// taken uploads a file, works on all jobs and returns the file's job.
func (s *shop) taken(name, text string) queue.Job {
	s.t.Helper()
	r, err := s.upload(name, text)
	must(s.t, err)
	must(s.t, s.worker.Drain(context.Background()))
	if r.Job == "" {
		return queue.Job{}
	}
	return s.job(r.Job)
}

// inForce returns what is published, as "KEY vVERSION TITLE", in order of keys.
func (s *shop) inForce() []string {
	var out []string
	for _, d := range s.listed() {
		if d.Status == access.StatusPublished {
			out = append(out, fmt.Sprintf("%s v%d %s", d.Key, d.Version, d.Title))
		}
	}
	slices.Sort(out)
	return out
}

func (s *shop) wants(want ...string) {
	s.t.Helper()
	if d := cmp.Diff(want, s.inForce()); d != "" {
		s.t.Errorf("in force, -want +got\n%s", d)
	}
}

// became returns what became of the contents of a job, as "PATH STATE" or "PATH CODE".
func (s *shop) became(j queue.Job) []string {
	s.t.Helper()
	var out []string
	for _, c := range j.Contents {
		word := c.Code
		switch {
		case c.Job != "":
			job := s.job(c.Job)
			word = strings.TrimSpace(string(job.State) + " " + job.Code)
		case c.Code == "":
			word = "unchanged"
		}
		out = append(out, c.Path+" "+word)
	}
	return out
}

func TestWhatIsAttachedToAMessageBecomesDocumentsOfItsOwn(t *testing.T) {
	s := newShop(t)
	job := s.taken("a.eml", mail("plan.md: # Plan\n\nStep one.", "data.csv: 城市,上限\n上海,650", "logo.gif: ?", "notes.txt: left"))
	if job.State != queue.Succeeded {
		t.Fatalf("job %+v", job)
	}
	s.wants("a.eml v1 差旅", "a.eml/2/plan.md v1 Plan", "a.eml/3/data.csv v1 data", "a.eml/5/notes.txt v1 notes")
	if d := cmp.Diff([]string{"2/plan.md succeeded", "3/data.csv succeeded", "5/notes.txt succeeded"}, s.became(job)); d != "" {
		t.Error(d)
	}
}

func TestTheSameMessageAgainChangesNothing(t *testing.T) {
	s := newShop(t)
	s.taken("a.eml", mail("plan.md: one"))
	s.taken("a.eml", mail("plan.md: one"))
	s.wants("a.eml v1 差旅", "a.eml/2/plan.md v1 plan")
	// A message that differs, with the same file.
	job := s.taken("a.eml", mail("plan.md: one")+"--x--")
	s.wants("a.eml v2 差旅", "a.eml/2/plan.md v1 plan")
	if d := cmp.Diff([]string{"2/plan.md unchanged"}, s.became(job)); d != "" {
		t.Error(d)
	}
}

func TestANewVersionOfAMessageBringsNewVersionsAndArchivesWhatWent(t *testing.T) {
	s := newShop(t)
	s.taken("a.eml", mail("plan.md: one", "b.md: two", "c.md: three"))
	s.taken("a.eml", mail("plan.md: other", "c.md: three"))
	s.wants("a.eml v2 差旅", "a.eml/2/plan.md v2 plan", "a.eml/3/c.md v1 c") // c.md is another part by now
	s.taken("a.eml", mail())
	s.wants("a.eml v3 差旅")
	s.taken("a.eml", mail("plan.md: one"))
	s.wants("a.eml v4 差旅", "a.eml/2/plan.md v3 plan")
}

func TestAFileThatFailsDoesNotStandInTheWay(t *testing.T) {
	s := newShop(t)
	job := s.taken("a.eml", mail("bad.md: \x7fELF\x02\x01\x01\x00\x00\x00", "good.md: fine", "empty.md: "))
	s.wants("a.eml v1 差旅", "a.eml/3/good.md v1 good")
	if d := cmp.Diff([]string{"2/bad.md failed content_mismatch", "3/good.md succeeded", "4/empty.md failed empty_document"}, s.became(job)); d != "" {
		t.Error(d)
	}
}

func TestAnArchiveBecomesADocumentForEachEntry(t *testing.T) {
	s := newShop(t)
	job := s.taken("handbook.zip", zipped(t, "rules/travel.md: # 差旅\n\n650 元", "rules/: ", "letter.eml: "+mail("plan.md: one"), "tool.exe: MZ", ".hidden.md: x", "__MACOSX/a.md: x", "inner.zip: PK"))
	s.wants("handbook.zip v1 handbook", "handbook.zip/letter.eml v1 差旅", "handbook.zip/letter.eml/2/plan.md v1 plan", "handbook.zip/rules/travel.md v1 差旅")
	if d := cmp.Diff([]string{"rules/travel.md succeeded", "letter.eml succeeded", "tool.exe unknown_type", "inner.zip archive_nested"}, s.became(job)); d != "" {
		t.Error(d)
	}
	for _, d := range s.listed() {
		if d.Key == "handbook.zip" && (d.ChunkCount != 0 || !slices.Equal(d.Notices, []string{"archive"}) || d.MediaType != "application/zip") {
			t.Errorf("the archive is %+v", d)
		}
	}
}

func TestFilesAreTakenOutOfFilesToABoundedDepth(t *testing.T) {
	s := newShop(t)
	deepest := mail("leaf.md: leaf")
	s.taken("a.eml", mail("b.zip: "+zipped(t, "c.eml: "+deepest)))
	s.wants("a.eml v1 差旅", "a.eml/2/b.zip v1 b", "a.eml/2/b.zip/c.eml v1 差旅")
	for _, d := range s.listed() {
		if d.Key != "a.eml/2/b.zip/c.eml" {
			continue
		}
		r, err := s.upload("c2.eml", deepest) // on its own it is opened
		must(t, err)
		must(t, s.worker.Drain(t.Context()))
		if got := s.became(s.job(r.Job)); !slices.Equal(got, []string{"2/leaf.md succeeded"}) {
			t.Errorf("alone, its file is %v", got)
		}
	}
}

func TestAKeyThatAnotherDocumentHasIsNotTaken(t *testing.T) {
	s := newShop(t)
	up := corpus.Upload{KnowledgeBase: base, FileName: "plan.md", Key: "a.eml/2/plan.md", Publish: true}
	_, err := s.intake.Upload(t.Context(), carol, up, strings.NewReader("of somebody else"))
	must(t, err)
	job := s.taken("a.eml", mail("plan.md: one"))
	s.wants("a.eml v1 差旅", "a.eml/2/plan.md v1 plan")
	if got := s.became(job); !slices.Equal(got, []string{"2/plan.md doc_key_taken"}) {
		t.Errorf("it became %v", got)
	}
}

func TestAPathThatMakesNoKeyIsSaid(t *testing.T) {
	s := newShop(t)
	job := s.taken("a.zip", zipped(t, strings.Repeat("长", 510)+".md: x", "b.md: y"))
	if got := s.became(job); len(got) != 2 || !strings.HasSuffix(got[0], " invalid_doc_key") || got[1] != "b.md succeeded" {
		t.Errorf("it became %v", got)
	}
}

func TestADraftOfAMessageLeavesWhatIsInForce(t *testing.T) {
	s := newShop(t)
	s.taken("a.eml", mail("plan.md: one", "b.md: two"))
	r, err := s.intake.Upload(t.Context(), carol, corpus.Upload{KnowledgeBase: base, FileName: "a.eml"}, strings.NewReader(mail("plan.md: other")))
	must(t, err)
	must(t, s.worker.Drain(t.Context()))
	s.wants("a.eml v1 差旅", "a.eml/2/plan.md v1 plan", "a.eml/3/b.md v1 b")
	if got := s.became(s.job(r.Job)); !slices.Equal(got, []string{"2/plan.md succeeded"}) {
		t.Errorf("it became %v", got)
	}
}

// policies returns the allowed of each document of the base.
func (s *shop) policies() map[corpus.Key]int {
	out := map[corpus.Key]int{}
	for _, d := range s.listed() {
		if d.Status == access.StatusPublished {
			out[d.Key] = len(d.Policy.Allow)
		}
	}
	return out
}

func TestTheFilesOfAMessageHaveItsPolicyAndFollowIt(t *testing.T) {
	s := newShop(t)
	one := access.Policy{Restricted: true, Allow: []access.Principal{"user:carol"}}
	two := access.Policy{Restricted: true, Allow: []access.Principal{"user:carol", "user:alice"}}
	r, err := s.intake.Upload(t.Context(), carol, corpus.Upload{KnowledgeBase: base, FileName: "a.eml", Publish: true, Policy: one}, strings.NewReader(mail("plan.md: one", "z.zip: "+zipped(t, "in.md: x"))))
	must(t, err)
	must(t, s.worker.Drain(t.Context()))
	want := map[corpus.Key]int{"a.eml": 1, "a.eml/2/plan.md": 1, "a.eml/3/z.zip": 1, "a.eml/3/z.zip/in.md": 1}
	if d := cmp.Diff(want, s.policies()); d != "" {
		t.Fatalf("at first: %s", d)
	}
	edit := func(id corpus.DocumentID, p access.Policy) {
		t.Helper()
		must(t, access.Within(t.Context(), s.db.Directory(), carol, access.Request{View: access.Catalog}, func(scope access.Scope) error {
			_, err := s.db.Catalog().Edit(t.Context(), scope, id, corpus.Change{Policy: &p})
			return err
		}))
	}
	job := s.job(r.Job)
	edit(corpus.DocumentID(job.Contents[0].Document), access.Policy{}) // the plan gets one of its own
	edit(r.Document, two)
	want = map[corpus.Key]int{"a.eml": 2, "a.eml/2/plan.md": 0, "a.eml/3/z.zip": 2, "a.eml/3/z.zip/in.md": 2}
	if d := cmp.Diff(want, s.policies()); d != "" {
		t.Errorf("after the edits: %s", d)
	}
	s.taken("a.eml", mail("plan.md: new", "z.zip: "+zipped(t, "in.md: y")))
	if d := cmp.Diff(want, s.policies()); d != "" {
		t.Errorf("after a new version: %s", d)
	}
}

func TestWhoMayNotWriteToAFileDoesNotReplaceItByAMessage(t *testing.T) {
	s := newShop(t)
	s.taken("a.eml", mail("plan.md: one"))
	grant := func(level access.Level) {
		t.Helper()
		must(t, access.Within(t.Context(), s.db.Directory(), carol, access.Request{View: access.Catalog}, func(scope access.Scope) error {
			return s.db.Bases().SetGrants(t.Context(), scope, base, []access.Grant{{Principal: "user:carol", Level: access.Manager}, {Principal: "user:alice", Level: level}})
		}))
	}
	grant(access.Manager)
	alone := access.Policy{Restricted: true, Allow: []access.Principal{"user:carol"}}
	must(t, access.Within(t.Context(), s.db.Directory(), carol, access.Request{View: access.Catalog}, func(scope access.Scope) error {
		for _, d := range s.listed() {
			if d.Key == "a.eml/2/plan.md" {
				_, err := s.db.Catalog().Edit(t.Context(), scope, d.ID, corpus.Change{Policy: &alone})
				return err
			}
		}
		return errors.New("the plan is not there")
	}))
	alice := access.Actor{Tenant: tenant, User: "alice"}
	r, err := s.intake.Upload(t.Context(), alice, corpus.Upload{KnowledgeBase: base, FileName: "a.eml", Publish: true}, strings.NewReader(mail("plan.md: hers", "new.md: new")))
	must(t, err)
	must(t, s.worker.Drain(t.Context()))
	s.wants("a.eml v2 差旅", "a.eml/2/plan.md v1 plan", "a.eml/3/new.md v1 new")
	job, err := s.db.Jobs().Job(t.Context(), string(tenant), "alice", r.Job)
	must(t, err)
	if len(job.Contents) != 2 || job.Contents[0].Code != "doc_key_taken" || job.Contents[0].Document != "" || job.Contents[1].Code != "" {
		t.Errorf("contents %+v", job.Contents)
	}
	// Nor does a message without it take it out of force.
	_, err = s.intake.Upload(t.Context(), alice, corpus.Upload{KnowledgeBase: base, FileName: "a.eml", Publish: true}, strings.NewReader(mail()))
	must(t, err)
	must(t, s.worker.Drain(t.Context()))
	s.wants("a.eml v3 差旅", "a.eml/2/plan.md v1 plan")
	if _, err := s.db.Jobs().Job(t.Context(), string(tenant), "carol", r.Job); !problem.Is(err, problem.NotFound) {
		t.Errorf("another person sees the job: %v", err)
	}
}

// failing is a publisher whose first Publish fails before it has done anything.
type failing struct {
	corpus.Publisher
	left int
}

func (f *failing) Publish(ctx context.Context, v corpus.Version, job string, token int64) (corpus.Document, error) {
	if f.left--; f.left >= 0 {
		return corpus.Document{}, errors.New("the disk is away")
	}
	return f.Publisher.Publish(ctx, v, job, token)
}

// originals counts the files of originals on the disk.
func (s *shop) originals() int {
	s.t.Helper()
	found, err := filepath.Glob(filepath.Join(s.dir, "blobs", "??", "*"))
	must(s.t, err)
	return len(found)
}

func TestBytesOfFilesInsideComeAndGoWithTheirDocuments(t *testing.T) {
	s := newShop(t)
	s.worker.Publisher = &failing{Publisher: s.db.Publisher(), left: 1}
	text := mail("plan.md: one", "b.md: two")
	r, err := s.upload("a.eml", text)
	must(t, err)
	must(t, s.worker.Drain(t.Context()))
	if n := s.originals(); n != 1 || s.job(r.Job).State != queue.Queued {
		t.Fatalf("after a failed try there are %d originals, and the job is %+v", n, s.job(r.Job))
	}
	s.clock.Add(60)
	must(t, s.worker.Drain(t.Context()))
	s.wants("a.eml v1 差旅", "a.eml/2/plan.md v1 plan", "a.eml/3/b.md v1 b")
	if n := s.originals(); n != 3 {
		t.Errorf("of a message with two files there are %d originals", n)
	}
	s.worker.Publisher = &failing{Publisher: s.db.Publisher(), left: 100}
	r, err = s.upload("bad.eml", mail("x.md: never"))
	must(t, err)
	for range 10 {
		must(t, s.worker.Drain(t.Context()))
		s.clock.Add(600)
	}
	if n := s.originals(); n != 3 || s.job(r.Job).State != queue.Failed {
		t.Errorf("a message that failed left %d originals, and the job %+v", n-3, s.job(r.Job))
	}
}

func TestADamagedArchiveLeavesNothing(t *testing.T) {
	s := newShop(t)
	for name, text := range map[string]string{"a.zip": "PK\x03\x04 no archive", "b.zip": zipped(t, "../x.md: y", "z.md: z"), "c.zip": zipped(t)} {
		if job := s.taken(name, text); job.State != queue.Failed || len(job.Contents) > 0 {
			t.Errorf("%s: %+v", name, job)
		}
	}
	s.wants()
	if n := s.originals(); n != 0 {
		t.Errorf("%d originals are left", n)
	}
}
