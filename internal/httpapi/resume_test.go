package httpapi

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/agent"
	"github.com/kaoju/kaoju/internal/event"
	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/llm/rules"
	"github.com/kaoju/kaoju/internal/run"
	"github.com/kaoju/kaoju/internal/tool"
	"github.com/kaoju/kaoju/internal/toolkit"
)

// halting is the rule-based engine, which stands still in one of its turns until it is let go.
type halting struct {
	llm.Generator
	mu   sync.Mutex
	left int // turns until it stands still; negative never
	at   chan struct{}
}

func (h *halting) Generate(ctx context.Context, req llm.Request, emit func(llm.Delta)) (llm.Response, error) {
	h.mu.Lock()
	h.left--
	stop := h.left == -1
	h.mu.Unlock()
	if stop {
		h.at <- struct{}{}
		<-ctx.Done()
		return llm.Response{}, ctx.Err()
	}
	return h.Generator.Generate(ctx, req, emit)
}

// real gives a world the agent that the product has, which stands still in a turn of its engine.
func (w *world) real(turn int) *halting {
	w.t.Helper()
	h := &halting{Generator: rules.New(), left: turn, at: make(chan struct{}, 1)}
	w.employ(h)
	return h
}

// employ starts an agent in the place of the one before, as a start of the process would.
func (w *world) employ(h *halting) *agent.Agent {
	w.t.Helper()
	db := w.db
	search := toolkit.NewSearch(db.Directory(), naive{db}, db.Texts())
	executor, err := tool.NewExecutor(db.Directory(), []tool.Tool{search, toolkit.NewRead(db.Directory(), db.Catalog(), db.Texts())}, tool.Options{})
	must(w.t, err)
	a := agent.New(agent.Deps{
		Directory: db.Directory(), Journal: db.Journal(), Events: db.Events(), Executor: executor, Catalog: db.Catalog(), Generator: h,
		Limits: run.DefaultLimits(), Clock: w.now, Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
	})
	w.t.Cleanup(a.Close)
	w.server.deps.Runner = a
	return a
}

// halted is a world in which Bob's run was interrupted when it had read its source.
func halted(t *testing.T) (*world, string) {
	t.Helper()
	w := newWorld(t)
	w.kb("kb-a")
	w.grant("kb-a", "user:alice", "manager", "user:bob", "reader")
	w.add("kb-a", "travel.txt|The lodging limit is 650 yuan a night.", "status", "published")
	h := w.real(2) // search, read, and then the answer
	id := expect[api.Started](w, "bob", "POST", "/api/runs", `{"kind":"answer","goal":"What is the lodging limit?"}`, http.StatusAccepted).RunID
	<-h.at
	w.server.deps.Runner.(*agent.Agent).Close()
	w.employ(h)
	return w, id
}

func TestAResumedRunStreamsOnInOneSequence(t *testing.T) {
	w, id := halted(t)
	s := w.live()
	path := "/api/runs/" + id
	first := w.view(s, "bob", path+"/events").events(1000)
	last := first[len(first)-1]
	if last.Type != "run.interrupted" || last.Attempt != 1 {
		t.Fatalf("the stream ended with %+v", last)
	}
	if v := w.view(s, "bob", path+"/events", "Last-Event-ID", last.ID); v.res.StatusCode != http.StatusNoContent {
		t.Errorf("a reconnect before the resume: %d", v.res.StatusCode)
	}
	got := expect[api.Started](w, "bob", "POST", path+"/resume", "", http.StatusAccepted)
	if got.RunID != id || got.State != "queued" {
		t.Errorf("%+v", got)
	}
	rest := w.view(s, "bob", path+"/events", "Last-Event-ID", last.ID).events(1000)
	end := rest[len(rest)-1]
	if rest[0].Type != "run.resumed" || rest[0].Sequence != last.Sequence+1 || rest[0].Attempt != 2 || end.Type != "run.completed" || end.Attempt != 2 {
		t.Errorf("the stream goes on with %+v and ends with %+v", rest[0], end)
	}
	for _, name := range []string{"a second viewer", "a third"} {
		if diff := cmp.Diff(append(first[:len(first):len(first)], rest...), w.view(s, "bob", path+"/events").events(1000)); diff != "" {
			t.Errorf("%s sees another sequence: %s", name, diff)
		}
	}
	for _, e := range []api.Event{last, end} {
		v := w.view(s, "bob", path+"/events", "Last-Event-ID", e.ID)
		if over := v.res.StatusCode == http.StatusNoContent; over != (e.ID == end.ID) {
			t.Errorf("after %s: %d", e.ID, v.res.StatusCode)
		}
	}
	r := expect[api.Run](w, "bob", "GET", path, "", http.StatusOK)
	if r.State != "completed" || r.Attempt != 2 || !strings.Contains(r.Answer.Answer, "650") || len(r.Citations) != 1 {
		t.Errorf("%+v", r.Answer)
	}
	w.refusal("bob", "POST", path+"/resume", "", http.StatusConflict, "not_resumable")
}

