package httpapi

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/memory"
)

// published makes the second version of an office the one in force, so that the first is archived.
func published(t *testing.T) (w *world, first, second string) {
	t.Helper()
	w, first, second = office(t)
	p := w.propose("carol", second)
	expect[api.Decided](w, "carol", "POST", decisions(p.ProposalID), `{"approved":true}`, http.StatusOK)
	return w, first, second
}

const versionPath = "/api/tools/document-versions/"

// reads counts the readings of history in the ledger, by part.
func (w *world) reads() map[string]int {
	w.t.Helper()
	out := map[string]int{}
	for _, e := range expect[api.List[api.Entry]](w, "dave", "GET", "/api/ledger?limit=200", "", http.StatusOK).Items {
		if e.Kind != "history.read" {
			continue
		}
		for _, part := range []string{"text", "diff", "search", "chunks", "original", "preview"} {
			if strings.Contains(string(e.Body), `"part":"`+part+`"`) {
				out[part]++
			}
		}
	}
	return out
}

func TestAdministratorReadsTheWholeOfAnArchivedVersion(t *testing.T) {
	w, first, second := published(t)
	got := expect[api.DocumentVersion](w, "carol", "GET", versionPath+first, "", http.StatusOK)
	_, text, _ := strings.Cut(firstPolicy, "|")
	if got.Content != text || got.Version != 1 || got.Status != "archived" || got.DocKey != "travel.txt" || got.DocumentID != first {
		t.Errorf("%+v", got)
	}
	if got := expect[api.DocumentVersion](w, "carol", "GET", versionPath+second, "", http.StatusOK); got.Status != "published" {
		t.Errorf("%+v", got)
	}
	if got := w.reads(); got["text"] != 2 {
		t.Errorf("%v readings are recorded, want 2", got)
	}
	entries := w.send("dave", "GET", "/api/ledger?limit=200", "").Body.String()
	if strings.Contains(entries, "CANARY") || strings.Contains(w.log.String(), "CANARY") {
		t.Error("the ledger or the log repeats the text")
	}
}

func TestHistoryIsNotThereForAnybodyElse(t *testing.T) {
	w, first, second := published(t)
	must(t, w.db.Admin().PutUser(t.Context(), acme, "operator", access.Identity{User: "dave", Roles: []access.Role{access.KnowledgeAdmin, access.Auditor}}))
	before := w.reads()
	// Alice manages without the role, Bob reads, Dave has the role without the right to read.
	for _, who := range []string{"alice", "bob", "dave", "erin"} {
		want := picture(w.send(who, "GET", versionPath+"doc_zzz", ""))
		for _, id := range []string{first, second} {
			if got := picture(w.send(who, "GET", versionPath+id, "")); got != want || !strings.HasPrefix(got, "404") {
				t.Errorf("%s: %s\nunknown: %s", who, got, want)
			}
		}
	}
	w.grant("kb-a", "user:alice", "manager", "user:bob", "reader")
	if got := w.send("carol", "GET", versionPath+first, ""); got.Code != 404 {
		t.Errorf("after the grant is gone: %d", got.Code)
	}
	if diff := cmp.Diff(before, w.reads()); diff != "" {
		t.Errorf("refused readings are recorded as readings: %s", diff)
	}
}

