package httpapi

import (
	"bytes"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/memory"
)

// row says how a route is tried on objects that are one's own, another's, and nobody's.
type row struct {
	route string
	// path has the holes {kb}, {id}, {draft}, {pdf}, {dxf}, {proposal}, {approval}, {call}, {task}, {export}, {conversation},
	// {run}, {review}, {saved}, {job}, {ref}, {entry}, {user}, {group}, {member}, {token}, {identity} and {evaluation}.
	path string
	body string
	// own is the status for the owner, and so is nobodys for what does not exist. A route without
	// an object has no holes and nobodys is 0.
	own, nobodys int
	form         bool
	accept       string
	open         bool // needs no token
	headers      []string
	// auditor tells that the auditor of the tenant reaches everybody's objects.
	auditor bool
	// as is the person in whose place the owner stands; Alice if it is "".
	as string
}

func (r row) owner() string {
	if r.as != "" {
		return r.as
	}
	return "alice"
}

// rows has one row for every route that the server registers.
var rows = slices.Concat(personRows, []row{
	{route: "GET /{$}", path: "/", own: 200, open: true},
	{route: "GET /healthz", path: "/healthz", own: 200, open: true},
	{route: "GET /readyz", path: "/readyz", own: 200, open: true},
	{route: "GET /openapi.json", path: "/openapi.json", own: 200},
	{route: "GET /api/me", path: "/api/me", own: 200},
	{route: "GET /api/system", path: "/api/system", own: 200},
	{route: "POST /api/knowledge-bases", path: "/api/knowledge-bases", body: `{"name":"x"}`, own: 201},
	{route: "GET /api/knowledge-bases", path: "/api/knowledge-bases", own: 200},
	{route: "GET /api/knowledge-bases/{kb}", path: "/api/knowledge-bases/{kb}", own: 200, nobodys: 404},
	{route: "PATCH /api/knowledge-bases/{kb}", path: "/api/knowledge-bases/{kb}", body: `{"name":"y"}`, own: 200, nobodys: 404},
	{route: "GET /api/knowledge-bases/{kb}/grants", path: "/api/knowledge-bases/{kb}/grants", own: 200, nobodys: 404},
	{route: "PUT /api/knowledge-bases/{kb}/grants", path: "/api/knowledge-bases/{kb}/grants",
		body: `{"grants":[{"principal":"user:alice","role":"manager"},{"principal":"user:carol","role":"manager"}]}`, own: 200, nobodys: 404},
	{route: "GET /api/knowledge-bases/{kb}/documents", path: "/api/knowledge-bases/{kb}/documents", own: 200, nobodys: 404},
	{route: "POST /api/knowledge-bases/{kb}/documents", path: "/api/knowledge-bases/{kb}/documents", form: true, own: 202, nobodys: 404},
	{route: "GET /api/documents/{id}", path: "/api/documents/{id}", own: 200, nobodys: 404},
	{route: "PATCH /api/documents/{id}", path: "/api/documents/{id}", body: `{"title":"t"}`, own: 200, nobodys: 404},
	{route: "GET /api/documents/{id}/versions", path: "/api/documents/{id}/versions", own: 200, nobodys: 404},
	{route: "GET /api/documents/{id}/readers", path: "/api/documents/{id}/readers", own: 404, nobodys: 404},
	{route: "GET /api/documents/{id}/readers", path: "/api/documents/{id}/readers?limit=1&cursor=zzz", own: 422, nobodys: 422},
	{route: "GET /api/documents/{id}/readers/{user}", path: "/api/documents/{id}/readers/alice", own: 200, nobodys: 404},
	{route: "GET /api/documents/{id}/readers/{user}", path: "/api/documents/{id}/readers/frank", own: 404, nobodys: 404},
	{route: "GET /api/documents/{id}/chunks", path: "/api/documents/{id}/chunks", own: 200, nobodys: 404},
	{route: "GET /api/documents/{id}/original", path: "/api/documents/{id}/original", own: 200, nobodys: 404},
	{route: "GET /api/documents/{id}/preview", path: "/api/documents/{id}/preview", own: 200, nobodys: 404},
	{route: "GET /api/documents/{id}/preview", path: "/api/documents/{id}/preview?anchor=doc-line-1", own: 200, nobodys: 404},
	{route: "GET /api/documents/{id}/preview", path: "/api/documents/{id}/preview?from=99999999", own: 422, nobodys: 404},
	{route: "GET /api/documents/{id}/pages/{file}", path: "/api/documents/{pdf}/pages/1.png", own: 200, nobodys: 404},
	{route: "GET /api/documents/{id}/pages/{file}", path: "/api/documents/{pdf}/pages/2.png?width=300&boxes=[[1,2,3,4]]", own: 200, nobodys: 404},
	{route: "GET /api/documents/{id}/pages/{file}", path: "/api/documents/{pdf}/pages/3.png", own: 404, nobodys: 404},
	{route: "GET /api/documents/{id}/pages/{file}", path: "/api/documents/{id}/pages/1.png", own: 404, nobodys: 404},
	{route: "GET /api/documents/{id}/drawing", path: "/api/documents/{dxf}/drawing", own: 200, nobodys: 404},
	{route: "GET /api/documents/{id}/drawing", path: "/api/documents/{dxf}/drawing?sheet=A1", own: 200, nobodys: 404},
	{route: "GET /api/documents/{id}/drawing", path: "/api/documents/{dxf}/drawing?sheet=A1&hidden=true", own: 404, nobodys: 404},
	{route: "GET /api/documents/{id}/drawing", path: "/api/documents/{pdf}/drawing", own: 404, nobodys: 404},
	{route: "GET /api/documents/{id}/diff", path: "/api/documents/{id}/diff?to={draft}", own: 200, nobodys: 404},
	{route: "GET /api/tools/document-versions/{document_id}", path: "/api/tools/document-versions/{id}", as: "carol", own: 200, nobodys: 404},
	{route: "POST /api/documents/{id}/publish-proposals", path: "/api/documents/{draft}/publish-proposals", as: "carol", own: 201, nobodys: 404},
	{route: "POST /api/documents/{id}/archive-proposals", path: "/api/documents/{id}/archive-proposals", as: "carol", own: 201, nobodys: 404},
	{route: "GET /api/publish-proposals", path: "/api/publish-proposals", as: "carol", own: 200},
	{route: "GET /api/publish-proposals/{id}", path: "/api/publish-proposals/{proposal}", as: "carol", own: 200, nobodys: 404},
	{route: "POST /api/publish-proposals/{id}/decisions", path: "/api/publish-proposals/{proposal}/decisions", body: `{"approved":false}`,
		as: "carol", own: 200, nobodys: 404},
	{route: "GET /api/approvals", path: "/api/approvals", as: "carol", own: 200},
	{route: "GET /api/approvals/{id}", path: "/api/approvals/{approval}", as: "carol", own: 200, nobodys: 404},
	{route: "POST /api/approvals/{id}/decisions", path: "/api/approvals/{approval}/decisions", body: `{"approved":false}`,
		as: "carol", own: 200, nobodys: 404},
	{route: "GET /api/tools", path: "/api/tools", own: 200},
	{route: "POST /api/tools/{name}/proposals", path: "/api/tools/create_task/proposals",
		body: `{"object_id":"{id}","version":"1","title":"t","run_id":"{run}"}`, own: 201, nobodys: 404},
	{route: "POST /api/tools/{name}/proposals", path: "/api/tools/export_document/proposals", body: `{"object_id":"{id}","version":"1"}`, own: 201, nobodys: 404},
	{route: "GET /api/tasks/{id}", path: "/api/tasks/{task}", own: 200, nobodys: 404},
	{route: "GET /api/tasks/{id}/result", path: "/api/tasks/{export}/result", own: 200, nobodys: 404},
	{route: "GET /api/approvals/{id}", path: "/api/approvals/{call}", own: 200, nobodys: 404},
	{route: "POST /api/approvals/{id}/decisions", path: "/api/approvals/{call}/decisions", body: `{"approved":false}`, own: 200, nobodys: 404},
	{route: "GET /api/conversations", path: "/api/conversations", own: 200},
	{route: "GET /api/conversations/{id}/memory", path: "/api/conversations/{conversation}/memory", own: 200, nobodys: 404},
	{route: "DELETE /api/conversations/{id}/memory", path: "/api/conversations/{conversation}/memory", own: 204, nobodys: 404},
	{route: "GET /api/jobs/{id}", path: "/api/jobs/{job}", own: 200, nobodys: 404},
	{route: "POST /api/jobs/{id}/cancel", path: "/api/jobs/{job}/cancel", own: 200, nobodys: 404},
	{route: "POST /api/search", path: "/api/search", body: `{"query":"lodging","knowledge_base_ids":["{kb}"]}`, own: 200, nobodys: 404},
	{route: "POST /api/chat", path: "/api/chat", body: `{"question":"lodging","knowledge_base_ids":["{kb}"]}`, own: 200, nobodys: 404},
	{route: "POST /api/runs", path: "/api/runs", body: `{"kind":"answer","goal":"lodging","knowledge_base_ids":["{kb}"]}`, own: 202, nobodys: 404},
	{route: "GET /api/runs", path: "/api/runs", own: 200},
	{route: "GET /api/runs/{id}", path: "/api/runs/{run}", own: 200, nobodys: 404},
	{route: "GET /api/runs/{id}/events", path: "/api/runs/{run}/events", own: 200, nobodys: 404},
	{route: "GET /api/runs/{id}/events", path: "/api/runs/{run}/events?after=3", own: 200, nobodys: 404},
	{route: "GET /api/runs/{id}/events", path: "/api/runs/{run}/events", accept: "application/json", own: 200, nobodys: 404},
	{route: "POST /api/runs/{id}/cancel", path: "/api/runs/{run}/cancel", own: 202, nobodys: 404},
	{route: "POST /api/runs/{id}/resume", path: "/api/runs/{run}/resume", own: 409, nobodys: 404},
	{route: "GET /api/runs/{id}/sources/{ref}", path: "/api/runs/{run}/sources/{ref}", own: 200, nobodys: 404},
	{route: "GET /api/runs/{id}/sources/{ref}/preview", path: "/api/runs/{run}/sources/{ref}/preview", own: 200, nobodys: 404},
	{route: "GET /api/runs/{id}/export", path: "/api/runs/{run}/export", own: 200, nobodys: 404},
	{route: "GET /api/runs/{id}/export", path: "/api/runs/{run}/export?format=docx", own: 200, nobodys: 404},
	{route: "GET /api/runs/{id}/export", path: "/api/runs/{run}/export?format=pdf", own: 200, nobodys: 404},
	{route: "POST /api/runs/{id}/draft", path: "/api/runs/{review}/draft", body: `{"base_version":0}`, headers: []string{"Idempotency-Key", "k"}, own: 201, nobodys: 404},
	{route: "POST /api/runs/{id}/draft", path: "/api/runs/{review}/draft", body: `{"base_version":0}`, own: 422, nobodys: 404},
	{route: "GET /api/drafts", path: "/api/drafts", own: 200},
	{route: "GET /api/drafts/{id}", path: "/api/drafts/{saved}", own: 200, nobodys: 404},
	{route: "GET /api/drafts/{id}", path: "/api/drafts/{saved}?version=1", own: 200, nobodys: 404},
	{route: "GET /api/drafts/{id}/versions", path: "/api/drafts/{saved}/versions", own: 200, nobodys: 404},
	{route: "GET /api/drafts/{id}/export", path: "/api/drafts/{saved}/export", own: 200, nobodys: 404},
	{route: "GET /api/drafts/{id}/export", path: "/api/drafts/{saved}/export?format=docx", own: 200, nobodys: 404},
	{route: "GET /api/drafts/{id}/export", path: "/api/drafts/{saved}/export?format=pdf", own: 200, nobodys: 404},
	{route: "PUT /api/drafts/{id}", path: "/api/drafts/{saved}", body: `{"title":"t"}`, headers: []string{"If-Match", "*"}, own: 200, nobodys: 404},
	{route: "PUT /api/drafts/{id}", path: "/api/drafts/{saved}", body: `{"title":"t"}`, headers: []string{"If-Match", `"99"`}, own: 412, nobodys: 404},
	{route: "PUT /api/drafts/{id}", path: "/api/drafts/{saved}", body: `{"title":"t"}`, own: 428, nobodys: 404},
	{route: "POST /api/feedback", path: "/api/feedback", body: `{"run_id":"{run}","verdict":"wrong","note":"n"}`, own: 201, nobodys: 404},
	{route: "GET /api/feedback", path: "/api/feedback", own: 200},
	{route: "GET /api/feedback", path: "/api/feedback?run_id={run}", own: 200, nobodys: 404},
	{route: "GET /api/ledger", path: "/api/ledger", own: 200},
	{route: "GET /api/ledger/key", path: "/api/ledger/key", own: 200},
	{route: "GET /api/ledger/export", path: "/api/ledger/export", own: 200},
	{route: "GET /api/ledger/checkpoint", path: "/api/ledger/checkpoint", own: 200},
	{route: "GET /api/ledger/checkpoint", path: "/api/ledger/checkpoint?from=1", own: 200},
	{route: "GET /api/ledger/{id}", path: "/api/ledger/{entry}", own: 200, nobodys: 404, auditor: true},
	{route: "GET /api/ledger/{id}/proof", path: "/api/ledger/{entry}/proof", own: 200, nobodys: 404, auditor: true},
	{route: "GET /api/runs/{id}/why", path: "/api/runs/{run}/why", own: 200, nobodys: 404, auditor: true},
	{route: "GET /api/runs/{id}/bundle", path: "/api/runs/{run}/bundle", own: 200, nobodys: 404, auditor: true},
	{route: "POST /api/documents/{id}/archive", path: "/api/documents/{id}/archive", own: 200, nobodys: 404},
	{route: "DELETE /api/documents/{id}", path: "/api/documents/{draft}?erase=true", as: "carol", own: 204, nobodys: 404},
	{route: "DELETE /api/documents/{id}", path: "/api/documents/{id}", own: 204, nobodys: 404},
	{route: "DELETE /api/knowledge-bases/{kb}", path: "/api/knowledge-bases/{kb}", own: 204, nobodys: 404},
})