func TestTheClientFollowsARunOverItsAttempts(t *testing.T) {
	w, id := halted(t)
	s := w.live()
	bob := api.NewClient(s.Client(), s.URL, w.tokens["bob"])
	ctx := t.Context()
	types := func() (out []string) {
		must(t, bob.Follow(ctx, id, 0, func(e api.Event) error { out = append(out, e.Type); return nil }))
		return out
	}
	if got := types(); got[len(got)-1] != "run.interrupted" {
		t.Errorf("%v", got)
	}
	if _, err := bob.ResumeRun(ctx, id); err != nil {
		t.Fatal(err)
	}
	got := types()
	if strings.Count(strings.Join(got, " "), "run.interrupted") != 1 || got[len(got)-1] != "run.completed" {
		t.Errorf("%v", got)
	}
	_, err := bob.ResumeRun(ctx, id)
	if p, ok := err.(*api.Problem); !ok || p.Code != "not_resumable" {
		t.Errorf("%v", err)
	}
}

func TestNobodyElsesRunIsResumed(t *testing.T) {
	w, id := halted(t)
	for _, who := range []string{"alice", "carol", "dave", "erin", "tina"} {
		foreign, unknown := w.send(who, "POST", "/api/runs/"+id+"/resume", ""), w.send(who, "POST", "/api/runs/run_zzz/resume", "")
		if a, b := picture(foreign), picture(unknown); foreign.Code != http.StatusNotFound || a != b {
			t.Errorf("%s: got\n%s\nwant\n%s", who, a, b)
		}
	}
	if r := expect[api.Run](w, "bob", "GET", "/api/runs/"+id, "", http.StatusOK); r.State != "interrupted" || r.Attempt != 1 {
		t.Errorf("%+v", r.Answer)
	}
}

func TestARightLostMeanwhileIsLostOnResume(t *testing.T) {
	w, id := halted(t)
	w.grant("kb-a", "user:alice", "manager")
	expect[api.Started](w, "bob", "POST", "/api/runs/"+id+"/resume", "", http.StatusAccepted)
	events := w.view(w.live(), "bob", "/api/runs/"+id+"/events").events(1000)
	raw, err := json.Marshal(events)
	must(t, err)
	r := w.send("bob", "GET", "/api/runs/"+id, "").Body.String()
	for where, text := range map[string]string{"the events": string(raw), "the run": r} {
		for _, word := range []string{"650 yuan", "travel", "doc_key\":\"t", "document_id\":\"doc"} {
			if strings.Contains(text, word) {
				t.Errorf("%s tell of %q: %s", where, word, text)
			}
		}
		if !strings.Contains(text, "scope_changed") {
			t.Errorf("%s do not say that something is no longer available", where)
		}
	}
	if !strings.Contains(r, `"state":"insufficient_evidence"`) || !strings.Contains(string(raw), `"ref":"S1"`) {
		t.Errorf("%s", r)
	}
}

func TestOddPlacesInAStream(t *testing.T) {
	w, a := told(t)
	path := "/api/runs/" + a.RunID + "/events"
	s := w.live()
	all := w.view(s, "bob", path).events(100)
	for _, zero := range []string{"0", a.RunID + ":0"} {
		if diff := cmp.Diff(all, w.view(s, "bob", path, "Last-Event-ID", zero).events(100)); diff != "" {
			t.Errorf("after %s: %s", zero, diff)
		}
	}
	for _, last := range []string{strings.Repeat("9", 1<<20), a.RunID + ":" + strings.Repeat("1", 1<<20), strings.Repeat("\x01", 9), "run_zzz:1"} {
		w.refusal("bob", "GET", path, "", http.StatusBadRequest, "invalid_last_event_id", "Last-Event-ID", last)
		w.refusal("alice", "GET", path, "", http.StatusNotFound, "not_found", "Last-Event-ID", last)
	}
	// Any order of broken connections gives each event once.
	for cut := 1; cut < len(all); cut++ {
		v := w.view(s, "bob", path)
		got := v.events(cut)
		v.stop()
		got = append(got, w.view(s, "bob", path, "Last-Event-ID", got[len(got)-1].ID).events(100)...)
		if diff := cmp.Diff(all, got); diff != "" {
			t.Errorf("broken after %d: %s", cut, diff)
		}
	}
}

