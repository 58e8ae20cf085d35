package sqlite

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/queue"
	"github.com/kaoju/kaoju/internal/sqlite/contents"
	"github.com/kaoju/kaoju/internal/sqlite/intake"
	"github.com/kaoju/kaoju/internal/sqlite/row"
)

// holder is a data folder in which a person takes in files that hold others.
type holder struct {
	*testing.T
	db  *DB
	dir string
	kb  access.KnowledgeBaseID
}

func newHolder(t *testing.T) *holder {
	t.Helper()
	dir := t.TempDir()
	h := &holder{T: t, db: filled(t, dir), dir: dir}
	h.fail(h.db.Admin().PutUser(t.Context(), "acme", "root", access.Identity{User: "u1", Roles: []access.Role{access.KnowledgeAdmin}}))
	kb, err := h.db.Bases().Create(t.Context(), h.scope(), access.KnowledgeBase{Publishing: access.Directly})
	h.fail(err)
	h.kb = kb.ID
	return h
}

func (h *holder) fail(err error) {
	h.Helper()
	if err != nil {
		h.Fatal(err)
	}
}

func (h *holder) scope() access.Scope { return resolve(h.T, h.db, "acme", "u1") }

// begin uploads bytes under a key and claims the job.
func (h *holder) begin(key, body string) queue.Job {
	h.Helper()
	return h.beginFor(key, body, access.Policy{})
}

func (h *holder) beginFor(key, body string, policy access.Policy) queue.Job {
	h.Helper()
	sum, size, err := h.db.Blobs().Put(h.Context(), strings.NewReader(body), 1<<20)
	h.fail(err)
	_, err = h.db.Catalog().Reserve(h.Context(), h.scope(), corpus.Upload{KnowledgeBase: h.kb, Key: corpus.Key(key), Checksum: sum, Size: size, Publish: true, Policy: policy})
	h.fail(err)
	return h.claim()
}

func (h *holder) claim() queue.Job {
	h.Helper()
	job, ok, err := h.db.Queue().Claim(h.Context(), time.Hour)
	h.fail(err)
	if !ok {
		h.Fatal("no job is due")
	}
	return job
}

// end publishes what a job works on, with contents of the paths, each with its path as bytes.
func (h *holder) end(job queue.Job, paths ...string) queue.Job {
	h.Helper()
	v := corpus.Version{Document: corpus.DocumentID(job.Subject), Title: "t", Holds: true}
	for _, p := range paths {
		if code, ok := strings.CutPrefix(p, "!"); ok {
			v.Contents = append(v.Contents, corpus.Content{Path: p, Code: code, Detail: p})
			continue
		}
		sum, size, err := h.db.Blobs().Put(h.Context(), strings.NewReader(p), 1<<20)
		h.fail(err)
		defer func() { h.fail(h.db.Blobs().Forsake(context.WithoutCancel(h.Context()), sum)) }()
		v.Contents = append(v.Contents, corpus.Content{Path: p, FileName: p, Checksum: sum, Size: size})
	}
	_, err := h.db.Publisher().Publish(h.Context(), v, job.ID, job.Token)
	h.fail(err)
	return h.job(job.ID)
}

func (h *holder) job(id string) queue.Job {
	h.Helper()
	j, err := h.db.Jobs().Job(h.Context(), "acme", "u1", id)
	h.fail(err)
	return j
}

func TestErasingAMessageErasesTheNamesOfWhatWasInIt(t *testing.T) {
	h := newHolder(t)
	job := h.end(h.begin("a.eml", "message"), "2/CANARY-taken.md", "!CANARY-refused")
	child := h.claim()
	h.fail(h.db.Publisher().Release(h.Context(), corpus.DocumentID(child.Subject), child.ID, child.Token, nil)) // it leaves no document
	if len(job.Contents) != 2 || !inFiles(t, h.dir, "CANARY-refused") {
		t.Fatalf("contents %+v", job.Contents)
	}
	h.fail(h.db.Catalog().Erase(h.Context(), h.scope(), corpus.DocumentID(job.Subject)))
	if left := h.job(job.ID).Contents; len(left) != 0 {
		t.Errorf("the job still tells of %+v", left)
	}
	if inFiles(t, h.dir, "CANARY-refused") {
		t.Error("the name of what was refused is still in a file of the folder")
	}
}

