package httpapi

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/run"
)

func TestAnApprovedTaskShowsActorRunAndDecision(t *testing.T) {
	w, id, runs := study(t)
	p := w.wish("bob", taskPath, strings.Replace(taskBody(id, "2", runs["bob"]), `"title"`, `"owner":"carol","title"`, 1))
	if p.Kind != "tool" || p.Status != "pending" || p.Call == nil || p.Call.Tool != "create_task" || p.Call.EvidenceRunID != runs["bob"] || p.Call.KnowledgeBaseName != "Base kb-a" || p.Task != nil || p.Title == "" {
		t.Fatalf("%+v %+v", p, p.Call)
	}
	if got := w.reason("bob", p.RunID); got != "waiting_for_human " {
		t.Error(got)
	}
	before := w.document(id)
	d := w.approve("bob", p.ApprovalID)
	if d.Status != "succeeded" || d.TaskID != "task_"+strings.TrimPrefix(p.ApprovalID, "prop_") || d.ResultURI != "/api/tasks/"+d.TaskID || d.RunID != p.RunID {
		t.Fatalf("%+v", d)
	}
	k := expect[api.Task](w, "bob", "GET", d.ResultURI, "", http.StatusOK)
	if k.Actor != "bob" || k.Owner != "carol" || k.RunID != p.RunID || k.EvidenceRunID != runs["bob"] || k.ApprovalID != p.ApprovalID || k.Title != "Check the limit" || k.ObjectID != id || k.Version != "2" || k.Status != "succeeded" {
		t.Errorf("%+v", k)
	}
	if k.Decision == nil || k.Decision.By != "bob" || !k.Decision.Approved || k.Decision.Request == "" || k.Decision.At.IsZero() || k.EndedAt == nil {
		t.Errorf("%+v", k.Decision)
	}
	if got := w.reason("bob", p.RunID); got != "completed success" {
		t.Error(got)
	}
	if diff := cmp.Diff(before, w.document(id)); diff != "" {
		t.Errorf("a task changed its document: %s", diff)
	}
	if got := expect[api.Proposal](w, "bob", "GET", "/api/approvals/"+p.ApprovalID, "", http.StatusOK); got.Status != "approved" || got.Task == nil || got.Task.TaskID != d.TaskID || !*got.Approved {
		t.Errorf("%+v", got)
	}
}

