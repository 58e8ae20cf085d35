package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/kaoju/kaoju/api"
)

// desktop is an endpoint that opens tickets: once for each key, as its declaration promises. What it
// was asked and what it did are counted apart. While it holds, it answers nobody.
type desktop struct {
	mu     sync.Mutex
	asked  map[string]int
	opened map[string]int
	signed bool
	hold   chan struct{}
	came   chan string
}

func (d *desktop) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	key := r.Header.Get("Idempotency-Key")
	body, _ := io.ReadAll(r.Body)
	d.mu.Lock()
	d.asked[key]++
	d.opened[key] = 1
	d.signed = strings.HasPrefix(r.Header.Get("Kaoju-Signature"), "t=") && r.Header.Get("Authorization") == "Bearer the-key" && bytes.Contains(body, []byte(key))
	hold := d.hold
	d.mu.Unlock()
	select {
	case d.came <- key:
	default:
	}
	if hold != nil {
		select {
		case <-hold:
		case <-r.Context().Done():
			return
		}
	}
	fmt.Fprintf(w, `{"ticket":%q}`, key)
}

func (d *desktop) holds(on bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.hold != nil {
		close(d.hold)
		d.hold = nil
	}
	if on {
		d.hold = make(chan struct{})
	}
}

func (d *desktop) count(key string) (asked int, signed bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.asked[key], d.signed
}

// child is the built program, serving a demonstration in a process of its own.
type child struct {
	t     *testing.T
	cmd   *exec.Cmd
	carol *api.Client
	url   string
	token string
}

func serveChild(t *testing.T, dir, tools string) *child {
	t.Helper()
	c := &child{t: t, cmd: exec.Command("kaoju", "serve", "--demo", "--data", dir, "--listen", "127.0.0.1:0", "--log-level", "error", "--tools-file", tools)}
	c.cmd.Env = append(os.Environ(), "KAOJU_TOOL_KEY=the-key", "KAOJU_TOOL_SECRET=the-secret")
	c.cmd.Stderr = os.Stderr
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.kill)
	lines := bufio.NewScanner(out)
	for c.url == "" && lines.Scan() {
		if m := tokenLine.FindStringSubmatch(lines.Text()); m != nil && m[1] == "CAROL" {
			c.token = m[2]
		}
		c.url = addressIn.FindString(lines.Text())
	}
	if c.url == "" || c.token == "" {
		t.Fatal("the server did not say where it is")
	}
	go io.Copy(io.Discard, out)
	c.carol = api.NewClient(http.DefaultClient, c.url, c.token)
	return c
}

func (c *child) kill() {
	c.cmd.Process.Kill()
	c.cmd.Wait()
}

// propose proposes a ticket about the travel policy, with a fresh answer as evidence.
func (c *child) propose(tool string) api.Proposal {
	c.t.Helper()
	ctx := context.Background()
	a, err := c.carol.Chat(ctx, api.ChatRequest{Question: "上海住宿上限是多少？", KnowledgeBaseIDs: []string{"kb-policies"}}, "")
	if err != nil {
		c.t.Fatal(err)
	}
	p, err := c.carol.ProposeCall(ctx, tool, map[string]any{"object_id": "doc-travel-v2", "version": "2", "note": "复核"}, a.RunID, "")
	if err != nil {
		c.t.Fatal(err)
	}
	return p
}

// settled waits for the end of a run by its stream of events and returns the approval.
func (c *child) settled(p api.Proposal) api.Proposal {
	c.t.Helper()
	now, err := c.carol.Approval(context.Background(), p.ApprovalID)
	if err != nil {
		c.t.Fatal(err)
	}
	if now.Status != "approved" {
		return now
	}
	req, _ := http.NewRequest("GET", c.url+"/api/runs/"+p.RunID+"/events", nil)
	req.Header.Set("Authorization", "Bearer "+c.token)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		c.t.Fatal(err)
	}
	defer resp.Body.Close()
	if _, err := io.Copy(io.Discard, resp.Body); err != nil { // It ends with the closing event.
		c.t.Fatal(err)
	}
	if now, err = c.carol.Approval(context.Background(), p.ApprovalID); err != nil {
		c.t.Fatal(err)
	}
	return now
}

