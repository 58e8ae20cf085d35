package main

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/kaoju/kaoju/internal/corpus"
)

// served is the demonstration, served by the real command.
type served struct {
	t      *testing.T
	url    string
	tokens map[string]string
	stop   context.CancelFunc
	done   chan int
}

var (
	tokenLine = regexp.MustCompile(`^export (\w+)_TOKEN=(\S+)$`)
	addressIn = regexp.MustCompile(`http://127\.0\.0\.1:\d+`)
)

// serveDemo starts `kaoju serve --demo` on a folder and reads tokens and address off its output.
func serveDemo(t *testing.T, dir string, more ...string) *served {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	r, w := io.Pipe()
	s := &served{t: t, tokens: map[string]string{}, stop: stop, done: make(chan int, 1)}
	var log strings.Builder
	go func() {
		line := append([]string{"serve", "--demo", "--data", dir, "--listen", "127.0.0.1:0", "--log-level", "warn"}, more...)
		status := execute(ctx, line, map[string]string{}, strings.NewReader(""), w, &log)
		w.Close()
		s.done <- status
	}()
	lines := bufio.NewScanner(r)
	for s.url == "" && lines.Scan() {
		if m := tokenLine.FindStringSubmatch(lines.Text()); m != nil {
			s.tokens[m[1]] = m[2]
		}
		s.url = addressIn.FindString(lines.Text())
	}
	if s.url == "" {
		t.Fatalf("the server did not say where it is: %s", log.String())
	}
	go io.Copy(io.Discard, r)
	t.Cleanup(s.end)
	return s
}

// end stops the server and checks that it stopped cleanly.
func (s *served) end() {
	s.stop()
	select {
	case status := <-s.done:
		if status != exitDone {
			s.t.Errorf("the server ended with status %d", status)
		}
		s.done <- status
	case <-time.After(30 * time.Second):
		s.t.Error("the server did not stop")
	}
}