// registered lists the patterns that the server's mux holds.
func registered(t *testing.T, s *server) []string {
	t.Helper()
	out := []string{"GET /{$}", "GET /openapi.json"}
	for path, item := range s.api.OpenAPI().Paths {
		for method, op := range map[string]any{"GET": item.Get, "POST": item.Post, "PUT": item.Put, "PATCH": item.Patch, "DELETE": item.Delete} {
			if !isNil(op) {
				out = append(out, method+" "+path)
			}
		}
	}
	sort.Strings(out)
	return out
}

func TestEveryRouteHasARow(t *testing.T) {
	w := newWorld(t)
	var have []string
	for _, r := range rows {
		have = append(have, r.route)
	}
	sort.Strings(have)
	have = slices.Compact(have)
	for _, route := range registered(t, w.server) {
		if !slices.Contains(have, route) {
			t.Errorf("the route %s has no row: say what strangers get from it", route)
		}
	}
	for _, route := range have {
		if !slices.Contains(registered(t, w.server), route) {
			t.Errorf("the row %s belongs to no route", route)
		}
	}
}

// things are the ids of one set of objects.
type things map[string]string

func (w *world) own(suffix string) things {
	w.t.Helper()
	kb := "kb-" + suffix
	w.kb(kb)
	up := w.add(kb, "travel.txt|The lodging limit is 650 yuan.", "status", "published")
	w.grant(kb, "user:alice", "manager", "user:carol", "manager")
	draft := w.add(kb, "travel.txt|The lodging limit is 700 yuan.").DocumentID
	pdf := w.add(kb, "plan.pdf|Two pages.", "status", "published").DocumentID
	dxf := w.add(kb, "hall.dxf|One sheet.", "status", "published").DocumentID
	var proposals [2]string
	for i := range proposals {
		p := expect[api.Proposal](w, "carol", http.MethodPost, "/api/documents/"+draft+"/publish-proposals", "", http.StatusCreated)
		proposals[i] = p.ProposalID
	}
	conversation := "conv-" + suffix
	must(w.t, w.db.Memory().Remember(w.t.Context(), acme, "alice", memory.Memory{Conversation: conversation, Summary: "lodging"}))
	a := w.ask("alice", "lodging")
	done := w.approve("alice", w.wish("alice", taskPath, taskBody(up.DocumentID, "1", a.RunID)).ApprovalID)
	out := w.approve("alice", w.wish("alice", "/api/tools/export_document/proposals", `{"object_id":"`+up.DocumentID+`","version":"1"}`).ApprovalID)
	review, saved := w.review("alice", "lodging"), w.saved("alice", w.review("alice", "lodging"))
	mine := things{
		"call": w.wish("alice", taskPath, taskBody(up.DocumentID, "1", a.RunID)).ApprovalID, "task": done.TaskID, "export": out.TaskID,
		"draft": draft, "pdf": pdf, "dxf": dxf, "proposal": proposals[0], "approval": proposals[1], "conversation": conversation,
		"kb": kb, "id": up.DocumentID, "job": *up.JobID, "run": a.RunID, "review": review, "saved": saved, "ref": "S1",
		"entry": expect[api.List[api.Entry]](w, "alice", http.MethodGet, "/api/ledger?run_id="+a.RunID, "", http.StatusOK).Items[0].ID,
	}
	maps.Copy(mine, w.staff(suffix))
	return mine
}

