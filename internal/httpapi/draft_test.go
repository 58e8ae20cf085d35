package httpapi

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/draft"
)

// review has somebody ask for a draft and returns the run, which awaits review.
func (w *world) review(who, goal string) string {
	w.t.Helper()
	r := expect[api.Started](w, who, "POST", "/api/runs", `{"kind":"draft","goal":"`+goal+`"}`, http.StatusAccepted)
	w.runner.work.Wait()
	return r.RunID
}

// saved saves the draft of a run as the run wrote it.
func (w *world) saved(who, run string) string {
	w.t.Helper()
	return expect[api.SavedDraft](w, who, "POST", "/api/runs/"+run+"/draft", `{"base_version":0}`, http.StatusCreated, "Idempotency-Key", "first of "+run).DraftID
}

func (w *world) draft(who, id string) api.Draft {
	w.t.Helper()
	return expect[api.Draft](w, who, "GET", "/api/drafts/"+id, "", http.StatusOK)
}

// put edits a draft upon a version.
func (w *world) put(who, id, body string, base int) *httptest.ResponseRecorder {
	w.t.Helper()
	return w.send(who, "PUT", "/api/drafts/"+id, body, "If-Match", etag(base))
}

// desk2 is a world in which Bob reads two knowledge bases with one document each, which both speak
// of lodging, and has a draft that cites both.
func desk2(t *testing.T) (w *world, run string) {
	t.Helper()
	w = newWorld(t)
	for _, kb := range []string{"kb-a", "kb-b"} {
		w.kb(kb)
		w.grant(kb, "user:alice", "manager", "user:carol", "manager", "user:bob", "reader")
	}
	// The search of the tests finds the newest first.
	w.add("kb-b", "b.txt|Breakfast is part of lodging. CANARY-two", "status", "published")
	w.add("kb-a", "a.txt|The lodging limit is 650 yuan. CANARY-one", "status", "published")
	return w, w.review("bob", "lodging")
}

func TestADraftGoesTheWholeWay(t *testing.T) {
	w, run := desk2(t)
	r := expect[api.Run](w, "bob", "GET", "/api/runs/"+run, "", http.StatusOK)
	if r.State != "awaiting_review" || r.FinishReason != "draft_ready" || len(r.Citations) != 2 {
		t.Fatalf("%+v", r)
	}
	first := expect[api.SavedDraft](w, "bob", "POST", "/api/runs/"+run+"/draft", `{"base_version":0}`, http.StatusCreated, "Idempotency-Key", "a")
	if first.Version != 1 || first.DraftID == "" {
		t.Fatalf("%+v", first)
	}
	rec := w.send("bob", "GET", "/api/drafts/"+first.DraftID, "")
	d := w.draft("bob", first.DraftID)
	if rec.Header().Get("ETag") != `"1"` || d.Body != r.Answer.Answer || d.Title != "lodging" || d.Goal != "lodging" || d.Reduced || !d.NeedsConfirmation || d.RunID != run {
		t.Fatalf("%s %+v", rec.Header(), d)
	}
	if diff := cmp.Diff(r.Checks, d.Checks); diff != "" || len(d.Checks) == 0 {
		t.Error(diff)
	}
	if diff := cmp.Diff(r.Citations, d.Citations); diff != "" {
		t.Error(diff)
	}
	// The client saves again by the run, and then edits.
	second := expect[api.SavedDraft](w, "bob", "POST", "/api/runs/"+run+"/draft", `{"base_version":1,"title":"Lodging","body":"The lodging limit is 900 yuan [S1].\r\n"}`,
		http.StatusCreated, "Idempotency-Key", "b")
	if second.DraftID != first.DraftID || second.Version != 2 {
		t.Errorf("%+v", second)
	}
	d = w.draft("bob", first.DraftID)
	if d.Body != "The lodging limit is 900 yuan [S1]." || d.Title != "Lodging" || len(d.Checks) != 1 || d.Checks[0].Verdict != "contradicted" || len(d.Citations) != 1 {
		t.Errorf("%+v", d)
	}
	third := w.put("bob", first.DraftID, `{"body":"The lodging limit is 650 yuan [S1]."}`, 2)
	if third.Code != http.StatusOK || third.Header().Get("ETag") != `"3"` {
		t.Fatalf("%d %s", third.Code, third.Body)
	}
	d = w.draft("bob", first.DraftID)
	if d.Title != "Lodging" || d.Checks[0].Verdict != "supported" || d.Version != 3 || d.LatestVersion != 3 {
		t.Errorf("%+v", d)
	}
	versions := expect[api.List[api.DraftVersion]](w, "bob", "GET", "/api/drafts/"+first.DraftID+"/versions", "", http.StatusOK)
	old := expect[api.Draft](w, "bob", "GET", "/api/drafts/"+first.DraftID+"?version=1", "", http.StatusOK)
	if len(versions.Items) != 3 || versions.Items[0].Version != 3 || old.Body != r.Answer.Answer || old.LatestVersion != 3 {
		t.Errorf("%+v %+v", versions, old)
	}
	w.refusal("bob", "GET", "/api/drafts/"+first.DraftID+"?version=4", "", http.StatusNotFound, "not_found")
	if state := expect[api.Run](w, "bob", "GET", "/api/runs/"+run, "", http.StatusOK); state.State != "awaiting_review" || state.Answer.Answer != r.Answer.Answer {
		t.Errorf("saving changed the run: %+v", state)
	}
}

