package httpapi

import (
	"bytes"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/bundle"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/recut"
)

// cutAnew cuts every version as the program cuts it; the tests' own chunker has the number 0.
func (w *world) cutAnew() {
	w.t.Helper()
	worker := &recut.Worker{Queue: w.db.Recuts(), Store: w.db.Recuts(), Log: slog.New(slog.DiscardHandler)}
	must(w.t, worker.Want(w.t.Context()))
	must(w.t, worker.Drain(w.t.Context(), func() {}))
}

func (w *world) chunkIDs(who, doc string) (out []string) {
	w.t.Helper()
	for _, c := range expect[api.List[api.Chunk]](w, who, "GET", "/api/documents/"+doc+"/chunks", "", http.StatusOK).Items {
		out = append(out, c.ID)
	}
	return out
}

// Whatever names a chunk that is gone opens as it did: runs, sources, drafts, feedback, why, bundles, exports, previews.
func TestWhatCitesAChunkOpensAsBeforeWhenItsVersionIsCutAnew(t *testing.T) {
	w := newWorld(t)
	w.kb("kb-a")
	w.grant("kb-a", "user:alice", "manager", "user:carol", "manager", "user:bob", "reader")
	up := w.add("kb-a", "travel.txt|Meals are 80 yuan a day.\n\nThe lodging limit is 650 yuan.\n\nTaxis need a receipt.", "status", "published")
	a := w.ask("bob", "lodging")
	review := w.review("bob", "lodging")
	draft := w.saved("bob", review)
	w.says("bob", fmt.Sprintf(`{"run_id":%q,"verdict":"correct"}`, a.RunID))
	c := a.Citations[0]
	if !slices.Contains(w.chunkIDs("bob", up.DocumentID), c.ChunkID) {
		t.Fatalf("the citation names %s", c.ChunkID)
	}
	former := w.send("bob", http.MethodGet, "/api/runs/"+a.RunID+"/bundle", "").Body.Bytes()
	paths := []string{"/api/feedback?run_id=" + a.RunID, "/api/drafts/" + draft, "/api/documents/" + up.DocumentID + "/preview?anchor=doc-line-3"}
	for _, run := range []string{a.RunID, review} {
		for _, part := range []string{"", "/sources/" + c.Label, "/events", "/why"} {
			paths = append(paths, "/api/runs/"+run+part)
		}
	}
	open := func() map[string]string {
		out := map[string]string{}
		for _, p := range paths {
			rec := w.send("bob", http.MethodGet, p, "", "Accept", "application/json")
			if rec.Code != http.StatusOK {
				t.Errorf("%s: %d %s", p, rec.Code, rec.Body)
			}
			out[p] = rec.Body.String()
		}
		return out
	}
	before := open()
	if source := before["/api/runs/"+a.RunID+"/sources/"+c.Label]; !strings.Contains(source, "650") || !strings.Contains(source, c.ChunkID) {
		t.Fatalf("the source is %s", source)
	}
	w.cutAnew()
	if now := w.chunkIDs("bob", up.DocumentID); len(now) != 1 || slices.Contains(now, c.ChunkID) {
		t.Fatalf("chunks %v", now)
	}
	if diff := cmp.Diff(before, open()); diff != "" {
		t.Errorf("opened after the version was cut anew: %s", diff)
	}
	if _, err := bundle.Verify(bytes.NewReader(former), w.key(t)); err != nil {
		t.Errorf("the bundle from before: %v", err)
	}
	if b, _ := w.bundleOf("bob", a.RunID); b.Evidence[0].Excerpt == "" || b.Evidence[0].ChunkID != c.ChunkID || b.Answer.Text != a.Answer {
		t.Errorf("the bundle now: %+v", b.Evidence)
	}
	if rec := w.send("bob", http.MethodGet, "/api/drafts/"+draft+"/export?format=markdown", ""); rec.Code != http.StatusOK {
		t.Errorf("export: %d %s", rec.Code, rec.Body)
	}
	next := w.ask("bob", "lodging")
	if next.State != "completed" || next.Citations[0].ChunkID == c.ChunkID || next.Citations[0].DocumentID != up.DocumentID {
		t.Errorf("the next answer: %+v", next)
	}
	if _, err := ledger.Check(t.Context(), w.db.Ledger(), "acme"); err != nil {
		t.Error(err)
	}
	if said, err := w.db.TextsAgree(t.Context(), "acme"); err != nil || !strings.Contains(said, "are what the ledger tells of") {
		t.Errorf("%s %v", said, err)
	}
}

func TestPagesOfChunksAreOfOneCut(t *testing.T) {
	w := newWorld(t)
	w.kb("kb-a")
	up := w.add("kb-a", "a.txt|one\n\ntwo\n\nthree", "status", "published")
	path := "/api/documents/" + up.DocumentID + "/chunks?limit=2"
	first := expect[api.List[api.Chunk]](w, "alice", "GET", path, "", http.StatusOK)
	after := path + "&cursor=" + url.QueryEscape(*first.NextCursor)
	if rest := expect[api.List[api.Chunk]](w, "alice", "GET", after, "", http.StatusOK); len(rest.Items) != 1 || rest.Items[0].Text != "three" {
		t.Fatalf("%+v", rest)
	}
	w.cutAnew()
	w.refusal("alice", "GET", after, "", http.StatusConflict, "chunks_renewed")
	if again := expect[api.List[api.Chunk]](w, "alice", "GET", path, "", http.StatusOK); len(again.Items) != 1 || again.NextCursor != nil || again.Items[0].Text != "one\n\ntwo\n\nthree" {
		t.Errorf("%+v", again)
	}
}