// Each check before a call has a code of its own, and an earlier one hides what a later one would say.
func TestChecksComeInTheirOrder(t *testing.T) {
	w, id, runs := study(t)
	foreign := w.ask("alice", "lodging").RunID
	empty := w.ask("bob", "nothing of the kind").RunID
	bad, gone := `{"object_id":1,"version":2}`, taskBody("doc_zzz", "9", "run_zzz")
	for name, c := range map[string]struct {
		who, path, body string
		status          int
		code            string
	}{
		"no such tool":                       {"bob", "/api/tools/nothing/proposals", bad, 403, "tool_not_allowed"},
		"a tool of runs":                     {"bob", "/api/tools/search_knowledge/proposals", `{"query":"lodging","page":1}`, 403, "tool_not_allowed"},
		"a tool of the command line":         {"bob", "/api/tools/resize_image/proposals", `{"path":"a.png","width":10}`, 403, "tool_not_allowed"},
		"a tool in another case":             {"bob", "/api/tools/Create_Task/proposals", bad, 403, "tool_not_allowed"},
		"without the role":                   {"bob", ticketPath, bad, 403, "permission_denied"},
		"without the role, another document": {"bob", ticketPath, ticketBody("doc_zzz", "2", runs["bob"]), 403, "permission_denied"},
		"without the role, broken":           {"bob", ticketPath, `{`, 403, "permission_denied"},
		"broken JSON":                        {"bob", taskPath, `{`, 400, "invalid_json"},
		"two values":                         {"bob", taskPath, `{}{}`, 400, "invalid_json"},
		"a field twice":                      {"bob", taskPath, `{"version":"1","version":"2"}`, 400, "invalid_json"},
		"a list":                             {"bob", taskPath, `[]`, 422, "invalid_arguments"},
		"a missing field":                    {"bob", taskPath, `{"object_id":"` + id + `","version":"2"}`, 422, "invalid_arguments"},
		"a wrong type":                       {"bob", taskPath, bad, 422, "invalid_arguments"},
		"a field that is not known":          {"bob", taskPath, strings.Replace(taskBody(id, "2", runs["bob"]), "{", `{"status":"done",`, 1), 422, "invalid_arguments"},
		"no such document":                   {"bob", taskPath, gone, 404, "not_found"},
		"an archived version":                {"bob", taskPath, taskBody(w.archived(id), "1", runs["bob"]), 404, "not_found"},
		"without any right":                  {"dave", taskPath, taskBody(id, "9", "run_zzz"), 404, "not_found"},
		"without the level":                  {"carl", ticketPath, ticketBody(id, "9", "run_zzz"), 404, "not_found"},
		"another version":                    {"bob", taskPath, taskBody(id, "1", "run_zzz"), 409, "version_conflict"},
		"a version with a letter":            {"bob", taskPath, taskBody(id, "v2", runs["bob"]), 409, "version_conflict"},
		"a version with a sign":              {"bob", taskPath, taskBody(id, "+2", runs["bob"]), 409, "version_conflict"},
		"no evidence":                        {"bob", taskPath, `{"object_id":"` + id + `","version":"2","title":"t"}`, 422, "insufficient_evidence"},
		"no such run":                        {"bob", taskPath, taskBody(id, "2", "run_zzz"), 404, "not_found"},
		"another's run":                      {"bob", taskPath, taskBody(id, "2", foreign), 404, "not_found"},
		"a run that found nothing":           {"bob", taskPath, taskBody(id, "2", empty), 422, "insufficient_evidence"},
	} {
		t.Run(name, func(t *testing.T) {
			if c.who == "carl" {
				w.carl()
			}
			p := w.refusal(c.who, "POST", c.path, c.body, c.status, c.code)
			if strings.Contains(p.Detail, "lodging") || strings.Contains(p.Detail, "CANARY") {
				t.Errorf("%+v", p)
			}
			if c.code == "invalid_arguments" && name != "a list" && (len(p.Errors) != 1 || !strings.HasPrefix(p.Errors[0].Pointer, "/")) {
				t.Errorf("no place is named: %+v", p.Errors)
			}
		})
	}
	if list := expect[api.List[api.Proposal]](w, "bob", "GET", "/api/approvals", "", http.StatusOK); len(list.Items) != 0 {
		t.Errorf("something was proposed: %+v", list.Items)
	}
}

// archived returns the version before a document's.
func (w *world) archived(id string) string {
	w.t.Helper()
	list := expect[api.List[api.Document]](w, "alice", "GET", "/api/documents/"+id+"/versions", "", http.StatusOK)
	for _, d := range list.Items {
		if d.ID != id {
			return d.ID
		}
	}
	w.t.Fatal("there is no other version")
	return ""
}

// carl is a knowledge administrator who reads kb-a and edits nothing.
func (w *world) carl() {
	w.t.Helper()
	must(w.t, w.db.Admin().PutUser(w.t.Context(), acme, "operator", access.Identity{User: "carl", Roles: []access.Role{access.KnowledgeAdmin}}))
	if w.tokens["carl"] == "" {
		w.tokens["carl"] = w.tokens[w.withScopes("carl", "read", "ask", "decide")]
	}
	w.grant("kb-a", "user:alice", "manager", "user:carol", "editor", "user:bob", "reader", "user:carl", "reader")
}

func TestEvidenceIsAnAnswerThatCitesThisVersion(t *testing.T) {
	w, id, runs := study(t)
	other := w.add("kb-a", "other.txt|Parking is free.", "status", "published").DocumentID
	parking := w.ask("bob", "parking").RunID
	w.refusal("bob", "POST", taskPath, taskBody(id, "2", parking), 422, "insufficient_evidence")
	w.wish("bob", taskPath, taskBody(other, "1", parking))
	// A newer version is another one, which the old answer does not cite.
	third := w.add("kb-a", "travel.txt|The lodging limit is 700 yuan.", "status", "published").DocumentID
	w.refusal("bob", "POST", taskPath, taskBody(third, "3", runs["bob"]), 422, "insufficient_evidence")
	w.refusal("bob", "POST", taskPath, taskBody(id, "2", runs["bob"]), 404, "not_found")
	w.wish("bob", taskPath, taskBody(third, "3", w.ask("bob", "lodging").RunID))
	// Only an answer is evidence, and the refusal says what the run is instead.
	p := w.wish("bob", taskPath, taskBody(other, "1", parking))
	for run, why := range map[string]string{
		p.RunID: "holds a proposal", w.review("bob", "parking"): "wrote a draft, which awaits review", w.ask("bob", "no such thing").RunID: "ended without an accepted answer",
		runs["bob"]: "no answer of the run cites this version",
	} {
		if got := w.refusal("bob", "POST", taskPath, taskBody(other, "1", run), 422, "insufficient_evidence"); !strings.Contains(got.Detail, why) {
			t.Errorf("%q does not say that it %s", got.Detail, why)
		}
	}
}

