package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/kaoju/kaoju/api"
)

// whole makes a request as a user and returns the answer with its headers, but for those that
// name the request and its moment.
func (s *served) whole(user, path string) string {
	s.t.Helper()
	req, err := http.NewRequestWithContext(s.t.Context(), http.MethodGet, s.url+path, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+s.tokens[user])
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		s.t.Fatal(err)
	}
	defer resp.Body.Close()
	resp.Header.Del("X-Request-Id")
	resp.Header.Del("Date")
	var b strings.Builder
	if err := resp.Write(&b); err != nil {
		s.t.Fatal(err)
	}
	return b.String()
}

// ok makes a request that must be answered with a status, and decodes the answer.
func (s *served) ok(user, method, path, body string, want int) map[string]any {
	s.t.Helper()
	status, raw := s.call(user, method, path, body)
	if status != want {
		s.t.Fatalf("%s %s as %s answers %d, want %d: %s", method, path, user, status, want, raw)
	}
	var out map[string]any
	if raw != "" {
		if err := json.Unmarshal([]byte(raw), &out); err != nil {
			s.t.Fatal(err)
		}
	}
	return out
}

// refused makes a request that must be refused with a status and a code.
func (s *served) refused(user, method, path, body string, status int, code string) {
	s.t.Helper()
	if got := s.ok(user, method, path, body, status); got["code"] != code {
		s.t.Errorf("%s %s as %s is refused with %v, want %s", method, path, user, got, code)
	}
}

// propose proposes the draft of the travel policy as Carol and returns the way to the decisions.
func (s *served) propose() string {
	s.t.Helper()
	p := s.ok("CAROL", "POST", "/api/documents/doc-travel-v3/publish-proposals", "", 201)
	if p["status"] != "pending" || p["document_id"] != "doc-travel-v3" || p["expires_at"] == nil || p["lock_version"] == nil {
		s.t.Fatalf("the proposal is %v", p)
	}
	return fmt.Sprintf("/api/publish-proposals/%s", p["proposal_id"])
}

func TestDemonstrationOpensHistoryToItsAdministratorAlone(t *testing.T) {
	s := serveDemo(t, t.TempDir())
	const history = "/api/tools/document-versions/"
	v1 := s.ok("CAROL", "GET", history+"doc-travel-v1", "", 200)
	content, _ := v1["content"].(string)
	if v1["document_id"] != "doc-travel-v1" || v1["doc_key"] != "travel-policy" || v1["version"] != 1.0 || v1["status"] != "archived" ||
		!strings.Contains(content, "500 元") || strings.Contains(content, "650 元") {
		t.Errorf("Carol reads %v", v1)
	}
	for _, user := range []string{"ALICE", "BOB", "DAVE", "ERIN"} {
		foreign, unknown := s.whole(user, history+"doc-travel-v1"), s.whole(user, history+"doc-no-such-thing")
		if foreign != unknown || !strings.HasPrefix(foreign, "HTTP/1.1 404") {
			t.Errorf("%s is answered\n%s\nand for an unknown id\n%s", user, foreign, unknown)
		}
	}
	// The role alone is no right to read.
	foreign, unknown := s.whole("CAROL", history+"doc-rd-handbook-v1"), s.whole("CAROL", history+"doc-no-such-thing")
	if foreign != unknown {
		t.Errorf("Carol is answered\n%s\nfor a document that is not hers, and for an unknown one\n%s", foreign, unknown)
	}
}

