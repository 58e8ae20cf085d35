package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/cmd/kaoju/inquiry"
	"github.com/kaoju/kaoju/cmd/kaoju/wiring"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/event"
	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/llm/llmtest"
	"github.com/kaoju/kaoju/internal/run"
	"github.com/kaoju/kaoju/internal/sqlite"
)

// daemon is `kaoju serve` as a process of its own, which a test can kill.
type daemon struct {
	t      *testing.T
	cmd    *exec.Cmd
	url    string
	tokens map[string]string
}

// launch starts the demonstration on a folder, with a model.
func launch(t *testing.T, dir, model string) *daemon {
	t.Helper()
	d := &daemon{t: t, tokens: map[string]string{}}
	d.cmd = exec.Command("kaoju", "serve", "--demo", "--data", dir, "--listen", "127.0.0.1:0", "--log-level", "error", "--model-url", model, "--model", "script")
	out, err := d.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := d.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.kill() })
	lines := bufio.NewScanner(out)
	for d.url == "" && lines.Scan() {
		if m := tokenLine.FindStringSubmatch(lines.Text()); m != nil {
			d.tokens[m[1]] = m[2]
		}
		d.url = addressIn.FindString(lines.Text())
	}
	if d.url == "" {
		t.Fatal("the server did not say where it is")
	}
	go io.Copy(io.Discard, out)
	return d
}

// kill ends the process as a crash would.
func (d *daemon) kill() {
	d.cmd.Process.Kill()
	d.cmd.Wait()
}

