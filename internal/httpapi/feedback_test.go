package httpapi

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/desk"
)

func (w *world) says(who, body string, headers ...string) api.Feedback {
	w.t.Helper()
	return expect[api.Feedback](w, who, "POST", "/api/feedback", body, http.StatusCreated, headers...)
}

func (w *world) said(who, run string) []api.Feedback {
	w.t.Helper()
	return expect[api.List[api.Feedback]](w, who, "GET", "/api/feedback?run_id="+run, "", http.StatusOK).Items
}

func TestOneVerdictOnASentenceIsKept(t *testing.T) {
	w, _ := desk2(t)
	run := w.ask("bob", "lodging").RunID
	sentence := func(verdict, note string) string {
		return fmt.Sprintf(`{"run_id":%q,"sentence":"The lodging limit is 650 yuan. [S1]","verdict":%q,"note":%q}`, run, verdict, note)
	}
	// The sentence may be sent as it is written, with its marks, or as its check names it.
	plain := expect[api.Run](w, "bob", "GET", "/api/runs/"+run, "", 200)
	first := w.says("bob", sentence("wrong", "不对，是 700"))
	second := w.says("bob", fmt.Sprintf(`{"run_id":%q,"sentence":%q,"verdict":"correct"}`, run, "The lodging limit is 650 yuan."))
	whole := w.says("bob", fmt.Sprintf(`{"run_id":%q,"verdict":"unclear","note":"how long?"}`, run))
	if first.SentenceHash != second.SentenceHash || first.SentenceHash == "" || second.Note != "" || second.Verdict != "correct" || whole.Sentence != "" || whole.UserID != "bob" || whole.Question != "lodging" {
		t.Errorf("%+v\n%+v\n%+v", first, second, whole)
	}
	if diff := cmp.Diff([]api.Feedback{second, whole}, w.said("bob", run)); diff != "" {
		t.Error(diff)
	}
	if after := expect[api.Run](w, "bob", "GET", "/api/runs/"+run, "", 200); after.Answer.Answer != plain.Answer.Answer {
		t.Error("feedback changed the answer")
	}
}

func TestFeedbackHasItsLimits(t *testing.T) {
	w, _ := desk2(t)
	run := w.ask("bob", "lodging").RunID
	for name, body := range map[string]string{
		"no run":                  `{"run_id":"","verdict":"wrong"}`,
		"no verdict":              `{"run_id":"` + run + `"}`,
		"another verdict":         `{"run_id":"` + run + `","verdict":"right"}`,
		"a sentence of no answer": `{"run_id":"` + run + `","verdict":"wrong","sentence":"Something else."}`,
		"a long note":             `{"run_id":"` + run + `","verdict":"wrong","note":"` + strings.Repeat("字", desk.MaxNote+1) + `"}`,
		"an escape":               `{"run_id":"` + run + `","verdict":"wrong","note":"\u001b[2J"}`,
		"an unknown field":        `{"run_id":"` + run + `","verdict":"wrong","user_id":"alice"}`,
	} {
		if p := expect[api.Problem](w, "bob", "POST", "/api/feedback", body, 422); len(p.Errors) == 0 {
			t.Errorf("%s: %+v", name, p)
		}
	}
	w.says("bob", `{"run_id":"`+run+`","verdict":"wrong","note":"`+strings.Repeat("字", desk.MaxNote)+`"}`)
	w.refusal("bob", "GET", "/api/feedback?run_id=run_zzz", "", 404, "not_found")
	w.refusal("alice", "POST", "/api/feedback", `{"run_id":"`+run+`","verdict":"wrong"}`, 404, "not_found")
	if len(w.said("bob", run)) != 1 {
		t.Error("a refused one was kept")
	}
}

func TestRepeatedFeedbackIsKeptOnceAlsoAfterARestart(t *testing.T) {
	w, _ := desk2(t)
	run := w.ask("bob", "lodging").RunID
	body := `{"run_id":"` + run + `","verdict":"wrong","note":"n"}`
	key := []string{"Idempotency-Key", "k"}
	first := w.says("bob", body, key...)
	again := w.says("bob", body, key...)
	w.restarted()
	restarted := w.says("bob", body, key...)
	if first != again || first != restarted {
		t.Errorf("%+v\n%+v\n%+v", first, again, restarted)
	}
	w.refusal("bob", "POST", "/api/feedback", strings.Replace(body, "wrong", "correct", 1), 422, "idempotency_key_reused", key...)
}