func TestTheSameKeySavesOnce(t *testing.T) {
	w, run := desk2(t)
	path := "/api/runs/" + run + "/draft"
	var group sync.WaitGroup
	got := make([]string, 10)
	for i := range got {
		group.Go(func() {
			got[i] = picture(w.send("bob", "POST", path, `{"base_version":0,"title":"T"}`, "Idempotency-Key", "k"))
		})
	}
	group.Wait()
	for _, g := range got {
		if g != got[0] || !strings.HasPrefix(g, "201") {
			t.Fatalf("%s\n%s", got[0], g)
		}
	}
	w.restarted()
	if again := picture(w.send("bob", "POST", path, ` {"title":"T", "base_version": 0}`, "Idempotency-Key", "k")); again != got[0] {
		t.Errorf("after a restart: %s", again)
	}
	w.refusal("bob", "POST", path, `{"base_version":0,"title":"U"}`, http.StatusUnprocessableEntity, "idempotency_key_reused", "Idempotency-Key", "k")
	other := w.review("bob", "lodging")
	w.refusal("bob", "POST", "/api/runs/"+other+"/draft", `{"base_version":0,"title":"T"}`, http.StatusUnprocessableEntity, "idempotency_key_reused", "Idempotency-Key", "k")
	saves := 0
	for _, k := range w.kinds() {
		if k == "draft.saved" {
			saves++
		}
	}
	list := expect[api.List[api.DraftVersion]](w, "bob", "GET", "/api/drafts", "", http.StatusOK)
	if saves != 1 || len(list.Items) != 1 || list.Items[0].Version != 1 {
		t.Errorf("%d saves, %+v", saves, list)
	}
}

func TestTwoSavesAtOnceOnOneVersionAreOneAndAConflict(t *testing.T) {
	w, run := desk2(t)
	var group sync.WaitGroup
	codes := make([]int, 8)
	for i := range codes {
		group.Go(func() {
			codes[i] = w.send("bob", "POST", "/api/runs/"+run+"/draft", fmt.Sprintf(`{"base_version":0,"title":"T%d"}`, i), "Idempotency-Key", fmt.Sprint("k", i)).Code
		})
	}
	group.Wait()
	saved := 0
	for _, c := range codes {
		if c == http.StatusCreated {
			saved++
		} else if c != http.StatusConflict {
			t.Errorf("status %d", c)
		}
	}
	if saved != 1 {
		t.Errorf("%v", codes)
	}
}