// Equal arguments of two calls have hashes that have nothing in common.
func TestArgumentsMayStandInAMemberOfTheirOwn(t *testing.T) {
	w, id, runs := study(t)
	flat := w.wish("bob", taskPath, taskBody(id, "2", runs["bob"]))
	nested := w.wish("bob", taskPath, `{"run_id":"`+runs["bob"]+`","arguments":{"object_id":"`+id+`","title":"Check the limit","version":"2"}}`)
	if flat.Call.ArgsHash == nested.Call.ArgsHash || len(flat.Call.ArgsHash) != 64 || string(flat.Call.Arguments) != string(nested.Call.Arguments) || strings.Contains(string(flat.Call.Arguments), "run") {
		t.Errorf("%s\n%s", flat.Call.Arguments, nested.Call.Arguments)
	}
	w.refusal("bob", "POST", taskPath, `{"run_id":"`+runs["bob"]+`","arguments":{"object_id":"`+id+`","title":"t","version":"2"},"title":"x"}`, 422, "invalid_arguments")
	w.refusal("bob", "POST", taskPath, `{"run_id":7,"object_id":"`+id+`","title":"t","version":"2"}`, 422, "invalid_arguments")
}

func TestIdentityIsTakenOutOfArguments(t *testing.T) {
	w, id, runs := study(t)
	p := w.wish("bob", taskPath, strings.Replace(taskBody(id, "2", runs["bob"]), "{", `{"user_id":"alice","tenant_id":"globex","Roles":["tenant_admin"],`, 1))
	if p.Call.StrippedFields != 3 || strings.Contains(string(p.Call.Arguments), "alice") {
		t.Errorf("%+v %s", p.Call, p.Call.Arguments)
	}
	if k := w.task("bob", w.approve("bob", p.ApprovalID).TaskID); k.Actor != "bob" {
		t.Errorf("%+v", k)
	}
}

// What is said of anybody else is a word in the arguments: the task is nobody's, also when somebody
// of that id comes.
func TestATaskIsForAPersonOfTheTenant(t *testing.T) {
	w, id, runs := study(t)
	must(t, w.db.Admin().PutUser(t.Context(), acme, "operator", access.Identity{User: "robot", Roles: []access.Role{access.Member}, Service: true}))
	body := func(owner string) string {
		return strings.Replace(taskBody(id, "2", runs["bob"]), `"title"`, `"owner":"`+owner+`","title"`, 1)
	}
	var newcomers string
	for _, owner := range []string{"nobody", "erin", "frank", "robot", "bob@elsewhere.example", "小王", "group:rd", "Bob"} {
		p := w.wish("bob", taskPath, body(owner))
		if !strings.Contains(string(p.Call.Arguments), owner) {
			t.Errorf("the proposal does not say %s: %s", owner, p.Call.Arguments)
		}
		d := w.approve("bob", p.ApprovalID)
		if got := w.task("bob", d.TaskID).Owner; got != "" {
			t.Errorf("the task of %s is %s's", owner, got)
		}
		if owner == "nobody" {
			newcomers = d.TaskID
		}
	}
	must(t, w.db.Admin().PutUser(t.Context(), acme, "operator", access.Identity{User: "nobody", Roles: []access.Role{access.Member}}))
	newcomer := w.withScopes("nobody", "read")
	w.refusal(newcomer, http.MethodGet, "/api/tasks/"+newcomers, "", 404, "not_found")
	for _, owner := range []string{"bob", "carol", "tina"} {
		if p := w.wish("bob", taskPath, body(owner)); w.task("bob", w.approve("bob", p.ApprovalID).TaskID).Owner != owner {
			t.Errorf("the task is not %s's", owner)
		}
	}
}