// call makes a request as a user and returns status and body.
func (s *served) call(user, method, path, body string) (int, string) {
	s.t.Helper()
	req, err := http.NewRequest(method, s.url+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	if user != "" {
		req.Header.Set("Authorization", "Bearer "+s.tokens[user])
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		s.t.Fatal(err)
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return resp.StatusCode, string(raw)
}

type chatAnswer struct {
	RunID     string `json:"run_id"`
	State     string `json:"state"`
	Answer    string `json:"answer"`
	Citations []struct {
		Label      string          `json:"label"`
		DocumentID string          `json:"document_id"`
		DocKey     string          `json:"doc_key"`
		Version    int             `json:"version"`
		Excerpt    string          `json:"excerpt"`
		Locator    json.RawMessage `json:"locator"`
		Status     string          `json:"status"`
	} `json:"citations"`
}

func (s *served) chat(user, question string) chatAnswer {
	s.t.Helper()
	body, _ := json.Marshal(map[string]string{"question": question})
	status, raw := s.call(user, "POST", "/api/chat", string(body))
	if status != 200 {
		s.t.Fatalf("chat answered %d: %s", status, raw)
	}
	var a chatAnswer
	if err := json.Unmarshal([]byte(raw), &a); err != nil {
		s.t.Fatal(err)
	}
	return a
}

func TestDemonstrationAnswersWithSourcesThatOpen(t *testing.T) {
	dir := t.TempDir()
	s := serveDemo(t, dir)
	a := s.chat("ALICE", "上海住宿上限是多少？")
	if a.State != "completed" || !strings.Contains(a.Answer, "650") || strings.Contains(a.Answer, "500") {
		t.Fatalf("answer %+v", a)
	}
	c := a.Citations[0]
	if c.DocumentID != "doc-travel-v2" || c.DocKey != "travel-policy" || c.Version != 2 || c.Status != "published" || !strings.Contains(c.Excerpt, "650") {
		t.Errorf("citation %+v", c)
	}
	locator, err := corpus.ParseLocator(c.Locator)
	if err != nil {
		t.Fatal(err)
	}
	if place, ok := locator.(corpus.TextLocator); !ok || place.Line == 0 || len(place.Heading) == 0 {
		t.Errorf("locator %s names no section and line", c.Locator)
	}
	status, source := s.call("ALICE", "GET", "/api/runs/"+a.RunID+"/sources/"+c.Label, "")
	if status != 200 || !strings.Contains(source, "650") {
		t.Errorf("the source answers %d: %s", status, source)
	}
	for _, other := range []string{"BOB", "CAROL", "DAVE", "ERIN"} {
		if status, body := s.call(other, "GET", "/api/runs/"+a.RunID, ""); status != 404 {
			t.Errorf("%s sees Alice's run: %d %s", other, status, body)
		}
	}
	// The same folder is served again with the same tokens.
	s.end()
	again := serveDemo(t, dir)
	if again.tokens["ALICE"] != s.tokens["ALICE"] {
		t.Error("the tokens changed")
	}
	if status, _ := again.call("ALICE", "GET", "/api/runs/"+a.RunID, ""); status != 200 {
		t.Errorf("the run is gone after a restart: %d", status)
	}
}

func TestDemonstrationHidesWhatIsNotTheirs(t *testing.T) {
	s := serveDemo(t, t.TempDir())
	const canary = "CANARY-RD-7f3a91"
	hit := func(user string) bool {
		status, body := s.call(user, "POST", "/api/search", `{"query":"`+canary+`"}`)
		if status != 200 {
			t.Fatalf("search as %s answered %d: %s", user, status, body)
		}
		return strings.Contains(body, "doc-rd-handbook-v1")
	}
	if !hit("BOB") {
		t.Error("Bob does not find his group's handbook")
	}
	for _, user := range []string{"ALICE", "CAROL", "DAVE", "ERIN"} {
		if hit(user) {
			t.Errorf("%s finds the research handbook", user)
		}
		foreign, a := s.call(user, "GET", "/api/documents/doc-rd-handbook-v1", "")
		unknown, b := s.call(user, "GET", "/api/documents/doc-no-such-thing", "")
		if foreign != 404 || unknown != 404 || a != b {
			t.Errorf("%s: foreign %d %s, unknown %d %s", user, foreign, a, unknown, b)
		}
		if answer := s.chat(user, "What does the line "+canary+" say?"); strings.Contains(answer.Answer, canary) && len(answer.Citations) > 0 {
			t.Errorf("%s was told: %s", user, answer.Answer)
		}
	}
	for _, hidden := range []string{"doc-travel-v1", "doc-travel-v3"} {
		if status, _ := s.call("ALICE", "GET", "/api/documents/"+hidden, ""); status != 404 {
			t.Errorf("Alice sees %s: %d", hidden, status)
		}
		if status, _ := s.call("CAROL", "GET", "/api/documents/"+hidden, ""); status != 200 {
			t.Errorf("Carol, who manages it, does not see %s: %d", hidden, status)
		}
	}
}

func TestDemonstrationRefusesAFolderThatIsNotItsOwn(t *testing.T) {
	dir := t.TempDir()
	if status, _, errs := kaoju(t, "kb", "create", "mine", "--data", dir); status != exitDone {
		t.Fatalf("kb create: %d %s", status, errs)
	}
	status, _, errs := kaoju(t, "serve", "--demo", "--data", dir, "--listen", "127.0.0.1:0")
	if status != exitFailed || !strings.Contains(errs, "not empty") {
		t.Errorf("status %d: %s", status, errs)
	}
}

func TestTheRateOfATokenIsKept(t *testing.T) {
	s := serveDemo(t, t.TempDir(), "--token-rate", "1")
	if status, _ := s.call("ALICE", "GET", "/api/me", ""); status != 200 {
		t.Fatalf("the first request answers %d", status)
	}
	limited := false
	for i := 0; i < 200 && !limited; i++ {
		status, _ := s.call("ALICE", "GET", "/api/me", "")
		limited = status == http.StatusTooManyRequests
	}
	if !limited {
		t.Error("200 requests in a row were not limited to one a second")
	}
	if status, _ := s.call("BOB", "GET", "/api/me", ""); status != 200 {
		t.Errorf("another token is limited too: %d", status)
	}
}