func declareTickets(t *testing.T, at string) string {
	t.Helper()
	text := "tools:\n"
	for name, repeatable := range map[string]bool{"open_ticket": false, "open_ticket_again": true} {
		text += fmt.Sprintf(`  - name: %s
    description: Opens a ticket.
    sensitivity: write
    endpoint: %s/tickets
    key_env: KAOJU_TOOL_KEY
    secret_env: KAOJU_TOOL_SECRET
    repeatable: %v
    schema: {type: object, required: [object_id, version, note], properties: {object_id: {type: string}, version: {type: string}, note: {type: string}}}
`, name, at, repeatable)
	}
	path := filepath.Join(t.TempDir(), "tools.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func newDesktop(t *testing.T) (*desktop, string) {
	t.Helper()
	d := &desktop{asked: map[string]int{}, opened: map[string]int{}, came: make(chan string, 100)}
	s := httptest.NewServer(d)
	t.Cleanup(s.Close)
	t.Cleanup(func() { d.holds(false) })
	return d, declareTickets(t, s.URL)
}

func TestAKillWhileACallIsUnderWayIsToldAsItIs(t *testing.T) {
	for tool, want := range map[string]struct {
		status string
		asked  int
	}{"open_ticket": {"unknown", 1}, "open_ticket_again": {"succeeded", 2}} {
		t.Run(tool, func(t *testing.T) {
			d, tools := newDesktop(t)
			dir := t.TempDir()
			c := serveChild(t, dir, tools)
			p := c.propose(tool)
			d.holds(true)
			go c.carol.DecideApproval(context.Background(), p.ApprovalID, true, "k")
			if key := <-d.came; key != p.ProposalID {
				t.Fatalf("called with the key %s", key)
			}
			c.kill()
			d.holds(false)
			c = serveChild(t, dir, tools)
			got := c.settled(p)
			asked, signed := d.count(p.ProposalID)
			if got.Task == nil || got.Task.Status != want.status || asked != want.asked || !signed {
				t.Fatalf("%+v after %d requests, signed %v", got.Task, asked, signed)
			}
			// The decision was taken, and its repetition tells what became of it.
			again, err := c.carol.DecideApproval(context.Background(), p.ApprovalID, true, "k")
			if err != nil || again.Status != want.status || again.TaskID != got.Task.TaskID {
				t.Errorf("%+v, %v", again, err)
			}
		})
	}
}

// TestAServerThatEndsBreaksOffTheCallsItRecovered ends a server while it tries again what the one
// before left behind. It waits neither for the endpoint nor for further tries.
func TestAServerThatEndsBreaksOffTheCallsItRecovered(t *testing.T) {
	d, tools := newDesktop(t)
	dir := t.TempDir()
	c := serveChild(t, dir, tools)
	p := c.propose("open_ticket_again")
	d.holds(true)
	go c.carol.DecideApproval(context.Background(), p.ApprovalID, true, "k")
	<-d.came
	c.kill()
	c = serveChild(t, dir, tools)
	<-d.came
	if err := c.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := c.cmd.Wait(); err != nil {
		t.Errorf("the server ended with %v", err)
	}
	c = serveChild(t, dir, tools)
	got := c.settled(p)
	if asked, _ := d.count(p.ProposalID); got.Task == nil || got.Task.Status != "unknown" || asked != 2 {
		t.Errorf("%+v after %d requests", got.Task, asked)
	}
}

// TestKillAtAnyMomentOfADecision kills the server at random moments around a decision. Whatever the
// moment: no undecided or declined call goes out, a call that may not be repeated goes out once at
// most, nothing is called a success that was not done, and the record is whole.
func TestKillAtAnyMomentOfADecision(t *testing.T) {
	d, tools := newDesktop(t)
	dir := t.TempDir()
	seen := map[string]int{}
	for round := range kills(10) {
		tool := []string{"open_ticket", "open_ticket_again"}[round%2]
		c := serveChild(t, dir, tools)
		p := c.propose(tool)
		done := make(chan struct{})
		// The moment of the kill is random: nothing waits for anything here.
		kill := time.AfterFunc(time.Duration(rand.IntN(12000))*time.Microsecond, func() { c.cmd.Process.Kill() })
		go func() {
			defer close(done)
			c.carol.DecideApproval(context.Background(), p.ApprovalID, round%5 != 4, "")
		}()
		<-done
		kill.Stop()
		c.kill()
		c = serveChild(t, dir, tools)
		got := c.settled(p)
		asked, _ := d.count(p.ProposalID)
		status := got.Status
		if got.Task != nil {
			status = got.Task.Status
		}
		seen[status]++
		limit := map[string]int{"open_ticket": 1, "open_ticket_again": 3}[tool]
		switch status {
		case "pending", "cancelled":
			limit = 0
		case "succeeded":
			if asked == 0 {
				t.Errorf("round %d: a success that never was", round)
			}
		case "failed":
			limit = 0
		case "unknown":
			if tool == "open_ticket_again" {
				t.Errorf("round %d: a call that may be repeated was not", round)
			}
		default:
			t.Errorf("round %d: the task is %s", round, status)
		}
		if asked > limit {
			t.Errorf("round %d: %s went out %d times and is %s", round, tool, asked, status)
		}
		c.kill()
		if status, out, errs := kaoju(t, "ledger", "verify", "--data", dir, "--tenant", "acme", "--as", "dave"); status != exitDone {
			t.Fatalf("round %d: %d %s%s", round, status, out, errs)
		}
	}
	raw, _ := json.Marshal(seen)
	t.Logf("ends: %s", raw)
}