// send makes a request as a user; an error where the server is gone.
func (d *daemon) send(user, method, path, body string) (int, []byte, error) {
	req, err := http.NewRequest(method, d.url+path, strings.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	req.Header.Set("Authorization", "Bearer "+d.tokens[user])
	req.Header.Set("Accept", "application/json")
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, nil, err
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	return res.StatusCode, raw, err
}

// ask makes a request as Alice and reads the answer.
func ask[T any](d *daemon, method, path, body string, status int) (out T) {
	d.t.Helper()
	got, raw, err := d.send("ALICE", method, path, body)
	if err != nil || got != status {
		d.t.Fatalf("%s %s: %d %s %v", method, path, got, raw, err)
	}
	if err := json.Unmarshal(raw, &out); err != nil {
		d.t.Fatal(err)
	}
	return out
}

// course reads the events of a run and checks that they are one sequence in which each attempt has
// one closing event.
func (d *daemon) course(id string) []api.Event {
	d.t.Helper()
	events := ask[api.List[api.Event]](d, "GET", "/api/runs/"+id+"/events", "", 200).Items
	attempt, open := 1, true
	for i, e := range events {
		if e.Sequence != int64(i+1) || e.ID != fmt.Sprintf("%s:%d", id, i+1) {
			d.t.Errorf("event %d is %s", i+1, e.ID)
		}
		if e.Type == "run.resumed" {
			attempt, open = attempt+1, true
		}
		if e.Attempt != attempt || !open {
			d.t.Errorf("%s of attempt %d in attempt %d, open: %v", e.Type, e.Attempt, attempt, open)
		}
		open = open && !e.Closes()
	}
	if open {
		d.t.Errorf("the last attempt is not closed: %s", events[len(events)-1].Type)
	}
	return events
}

// reader is a model that searches, reads the travel policy, and answers from what it was given.
func reader(req llm.Request) llmtest.Turn {
	var all strings.Builder
	for _, m := range req.Messages[1:] {
		all.WriteString(m.Text)
	}
	switch text := all.String(); {
	case strings.Contains(text, `"ref":"S`) || strings.Contains(text, "[S1] doc_key="):
		return llmtest.Turn{Text: "结论：上海的住宿上限为每晚 650 元。[S1]\n依据：上海的住宿上限为每晚 650 元。[S1]", Usage: llmtest.Tokens(100, 10)}
	case strings.Contains(text, `"document_id":"doc-travel-v2"`):
		return llmtest.Turn{Calls: []llm.ToolCall{llmtest.Read("doc-travel-v2")}, Usage: llmtest.Tokens(50, 5)}
	}
	return llmtest.Turn{Calls: []llm.ToolCall{llmtest.Search("差旅 上海 住宿 上限")}, Usage: llmtest.Tokens(20, 2)}
}

const askShanghai = `{"kind":"answer","goal":"上海住宿上限是多少？","route":"agentic_rag"}`

func TestARunOfAKilledServerIsResumedWithTheCommand(t *testing.T) {
	var mu sync.Mutex
	n, reached, hold := 0, make(chan struct{}), make(chan struct{})
	turn := llmtest.Turn{Answer: func(req llm.Request) llmtest.Turn {
		mu.Lock()
		n++
		third := n == 3
		mu.Unlock()
		out := reader(req)
		if third {
			close(reached)
			out.Block = hold // the server is killed while the model is asked
		}
		return out
	}}
	model := llmtest.NewServer(turn, turn, turn, turn, turn, turn)
	defer model.Close()
	defer close(hold)
	dir := t.TempDir()
	d := launch(t, dir, model.URL)
	id := ask[api.Started](d, "POST", "/api/runs", askShanghai, http.StatusAccepted).RunID
	<-reached
	d.kill()
	d = launch(t, dir, model.URL)
	r := ask[api.Run](d, "GET", "/api/runs/"+id, "", 200)
	if r.State != "interrupted" || r.FinishReason != "interrupted" || r.Use.Steps != 3 || r.Use.ToolCalls != 2 || len(r.ReadNotCited) != 1 {
		t.Fatalf("after the kill: %s (%s), use %+v", r.State, r.FinishReason, r.Use)
	}
	before := d.course(id)
	for _, other := range []string{"BOB", "CAROL", "ERIN"} {
		status, _, err := d.send(other, "POST", "/api/runs/"+id+"/resume", "")
		if err != nil || status != http.StatusNotFound {
			t.Errorf("%s resumes Alice's run: %d %v", other, status, err)
		}
	}
	line := []string{"run", "resume", id, "--server", d.url, "--token", d.tokens["ALICE"], "--json"}
	status, out, errs := kaoju(t, line...)
	var a api.Answer
	if err := json.Unmarshal([]byte(out), &a); status != exitDone || err != nil {
		t.Fatalf("status %d, %v: %s%s", status, err, out, errs)
	}
	if a.State != "completed" || !strings.Contains(a.Answer, "650") || len(a.Citations) != 1 || a.Citations[0].DocumentID != "doc-travel-v2" {
		t.Errorf("%+v", a)
	}
	if a.Usage.Calls != 4 || a.Usage.CallsWithUsage != 3 || *a.Usage.TotalTokens != 22+55+110 {
		t.Errorf("usage %+v: four requests were made, three of them answered", a.Usage)
	}
	after := d.course(id)
	if len(after) <= len(before) || after[len(before)].Type != "run.resumed" {
		t.Errorf("%d events, then %d", len(before), len(after))
	}
	if out := done(t, "run", "replay", id, "--data", dir, "--tenant", "acme", "--as", "alice"); out != id+": same\n" {
		t.Errorf("replayed: %s", out)
	}
	if status, _, errs := kaoju(t, line...); status != exitFailed || !strings.Contains(errs, "interrupted") {
		t.Errorf("resumed again: %d %s", status, errs)
	}
	status, out, _ = kaoju(t, "run", "cancel", id, "--server", d.url, "--token", d.tokens["ALICE"])
	if status != exitDone || !strings.Contains(out, "completed") {
		t.Errorf("cancelled after its end: %d %s", status, out)
	}
	status, _, errs = kaoju(t, "run", "resume", "run_unknown", "--server", d.url, "--token", d.tokens["ALICE"])
	if status != exitRefused {
		t.Errorf("an unknown run: %d %s", status, errs)
	}
}

// TestATermEndsStreamsAndRunsInOrder stops a server with readers and runs under way.
func TestATermEndsStreamsAndRunsInOrder(t *testing.T) {
	hold := make(chan struct{})
	asked := make(chan struct{}, 16)
	turns := make([]llmtest.Turn, 16)
	for i := range turns {
		turns[i] = llmtest.Turn{Block: hold, Check: func(llm.Request) { asked <- struct{}{} }}
	}
	model := llmtest.NewServer(turns...)
	defer model.Close()
	defer close(hold)
	dir := t.TempDir()
	d := launch(t, dir, model.URL)
	var ids []string
	for range 5 {
		ids = append(ids, ask[api.Started](d, "POST", "/api/runs", askShanghai, http.StatusAccepted).RunID)
		<-asked
	}
	var streams sync.WaitGroup
	for i := range 20 {
		opened := make(chan struct{})
		streams.Go(func() { d.read(ids[i%5], func() { close(opened) }) })
		<-opened
	}
	if err := d.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := d.cmd.Wait(); err != nil {
		t.Errorf("the server ended with %v", err)
	}
	streams.Wait()
	d = launch(t, dir, model.URL)
	for _, id := range ids {
		r := ask[api.Run](d, "GET", "/api/runs/"+id, "", 200)
		if events := d.course(id); r.State != "interrupted" || events[len(events)-1].Type != "run.interrupted" {
			t.Errorf("%s is %s", id, r.State)
		}
	}
}

// read reads a stream of Alice's until it ends, and says when it began.
func (d *daemon) read(id string, began func()) {
	req, err := http.NewRequest("GET", d.url+"/api/runs/"+id+"/events", nil)
	if err != nil {
		d.t.Error(err)
		return
	}
	req.Header.Set("Authorization", "Bearer "+d.tokens["ALICE"])
	res, err := http.DefaultClient.Do(req)
	began()
	if err != nil {
		d.t.Error(err)
		return
	}
	defer res.Body.Close()
	_, _ = io.Copy(io.Discard, res.Body) // it may end in the middle of nothing
}

// TestASecondTermEndsTheServerAtOnce asks again while the first wish still waits for an upload.
func TestASecondTermEndsTheServerAtOnce(t *testing.T) {
	model := llmtest.NewServer()
	defer model.Close()
	d := launch(t, t.TempDir(), model.URL)
	host := strings.TrimPrefix(d.url, "http://")
	upload, err := net.Dial("tcp", host)
	if err != nil {
		t.Fatal(err)
	}
	defer upload.Close()
	fmt.Fprintf(upload, "POST /api/knowledge-bases/kb-support/documents HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n"+
		"Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 100000\r\nExpect: 100-continue\r\n\r\n", host, d.tokens["CAROL"])
	if line, err := bufio.NewReader(upload).ReadString('\n'); err != nil || !strings.Contains(line, "100") {
		t.Fatalf("the server does not wait for the upload: %q %v", line, err)
	}
	term := func() {
		if err := d.cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
	}
	term()
	for {
		c, err := net.Dial("tcp", host)
		if err != nil {
			break // the server takes nothing new
		}
		c.Close()
	}
	waited := make(chan error, 1)
	go func() { waited <- d.cmd.Wait() }()
	var ended *exec.ExitError
	for again := time.NewTicker(20 * time.Millisecond); ; {
		select {
		case <-again.C: // the first of these may come before the process has noticed the one before
			_ = d.cmd.Process.Signal(syscall.SIGTERM)
			continue
		case err := <-waited:
			if !errors.As(err, &ended) || ended.Sys().(syscall.WaitStatus).Signal() != syscall.SIGTERM {
				t.Errorf("the server ended with %v", err)
			}
		}
		again.Stop()
		return
	}
}

// TestKilledAtAnyMomentARunCanBeResumed kills the server at random moments of runs and resumes them
// until they are answered.
func TestKilledAtAnyMomentARunCanBeResumed(t *testing.T) {
	slow := llmtest.Turn{Answer: reader}
	turns := make([]llmtest.Turn, 500)
	for i := range turns {
		turns[i] = slow
	}
	model := llmtest.NewServer(turns...)
	defer model.Close()
	dir := t.TempDir()
	d := launch(t, dir, model.URL)
	rounds := kills(8)
	interrupted := 0
	for range rounds {
		id := ask[api.Started](d, "POST", "/api/runs", askShanghai, http.StatusAccepted).RunID
		for tries := 0; ; tries++ {
			// The moment of the kill is random: nothing waits for anything here.
			process := d.cmd.Process
			time.AfterFunc(time.Duration(rand.IntN(60))*time.Millisecond, func() { process.Kill() })
			d.cmd.Wait()
			d = launch(t, dir, model.URL)
			r := ask[api.Run](d, "GET", "/api/runs/"+id, "", 200)
			events := d.course(id)
			if r.State != "interrupted" {
				if r.State != "completed" || !strings.Contains(r.Answer.Answer, "650") {
					t.Fatalf("after %d kills: %s (%s)", tries+1, r.State, r.FinishReason)
				}
				break
			}
			interrupted++
			if r.Use.Steps > r.Limits.Steps+r.Limits.Repairs || r.Use.ToolCalls > r.Limits.ToolCalls || r.Use.SearchPages > r.Limits.SearchPages {
				t.Fatalf("limits were exceeded: %+v", r.Use)
			}
			got := ask[api.Started](d, "POST", "/api/runs/"+id+"/resume", "", http.StatusAccepted)
			if got.RunID != id {
				t.Fatalf("%+v", got)
			}
			if tries == 2 { // enough of it: let this attempt come to its end
				d.follow(id, events[len(events)-1].Sequence)
				if r := ask[api.Run](d, "GET", "/api/runs/"+id, "", 200); r.State != "completed" && !strings.HasPrefix(r.FinishReason, "limit_") {
					t.Fatalf("after %d kills: %s (%s)", tries+1, r.State, r.FinishReason)
				}
				d.course(id)
				break
			}
		}
	}
	if out, err := exec.Command("kaoju", "ledger", "verify", "--tenant", "acme", "--as", "dave", "--data", dir).CombinedOutput(); err != nil {
		t.Errorf("the ledger: %v\n%s", err, out)
	}
	var all []inquiry.Replayed
	if err := json.Unmarshal([]byte(done(t, "run", "replay", "--all", "--json", "--data", dir, "--tenant", "acme", "--as", "alice")), &all); err != nil || len(all) < rounds {
		t.Errorf("%d runs were replayed, %v", len(all), err)
	}
	for _, r := range all {
		if !r.Same {
			t.Errorf("%s was replayed otherwise: %v %s", r.RunID, r.Difference, r.Skipped)
		}
	}
	t.Logf("%d runs, interrupted %d times", rounds, interrupted)
	if interrupted == 0 {
		t.Error("no kill met a run under way")
	}
}

// leave writes a run into a folder as a process leaves it that ends before it worked on it.
func leave(t *testing.T, dir string, id run.ID, goal string) {
	t.Helper()
	db, err := sqlite.Open(t.Context(), dir, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	err = db.Journal().Create(t.Context(), &run.Run{
		ID: id, Tenant: wiring.FirstTenant, Actor: wiring.FirstUser, Kind: run.ForAnswer, Goal: goal, Scope: run.Scope{Bases: []access.KnowledgeBaseID{"kb"}},
		Route: run.AgenticRAG, Tools: []string{"search_knowledge", "read_document"}, State: run.Queued, Attempt: 1, Limits: run.DefaultLimits(),
	}, []event.Event{event.New(event.RunCreated, map[string]any{})})
	if err != nil {
		t.Fatal(err)
	}
}

// TestARunOnAFolderIsResumedWithoutAServer resumes runs that a process left behind, in Chinese and
// English.
func TestARunOnAFolderIsResumedWithoutAServer(t *testing.T) {
	dir := folder(t, written(t, "pump.md", "# Pump 水泵\n\nThe pump runs at 50 Hz.\n\n水泵的保修期为 24 个月。\n"))
	for id, c := range map[run.ID][2]string{"run_en": {"How fast does the pump run?", "50 Hz"}, "run_zh": {"水泵的保修期是多久？", "24 个月"}} {
		leave(t, dir, id, c[0])
		if status, out, _ := kaoju(t, "run", "show", string(id), "--data", dir); status != exitDone || !strings.Contains(out, "interrupted") {
			t.Errorf("%s: %d %s", id, status, out)
		}
		if status, out, _ := kaoju(t, "run", "cancel", string(id), "--data", dir, "--json"); status != exitDone || !strings.Contains(out, `"state": "interrupted"`) {
			t.Errorf("%s cancelled: %d %s", id, status, out)
		}
		if status, out, errs := kaoju(t, "run", "resume", string(id), "--data", dir); status != exitDone || !strings.Contains(out, c[1]) || !strings.Contains(out, "[S1]") {
			t.Errorf("%s resumed: %d %s%s", id, status, out, errs)
		}
		if status, _, errs := kaoju(t, "run", "resume", string(id), "--data", dir); status != exitFailed || !strings.Contains(errs, "interrupted") {
			t.Errorf("%s resumed again: %d %s", id, status, errs)
		}
		if status, out, _ := kaoju(t, "run", "events", string(id), "--data", dir); status != exitDone || strings.Count(out, `"type":"run.resumed"`) != 1 || strings.Count(out, `"attempt":2`) < 5 {
			t.Errorf("%s: %d %s", id, status, out)
		}
	}
	leave(t, dir, "run_none", "How many moons does Jupiter have?")
	if status, out, _ := kaoju(t, "run", "resume", "run_none", "--data", dir, "--json"); status != exitInsufficient || !strings.Contains(out, "insufficient_evidence") {
		t.Errorf("without an answer: %d %s", status, out)
	}
	for _, line := range [][]string{{"run", "resume", "run_unknown"}, {"run", "cancel", "run_unknown"}} {
		if status, _, errs := kaoju(t, append(line, "--data", dir)...); status != exitRefused || !strings.Contains(errs, "run_unknown") {
			t.Errorf("%v: %d %s", line, status, errs)
		}
		if status, _, _ := kaoju(t, line[:2]...); status != exitUsage {
			t.Errorf("%v without an id: %d", line[:2], status)
		}
		if status, out, _ := kaoju(t, append(line[:2:2], "--help")...); status != exitDone || !strings.Contains(out, "--json") {
			t.Errorf("%v --help: %d %s", line[:2], status, out)
		}
	}
}

// follow reads the stream of a run until the server ends it.
func (d *daemon) follow(id string, after int64) {
	d.t.Helper()
	req, err := http.NewRequest("GET", fmt.Sprintf("%s/api/runs/%s/events?after=%d", d.url, id, after), nil)
	if err != nil {
		d.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+d.tokens["ALICE"])
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		d.t.Fatal(err)
	}
	defer res.Body.Close()
	if _, err := io.Copy(io.Discard, res.Body); err != nil {
		d.t.Fatal(err)
	}
}