var nobody = things{
	"call": "prop_zzz", "task": "task_zzz", "export": "task_zzz",
	"draft": "doc_zzz", "pdf": "doc_zzz", "dxf": "doc_zzz", "proposal": "prop_zzz", "approval": "prop_zzz", "conversation": "conv-zzz",
	"kb": "kb-zzz", "id": "doc_zzz", "job": "job_zzz", "run": "run_zzz", "review": "run_zzz", "saved": "draft_zzz", "ref": "S1", "entry": "led_zzz",
	"user": "user-zzz", "group": "group-zzz", "member": "user:user-zzz", "token": "tok_zzz", "identity": "idn_zzz", "evaluation": "eval_zzz",
}

func (r row) request(w *world, who string, on things) *http.Request {
	fill := func(s string) string {
		for name, id := range on {
			s = strings.ReplaceAll(s, "{"+name+"}", id)
		}
		return s
	}
	method, _, _ := strings.Cut(r.route, " ")
	if who == "alice" && r.as != "" {
		who = r.as
	}
	var req *http.Request
	switch {
	case r.form:
		body, media := formOf("file", "new.txt|Some words.")
		req = w.request(who, method, fill(r.path), body, "Content-Type", media)
	case r.body != "":
		req = w.request(who, method, fill(r.path), strings.NewReader(fill(r.body)), "Content-Type", "application/json")
	default:
		req = w.request(who, method, fill(r.path), nil)
	}
	if r.accept != "" {
		req.Header.Set("Accept", r.accept)
	}
	for i := 0; i+1 < len(r.headers); i += 2 {
		req.Header.Set(r.headers[i], r.headers[i+1])
	}
	return req
}