// Whether the later version still has the file or not, what came out of the former one is for no more
// people than the message is now.
func TestThePolicyOfALaterVersionReachesTheFilesThatCameOutOfAMessage(t *testing.T) {
	for name, later := range map[string][]string{"with the file": {"2/plan.md"}, "without it": {}} {
		h := newHolder(t)
		h.end(h.begin("a.eml", "message"), "2/plan.md")
		h.end(h.claim())
		policies := func() (out []string) {
			rows, err := h.db.reader.QueryContext(t.Context(), `SELECT DISTINCT policy FROM documents WHERE key = 'a.eml/2/plan.md' ORDER BY policy`)
			out, err = row.Collect(rows, err, row.Text[string])
			h.fail(err)
			return out
		}
		open := policies()
		h.end(h.beginFor("a.eml", "message, for one", access.Policy{Restricted: true, Allow: []access.Principal{"user:u1"}}), later...)
		if got := policies(); len(open) != 1 || len(got) != 1 || got[0] == open[0] || !strings.Contains(got[0], "user:u1") {
			t.Errorf("%s: the policy was %v and is %v", name, open, got)
		}
	}
}

func TestErasingAMessageLeavesItsDocumentsTheirKeys(t *testing.T) {
	h := newHolder(t)
	job := h.end(h.begin("a.eml", "message"), "2/plan.md")
	h.end(h.claim())
	h.fail(h.db.Catalog().Erase(h.Context(), h.scope(), corpus.DocumentID(job.Subject)))
	left := h.job(job.ID).Contents
	if len(left) != 1 || left[0].Path != "" || left[0].Key != "a.eml/2/plan.md" {
		t.Errorf("the job tells of %+v", left)
	}
	// The message comes again, and still owns them.
	job = h.end(h.begin("a.eml", "message again"), "2/plan.md")
	if c := job.Contents[0]; c.Code != "" || c.Job != "" || c.Version != 1 {
		t.Errorf("the same file is %+v", c)
	}
}

func TestOneUploadBringsABoundedNumberOfFiles(t *testing.T) {
	h := newHolder(t)
	paths := make([]string, contents.MaxTotal-1)
	for i := range paths {
		paths[i] = fmt.Sprint("!refused", i)
	}
	job := h.end(h.begin("a.zip", "archive"), append(paths, "in.eml", "beyond.md")...)
	last := job.Contents[len(paths):]
	if last[0].Code != "" || last[1].Code != "archive_entry_limit" || last[1].Document != "" {
		t.Errorf("the last ones are %+v", last)
	}
	inner := h.end(h.claim(), "leaf.md") // a message that was the last file is beyond the bound with its own
	if c := inner.Contents[0]; c.Code != "archive_entry_limit" {
		t.Errorf("a file of the last file is %+v", c)
	}
}

func TestAnUploadOfAFileThatWentIsCalledOff(t *testing.T) {
	h := newHolder(t)
	h.end(h.begin("a.eml", "one"), "2/waits.md", "3/runs.md")
	// The first file's job waits, and the second one's runs, when the message comes without them.
	first := h.claim()
	h.fail(h.db.Queue().Retry(h.Context(), first.ID, first.Token, time.Hour, nil))
	second := h.claim()
	h.end(h.begin("a.eml", "two"))
	if state := h.job(first.ID).State; state != queue.Cancelled {
		t.Errorf("the waiting one is %s", state)
	}
	err := h.db.Queue().Report(h.Context(), second.ID, second.Token, queue.Progress{}, time.Hour)
	if err == nil || err.Error() != intake.Cancelled().Error() {
		t.Errorf("the running one is told %v", err)
	}
}

func TestBytesThatAreThereByAnotherJobBringNothingTwice(t *testing.T) {
	h := newHolder(t)
	one := h.begin("a.eml", "one")
	sum, size, err := h.db.Blobs().Put(h.Context(), strings.NewReader("one"), 1<<20)
	h.fail(err)
	draft, err := h.db.Catalog().Reserve(h.Context(), h.scope(), corpus.Upload{KnowledgeBase: h.kb, Key: "a.eml", Checksum: sum, Size: size})
	h.fail(err)
	if draft.Job == one.ID || draft.Job == "" {
		t.Fatalf("another wish got the reservation %+v", draft)
	}
	h.end(one, "2/plan.md")
	two := h.claim()
	for two.ID != draft.Job { // the file of the first
		h.end(two)
		two = h.claim()
	}
	if got := h.end(two, "2/plan.md"); got.Subject != one.Subject || len(got.Contents) != 1 {
		t.Errorf("the second job ended as %+v", got)
	}
	var n int
	h.fail(h.db.reader.QueryRow(`SELECT count(*) FROM contents`).Scan(&n))
	if n != 1 {
		t.Errorf("%d contents are noted", n)
	}
}
