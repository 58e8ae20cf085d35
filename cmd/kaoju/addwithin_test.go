package main

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/queue"
)

func TestFilesInsideFilesAreCountedAndThoseThatFailedAreNamed(t *testing.T) {
	// jobs are those of what is in a message, and in an archive beside it.
	jobs := map[string]queue.Job{
		"new":     {State: queue.Succeeded},
		"later":   {State: queue.Succeeded, Code: "interrupted", Detail: "of a former try"},
		"bad":     {State: queue.Failed, Code: "content_mismatch", Detail: "The file “b.md” is none."},
		"stopped": {State: queue.Cancelled},
		"zip": {State: queue.Succeeded, Contents: []queue.Content{
			{Path: "in.md", Key: "a.eml/6/z.zip/in.md", Document: "d", Version: 1, Job: "new"},
			{Path: "in.exe", Code: "unknown_type", Detail: "The file “in.exe” is of a type that is not supported."},
		}},
	}
	message := queue.Job{State: queue.Succeeded, Contents: []queue.Content{
		{Path: "2/a.md", Document: "d", Version: 1, Job: "new"}, {Path: "3/b.md", Document: "d", Version: 1, Job: "bad"},
		{Path: "4/c.md", Document: "d", Version: 7, Job: "later"}, {Path: "5/d.md", Document: "d", Version: 2},
		{Path: "6/z.zip", Document: "d", Version: 1, Job: "zip"}, {Path: "7/e.md", Document: "d", Version: 1, Job: "stopped"},
	}}
	want := summary{Added: 3, NewVersions: 1, Unchanged: 1, Failed: []failure{
		{"a.eml › 3/b.md", "content_mismatch", "The file “b.md” is none."},
		{"a.eml › 6/z.zip › in.exe", "unknown_type", "The file “in.exe” is of a type that is not supported."},
		{"a.eml › 7/e.md", "cancelled", "the job was cancelled."},
	}}
	var here, there summary
	err := here.within("a.eml", endedHere(message), func(id string) (ended, error) { return endedHere(jobs[id]), nil })
	if d := cmp.Diff(want, here); d != "" || err != nil {
		t.Errorf("on the folder: %v, -want +got\n%s", err, d)
	}
	err = there.within("a.eml", endedThere(wired(message)), func(id string) (ended, error) { return endedThere(wired(jobs[id])), nil })
	if d := cmp.Diff(want, there); d != "" || err != nil {
		t.Errorf("on a server: %v, -want +got\n%s", err, d)
	}
	away := errors.New("the server is away")
	if err := here.within("a.eml", endedHere(message), func(string) (ended, error) { return ended{}, away }); !errors.Is(err, away) {
		t.Errorf("a job that can't be had: %v", err)
	}
}

// wired is a job as a server tells of it.
func wired(j queue.Job) api.Job {
	fault := func(code, detail string) *api.JobError {
		if code == "" {
			return nil
		}
		return &api.JobError{Code: code, Detail: detail}
	}
	out := api.Job{State: string(j.State), Error: fault(j.Code, j.Detail)}
	for _, c := range j.Contents {
		in := api.JobContent{Path: c.Path, DocKey: c.Key, Version: c.Version, Error: fault(c.Code, c.Detail)}
		if c.Job != "" {
			in.JobID = &c.Job
		}
		out.Contents = append(out.Contents, in)
	}
	return out
}
