package httpapi

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/corpus"
)

// TestAJobTellsItsOwnerWhatWasInTheFile holds the form of a job with contents, and that they are its owner's alone.
func TestAJobTellsItsOwnerWhatWasInTheFile(t *testing.T) {
	w, _, _ := office(t)
	rec := w.upload("alice", "kb-a", "file", "letter.eml|Subject: s\n\nCANARY-body", "status", "published")
	if rec.Code != http.StatusAccepted {
		t.Fatalf("upload: %d %s", rec.Code, rec.Body)
	}
	var up api.Upload
	must(t, json.Unmarshal(rec.Body.Bytes(), &up))
	if open := expect[api.Job](w, "alice", "GET", "/api/jobs/"+*up.JobID, "", http.StatusOK); open.Contents == nil || len(open.Contents) != 0 {
		t.Errorf("before it has ended the job has the contents %v", open.Contents)
	}
	ctx := t.Context()
	job, ok, err := w.db.Queue().Claim(ctx, time.Minute)
	must(t, err)
	if !ok || job.ID != *up.JobID {
		t.Fatalf("claimed %+v", job)
	}
	sum, size, err := w.db.Blobs().Put(ctx, strings.NewReader("Meals are paid."), 100)
	must(t, err)
	_, err = w.db.Publisher().Publish(ctx, corpus.Version{
		Document: corpus.DocumentID(up.DocumentID), Title: "s", Holds: true, Contents: []corpus.Content{
			{Path: "2/meals.txt", FileName: "meals.txt", Checksum: sum, Size: size},
			{Path: "3/tool.exe", FileName: "tool.exe", Code: "unknown_type", Detail: "The file “tool.exe” is of a type that is not supported."},
		},
	}, job.ID, job.Token)
	must(t, err)
	must(t, w.db.Blobs().Forsake(ctx, sum))
	got := expect[api.Job](w, "alice", "GET", "/api/jobs/"+*up.JobID, "", http.StatusOK)
	if len(got.Contents) != 2 || got.Contents[0].JobID == nil || got.Contents[0].DocumentID == nil {
		t.Fatalf("contents %+v", got.Contents)
	}
	meals := got.Contents[0]
	want := []api.JobContent{
		{Path: "2/meals.txt", DocKey: "letter.eml/2/meals.txt", DocumentID: meals.DocumentID, Version: 1, JobID: meals.JobID},
		{Path: "3/tool.exe", DocKey: "letter.eml/3/tool.exe", Error: &api.JobError{Code: "unknown_type", Detail: "The file “tool.exe” is of a type that is not supported."}},
	}
	if d := cmp.Diff(want, got.Contents); d != "" {
		t.Error(d)
	}
	// Until its own job is done it does not exist, as any upload.
	if rec := w.send("alice", "GET", "/api/documents/"+*meals.DocumentID, ""); rec.Code != http.StatusNotFound {
		t.Errorf("the file is there before its job has ended: %d", rec.Code)
	}
	w.work()
	if d := w.document(*meals.DocumentID); d.DocKey != "letter.eml/2/meals.txt" || d.Status != "published" {
		t.Errorf("the file became %+v", d)
	}
	for _, who := range []string{"carol", "bob"} {
		for _, id := range []string{*up.JobID, *meals.JobID} {
			theirs, unknown := w.send(who, "GET", "/api/jobs/"+id, ""), w.send(who, "GET", "/api/jobs/job_unknown", "")
			if theirs.Code != http.StatusNotFound || theirs.Body.String() != unknown.Body.String() {
				t.Errorf("%s gets %d %s", who, theirs.Code, theirs.Body)
			}
		}
	}
}
