package httpapi

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/kaoju/kaoju/api"
)

// losses are the ways in which a person loses a document.
var losses = map[string]func(w *world, doc string){
	"right": func(w *world, _ string) { w.grant("kb-a", "user:alice", "manager", "user:carol", "manager") },
	"policy": func(w *world, doc string) {
		expect[any](w, "alice", http.MethodPatch, "/api/documents/"+doc, `{"access_policy":{"allow":["user:alice"]}}`, http.StatusOK)
	},
	"deleted": func(w *world, doc string) {
		expect[any](w, "alice", http.MethodDelete, "/api/documents/"+doc, "", http.StatusNoContent)
	},
	"erased": func(w *world, doc string) {
		expect[any](w, "carol", http.MethodDelete, "/api/documents/"+doc+"?erase=true", "", http.StatusNoContent)
	},
}

// chance are ids, hashes, signatures, places in trees and times: what differs between two worlds in which the
// same was done.
var chance = []struct {
	of *regexp.Regexp
	is string
}{
	{regexp.MustCompile(`\b(run|doc|chk|led|conv|draft|call|c)_[a-z0-9]{16,}`), "${1}_ID"},
	{regexp.MustCompile(`run\\_[a-z0-9]+`), "run_ID"},
	{regexp.MustCompile(`kaoju-[0-9a-f]{16}`), "kaoju-KEY"},
	{regexp.MustCompile(`[0-9a-f]{64}`), "HASH"},
	{regexp.MustCompile(`"checkpoint":"[^"]*"`), `"checkpoint":"C"`},
	{regexp.MustCompile(`"(key|signature)":"[^"]*"`), `"$1":"K"`},
	{regexp.MustCompile(`[A-Za-z0-9+/]{43,}=*`), "BASE64"},
	{regexp.MustCompile(`\d{4}-\d\d-\d\d[T ][0-9:.]+Z?`), "TIME"},
	{regexp.MustCompile(`"(elapsed_ms|latency_ms|duration_ms)":\d+`), `"$1":0`},
	{regexp.MustCompile(`Content-Length: \d+`), "Content-Length: N"},
	{regexp.MustCompile(`Etag: .*`), "Etag: E"},
}

func chanceless(text string) string {
	for _, c := range chance {
		text = c.of.ReplaceAllString(text, c.is)
	}
	return text
}

// afterLoss is all that Bob is shown of an answer and a draft whose one source he lost, by the path that shows it.
func afterLoss(t *testing.T, lose func(w *world, doc string)) map[string]string {
	t.Helper()
	w, a := readers(t)
	review := w.review("bob", "lodging")
	id := w.saved("bob", review)
	w.put("bob", id, `{"title":"CANARY title","body":"It is 650 yuan [S1]."}`, 1)
	w.says("bob", `{"run_id":"`+a.RunID+`","verdict":"wrong","note":"CANARY note"}`)
	lose(w, a.Citations[0].DocumentID)
	out := map[string]string{}
	keep := func(name, text string) {
		if strings.Contains(text, "650 yuan") || strings.Contains(text, "CANARY") || strings.Contains(text, "travel.txt") || strings.Contains(text, "eras") {
			t.Errorf("%s tells of it: %s", name, text)
		}
		for real, name := range map[string]string{a.RunID: "RUN", review: "REVIEW", id: "DRAFT", a.Citations[0].DocumentID: "DOCUMENT"} {
			text = strings.ReplaceAll(text, real, name)
		}
		out[name] = chanceless(text)
	}
	for _, of := range []string{a.RunID, review} {
		short := map[string]string{a.RunID: "answer", review: "draft run"}[of]
		for _, path := range []string{"", "/why", "/bundle", "/export", "/sources/S1", "/sources/S1/preview", "/draft"} {
			keep(short+path, picture(w.send("bob", http.MethodGet, "/api/runs/"+of+path, "")))
		}
		keep(short+"/events", w.send("bob", http.MethodGet, "/api/runs/"+of+"/events", "").Body.String())
		keep(short+" as a document", inside(t, w.send("bob", http.MethodGet, "/api/runs/"+of+"/export?format=docx", "").Body.Bytes()))
		keep(short+" in the ledger", w.send("bob", http.MethodGet, "/api/ledger?run_id="+of, "").Body.String())
	}
	for _, path := range []string{"/api/drafts", "/api/drafts/" + id, "/api/drafts/" + id + "?version=1", "/api/drafts/" + id + "/versions", "/api/drafts/" + id + "/export",
		"/api/runs", "/api/feedback", "/api/conversations", "/api/documents/" + a.Citations[0].DocumentID} {
		keep(strings.NewReplacer(id, "ID", a.Citations[0].DocumentID, "ID").Replace(path), picture(w.send("bob", http.MethodGet, path, "")))
	}
	for name, body := range map[string]string{"edit": `{"body":"x [S1]"}`, "edit of what is withheld": `{"body":"x [S1]","discard_withheld":true}`, "title": `{"title":"x"}`} {
		keep(name, picture(w.put("bob", id, body, 2)))
	}
	return out
}

func TestNobodyCanTellErasedFromDeletedFromTakenAway(t *testing.T) {
	want := afterLoss(t, losses["right"])
	if len(want) < 25 || !strings.Contains(want["answer/why"], `"kind":"withheld"`) || !strings.Contains(want["answer/events"], "withheld") {
		t.Fatalf("what is compared says nothing: %v", want)
	}
	for _, way := range []string{"policy", "deleted", "erased"} {
		if diff := cmp.Diff(want, afterLoss(t, losses[way])); diff != "" {
			t.Errorf("%s is told from a right that was taken:\n%s", way, diff)
		}
	}
}

// The ledger tells an auditor of every erasure; so may the recordings.
func TestAnAuditorIsToldWhichRecordingsWereErased(t *testing.T) {
	for way, kind := range map[string]string{"deleted": "model", "erased": "erased"} {
		w, a := readers(t)
		losses[way](w, a.Citations[0].DocumentID)
		got := expect[api.Why](w, "dave", http.MethodGet, "/api/runs/"+a.RunID+"/why", "", http.StatusOK)
		if len(got.Exchanges) != 1 || got.Exchanges[0].Kind != kind {
			t.Errorf("%s: %+v", way, got.Exchanges)
		}
	}
}
