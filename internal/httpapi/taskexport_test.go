package httpapi

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/access"
)

const (
	exportPath  = "/api/tools/export_document/proposals"
	historyPath = "/api/tools/export_history/proposals"
)

func exportBody(id string) string { return `{"object_id":"` + id + `","version":"2"}` }

// shown is all that the proposer and an auditor are told of an approval.
func (w *world) shown(who string, p api.Proposal) string {
	w.t.Helper()
	out := ""
	for _, path := range []string{"/api/approvals/" + p.ApprovalID, "/api/approvals", "/api/runs/" + p.RunID, "/api/runs/" + p.RunID + "/events"} {
		out += w.send(who, "GET", path, "", "Accept", "application/json").Body.String()
	}
	return out + w.send("dave", "GET", "/api/ledger?limit=200&run_id="+p.RunID, "").Body.String()
}

func TestASensitiveReadShowsIdVersionAndBaseAloneBeforeItIsApproved(t *testing.T) {
	for path, who := range map[string]string{exportPath: "bob", historyPath: "carol"} {
		w, id, _ := study(t)
		expect[api.Document](w, "alice", "PATCH", "/api/documents/"+id, `{"title":"HEADLINE"}`, http.StatusOK)
		rec := w.send(who, "POST", path, exportBody(id))
		p := expect[api.Proposal](w, who, "GET", "/api/approvals/"+strings.Split(strings.Split(rec.Body.String(), `"approval_id":"`)[1], `"`)[0], "", http.StatusOK)
		told := rec.Body.String() + w.shown(who, p)
		for _, word := range []string{"HEADLINE", "CANARY", "yuan", "travel", w.document(id).Checksum} {
			if strings.Contains(told, word) {
				t.Errorf("%s: %q is told before approval", path, word)
			}
		}
		if p.DocumentID != id || p.Version != 2 || p.Call.KnowledgeBaseName != "Base kb-a" || p.Call.Arguments != nil || p.Status != "pending" || p.Call.Sensitivity != "sensitive_read" {
			t.Errorf("%+v %+v", p, p.Call)
		}
		w.refusal(who, "GET", "/api/tasks/task_"+strings.TrimPrefix(p.ApprovalID, "prop_")+"/result", "", 404, "not_found")
		w.approve(who, p.ApprovalID)
		if after := expect[api.Proposal](w, who, "GET", "/api/approvals/"+p.ApprovalID, "", http.StatusOK); after.Title != "HEADLINE" {
			t.Errorf("%+v", after)
		}
		told = w.shown(who, p)
		for _, word := range []string{"CANARY", "yuan"} {
			if strings.Contains(told, word) {
				t.Errorf("%s: %q is told after approval", path, word)
			}
		}
	}
}

func TestAnApprovedExportGivesTheTextOutAndIsRecorded(t *testing.T) {
	w, id, _ := study(t)
	d := w.approve("bob", w.wish("bob", exportPath, exportBody(id)).ApprovalID)
	if d.ResultURI != "/api/tasks/"+d.TaskID+"/result" {
		t.Errorf("%+v", d)
	}
	for range 2 {
		out := expect[api.Export](w, "bob", "GET", d.ResultURI, "", http.StatusOK)
		if len(out.Documents) != 1 || out.Documents[0].DocumentID != id || !strings.Contains(out.Documents[0].Content, "650 yuan") {
			t.Errorf("%+v", out)
		}
	}
	if n := w.entriesOf(d.RunID, "text.exported"); n != 2 {
		t.Errorf("%d entries for two fetches", n)
	}
	if k := w.task("bob", d.TaskID); k.Answer != nil || strings.Contains(w.send("bob", "GET", "/api/tasks/"+d.TaskID, "").Body.String(), "yuan") {
		t.Errorf("the task keeps the text: %+v", k)
	}
}

func (w *world) entriesOf(run, kind string) (n int) {
	w.t.Helper()
	for _, e := range expect[api.List[api.Entry]](w, "dave", "GET", "/api/ledger?limit=200&run_id="+run, "", http.StatusOK).Items {
		if e.Kind == kind {
			n++
			if strings.Contains(string(e.Body), "yuan") || strings.Contains(string(e.Body), "travel") {
				w.t.Errorf("%s", e.Body)
			}
		}
	}
	return n
}

