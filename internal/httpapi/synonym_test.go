package httpapi

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/ledger"
)

func TestSynonymsAreReplacedUnderTheirVersion(t *testing.T) {
	w := newWorld(t)
	const path = "/api/synonyms"
	rec := w.send("tina", "GET", path, "")
	if rec.Header().Get("ETag") != `"1"` {
		t.Errorf("the ETag is %q: %s", rec.Header().Get("ETag"), rec.Body)
	}
	want := api.Synonyms{Lines: []string{}, Indexed: true, LockVersion: 1}
	if d := cmp.Diff(want, expect[api.Synonyms](w, "tina", "GET", path, "", http.StatusOK)); d != "" {
		t.Error(d)
	}
	rec = w.send("tina", "PUT", path, `{"lines":["# 信息科","OA, 办公自动化","NB => 笔记本","甲方乙"]}`, "If-Match", `"1"`)
	if rec.Code != http.StatusOK || rec.Header().Get("ETag") != `"2"` {
		t.Fatalf("%d, ETag %q: %s", rec.Code, rec.Header().Get("ETag"), rec.Body)
	}
	got := expect[api.Synonyms](w, "tina", "GET", path, "", http.StatusOK)
	want = api.Synonyms{Lines: []string{"# 信息科", "OA, 办公自动化", "NB => 笔记本", "甲方乙"}, Words: 1, Synonyms: 2, LockVersion: 2, UpdatedBy: "tina"}
	if d := cmp.Diff(want, got, cmpopts.IgnoreFields(api.Synonyms{}, "UpdatedAt")); d != "" || got.UpdatedAt == nil {
		t.Error(d, got.UpdatedAt)
	}
	for _, stale := range []string{`"1"`, `"3"`, `"x"`, `W/"2"`} {
		w.refusal("tina", "PUT", path, `{"lines":[]}`, http.StatusPreconditionFailed, "precondition_failed", "If-Match", stale)
	}
	for _, body := range []string{`{"lines":[]}`, `{"lines":["OA, 办公"]}`} {
		expect[api.Synonyms](w, "tina", "PUT", path, body, http.StatusOK)
	}
	if got := expect[api.Synonyms](w, "tina", "GET", path, "", http.StatusOK); got.LockVersion != 4 {
		t.Errorf("%+v", got)
	}
}

func TestSynonymsThatCannotBeUsedAreNamedByTheirLine(t *testing.T) {
	w := newWorld(t)
	p := w.refusal("tina", "PUT", "/api/synonyms", `{"lines":["OA, 办公","B超","VPN,"]}`, http.StatusUnprocessableEntity, "invalid_lexicon")
	if !strings.HasPrefix(p.Detail, `Line 2: The word "B超"`) || len(p.Errors) != 2 || p.Errors[0].Pointer != "/lines/1" || p.Errors[1].Pointer != "/lines/2" {
		t.Errorf("%+v", p)
	}
	for body, code := range map[string]string{`{}`: "invalid_request", `{"lines":null}`: "invalid_request", `{"lines":[1]}`: "invalid_request", `{"lines":[],"more":1}`: "invalid_request"} {
		w.refusal("tina", "PUT", "/api/synonyms", body, http.StatusUnprocessableEntity, code)
	}
	if got := expect[api.Synonyms](w, "tina", "GET", "/api/synonyms", "", http.StatusOK); got.LockVersion != 1 {
		t.Errorf("a refused list changed the version to %d", got.LockVersion)
	}
}

func TestSynonymsBelongToOneTenantAndTheLedgerHasNoneOfTheirText(t *testing.T) {
	w := newWorld(t)
	head, err := w.db.Ledger().Head(t.Context(), string(acme))
	must(t, err)
	expect[api.Synonyms](w, "tina", "PUT", "/api/synonyms", `{"lines":["SECRET, 机密"]}`, http.StatusOK)
	entries, err := w.db.Ledger().Entries(t.Context(), string(acme), head.Sequence, 10)
	must(t, err)
	if len(entries) != 1 || entries[0].Kind != ledger.LexiconChanged || entries[0].Actor != "tina" || strings.Contains(string(entries[0].Body), "SECRET") {
		t.Errorf("%+v", entries)
	}
	if got := expect[api.Synonyms](w, "toby", "GET", "/api/synonyms", "", http.StatusOK); len(got.Lines) != 0 {
		t.Errorf("the other tenant has %q", got.Lines)
	}
}

func TestTheClientReadsAndSetsSynonyms(t *testing.T) {
	w := newWorld(t)
	s := w.live()
	c := api.NewClient(s.Client(), s.URL, w.tokens["tina"])
	set, err := c.SetSynonyms(t.Context(), api.SetSynonyms{Lines: []string{"OA, 办公自动化"}}, `"1"`)
	must(t, err)
	got, err := c.Synonyms(t.Context())
	must(t, err)
	if d := cmp.Diff(set, got); d != "" || got.LockVersion != 2 {
		t.Error(d, got.LockVersion)
	}
	if _, err := c.SetSynonyms(t.Context(), api.SetSynonyms{Lines: []string{}}, `"1"`); err == nil {
		t.Error("a stale version was replaced")
	}
}