func TestDifferenceOfTwoVersions(t *testing.T) {
	w, first, second := published(t)
	path := func(from, to string) string { return "/api/documents/" + from + "/diff?to=" + to }
	d := expect[api.Diff](w, "carol", "GET", path(first, second), "", http.StatusOK)
	if d.From.Version != 1 || d.To.Version != 2 || len(d.Added) != 1 || len(d.Changed) != 1 || len(d.Removed) != 0 || d.PolicyDiffers == nil || *d.PolicyDiffers {
		t.Errorf("%+v", d)
	}
	if n := d.Numbers; len(n) != 1 || n[0].Old != "500" || n[0].New != "650" || n[0].Unit != "yuan" {
		t.Errorf("%+v", n)
	}
	back := expect[api.Diff](w, "carol", "GET", path(second, first), "", http.StatusOK)
	if len(back.Removed) != 1 || back.Numbers[0].New != "500" {
		t.Errorf("%+v", back)
	}
	if same := expect[api.Diff](w, "bob", "GET", path(second, second), "", http.StatusOK); same.Counts != (api.DiffCounts{}) || same.PolicyDiffers != nil {
		t.Errorf("%+v", same)
	}
	if got := w.reads()["diff"]; got != 2 {
		t.Errorf("%d readings are recorded, want 2", got)
	}
	other := w.add("kb-a", "other.txt|Other.", "status", "published").DocumentID
	p := w.refusal("carol", "GET", path(second, other), "", http.StatusUnprocessableEntity, "invalid_request")
	if p.Errors[0].Pointer != "?to" {
		t.Errorf("%+v", p)
	}
	w.refusal("carol", "GET", "/api/documents/"+first+"/diff", "", http.StatusUnprocessableEntity, "invalid_request")
	// An archived version is not there for those who may not read history, on either side.
	for _, who := range []string{"alice", "bob", "dave", "erin"} {
		for _, pair := range [][2]string{{first, second}, {second, first}, {first, first}, {other, first}, {first, other}} {
			swap := func(id string) string {
				if id == first {
					return "doc_zzz"
				}
				return id
			}
			got, want := w.send(who, "GET", path(pair[0], pair[1]), ""), w.send(who, "GET", path(swap(pair[0]), swap(pair[1])), "")
			if got.Code != 404 || picture(got) != picture(want) {
				t.Errorf("%s: %s", who, picture(got))
			}
		}
	}
}