func TestSavesThatAreNotInOrderAreRefused(t *testing.T) {
	w, run := desk2(t)
	path := "/api/runs/" + run + "/draft"
	key := []string{"Idempotency-Key", "k"}
	w.refusal("bob", "POST", path, `{"base_version":0}`, 422, "idempotency_key_required")
	w.refusal("bob", "POST", path, `{}`, 422, "invalid_request", key...)
	w.refusal("bob", "POST", path, `{"base_version":-1}`, 422, "invalid_request", key...)
	w.refusal("bob", "POST", path, `{"base_version":0,"state":"x"}`, 422, "invalid_request", key...)
	w.refusal("bob", "POST", path, `{"base_version":1}`, 409, "version_conflict", key...)
	w.refusal("bob", "POST", path, `{"base_version":0,"body":" \n "}`, 422, "invalid_request", key...)
	w.refusal("bob", "POST", path, `{"base_version":0,"title":"a\nb"}`, 422, "invalid_request", key...)
	w.refusal("bob", "POST", path, `{"base_version":0,"body":"x\u001b[2J"}`, 422, "invalid_request", key...)
	w.refusal("bob", "POST", path, `{"base_version":0,"body":"`+strings.Repeat("字", draft.MaxBody+1)+`"}`, 422, "invalid_request", key...)
	w.refusal("bob", "POST", path, `{"base_version":0,"body":"`+strings.Repeat("a", maxBody)+`"}`, 413, "too_large", key...)
	p := w.refusal("bob", "POST", path, `{"base_version":0,"body":"It is [S3]."}`, 422, "invalid_citations", key...)
	if !strings.Contains(p.Detail, "[S3]") || !strings.Contains(p.Detail, "[S1], [S2]") {
		t.Errorf("%s", p.Detail)
	}
	answer := w.ask("bob", "lodging")
	w.refusal("bob", "POST", "/api/runs/"+answer.RunID+"/draft", `{"base_version":0}`, 409, "not_awaiting_review", key...)
	id := w.saved("bob", run)
	w.refusal("bob", "POST", path, `{"base_version":0}`, 409, "version_conflict", "Idempotency-Key", "k2")
	for _, k := range w.kinds() {
		if k == "draft.saved" {
			key = nil
		}
	}
	if key != nil || w.draft("bob", id).Version != 1 {
		t.Error("the one save that was in order is not there")
	}
}

func TestAnEditNeedsTheVersionLastSeen(t *testing.T) {
	w, run := desk2(t)
	id := w.saved("bob", run)
	path := "/api/drafts/" + id
	w.refusal("bob", "PUT", path, `{"title":"x"}`, 428, "precondition_required")
	for _, tag := range []string{`"2"`, `"0"`, "1", `W/"1"`, "x"} {
		w.refusal("bob", "PUT", path, `{"title":"x"}`, 412, "precondition_failed", "If-Match", tag)
	}
	w.refusal("bob", "PUT", path, `{}`, 422, "invalid_request", "If-Match", `"1"`)
	w.refusal("bob", "PUT", path, `{"body":"[S9]"}`, 422, "invalid_citations", "If-Match", `"1"`)
	if rec := w.put("bob", id, `{"title":"one"}`, 1); rec.Code != 200 {
		t.Fatalf("%s", rec.Body)
	}
	w.refusal("bob", "PUT", path, `{"title":"x"}`, 412, "precondition_failed", "If-Match", `"1"`)
	if rec := w.send("bob", "PUT", path, `{"body":"My own words."}`, "If-Match", "*"); rec.Code != 200 || rec.Header().Get("ETag") != `"3"` {
		t.Fatalf("%s", rec.Body)
	}
	d := w.draft("bob", id)
	if d.Title != "one" || d.Body != "My own words." || len(d.Citations) != 0 || len(d.Checks) != 1 || d.Checks[0].Verdict != "not_found" {
		t.Errorf("%+v", d)
	}
}