func TestAnExportOfHistoryHoldsEveryVersionAndIsForAdministrators(t *testing.T) {
	w, id, _ := study(t)
	w.refusal("bob", "POST", historyPath, exportBody(id), 403, "permission_denied")
	w.refusal("bob", "POST", historyPath, exportBody("doc_zzz"), 403, "permission_denied")
	d := w.approve("carol", w.wish("carol", historyPath, exportBody(id)).ApprovalID)
	out := expect[api.Export](w, "carol", "GET", d.ResultURI, "", http.StatusOK)
	text := ""
	for _, v := range out.Documents {
		text += v.Content
	}
	if len(out.Documents) != 2 || !strings.Contains(text, "CANARY-OLD") || !strings.Contains(text, "CANARY-NEW") {
		t.Errorf("%+v", out)
	}
	if n := w.entriesOf(d.RunID, "text.exported"); n != 1 {
		t.Errorf("%d entries", n)
	}
	if n := strings.Count(w.send("dave", "GET", "/api/ledger?limit=200&actor=carol", "").Body.String(), `"kind":"history.read"`); n != 2 {
		t.Errorf("%d readings of history are recorded", n)
	}
}

func TestAnApprovalOfAnExportIsNoRight(t *testing.T) {
	w, id, _ := study(t)
	d := w.approve("bob", w.wish("bob", exportPath, exportBody(id)).ApprovalID)
	unknown := picture(w.send("bob", "GET", "/api/tasks/task_zzz/result", ""))
	for _, who := range []string{"alice", "carol", "dave", "erin"} {
		if got := picture(w.send(who, "GET", d.ResultURI, "")); got != unknown {
			t.Errorf("%s fetches it: %s", who, got)
		}
	}
	w.add("kb-a", "travel.txt|Third.", "status", "published")
	if got := picture(w.send("bob", "GET", d.ResultURI, "")); got != unknown {
		t.Errorf("an archived version is given out: %s", got)
	}
	h := w.approve("carol", w.wish("carol", historyPath, strings.Replace(exportBody(w.newest()), `"2"`, `"3"`, 1)).ApprovalID)
	w.grant("kb-a", "user:alice", "manager")
	if got := picture(w.send("carol", "GET", h.ResultURI, "")); got != unknown {
		t.Errorf("history is given out: %s", got)
	}
	w.grant("kb-a", "user:alice", "manager", "user:carol", "editor")
	must(t, w.db.Admin().PutUser(t.Context(), acme, "operator", access.Identity{User: "carol", Roles: []access.Role{access.Member}}))
	if got := picture(w.send("carol", "GET", h.ResultURI, "")); got != unknown {
		t.Errorf("history is given out without the role: %s", got)
	}
}

// newest returns the version of the travel policy that is in force.
func (w *world) newest() string {
	w.t.Helper()
	list := expect[api.List[api.Document]](w, "alice", "GET", "/api/knowledge-bases/kb-a/documents?status=published", "", http.StatusOK)
	return list.Items[0].ID
}

func TestAnExportIsFetchedWithinItsTime(t *testing.T) {
	w, id, _ := study(t)
	d := w.approve("bob", w.wish("bob", exportPath, exportBody(id)).ApprovalID)
	done := *w.task("bob", d.TaskID).EndedAt
	w.set(done.Add(899 * time.Second))
	expect[api.Export](w, "bob", "GET", d.ResultURI, "", http.StatusOK)
	w.set(done.Add(900 * time.Second))
	w.refusal("bob", "GET", d.ResultURI, "", http.StatusGone, "result_expired")
	// A task that is no export has no texts to fetch.
	w, id, runs := study(t)
	k := w.approve("bob", w.wish("bob", taskPath, taskBody(id, "2", runs["bob"])).ApprovalID)
	w.refusal("bob", "GET", "/api/tasks/"+k.TaskID+"/result", "", 404, "not_found")
}

func TestWithTheSettingOffASensitiveReadRunsAtOnceAndAWriteStillWaits(t *testing.T) {
	w, id, runs := study(t)
	w.actions = w.engine(false)
	p := w.wish("bob", exportPath, exportBody(id))
	if p.Status != "approved" || p.Task == nil || p.Approved != nil {
		t.Fatalf("%+v", p)
	}
	expect[api.Export](w, "bob", "GET", p.Task.ResultURI, "", http.StatusOK)
	if n := w.entriesOf(p.RunID, "text.exported"); n != 1 {
		t.Errorf("%d entries", n)
	}
	w.refusal("bob", "POST", approvalPath(p.ApprovalID), `{"approved":true}`, 409, "already_decided")
	for who, path := range map[string]string{"bob": taskPath, "carol": ticketPath} {
		body := taskBody(id, "2", runs[who])
		if path == ticketPath {
			body = ticketBody(id, "2", runs[who])
		}
		if p := w.wish(who, path, body); p.Status != "pending" || p.Task != nil {
			t.Errorf("%s: %+v", path, p)
		}
	}
}
