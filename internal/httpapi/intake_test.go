package httpapi

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/ingest"
)

// restless is a catalog before which the directory always moves on.
type restless struct{ corpus.Catalog }

func (restless) Reserve(context.Context, access.Scope, corpus.Upload) (corpus.Reservation, error) {
	return corpus.Reservation{}, access.Stale()
}

func TestTheBytesOfAnUploadThatNeverGetsItsTurnAreGone(t *testing.T) {
	w := newWorld(t)
	w.kb("kb-a")
	kept := w.add("kb-a", "a.txt|kept", "status", "published")
	honest := w.server.deps.Intake.(*ingest.Intake)
	in := *honest
	in.Catalog = restless{honest.Catalog}
	w.server.deps.Intake = &in
	blobs := filepath.Join(filepath.Dir(w.db.Spool()), "blobs")
	before := count(t, blobs)
	for _, text := range []string{"lost", "kept"} {
		rec := w.upload("alice", "kb-a", "doc_key", "b", "file", "b.txt|"+text)
		var p api.Problem
		must(t, json.Unmarshal(rec.Body.Bytes(), &p))
		if rec.Code != http.StatusServiceUnavailable || p.Code != "busy" {
			t.Fatalf("%d %s", rec.Code, rec.Body)
		}
	}
	if after := count(t, blobs); after != before {
		t.Errorf("%d originals, %d before", after, before)
	}
	if rec := w.send("alice", "GET", "/api/documents/"+kept.DocumentID+"/original", ""); rec.Body.String() != "kept" {
		t.Errorf("the same bytes of a version: %d %s", rec.Code, rec.Body)
	}
}

// count returns the number of files below a folder.
func count(t *testing.T, folder string) (n int) {
	t.Helper()
	must(t, filepath.WalkDir(folder, func(_ string, e os.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			n++
		}
		return err
	}))
	return n
}