// TestTheLastEventThatWasNotSentComesOnce ends a run while nobody is connected.
func TestTheLastEventThatWasNotSentComesOnce(t *testing.T) {
	w, _ := told(t)
	w.runner.hold = true
	started := expect[api.Started](w, "bob", "POST", "/api/runs", `{"kind":"answer","goal":"lodging"}`, http.StatusAccepted)
	s := w.live()
	path := "/api/runs/" + started.RunID + "/events"
	v := w.view(s, "bob", path)
	seen := v.events(5)
	v.stop()
	close(w.runner.open)
	w.runner.work.Wait()
	rest := w.view(s, "bob", path, "Last-Event-ID", seen[4].ID).events(100)
	closing := 0
	for _, e := range rest {
		if e.Closes() {
			closing++
		}
	}
	if closing != 1 || !rest[len(rest)-1].Closes() {
		t.Errorf("%v", types(rest))
	}
}

// TestReadersThatNeverReadCostNothing lets readers stand still before a long sequence while the run
// goes on.
func TestReadersThatNeverReadCostNothing(t *testing.T) {
	w, _ := told(t)
	w.server.deps.Pace.Write = time.Second
	ctx := t.Context()
	r := &run.Run{ID: "run_long", Tenant: acme, Actor: "bob", Kind: run.ForAnswer, Goal: "g", State: run.Queued, Attempt: 1, CreatedAt: time.Now()}
	must(t, w.db.Journal().Create(ctx, r, nil))
	lease, err := w.db.Journal().Claim(ctx, r.ID, time.Hour)
	must(t, err)
	r.State = run.Running
	filler := strings.Repeat("0", 2000)
	write := func(n int) {
		var events []event.Event
		for range n {
			events = append(events, event.New(event.StepCompleted, map[string]any{"hash": filler}))
		}
		must(t, w.db.Journal().Commit(ctx, run.Commit{Lease: lease, Run: r, Events: events}))
	}
	const total = 8000 // about 17 MB, more than the buffers of a connection take
	write(total / 2)
	var open atomic.Int32
	s := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, req *http.Request) {
		open.Add(1)
		defer open.Add(-1)
		w.door.ServeHTTP(rw, req)
	}))
	t.Cleanup(s.Close)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	const readers = 20
	for range readers {
		w.view(s, "bob", "/api/runs/run_long/events")
	}
	for range 20 {
		write(total / 40) // the run does not wait for them
	}
	for open.Load() > 0 {
		runtime.Gosched() // each is cut off when its write has stood still too long
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	t.Logf("%d readers were cut off; the heap grew by %d KB", readers, (int64(after.HeapAlloc)-int64(before.HeapAlloc))/1024)
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > readers*(1<<20) {
		t.Errorf("%d readers that read nothing hold %d bytes", readers, grown)
	}
	r.State = run.Failed
	must(t, w.db.Journal().Commit(ctx, run.Commit{Lease: lease, Run: r, Events: []event.Event{event.New(event.Failed, map[string]any{"state": "failed"})}}))
	whole := w.view(s, "bob", "/api/runs/run_long/events", "Last-Event-ID", fmt.Sprint(total-3)).events(100)
	if len(whole) != 4 || whole[3].Type != "run.failed" {
		t.Errorf("%v", types(whole))
	}
}

// TestTextCannotBreakOutOfItsFrame puts what looks like the end of a frame into a document.
func TestTextCannotBreakOutOfItsFrame(t *testing.T) {
	w := newWorld(t)
	w.kb("kb-a")
	w.grant("kb-a", "user:alice", "manager", "user:bob", "reader")
	w.add("kb-a", "t.txt|lodging\r\ndata: {\"x\":1}\r\nid: 99\nevent: run.failed\ndata: {}\r: hb\u2028\u0085 end", "status", "published")
	a := w.ask("bob", "lodging")
	events := w.view(w.live(), "bob", "/api/runs/"+a.RunID+"/events").events(100)
	if diff := cmp.Diff(whole, types(events)); diff != "" {
		t.Error(diff)
	}
	if !strings.Contains(string(events[3].Data), "run.failed") {
		t.Errorf("the source was not told of: %s", events[3].Data)
	}
}