// picture is all that a client sees of an answer but what names the request.
func picture(rec *httptest.ResponseRecorder) string {
	var b bytes.Buffer
	h := rec.Result().Header.Clone()
	h.Del("X-Request-Id")
	h.Del("Date")
	b.WriteString(rec.Result().Status + "\n")
	if err := h.Write(&b); err != nil {
		panic(err)
	}
	b.WriteString("\n" + rec.Body.String())
	return b.String()
}

func TestOwnerReachesEveryRoute(t *testing.T) {
	w := newWorld(t)
	mine := w.own("a")
	for _, r := range rows {
		if rec := w.do(r.request(w, r.owner(), mine)); rec.Code != r.own {
			t.Errorf("%s: status %d, want %d: %s", r.route, rec.Code, r.own, rec.Body)
		}
		w.runner.work.Wait()
	}
}

func TestForeignObjectsLookUnknown(t *testing.T) {
	w := newWorld(t)
	alices := w.own("a")
	for _, who := range []string{"bob", "dave", "erin", "toby"} {
		for _, r := range rows {
			if r.nobodys == 0 {
				continue
			}
			foreign, unknown := w.do(r.request(w, who, alices)), w.do(r.request(w, who, nobody))
			if r.auditor && who == "dave" {
				if foreign.Code != r.own || unknown.Code != r.nobodys {
					t.Errorf("%s as the auditor: status %d, want %d, and %d, want %d", r.route, foreign.Code, r.own, unknown.Code, r.nobodys)
				}
				continue
			}
			if foreign.Code != r.nobodys {
				t.Errorf("%s as %s on Alice's: status %d, want %d: %s", r.route, who, foreign.Code, r.nobodys, foreign.Body)
			}
			if a, b := picture(foreign), picture(unknown); a != b {
				t.Errorf("%s as %s: Alice's object and an unknown one differ:\n%s\n---\n%s", r.route, who, a, b)
			}
		}
	}
	// Nothing that was tried has changed anything.
	for _, r := range rows {
		if strings.HasPrefix(r.route, "GET") {
			if rec := w.do(r.request(w, r.owner(), alices)); rec.Code != r.own {
				t.Errorf("%s as the owner afterwards: status %d, want %d", r.route, rec.Code, r.own)
			}
		}
	}
}

