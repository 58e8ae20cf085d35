package httpapi

import (
	"bytes"
	"encoding/json"
	"io"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/citation/lack"
	"github.com/kaoju/kaoju/internal/desk"
	"github.com/kaoju/kaoju/internal/httpapi/wire"
	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/preview/previewtest"
	"github.com/kaoju/kaoju/internal/run"
)

func TestAPassageIsShownAsItReadsAndNothingAroundIt(t *testing.T) {
	w, a := told(t)
	path := "/api/runs/" + a.RunID + "/sources/S1/preview"
	shown := func() string {
		rec := w.send("bob", "GET", path, "")
		if rec.Code != http.StatusOK || rec.Header().Get("Content-Type") != "text/html; charset=utf-8" || rec.Header().Get("Link") != "" {
			t.Fatalf("%d %v %s", rec.Code, rec.Header(), rec.Body)
		}
		return rec.Body.String()
	}
	const excerpt = "The lodging limit is 650 yuan."
	if got := shown(); previewtest.Text(previewtest.Tree(got)) != excerpt || !strings.Contains(got, `data-start="0"`) {
		t.Errorf("it shows %s", got)
	}
	// It stays what was read when another version comes, and its own is closed.
	w.add("kb-a", "travel.txt|The lodging limit is 700 yuan.", "status", "published")
	w.refusal("bob", "GET", "/api/documents/"+a.Citations[0].DocumentID+"/preview", "", http.StatusNotFound, "not_found")
	if got := shown(); previewtest.Text(previewtest.Tree(got)) != excerpt {
		t.Errorf("after another version it shows %s", got)
	}
	tag := w.send("bob", "GET", path, "").Header().Get("ETag")
	if rec := w.send("bob", "GET", path, "", "If-None-Match", tag); rec.Code != http.StatusNotModified || rec.Body.Len() != 0 {
		t.Errorf("what is held is sent again: %d", rec.Code)
	}
	w.refusal("bob", "GET", "/api/runs/"+a.RunID+"/sources/S9/preview", "", http.StatusNotFound, "not_found")
	w.refusal("alice", "GET", path, "", http.StatusNotFound, "not_found")
}

func TestAQuotationMarkInAFileNameIsOneInItsKey(t *testing.T) {
	w, _, _ := office(t)
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	part, err := form.CreatePart(textproto.MIMEHeader{"Content-Disposition": {`form-data; name="file"; filename="the %22new%22 100%25 plan.txt"`}, "Content-Type": {"text/plain"}})
	must(t, err)
	_, err = io.WriteString(part, "Plans.")
	must(t, err)
	must(t, form.Close())
	rec := w.do(w.request("alice", "POST", "/api/knowledge-bases/kb-a/documents", &body, "Content-Type", form.FormDataContentType()))
	var up api.Upload
	must(t, json.Unmarshal(rec.Body.Bytes(), &up))
	if want := `the "new" 100%25 plan.txt`; rec.Code != http.StatusAccepted || up.DocKey != want {
		t.Errorf("%d, the key is %q, want %q", rec.Code, up.DocKey, want)
	}
}

func TestWhatIsMissingIsToldByKindsWhereRulesSaidIt(t *testing.T) {
	r := &run.Run{Model: llm.Info{Engine: llm.Rules}, Answer: citation.Answer{Insufficient: true, Missing: []string{lack.Absent.Say(true) + "火星", lack.Statement.Say(false), "the plan"}}}
	got := wire.Answer(desk.Account{Run: r}).Lacking
	want := []api.Lack{{Code: "absent", About: "火星"}, {Code: "statement"}, {Code: "other", About: "the plan"}}
	if len(got) != 3 || got[0] != want[0] || got[1] != want[1] || got[2] != want[2] {
		t.Errorf("told is %+v", got)
	}
	// The same words of a model are its own.
	r.Model.Engine = llm.Model
	if got := wire.Answer(desk.Account{Run: r}).Lacking[0]; got != (api.Lack{Code: "other", About: lack.Absent.Say(true) + "火星"}) {
		t.Errorf("of a model is told %+v", got)
	}
}

func TestTheLedgerNamesTheRunsThatMayBeOpened(t *testing.T) {
	w, a := readers(t)
	for who, own := range map[string]bool{"bob": true, "dave": false} {
		seen := false
		for _, e := range expect[api.List[api.Entry]](w, who, "GET", "/api/ledger?limit=200", "", http.StatusOK).Items {
			if e.RunID == a.RunID {
				seen = true
				if e.OwnRun != own {
					t.Errorf("to %s the run is said to be his own: %v", who, e.OwnRun)
				}
			} else if e.OwnRun {
				t.Errorf("%s is told of a run of his own in %+v", who, e)
			}
		}
		if !seen {
			t.Errorf("%s does not see the entry", who)
		}
	}
}