func TestSourceFollowsItsPassageThroughTheVersions(t *testing.T) {
	w, first, second := office(t)
	run := w.ask("bob", "lodging").RunID
	current := func() api.Current {
		t.Helper()
		src := expect[api.Source](w, "bob", "GET", "/api/runs/"+run+"/sources/S1", "", http.StatusOK)
		if src.DocumentID != first || !strings.Contains(src.Excerpt, "500 yuan") {
			t.Fatalf("%+v", src)
		}
		return src.Current
	}
	said := func(c api.Current) string {
		out := c.Status
		if c.Change != nil {
			out += " " + *c.Change + " " + *c.DocumentID
		}
		for _, n := range c.Numbers {
			out += " " + n.Old + ">" + n.New
		}
		return out
	}
	publish := func(id string) {
		t.Helper()
		p := w.propose("carol", id)
		expect[api.Decided](w, "carol", "POST", decisions(p.ProposalID), `{"approved":true}`, http.StatusOK)
	}
	step := func(want string) {
		t.Helper()
		if got := said(current()); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	step("published unchanged " + first)
	publish(second)
	step("archived changed " + second + " 500>650")
	if c := current(); len(c.Lines) != 4 || c.Span == nil {
		t.Errorf("%+v", c)
	}
	moved := w.add("kb-a", "travel.txt|Taxis need a receipt.\n\nMeals are paid by the day.\n\nThe lodging limit is 500 yuan a night. CANARY-one.").DocumentID
	publish(moved)
	step("archived unchanged " + moved)
	gone := w.add("kb-a", "travel.txt|Taxis need a receipt.\n\nMeals are paid by the day.").DocumentID
	publish(gone)
	step("archived removed " + gone)
	publish(first)
	step("published unchanged " + first)
	publish(second)
	expect[api.Document](w, "alice", "POST", "/api/documents/"+second+"/archive", "", http.StatusOK)
	step("archived")
	publish(second)
	w.send("alice", "DELETE", "/api/documents/"+second, "")
	step("archived")
	w.send("alice", "DELETE", "/api/documents/"+first, "")
	w.refusal("bob", "GET", "/api/runs/"+run+"/sources/S1", "", http.StatusNotFound, "not_found")
}

func TestArchivingTakesOutOfForce(t *testing.T) {
	w, first, second := office(t)
	w.refusal("alice", "POST", "/api/documents/"+second+"/archive", "", http.StatusConflict, "not_published")
	w.refusal("alice", "POST", "/api/documents/"+first+"/archive", "", http.StatusPreconditionFailed, "precondition_failed", "If-Match", `"99"`)
	w.refusal("carol", "POST", "/api/documents/"+first+"/archive", "", http.StatusNotFound, "not_found")
	before := w.document(first)
	got := expect[api.Document](w, "alice", "POST", "/api/documents/"+first+"/archive", "", http.StatusOK, "If-Match", api.ETag(before.LockVersion))
	if got.Status != "archived" || got.LockVersion <= before.LockVersion {
		t.Errorf("%+v", got)
	}
	w.refusal("bob", "GET", "/api/documents/"+first, "", http.StatusNotFound, "not_found")
	if found := expect[api.SearchResult](w, "bob", "POST", "/api/search", `{"query":"lodging"}`, http.StatusOK); len(found.Items) != 0 {
		t.Errorf("%+v", found.Items)
	}
}

func TestErasingNeedsManagerAndTheRole(t *testing.T) {
	w, first, second := office(t)
	run := w.ask("bob", "lodging").RunID
	erase := func(who, id string) int { return w.send(who, "DELETE", "/api/documents/"+id+"?erase=true", "").Code }
	for _, who := range []string{"alice", "carol", "bob", "erin"} { // The first manages, the second has the role.
		if got := erase(who, first); got != 404 {
			t.Errorf("%s: %d", who, got)
		}
	}
	w.refusal("alice", "DELETE", "/api/documents/"+first+"?erase=perhaps", "", http.StatusUnprocessableEntity, "invalid_request")
	w.grant("kb-a", "user:alice", "manager", "user:carol", "manager", "user:bob", "reader")
	w.refusal("carol", "DELETE", "/api/documents/"+first+"?erase=true", "", http.StatusPreconditionFailed, "precondition_failed", "If-Match", `"99"`)
	if w.send("carol", "DELETE", "/api/documents/"+second, "").Code != 204 || erase("carol", second) != 204 {
		t.Error("a deleted version was not erased")
	}
	if got := erase("carol", first); got != 204 {
		t.Errorf("%d", got)
	}
	for _, path := range []string{"/api/documents/" + first, "/api/documents/" + first + "/original", versionPath + first} {
		w.refusal("carol", "GET", path, "", http.StatusNotFound, "not_found")
	}
	rec := w.send("bob", "GET", "/api/runs/"+run, "")
	if strings.Contains(rec.Body.String(), "CANARY") || strings.Contains(rec.Body.String(), "erased") || !strings.Contains(rec.Body.String(), `"withheld":true`) {
		t.Errorf("%s", rec.Body)
	}
}

func TestPastIsForAdministratorsAndRecorded(t *testing.T) {
	w, first, second := office(t)
	then := time.Now().Add(time.Minute).Truncate(time.Second).UTC()
	w.set(then.Add(time.Hour))
	p := w.propose("carol", second)
	expect[api.Decided](w, "carol", "POST", decisions(p.ProposalID), `{"approved":true}`, http.StatusOK)
	w.set(then.Add(48 * time.Hour))
	find := func(asOf string) string {
		t.Helper()
		body := `{"query":"lodging","as_of":"` + asOf + `"}`
		if asOf == "" {
			body = `{"query":"lodging"}`
		}
		out := ""
		for _, h := range expect[api.SearchResult](w, "carol", "POST", "/api/search", body, http.StatusOK).Items {
			out += h.DocumentID
		}
		return out
	}
	day := func(t time.Time) string { return t.Format(time.DateOnly) }
	for asOf, want := range map[string]string{
		"": second, then.Format(time.RFC3339): first, then.Add(2 * time.Hour).Format(time.RFC3339): second, day(then.Add(24 * time.Hour)): second,
		day(then.Add(48 * time.Hour)): second, day(then.Add(-48 * time.Hour)): "", then.Add(2 * time.Hour).In(time.FixedZone("", 8*3600)).Format(time.RFC3339): second,
	} {
		if got := find(asOf); got != want {
			t.Errorf("as of %q: %s, want %s", asOf, got, want)
		}
	}
	if got := w.reads()["search"]; got != 6 {
		t.Errorf("%d searches of the past are recorded, want 6", got)
	}
	asked := `{"query":"lodging","as_of":"` + then.Format(time.RFC3339) + `"}`
	for _, who := range []string{"alice", "bob", "erin"} {
		w.refusal(who, "POST", "/api/search", asked, http.StatusNotFound, "not_found")
	}
	for _, bad := range []string{"yesterday", "2026-13-01", "20261001", "2026-10-01 08:00", day(then.Add(96 * time.Hour)), then.Add(96 * time.Hour).Format(time.RFC3339)} {
		for path, body := range map[string]string{
			"/api/search": `{"query":"x","as_of":"` + bad + `"}`, "/api/chat": `{"question":"x","as_of":"` + bad + `"}`, "/api/runs": `{"kind":"answer","goal":"x","as_of":"` + bad + `"}`,
		} {
			if p := w.refusal("carol", "POST", path, body, http.StatusUnprocessableEntity, "invalid_request"); p.Errors[0].Pointer != "/as_of" {
				t.Errorf("%s of %q: %+v", path, bad, p)
			}
		}
	}
}

func TestMomentOfAQuestionReachesTheRun(t *testing.T) {
	w, _, _ := office(t)
	then := time.Now().Add(-time.Hour).Truncate(time.Second).UTC()
	for path, body := range map[string]string{
		"/api/chat": `{"question":"lodging","as_of":"` + then.Format(time.RFC3339) + `"}`,
		"/api/runs": `{"kind":"answer","goal":"lodging","as_of":"` + then.Format(time.RFC3339) + `"}`,
	} {
		w.send("carol", "POST", path, body)
		w.runner.work.Wait()
		if got := w.runner.last; !got.AsOf.Equal(then) || got.Goal != "lodging" {
			t.Errorf("%s: %+v", path, got)
		}
	}
}

func TestMemoryIsItsOwnersAlone(t *testing.T) {
	w, _, _ := office(t)
	path := "/api/conversations/c-1/memory"
	remember := func(who access.UserID, tenant access.TenantID, summary string) {
		must(t, w.db.Memory().Remember(t.Context(), tenant, who, memory.Memory{Conversation: "c-1", Summary: summary}))
	}
	remember("alice", acme, "上海住宿")
	if got := expect[api.Memory](w, "alice", "GET", path, "", http.StatusOK); got.Summary != "上海住宿" || got.UpdatedAt.IsZero() {
		t.Errorf("%+v", got)
	}
	for _, who := range []string{"bob", "carol", "dave", "erin"} {
		for _, method := range []string{"GET", "DELETE"} {
			own, unknown := w.send(who, method, path, ""), w.send(who, method, "/api/conversations/c-zzz/memory", "")
			if own.Code != 404 || picture(own) != picture(unknown) {
				t.Errorf("%s %s: %s", who, method, picture(own))
			}
		}
	}
	// One id in the hands of two is two memories.
	remember("bob", acme, "北京交通")
	remember("erin", globex, "Berlin")
	for who, want := range map[string]string{"alice": "上海住宿", "bob": "北京交通", "erin": "Berlin"} {
		if got := expect[api.Memory](w, who, "GET", path, "", http.StatusOK); got.Summary != want {
			t.Errorf("%s: %+v", who, got)
		}
	}
	if got := w.send("bob", "DELETE", path, ""); got.Code != http.StatusNoContent {
		t.Errorf("%d", got.Code)
	}
	w.refusal("bob", "GET", path, "", http.StatusNotFound, "not_found")
	w.refusal("bob", "DELETE", path, "", http.StatusNotFound, "not_found")
	expect[api.Memory](w, "alice", "GET", path, "", http.StatusOK)
}

// A question without a conversation begins one, which everything that tells of the run names.
func TestAQuestionWithoutAConversationBeginsOne(t *testing.T) {
	w, _, _ := office(t)
	ask := func(body string, headers ...string) api.Answer {
		t.Helper()
		a := expect[api.Answer](w, "bob", http.MethodPost, "/api/chat", body, http.StatusOK, headers...)
		w.runner.work.Wait()
		return a
	}
	first := ask(`{"question":"lodging"}`, "Idempotency-Key", "k")
	if c := first.ConversationID; !strings.HasPrefix(c, "conv_") || len(c) < 20 {
		t.Fatalf("the conversation is %q", c)
	}
	if again := ask(`{"question":"lodging"}`, "Idempotency-Key", "k"); again.RunID != first.RunID || again.ConversationID != first.ConversationID {
		t.Errorf("the same request is answered as %s in %s", again.RunID, again.ConversationID)
	}
	if other := ask(`{"question":"lodging"}`); other.ConversationID == first.ConversationID || other.ConversationID == "" {
		t.Errorf("another question begins %q", other.ConversationID)
	}
	if next := ask(`{"question":"and meals?","conversation_id":"` + first.ConversationID + `"}`); next.ConversationID != first.ConversationID {
		t.Errorf("the next question is in %q", next.ConversationID)
	}
	runs := expect[api.List[api.Run]](w, "bob", http.MethodGet, "/api/runs?conversation_id="+first.ConversationID, "", http.StatusOK).Items
	if len(runs) != 2 || runs[1].RunID != first.RunID || runs[0].ConversationID != first.ConversationID {
		t.Errorf("the runs of the conversation are %+v", runs)
	}
	created := expect[api.List[api.Event]](w, "bob", http.MethodGet, "/api/runs/"+first.RunID+"/events", "", http.StatusOK, "Accept", "application/json").Items[0]
	if created.Type != "run.created" || !strings.Contains(string(created.Data), `"conversation_id":"`+first.ConversationID+`"`) {
		t.Errorf("%s %s", created.Type, created.Data)
	}
	started := expect[api.Started](w, "bob", http.MethodPost, "/api/runs", `{"kind":"answer","goal":"lodging"}`, http.StatusAccepted)
	w.runner.work.Wait()
	if r := expect[api.Run](w, "bob", http.MethodGet, "/api/runs/"+started.RunID, "", http.StatusOK); !strings.HasPrefix(r.ConversationID, "conv_") {
		t.Errorf("a run is in %q", r.ConversationID)
	}
}

func TestConversationsAreTheCallersOwn(t *testing.T) {
	w, _, _ := office(t)
	for i, who := range []string{"bob", "carol", "bob"} {
		id := []string{"c-1", "c-1", "c-2"}[i]
		expect[api.Answer](w, who, "POST", "/api/chat", `{"question":"lodging of `+who+`","conversation_id":"`+id+`"}`, http.StatusOK)
		w.runner.work.Wait()
	}
	ids := func(who string) (out []string) {
		path := "/api/conversations?limit=1"
		for {
			page := expect[api.List[api.Conversation]](w, who, "GET", path, "", http.StatusOK)
			for _, c := range page.Items {
				out = append(out, c.ConversationID+" "+c.Title)
			}
			if page.NextCursor == nil {
				return out
			}
			path = "/api/conversations?limit=1&cursor=" + *page.NextCursor
		}
	}
	for who, want := range map[string][]string{"bob": {"c-2 lodging of bob", "c-1 lodging of bob"}, "carol": {"c-1 lodging of carol"}, "alice": nil} {
		if diff := cmp.Diff(want, ids(who)); diff != "" {
			t.Errorf("%s: %s", who, diff)
		}
	}
}