func TestReaderReachesNoEditorsRoute(t *testing.T) {
	w := newWorld(t)
	alices := w.own("a")
	w.grant("kb-a", "user:alice", "manager", "user:bob", "reader")
	for _, r := range rows {
		if r.nobodys == 0 || !strings.Contains(r.path, "{kb}") && !strings.Contains(r.path, "{id}") {
			continue
		}
		if strings.HasPrefix(r.route, "GET") && !strings.HasSuffix(r.route, "grants") {
			continue
		}
		foreign, unknown := w.do(r.request(w, "bob", alices)), w.do(r.request(w, "bob", nobody))
		if a, b := picture(foreign), picture(unknown); foreign.Code != 404 || a != b {
			t.Errorf("%s as a reader: got\n%s\nwant\n%s", r.route, a, b)
		}
	}
}

func TestNoRouteOpensWithoutValidCredentials(t *testing.T) {
	w := newWorld(t)
	alices := w.own("a")
	w.tokens["nonsense"] = "kj_nonsense"
	for _, r := range rows {
		var first string
		for _, who := range []string{"", "frank", "nonsense"} {
			rec := w.do(r.request(w, who, alices))
			if r.open {
				if rec.Code != r.own {
					t.Errorf("%s as %q: status %d, want %d", r.route, who, rec.Code, r.own)
				}
				continue
			}
			if rec.Code != http.StatusUnauthorized || rec.Header().Get("WWW-Authenticate") != "Bearer" {
				t.Errorf("%s as %q: status %d, WWW-Authenticate %q", r.route, who, rec.Code, rec.Header().Get("WWW-Authenticate"))
			}
			if first == "" {
				first = picture(rec)
			}
			if got := picture(rec); got != first {
				t.Errorf("%s: no token, a suspended user's and an unknown one differ:\n%s\n---\n%s", r.route, first, got)
			}
		}
	}
}