func TestFeedbackIsListedPageByPage(t *testing.T) {
	w, _ := desk2(t)
	var want []string
	for range 3 {
		run := w.ask("bob", "lodging").RunID
		w.says("bob", `{"run_id":"`+run+`","verdict":"wrong"}`)
		want = append(want, run)
	}
	var got []string
	for cursor := ""; ; {
		page := expect[api.List[api.Feedback]](w, "bob", "GET", "/api/feedback?limit=1&cursor="+cursor, "", 200)
		for _, f := range page.Items {
			got = append(got, f.RunID)
		}
		if page.NextCursor == nil {
			break
		}
		cursor = *page.NextCursor
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if others := expect[api.List[api.Feedback]](w, "alice", "GET", "/api/feedback", "", 200); len(others.Items) != 0 {
		t.Errorf("%+v", others)
	}
}

func TestWhatWasSaidOfLostEvidenceIsWithheld(t *testing.T) {
	w, _ := desk2(t)
	run := w.ask("bob", "lodging").RunID
	key := []string{"Idempotency-Key", "k"}
	lost := `{"run_id":"` + run + `","sentence":"CANARY-two [S2].","verdict":"wrong","note":"CANARY-two too"}`
	w.says("bob", lost, key...)
	w.says("bob", `{"run_id":"`+run+`","sentence":"CANARY-one [S1].","verdict":"correct"}`)
	w.grant("kb-b", "user:alice", "manager")
	list := w.said("bob", run)
	if len(list) != 2 || !list[0].Withheld || list[0].Sentence+list[0].Note != "" || list[0].Verdict != "wrong" || list[1].Withheld || list[1].Sentence != "CANARY-one." {
		t.Errorf("%+v", list)
	}
	// Neither can the sentence be marked that cannot be seen, nor does repeating tell of it.
	w.refusal("bob", "POST", "/api/feedback", strings.Replace(lost, "wrong", "correct", 1), 422, "invalid_request")
	for range 2 {
		if again := w.says("bob", lost, key...); !again.Withheld || again.Sentence+again.Note != "" {
			t.Errorf("%+v", again)
		}
		w.restarted()
	}
}

func TestTheOperatorSeesWhatTheUserMayRead(t *testing.T) {
	w, _ := desk2(t)
	run := w.ask("bob", "lodging").RunID
	w.says("bob", `{"run_id":"`+run+`","sentence":"CANARY-two [S2].","verdict":"wrong","note":"CANARY-two"}`)
	list := func(user access.UserID, operator bool) ([]desk.MarkView, error) {
		page, err := w.server.deps.Desk.AllMarks(t.Context(), access.Actor{Tenant: acme, User: user, Operator: operator}, desk.MarkFilter{})
		return page.Items, err
	}
	if got, err := list("carol", true); err != nil || len(got) != 1 || got[0].Sentence != "CANARY-two." || got[0].Withheld || got[0].Actor != "bob" {
		t.Errorf("%+v %v", got, err)
	}
	if got, err := list("dave", true); err != nil || len(got) != 1 || !got[0].Withheld || got[0].Sentence+got[0].Note != "" || got[0].Opinion != desk.Wrong {
		t.Errorf("%+v %v", got, err)
	}
	if got, err := list("carol", false); err == nil || got != nil {
		t.Errorf("not the operator: %+v", got)
	}
}

func TestReducedDraftsAndFeedbackAreAsDescribed(t *testing.T) {
	w, run := desk2(t)
	id := w.saved("bob", run)
	w.put("bob", id, `{"title":"Mine"}`, 1)
	answer := w.ask("bob", "lodging").RunID
	w.says("bob", `{"run_id":"`+answer+`","sentence":"CANARY-two [S2].","verdict":"wrong","note":"n"}`)
	c := newContract(t, w)
	check := func() {
		for _, path := range []string{"/api/drafts", "/api/drafts/" + id, "/api/drafts/" + id + "?version=1", "/api/drafts/" + id + "?version=9", "/api/drafts/" + id + "/versions",
			"/api/drafts/" + id + "/export", "/api/drafts/" + id + "/export?format=x", "/api/runs/" + run + "/export?format=docx", "/api/feedback", "/api/feedback?run_id=" + answer} {
			req := w.request("bob", http.MethodGet, path, nil)
			c.check(w.server, req, w.do(req))
		}
		for _, r := range [][]string{
			{"PUT", "/api/drafts/" + id, `{"body":"x [S1]"}`, "If-Match", "*"}, {"PUT", "/api/drafts/" + id, `{"body":"x [S9]"}`, "If-Match", "*"}, {"PUT", "/api/drafts/" + id, `{"body":"x"}`, "If-Match", `"1"`},
			{"POST", "/api/runs/" + run + "/draft", `{"base_version":0}`, "Idempotency-Key", "c"}, {"POST", "/api/runs/" + answer + "/draft", `{"base_version":0}`, "Idempotency-Key", "c"},
			{"POST", "/api/feedback", `{"run_id":"` + answer + `","sentence":"x","verdict":"wrong"}`, "Idempotency-Key", "c"},
		} {
			req := w.request("bob", r[0], r[1], strings.NewReader(r[2]), "Content-Type", "application/json", r[3], r[4])
			c.check(w.server, req, w.do(req))
		}
	}
	check()
	w.grant("kb-b", "user:alice", "manager")
	check()
	w.grant("kb-a", "user:alice", "manager")
	check()
}

// The typed client is tried against the server itself: each call, and its errors.
func TestClientWritesAndMarks(t *testing.T) {
	w, run := desk2(t)
	s, ctx := w.live(), t.Context()
	bob := api.NewClient(s.Client(), s.URL, w.tokens["bob"])
	title, body := "T", "Only this [S1]."
	saved, err := bob.SaveDraft(ctx, run, api.SaveDraft{Title: &title}, "k")
	must(t, err)
	edited, err := bob.EditDraft(ctx, saved.DraftID, api.DraftChange{Body: &body}, api.ETag(saved.Version))
	must(t, err)
	first, err := bob.Draft(ctx, saved.DraftID, 1)
	must(t, err)
	newest, err := bob.Draft(ctx, saved.DraftID, 0)
	must(t, err)
	if diff := cmp.Diff(edited, newest); diff != "" || first.Version != 1 || first.Body == body {
		t.Errorf("%+v %s", first, diff)
	}
	list, err := api.All(ctx, bob.Drafts)
	must(t, err)
	versions, err := bob.DraftVersions(ctx, saved.DraftID)
	must(t, err)
	if len(list) != 1 || len(versions.Items) != 2 || list[0] != versions.Items[0] {
		t.Errorf("%+v %+v", list, versions)
	}
	for _, open := range []func() (io.ReadCloser, error){
		func() (io.ReadCloser, error) { return bob.ExportDraft(ctx, saved.DraftID, 1, "markdown") },
		func() (io.ReadCloser, error) { return bob.ExportRun(ctx, run, "markdown") },
	} {
		file, err := open()
		must(t, err)
		b, err := io.ReadAll(file)
		must(t, err)
		must(t, file.Close())
		if !strings.Contains(string(b), "[^S2]: S2: b.txt") {
			t.Errorf("%s", b)
		}
	}
	said, err := bob.GiveFeedback(ctx, api.NewFeedback{RunID: run, Verdict: "correct"}, "f")
	must(t, err)
	of, err := bob.Feedback(ctx, run, api.Page{Limit: 1})
	must(t, err)
	if len(of.Items) != 1 || of.Items[0] != said {
		t.Errorf("%+v %+v", of, said)
	}
	var p *api.Problem
	if _, err := bob.ExportDraft(ctx, "draft_zzz", 0, "docx"); !errors.As(err, &p) || p.Code != "not_found" {
		t.Errorf("%v", err)
	}
	if _, err := bob.EditDraft(ctx, saved.DraftID, api.DraftChange{Body: &body}, api.ETag(1)); !errors.As(err, &p) || p.Status != http.StatusPreconditionFailed {
		t.Errorf("%v", err)
	}
	if _, err := bob.SaveDraft(ctx, run, api.SaveDraft{}, ""); !errors.As(err, &p) || p.Code != "idempotency_key_required" {
		t.Errorf("%v", err)
	}
}