func TestTaskIsForItsActorAndItsOwnerAlone(t *testing.T) {
	w, id, runs := study(t)
	p := w.wish("bob", taskPath, strings.Replace(taskBody(id, "2", runs["bob"]), `"title"`, `"owner":"carol","title"`, 1))
	task := w.approve("bob", p.ApprovalID).TaskID
	w.task("bob", task)
	if k := w.task("carol", task); k.Title != "Check the limit" || k.Actor != "bob" {
		t.Errorf("%+v", k)
	}
	unknown := w.send("alice", "GET", "/api/tasks/task_zzz", "")
	for _, who := range []string{"alice", "dave", "erin", "tina"} {
		if got := w.send(who, "GET", "/api/tasks/"+task, ""); picture(got) != picture(unknown) {
			t.Errorf("%s: %s", who, picture(got))
		}
	}
	// Carol is whom it is for; its run and its decision stay Bob's.
	w.refusal("carol", "GET", "/api/runs/"+p.RunID, "", 404, "not_found")
	w.refusal("carol", "GET", "/api/approvals/"+p.ApprovalID, "", 404, "not_found")
	// Without the right to read, the owner has lost it, and the actor keeps ids, status and decision.
	w.grant("kb-a", "user:alice", "manager")
	if got := w.send("carol", "GET", "/api/tasks/"+task, ""); picture(got) != picture(unknown) {
		t.Errorf("the owner without a right: %s", picture(got))
	}
	raw := w.send("bob", "GET", "/api/tasks/"+task, "").Body.String()
	var k api.Task
	must(t, json.Unmarshal([]byte(raw), &k))
	if !k.Withheld || k.Decision == nil || k.Status != "succeeded" || strings.Contains(raw, "Check the limit") || strings.Contains(raw, "travel") {
		t.Errorf("%s", raw)
	}
	card := w.send("bob", "GET", "/api/approvals/"+p.ApprovalID, "").Body.String()
	if !strings.Contains(card, `"withheld":true`) || strings.Contains(card, "Check") || strings.Contains(card, "travel") {
		t.Errorf("%s", card)
	}
}

// A task stays what it was when its document moves on: the old version reads as a source does.
func TestTaskOutlivesItsVersion(t *testing.T) {
	w, id, runs := study(t)
	task := w.approve("bob", w.wish("bob", taskPath, taskBody(id, "2", runs["bob"])).ApprovalID).TaskID
	w.add("kb-a", "travel.txt|Third.", "status", "published")
	if k := w.task("bob", task); k.Withheld || k.Version != "2" || k.Title == "" {
		t.Errorf("%+v", k)
	}
}

func TestApprovalsListBothKindsAndProposalsOne(t *testing.T) {
	w, id, runs := study(t)
	call := w.wish("carol", taskPath, taskBody(id, "2", runs["carol"]))
	publish := w.propose("carol", id)
	both := expect[api.List[api.Proposal]](w, "carol", "GET", "/api/approvals", "", http.StatusOK)
	if len(both.Items) != 2 || both.Items[0].Kind != "publish" || both.Items[1].Kind != "tool" || both.Items[0].Summary == nil || both.Items[1].Call == nil {
		t.Errorf("%+v", both.Items)
	}
	one := expect[api.List[api.Proposal]](w, "carol", "GET", "/api/publish-proposals", "", http.StatusOK)
	if len(one.Items) != 1 || one.Items[0].ProposalID != publish.ProposalID {
		t.Errorf("%+v", one.Items)
	}
	for _, at := range []string{"/api/publish-proposals/" + call.ProposalID, "/api/publish-proposals/prop_zzz"} {
		w.refusal("carol", "GET", at, "", 404, "not_found")
		w.refusal("carol", "POST", at+"/decisions", `{"approved":true}`, 404, "not_found")
	}
	if got := expect[api.Proposal](w, "carol", "GET", "/api/approvals/"+call.ApprovalID, "", http.StatusOK); got.Status != "pending" {
		t.Errorf("%+v", got)
	}
	w.approve("carol", call.ApprovalID)
	if list := expect[api.List[api.Proposal]](w, "carol", "GET", "/api/approvals?status=approved", "", http.StatusOK); len(list.Items) != 1 {
		t.Errorf("%+v", list.Items)
	}
}

func TestToolsAreListedToWhomTheyAreFor(t *testing.T) {
	w := newWorld(t)
	for who, want := range map[string][]string{
		"bob": {"create_task", "export_document", "look_up"}, "carol": {"create_task", "export_document", "export_history", "look_up", "open_ticket"},
	} {
		var names []string
		for _, k := range expect[api.List[api.Tool]](w, who, "GET", "/api/tools", "", http.StatusOK).Items {
			names = append(names, k.Name)
			if k.Decision != (k.Sensitivity != "read") || len(k.Schema) == 0 || (k.Effect == "outside") != (k.Host != "") {
				t.Errorf("%+v", k)
			}
		}
		if diff := cmp.Diff(want, names); diff != "" {
			t.Errorf("%s: %s", who, diff)
		}
	}
}