func TestVersionedAddressIsTheSame(t *testing.T) {
	w := newWorld(t)
	mine := w.own("a")
	for _, path := range []string{"/me", "/system", "/knowledge-bases/" + mine["kb"], "/documents/" + mine["id"], "/runs/" + mine["run"], "/runs/zzz"} {
		plain, versioned := w.send("alice", "GET", "/api"+path, ""), w.send("alice", "GET", "/api/v1"+path, "")
		if picture(plain) != picture(versioned) {
			t.Errorf("/api/v1%s differs:\n%s\n---\n%s", path, picture(plain), picture(versioned))
		}
	}
}

func TestOddAddressesAreNotThere(t *testing.T) {
	w := newWorld(t)
	mine := w.own("a")
	want := picture(w.send("alice", "GET", "/api/nothing", ""))
	for _, path := range []string{
		"/api/", "/api", "/api/me/", "/api//me", "/api/./me", "/api/x/../me", "/API/me", "/api/Me", "/api/v2/me", "/api/v1", "/api/me;x=1",
		"/api/documents/" + mine["id"] + "/", "/api/documents/%2e%2e", "/api/documents/..%2f" + mine["id"], "/api/documents/" + strings.ToUpper(mine["id"]),
		"/api/documents/%20" + mine["id"], "/api/documents/" + mine["id"] + "%00", "/docs", "/schemas/Problem.json", "/openapi.yaml", "/openapi-3.0.json", "/metrics", "/debug/pprof/",
	} {
		if got := picture(w.send("alice", "GET", path, "")); got != want {
			t.Errorf("GET %s:\n%s\nwant\n%s", path, got, want)
		}
	}
	// Nobody needs a token to learn that the metrics are elsewhere.
	if got := picture(w.send("", "GET", "/metrics", "")); got != want {
		t.Errorf("GET /metrics without a token:\n%s\nwant\n%s", got, want)
	}
}