func TestDemonstrationRemembersForOnePersonAlone(t *testing.T) {
	s := serveDemo(t, t.TempDir())
	ask := func(question string) chatAnswer {
		t.Helper()
		_, raw := s.call("ALICE", "POST", "/api/chat", `{"conversation_id":"c-trip","question":"`+question+`"}`)
		var a chatAnswer
		if err := json.Unmarshal([]byte(raw), &a); err != nil {
			t.Fatal(err)
		}
		return a
	}
	if a := ask("上海住宿上限是多少？"); a.State != "completed" || !strings.Contains(a.Answer, "650") {
		t.Fatalf("the first answer is %+v", a)
	}
	const memory = "/api/conversations/c-trip/memory"
	m := s.ok("ALICE", "GET", memory, "", 200)
	if summary, _ := m["summary"].(string); !strings.Contains(summary, "住宿") || len([]rune(summary)) > 500 {
		t.Errorf("Alice's memory is %v", m)
	}
	for _, user := range []string{"BOB", "CAROL", "DAVE", "ERIN"} {
		if got, want := s.whole(user, memory), s.whole(user, "/api/conversations/c-none/memory"); got != want || !strings.HasPrefix(got, "HTTP/1.1 404") {
			t.Errorf("%s is answered about Alice's memory\n%s\nand about none\n%s", user, got, want)
		}
	}
	a := ask("那报销呢？")
	found := false
	for _, c := range a.Citations {
		found = found || c.DocKey == "travel-policy" && (strings.Contains(c.Excerpt, "报销") || strings.Contains(string(c.Locator), "报销"))
	}
	if a.State != "completed" || !found {
		t.Errorf("the question that leans on the first is answered %+v", a)
	}
	if status, _ := s.call("ALICE", "DELETE", memory, ""); status != 204 {
		t.Errorf("erasing the memory answers %d", status)
	}
	s.refused("ALICE", "GET", memory, "", 404, "not_found")
}

// A question that names no conversation begins one, and the next that names it is understood by it: on a
// server, and on the folder.
func TestAFollowUpGoesOnInTheConversationThatTheAnswerNamed(t *testing.T) {
	dir := t.TempDir()
	s := serveDemo(t, dir)
	for name, where := range map[string][]string{
		"server": {"--server", s.url, "--token", s.tokens["ALICE"]}, "folder": {"--data", dir, "--tenant", "acme", "--as", "alice"},
	} {
		ask := func(args ...string) (a api.Answer) {
			t.Helper()
			if err := json.Unmarshal([]byte(done(t, append(append([]string{"ask", "--json"}, args...), where...)...)), &a); err != nil {
				t.Fatal(err)
			}
			return a
		}
		first := ask("上海住宿上限是多少？")
		if !strings.HasPrefix(first.ConversationID, "conv_") {
			t.Fatalf("%s: the conversation is %q", name, first.ConversationID)
		}
		next := ask("--conversation", first.ConversationID, "那报销呢？")
		leans := slices.ContainsFunc(next.Citations, func(c api.Citation) bool { return c.DocKey == "travel-policy" })
		if next.ConversationID != first.ConversationID || !leans {
			t.Errorf("%s: the follow-up in %q is answered from %+v", name, next.ConversationID, next.Citations)
		}
		if m := s.ok("ALICE", "GET", "/api/conversations/"+first.ConversationID+"/memory", "", 200); !strings.Contains(fmt.Sprint(m["summary"]), "住宿") {
			t.Errorf("%s: the memory is %v", name, m)
		}
	}
	fails(t, exitUsage, "ask", "--in", dir, "--conversation", "c", "x")
}