func TestDraftsAreListedPageByPage(t *testing.T) {
	w, _ := desk2(t)
	var want []string
	for range 5 {
		want = append([]string{w.saved("bob", w.review("bob", "lodging"))}, want...)
	}
	var got []string
	for cursor := ""; ; {
		page := expect[api.List[api.DraftVersion]](w, "bob", "GET", "/api/drafts?limit=2&cursor="+cursor, "", http.StatusOK)
		for _, d := range page.Items {
			got = append(got, d.DraftID)
		}
		if page.NextCursor == nil {
			break
		}
		cursor = *page.NextCursor
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	w.refusal("bob", "GET", "/api/drafts?cursor=x", "", 422, "invalid_cursor")
}

// texts are all that a draft shows anywhere.
func (w *world) everywhere(who, id, run string) string {
	w.t.Helper()
	var b strings.Builder
	for _, path := range []string{"/api/drafts", "/api/drafts/" + id, "/api/drafts/" + id + "?version=1", "/api/drafts/" + id + "/versions", "/api/drafts/" + id + "/export",
		"/api/runs/" + run, "/api/runs/" + run + "/export", "/api/feedback"} {
		b.WriteString(w.send(who, "GET", path, "").Body.String())
	}
	for _, path := range []string{"/api/drafts/" + id + "/export?format=docx", "/api/drafts/" + id + "/export?format=docx&version=1", "/api/runs/" + run + "/export?format=docx"} {
		b.WriteString(inside(w.t, w.send(who, "GET", path, "").Body.Bytes()))
	}
	for _, path := range []string{"/api/drafts/" + id + "/export?format=pdf", "/api/runs/" + run + "/export?format=pdf"} {
		b.WriteString(drawn(w.t, w.send(who, "GET", path, "").Body.Bytes()))
	}
	return b.String()
}

func TestLostEvidenceReducesADraftEverywhere(t *testing.T) {
	w, run := desk2(t)
	id := w.saved("bob", run)
	if rec := w.put("bob", id, `{"title":"CANARY-two in a title","body":"The lodging limit is 650 yuan CANARY-one [S1].\nBreakfast is part of it CANARY-two [S2].\nSo CANARY-two it is."}`, 1); rec.Code != 200 {
		t.Fatal(rec.Body)
	}
	expect[api.Feedback](w, "bob", "POST", "/api/feedback", `{"run_id":"`+run+`","verdict":"wrong","note":"CANARY-two is wrong"}`, http.StatusCreated)
	if all := w.everywhere("bob", id, run); strings.Count(all, "CANARY-two") < 8 {
		t.Fatalf("too little to lose: %s", all)
	}
	w.grant("kb-b", "user:alice", "manager")
	if all := w.everywhere("bob", id, run); strings.Contains(all, "CANARY-two") || strings.Contains(all, "b.txt") || !strings.Contains(all, "CANARY-one") {
		t.Errorf("%s", all)
	}
	d := w.draft("bob", id)
	if !d.Reduced || d.Body != "The lodging limit is 650 yuan CANARY-one [S1]." || d.Title != "lodging" || len(d.Checks) != 1 || len(d.Citations) != 2 || !d.Citations[1].Withheld {
		t.Errorf("%+v", d)
	}
	exported := w.send("bob", "GET", "/api/drafts/"+id+"/export", "").Body.String()
	if !strings.Contains(exported, "no longer available to you") {
		t.Errorf("%s", exported)
	}
	w.grant("kb-b", "user:alice", "manager", "user:bob", "reader")
	if back := w.draft("bob", id); back.Reduced || strings.Count(back.Body, "CANARY") != 3 || back.Title != "CANARY-two in a title" {
		t.Errorf("%+v", back)
	}
}

func TestAReducedDraftIsNotOverwrittenUnawares(t *testing.T) {
	w, run := desk2(t)
	id := w.saved("bob", run)
	whole := w.draft("bob", id).Body
	w.grant("kb-b", "user:alice", "manager")
	reduced := w.draft("bob", id)
	body := `{"body":` + strconv.Quote(reduced.Body) + `}`
	p := w.refusal("bob", "PUT", "/api/drafts/"+id, body, 409, "draft_reduced", "If-Match", `"1"`)
	if !strings.Contains(p.Detail, "discard_withheld") {
		t.Errorf("%s", p.Detail)
	}
	w.refusal("bob", "POST", "/api/runs/"+run+"/draft", `{"base_version":1,"body":"x [S1]"}`, 409, "draft_reduced", "Idempotency-Key", "k")
	// A title of the person's own, where the run's goal was the title before, loses nothing.
	if rec := w.put("bob", id, `{"title":"Mine"}`, 1); rec.Code != 200 {
		t.Fatalf("%s", rec.Body)
	}
	if got := w.draft("bob", id); got.Title != "lodging" || !got.Reduced {
		t.Errorf("a title given beside lost evidence is shown: %+v", got)
	}
	w.refusal("bob", "PUT", "/api/drafts/"+id, `{"title":"Another"}`, 409, "draft_reduced", "If-Match", `"2"`)
	w.refusal("bob", "PUT", "/api/drafts/"+id, `{"body":"It is so [S2].","discard_withheld":true}`, 422, "invalid_citations", "If-Match", `"2"`)
	if rec := w.put("bob", id, `{"body":"Only this [S1].","discard_withheld":true}`, 2); rec.Code != 200 {
		t.Fatalf("%s", rec.Body)
	}
	w.grant("kb-b", "user:alice", "manager", "user:bob", "reader")
	for version, want := range map[int]string{1: whole, 2: whole, 3: "Only this [S1]."} {
		if got := expect[api.Draft](w, "bob", "GET", fmt.Sprintf("/api/drafts/%s?version=%d", id, version), "", 200); got.Body != want {
			t.Errorf("version %d: %q", version, got.Body)
		}
	}
}

func TestAFirstSaveKeepsWhatIsWithheld(t *testing.T) {
	w, run := desk2(t)
	w.grant("kb-b", "user:alice", "manager")
	w.refusal("bob", "POST", "/api/runs/"+run+"/draft", `{"base_version":0,"body":"x [S1]"}`, 409, "draft_reduced", "Idempotency-Key", "k")
	id := w.saved("bob", run)
	if d := w.draft("bob", id); strings.Contains(d.Body, "CANARY-two") || !d.Reduced {
		t.Errorf("%+v", d)
	}
	w.grant("kb-b", "user:alice", "manager", "user:bob", "reader")
	if d := w.draft("bob", id); !strings.Contains(d.Body, "CANARY-two") || d.Reduced {
		t.Errorf("%+v", d)
	}
}

func TestAnErasedSourceTakesTheDraftWithIt(t *testing.T) {
	w, run := desk2(t)
	id := w.saved("bob", run)
	w.put("bob", id, `{"title":"CANARY-two title"}`, 1)
	docs := expect[api.List[api.Document]](w, "alice", "GET", "/api/knowledge-bases/kb-b/documents", "", 200)
	expect[struct{}](w, "carol", "DELETE", "/api/documents/"+docs.Items[0].ID+"?erase=true", "", http.StatusNoContent)
	if all := w.everywhere("bob", id, run); strings.Contains(all, "CANARY-two") || strings.Contains(all, "b.txt") {
		t.Errorf("%s", all)
	}
	d := w.draft("bob", id)
	if d.Body != "" || !d.Reduced || d.Title != "lodging" || d.BodyHash != "" || len(d.Citations) != 2 || d.Citations[0].Withheld || !d.Citations[1].Withheld {
		t.Errorf("%+v", d)
	}
	w.refusal("bob", "PUT", "/api/drafts/"+id, `{"body":"Only this [S1].","discard_withheld":true}`, 409, "evidence_erased", "If-Match", `"2"`)
}

func TestTheLedgerHoldsHashesOfADraft(t *testing.T) {
	w, run := desk2(t)
	id := w.saved("bob", run)
	entries := expect[api.List[api.Entry]](w, "dave", "GET", "/api/ledger?limit=200&run_id="+run, "", 200)
	last := entries.Items[len(entries.Items)-1]
	body := string(last.Body)
	if last.Kind != "draft.saved" || last.Actor != "bob" || !strings.Contains(body, id) || !strings.Contains(body, w.draft("bob", id).BodyHash) || !strings.Contains(body, `"excerpt_hash"`) {
		t.Errorf("%s", body)
	}
	for _, word := range []string{"CANARY", "lodging"} {
		if strings.Contains(body, word) || strings.Contains(w.log.String(), word) {
			t.Errorf("%q is told", word)
		}
	}
}