func TestWrongMethodNamesTheRightOnes(t *testing.T) {
	w := newWorld(t)
	rec := w.send("alice", "DELETE", "/api/me", "")
	if rec.Code != http.StatusMethodNotAllowed || !strings.Contains(rec.Header().Get("Allow"), "GET") {
		t.Errorf("status %d, Allow %q", rec.Code, rec.Header().Get("Allow"))
	}
	w.refusal("alice", "POST", "/api/me", `{}`, http.StatusMethodNotAllowed, "method_not_allowed")
}

func TestAnswersCarryTheSafeHeaders(t *testing.T) {
	w := newWorld(t)
	mine := w.own("a")
	id := regexp.MustCompile(`^[a-z2-7]{26}$`)
	for _, r := range rows {
		for _, who := range []string{r.owner(), ""} {
			if strings.HasPrefix(r.route, "DELETE") {
				continue
			}
			rec := w.do(r.request(w, who, mine))
			h := rec.Header()
			w.runner.work.Wait()
			policy, kept := "default-src 'none'; frame-ancestors 'none'", "no-store"
			if r.route == "GET /api/documents/{id}/pages/{file}" && rec.Code == http.StatusOK {
				kept = "private, no-cache"
			}
			if r.route == "GET /api/documents/{id}/drawing" && rec.Code == http.StatusOK {
				kept, policy = "private, no-cache", "sandbox; "+policy
			}
			if strings.HasSuffix(r.route, "/preview") && rec.Code == http.StatusOK {
				policy = "sandbox; " + policy
			}
			for name, want := range map[string]string{
				"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
				"Content-Security-Policy": policy,
			} {
				if h.Get(name) != want {
					t.Errorf("%s: %s is %q, want %q", r.route, name, h.Get(name), want)
				}
			}
			if !strings.Contains(h.Get("Cache-Control"), kept) || !id.MatchString(h.Get("X-Request-Id")) {
				t.Errorf("%s: Cache-Control %q, X-Request-Id %q", r.route, h.Get("Cache-Control"), h.Get("X-Request-Id"))
			}
			if h.Get("Access-Control-Allow-Origin") != "" || h.Get("Server") != "" {
				t.Errorf("%s: %v", r.route, h)
			}
		}
	}
}