func TestDemonstrationPublishesInTwoRequests(t *testing.T) {
	dir := t.TempDir()
	s := serveDemo(t, dir)
	const draft = "/api/documents/doc-travel-v3"
	yes, no := `{"approved":true}`, `{"approved":false}`
	s.another(dir)

	before := s.ok("CAROL", "GET", draft, "", 200)
	way := s.propose()
	if got := s.ok("CAROL", "POST", way+"/decisions", no, 200); got["status"] != "cancelled" {
		t.Errorf("declining answers %v", got)
	}
	if after := s.ok("CAROL", "GET", draft, "", 200); after["lock_version"] != before["lock_version"] || after["status"] != "draft" {
		t.Errorf("declining left %v after %v", after, before)
	}
	s.refused("CAROL", "POST", way+"/decisions", yes, 409, "already_decided")

	way = s.propose()
	s.ok("CAROL", "PATCH", draft, `{"title":"差旅管理制度（修订）"}`, 200)
	s.refused("CAROL", "POST", way+"/decisions", yes, 409, "lock_conflict")
	if got := s.ok("CAROL", "GET", draft, "", 200); got["status"] != "draft" {
		t.Errorf("after a conflict the draft is %v", got)
	}

	answer := s.chat("ALICE", "上海住宿上限是多少？")
	way = s.propose()
	for _, user := range []string{"KURT", "ALICE", "BOB", "DAVE", "ERIN"} {
		s.refused(user, "POST", way+"/decisions", yes, 404, "not_found")
		s.refused(user, "GET", way, "", 404, "not_found")
	}
	var wait sync.WaitGroup
	statuses := make([]int, 2)
	for i := range statuses {
		wait.Go(func() { statuses[i], _ = s.call("CAROL", "POST", way+"/decisions", yes) })
	}
	wait.Wait()
	if statuses[0]+statuses[1] != 200+409 {
		t.Errorf("two decisions at once answer %v", statuses)
	}
	s.afterPublishing(answer)
}

// another makes Kurt, who may decide like Carol, but not what she proposed.
func (s *served) another(dir string) {
	s.t.Helper()
	for _, args := range [][]string{
		{"user", "add", "kurt", "--role", "knowledge_admin"}, {"grant", "set", "kb-policies", "user:kurt", "manager"},
		{"token", "create", "--user", "kurt"},
	} {
		// The operator acts as Carol, who manages the base.
		status, out, errs := kaoju(s.t, append(args, "--data", dir, "--tenant", "acme", "--as", "carol")...)
		if status != exitDone {
			s.t.Fatalf("%v: %d %s %s", args, status, out, errs)
		}
		if token := regexp.MustCompile(`kj_\S+`).FindString(out); token != "" {
			s.tokens["KURT"] = token
		}
	}
	if s.tokens["KURT"] == "" {
		s.t.Fatal("Kurt has no token")
	}
	s.ok("KURT", "GET", "/api/documents/doc-travel-v3", "", 200)
}

// afterPublishing checks that the third version was published once, and that an answer from the
// second says so.
func (s *served) afterPublishing(answer chatAnswer) {
	s.t.Helper()
	if v3 := s.ok("CAROL", "GET", "/api/documents/doc-travel-v3", "", 200); v3["status"] != "published" {
		s.t.Errorf("the draft is %v", v3)
	}
	if v2 := s.ok("CAROL", "GET", "/api/documents/doc-travel-v2", "", 200); v2["status"] != "archived" {
		s.t.Errorf("the version before is %v", v2)
	}
	published := 0
	for _, item := range s.ok("CAROL", "GET", "/api/ledger?limit=200", "", 200)["items"].([]any) {
		entry := item.(map[string]any)
		body, _ := entry["body"].(map[string]any)
		if entry["kind"] == "document.published" && body["document"] == "doc-travel-v3" && body["proposal"] != nil {
			published++
		}
	}
	if published != 1 {
		s.t.Errorf("the ledger tells of %d publications of the draft", published)
	}
	source := s.ok("ALICE", "GET", "/api/runs/"+answer.RunID+"/sources/"+answer.Citations[0].Label, "", 200)
	current, _ := source["current"].(map[string]any)
	if source["version"] != 2.0 || current["status"] != "archived" || current["version"] != 3.0 || current["change"] != "changed" {
		s.t.Errorf("the source of the second version says %v", source)
	}
	if a := s.chat("ALICE", "上海住宿上限是多少？"); !strings.Contains(a.Answer, "720") || strings.Contains(a.Answer, "650") {
		s.t.Errorf("after publishing Alice is told %+v", a)
	}
}