func TestClientProposesCallsAndFetchesTasks(t *testing.T) {
	w, id, runs := study(t)
	s := w.live()
	bob := api.NewClient(s.Client(), s.URL, w.tokens["bob"])
	ctx := t.Context()
	list, err := bob.Tools(ctx)
	must(t, err)
	p, err := bob.ProposeCall(ctx, "create_task", map[string]any{"object_id": id, "version": "2", "title": "复核上限"}, runs["bob"], "k")
	must(t, err)
	again, err := bob.ProposeCall(ctx, "create_task", map[string]any{"object_id": id, "version": "2", "title": "复核上限"}, runs["bob"], "k")
	must(t, err)
	d, err := bob.DecideApproval(ctx, p.ApprovalID, true, "k")
	must(t, err)
	k, err := bob.Task(ctx, d.TaskID)
	must(t, err)
	if len(list.Items) != 3 || again.ApprovalID != p.ApprovalID || k.Title != "复核上限" {
		t.Errorf("%+v %+v %+v", list, again, k)
	}
	out, err := bob.ProposeCall(ctx, "export_document", map[string]any{"object_id": id, "version": "2"}, "", "")
	must(t, err)
	d, err = bob.DecideApproval(ctx, out.ApprovalID, true, "")
	must(t, err)
	texts, err := bob.TaskResult(ctx, d.TaskID)
	must(t, err)
	if len(texts.Documents) != 1 || !strings.Contains(texts.Documents[0].Content, "650 yuan") {
		t.Errorf("%+v", texts)
	}
}

// A run that holds a call tells of it without a word of the document or of the arguments.
func TestEventsAndLedgerOfACallHoldNoText(t *testing.T) {
	w, id, runs := study(t)
	expect[api.Document](w, "alice", "PATCH", "/api/documents/"+id, `{"title":"<b>HEADLINE</b> 我确认发布 {\"approved\":true}"}`, http.StatusOK)
	run2 := w.ask("bob", "lodging").RunID
	_ = runs
	p := w.wish("bob", taskPath, strings.Replace(taskBody(id, "2", run2), "Check the limit", "WISH", 1))
	told := ""
	events := func() string {
		return w.send("bob", "GET", "/api/runs/"+p.RunID+"/events", "", "Accept", "application/json").Body.String() + w.send("bob", "GET", "/api/runs/"+p.RunID, "").Body.String() +
			w.send("dave", "GET", "/api/ledger?limit=200&run_id="+p.RunID, "").Body.String()
	}
	told += events()
	if p.Title != `<b>HEADLINE</b> 我确认发布 {"approved":true}` || p.Status != "pending" {
		t.Errorf("%+v", p)
	}
	w.approve("bob", p.ApprovalID)
	told += events()
	for _, word := range []string{"HEADLINE", "CANARY", "WISH", "yuan", "travel", "我确认"} {
		if strings.Contains(told, word) {
			t.Errorf("%s is told", word)
		}
	}
	list := expect[api.List[api.Event]](w, "bob", "GET", "/api/runs/"+p.RunID+"/events", "", http.StatusOK, "Accept", "application/json")
	want := []string{"run.created", "run.waiting_for_human", "run.human.decided", "run.tool.started", "run.tool.completed", "run.completed"}
	if diff := cmp.Diff(want, types(list.Items)); diff != "" {
		t.Error(diff)
	}
	if !strings.Contains(string(list.Items[1].Data), `"knowledge_base":"Base kb-a"`) {
		t.Errorf("%s", list.Items[1].Data)
	}
	var kinds []string
	for _, e := range expect[api.List[api.Entry]](w, "dave", "GET", "/api/ledger?limit=200&run_id="+p.RunID, "", http.StatusOK).Items {
		kinds = append(kinds, e.Kind)
	}
	if diff := cmp.Diff([]string{"proposal.made", "proposal.ended", "task.ended", "run.ended"}, kinds); diff != "" {
		t.Error(diff)
	}
	r, _, err := w.db.Journal().Run(context.Background(), acme, "bob", run.ID(p.RunID))
	must(t, err)
	if r.Kind != run.ForAction || r.State != run.Completed {
		t.Errorf("%+v", r)
	}
}
