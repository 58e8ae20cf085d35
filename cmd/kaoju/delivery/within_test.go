package delivery_test

import (
	"testing"

	"github.com/kaoju/kaoju/api"
)

func TestFilesInsideFilesAreToldAndThoseThatFailedAreNamed(t *testing.T) {
	w := newWorld(t)
	id := func(s string) *string { return &s }
	w.base.jobs = map[string]api.Job{
		"fine": {State: "succeeded", Contents: []api.JobContent{
			{Path: "2/b.md", DocKey: "a.md/2/b.md", Version: 1, JobID: id("new")}, {Path: "3/c.md", Version: 7, JobID: id("new")}, {Path: "4/d.md", Version: 2},
			{Path: "5/e.md", Version: 1, JobID: id("bad")}, {Path: "6/z.zip", Version: 1, JobID: id("zip")}, {Path: "7/f.md", Version: 1, JobID: id("stopped")},
		}},
		"new":     {State: "succeeded"},
		"bad":     {State: "failed", Error: &api.JobError{Code: "content_mismatch", Detail: "it is none"}},
		"stopped": {State: "cancelled"},
		"zip":     {State: "succeeded", Contents: []api.JobContent{{Path: "in.exe", Error: &api.JobError{Code: "unknown_type", Detail: "no such type"}}}},
	}
	w.write("a.md", "one")
	w.sync("added: a.md", "added: a.md › 2/b.md", "added: a.md › 6/z.zip", "failed: a.md › 5/e.md: it is none (content_mismatch)",
		"failed: a.md › 6/z.zip › in.exe: no such type (unknown_type)", "failed: a.md › 7/f.md: the job was cancelled. (cancelled)",
		"new version 7: a.md › 3/c.md", "unchanged: a.md › 4/d.md")
}
