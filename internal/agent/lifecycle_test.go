package agent_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/agent"
	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/event"
	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/llm/llmtest"
	"github.com/kaoju/kaoju/internal/llm/rules"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/run"
)

// TestNoCheckpointHoldsAWordOfADocument looks at the checkpoint of every step of a run whose model
// repeats what it reads in its queries and its answer.
func TestNoCheckpointHoldsAWordOfADocument(t *testing.T) {
	for _, route := range []run.Route{run.AgenticRAG, run.FixedRAG} {
		f := newFlight(t)
		var mu sync.Mutex
		seen := map[string]bool{}
		f.deps.Journal = &watching{f.journal, func(r *run.Run) {
			mu.Lock()
			defer mu.Unlock()
			seen[r.Checkpoint] = true
		}}
		f.agent.Close()
		f.agent = agent.New(f.deps)
		t.Cleanup(f.agent.Close)
		req := parroting
		req.Route = route
		f.ask(alice, req).want(t, run.Completed, run.Success)
		f.agent.Close()
		if len(seen) < 4 {
			t.Errorf("%s: %d checkpoints", route, len(seen))
		}
		marks := false
		for at := range seen {
			for _, word := range []string{"CANARY", "标准", "住宿", "如上", "doc-a1", "query", "结论"} {
				if strings.Contains(at, word) {
					t.Errorf("%s: a checkpoint holds %q: %s", route, word, at)
				}
			}
			if strings.ContainsFunc(at, func(r rune) bool { return r > 126 }) {
				t.Errorf("%s: a checkpoint holds words: %s", route, at)
			}
			marks = marks || strings.Contains(at, `"ref":"`)
			if _, err := run.DecodeCheckpoint(at); err != nil {
				t.Error(err)
			}
		}
		if !marks {
			t.Errorf("%s: no checkpoint names evidence", route)
		}
	}
}

// watching is a journal that shows each run that it stores.
type watching struct {
	run.Journal
	look func(*run.Run)
}

func (w *watching) Commit(ctx context.Context, c run.Commit) error {
	err := w.Journal.Commit(ctx, c)
	if err == nil {
		w.look(c.Run)
	}
	return err
}

// forged is a journal whose checkpoints somebody has changed.
type forged struct {
	run.Journal
	mu     sync.Mutex
	change func(string) string
}

func (f *forged) Run(ctx context.Context, tenant access.TenantID, actor access.UserID, id run.ID) (*run.Run, []citation.Evidence, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	r, evidence, err := f.Journal.Run(ctx, tenant, actor, id)
	if err == nil && f.change != nil && (r.State == run.Interrupted || r.State == run.Queued) {
		r.Checkpoint = f.change(r.Checkpoint)
	}
	return r, evidence, err
}

func TestACheckpointThatWasTamperedWithFailsTheRun(t *testing.T) {
	put := func(old, now string) func(string) string {
		return func(s string) string { return strings.Replace(s, old, now, 1) }
	}
	for name, change := range map[string]func(string) string{
		"no JSON": func(string) string { return "{" }, "an unknown version": put(`"v":1`, `"v":7`), "an unknown field": put(`"v":1`, `"v":1,"roles":["tenant_admin"]`),
		"a source that was not read": put(`"kept":[`, `"kept":[{"ref":"S9","hash":"`+strings.Repeat("0", 64)+`"},`), "a source too few": put(`"ref":"S1"`, `"ref":"S2"`),
		"another text of a source": func(s string) string {
			i := strings.Index(s, `"hash":"`) + len(`"hash":"`)
			return s[:i] + strings.Repeat("0", 64) + s[i+64:]
		},
		"another attempt": func(s string) string {
			return strings.NewReplacer(`"attempt":1`, `"attempt":5`, `"attempt":2`, `"attempt":6`).Replace(s)
		},
		"another step": put(`"step":3`, `"step":0`), "white space": func(s string) string { return s + " " }, "too long": func(s string) string { return s + strings.Repeat(" ", run.MaxCheckpoint) },
	} {
		t.Run(name, func(t *testing.T) {
			forger := &forged{}
			r, p := puppetRig(t, func(d *agent.Deps) { forger.Journal, d.Journal = d.Journal, forger })
			id := readTravel(r, p)
			r.restart()
			forger.mu.Lock()
			forger.change = change
			forger.mu.Unlock()
			r.resume(alice, id)
			got := r.through(id)
			if got.State != run.Failed || got.Reason != run.InternalFault || got.Attempt != 2 || len(got.evidence) != 1 || len(p.asked) != 0 {
				t.Errorf("ended %s (%s) in attempt %d, %d requests", got.State, got.Reason, got.Attempt, len(p.asked))
			}
			if got.Use.Steps != 3 || got.Answer.Text != "" {
				t.Errorf("use %+v, answer %q", got.Use, got.Answer.Text)
			}
		})
	}
}

// witness tells of every commit how it ended.
type witness struct {
	run.Journal
	commits chan error
}

func (w witness) Commit(ctx context.Context, c run.Commit) error {
	err := w.Journal.Commit(ctx, c)
	w.commits <- err
	return err
}

// TestALostLeaseEndsTheAttemptWhileTheServerLives lets the sweep find a run whose worker does not
// renew its lease, and the worker wake up when the run is somebody else's.
func TestALostLeaseEndsTheAttemptWhileTheServerLives(t *testing.T) {
	var mu sync.Mutex
	now := time.Now()
	later := func(d time.Duration) {
		mu.Lock()
		defer mu.Unlock()
		now = now.Add(d)
	}
	commits := make(chan error, 100)
	r, p := puppetRig(t, func(d *agent.Deps) {
		d.Journal = witness{d.Journal, commits}
		d.Lease = time.Hour // it is renewed after twenty minutes of real time: never, here
		d.Clock = func() time.Time { mu.Lock(); defer mu.Unlock(); return now }
	})
	id := readTravel(r, p)
	other, deps := newPuppet(), r.deps
	deps.Generator, deps.Journal = other, r.db.Journal()
	sweeper := agent.New(deps) // another server on the folder
	defer sweeper.Close()
	ctx, stop := context.WithCancel(t.Context())
	tick, done := make(chan time.Time), make(chan struct{})
	go func() { defer close(done); sweeper.Watch(ctx, tick) }()
	tick <- now // the sweep before this one is over, and has found nothing
	if got, _, err := r.db.Journal().Run(t.Context(), tenant, alice, id); err != nil || got.State != run.Running {
		t.Fatalf("the run is %s, %v", got.State, err)
	}
	later(10 * time.Hour)
	tick <- now
	tick <- now // the first of the two sweeps is over
	later(-10 * time.Hour)
	tick <- now // and so is the second, which would find the next attempt too
	interrupted := r.course(id)
	if interrupted.State != run.Interrupted || interrupted.Reason != run.ProcessGone {
		t.Fatalf("the run is %s (%s)", interrupted.State, interrupted.Reason)
	}
	got, err := sweeper.Resume(t.Context(), access.Actor{Tenant: tenant, User: alice}, id)
	check(t, err)
	if got.Attempt != 2 {
		t.Errorf("attempt %d", got.Attempt)
	}
	<-other.asked // the second attempt has begun
	// The first worker still stands in its model request. It searches as it is told to, and can't say so.
	for len(commits) > 0 {
		check(t, <-commits)
	}
	p.turn <- calls(llmtest.Search("报销 发票"))
	if err := <-commits; problem.CodeOf(err) != "lease_lost" {
		t.Errorf("the worker that lost its lease committed: %v", err)
	}
	r.agent.Close()
	if got, _, err := r.db.Journal().Run(t.Context(), tenant, alice, id); err != nil || got.State != run.Running || got.Attempt != 2 || len(got.Searches) != len(interrupted.Searches) {
		t.Errorf("the worker that lost its lease left the run %s in attempt %d, after %d searches, %v", got.State, got.Attempt, len(got.Searches), err)
	}
	stop()
	<-done
	sweeper.Close()
	whole := r.course(id)
	if whole.Attempt != 2 || whole.State != run.Interrupted {
		t.Errorf("%s in attempt %d", whole.State, whole.Attempt)
	}
	if d := cmp.Diff(len(interrupted.evidence), len(whole.evidence)); d != "" {
		t.Errorf("the worker that lost its lease added evidence: %s", d)
	}
	for _, e := range whole.events[len(interrupted.events):] {
		if e.Attempt != 2 {
			t.Errorf("%s of attempt %d after the attempt was closed", e.Type, e.Attempt)
		}
	}
}

// TestCancelReachesARunWhereverItIs cancels in each place that a run can be in.
func TestCancelReachesARunWhereverItIs(t *testing.T) {
	actor := access.Actor{Tenant: tenant, User: alice}
	cancel := func(r *rig, id run.ID) run.State {
		got, err := r.agent.Cancel(context.Background(), actor, id)
		check(r.t, err)
		return got.State
	}
	t.Run("in a model call", func(t *testing.T) {
		r, p := puppetRig(t, nil)
		id := r.start(alice, question)
		<-p.asked
		if s := cancel(r, id); s != run.Cancelling {
			t.Errorf("it is %s", s)
		}
		if got := r.through(id); got.State != run.Cancelled || got.Usage.Calls != 1 || got.Usage.CallsWithUsage != 0 {
			t.Errorf("%s, usage %+v", got.State, got.Usage)
		}
	})
	t.Run("in a tool", func(t *testing.T) {
		r, p := puppetRig(t, nil)
		inside, hold := make(chan struct{}), make(chan struct{})
		r.search.during = func() { close(inside); <-hold }
		id := r.start(alice, question)
		<-p.asked
		p.turn <- calls(llmtest.Search("上海住宿"), llmtest.Read("doc-travel"))
		<-inside
		if s := cancel(r, id); s != run.Cancelling {
			t.Errorf("it is %s", s)
		}
		// The tool still works: everybody sees that the run is stopping, and nobody that it stopped.
		stored, _, err := r.db.Journal().Run(t.Context(), tenant, alice, id)
		check(t, err)
		if stored.State != run.Cancelling {
			t.Errorf("while the tool works it is %s", stored.State)
		}
		if s := cancel(r, id); s != run.Cancelling {
			t.Errorf("asked again it is %s", s)
		}
		close(hold)
		if got := r.through(id); got.State != run.Cancelled || got.Use.ToolCalls != 1 || len(got.evidence) != 0 {
			t.Errorf("%s after %+v", got.State, got.Use)
		}
	})
	t.Run("in the answer", func(t *testing.T) {
		var r *rig
		var id run.ID
		r = newRig(t, nil, calls(llmtest.Search("上海住宿")), calls(llmtest.Read("doc-travel")),
			llmtest.Turn{Text: cited, Check: func(llm.Request) {
				_, err := r.db.Journal().Cancel(context.Background(), tenant, alice, id) // by another server: nobody here is told
				check(t, err)
			}})
		ready := make(chan struct{})
		r.search.during = func() { <-ready }
		id = r.start(alice, question)
		close(ready)
		got := r.through(id)
		if got.State != run.Cancelled || got.Answer.Text != "" || len(got.Checks) != 0 {
			t.Errorf("%s with the answer %q", got.State, got.Answer.Text)
		}
		for _, e := range got.events {
			if e.Type == event.AnswerDelta {
				t.Error("an answer was told of")
			}
		}
	})
	t.Run("after the end", func(t *testing.T) {
		r := newRig(t, nil, says("您好，我是考据。"))
		id := r.start(alice, greet)
		r.wait(alice, id).want(t, run.Completed, run.Success)
		n := len(r.course(id).events)
		if s := cancel(r, id); s != run.Completed || len(r.course(id).events) != n {
			t.Errorf("it is %s", s)
		}
	})
	t.Run("interrupted", func(t *testing.T) {
		r, p := puppetRig(t, nil)
		id := r.start(alice, question)
		<-p.asked
		r.restart()
		if s := cancel(r, id); s != run.Interrupted || r.course(id).Attempt != 1 {
			t.Errorf("it is %s", s)
		}
	})
	t.Run("in a resumed attempt", func(t *testing.T) {
		r, p := puppetRig(t, nil)
		id := readTravel(r, p)
		r.restart()
		r.resume(alice, id)
		<-p.asked
		if s := cancel(r, id); s != run.Cancelling {
			t.Errorf("it is %s", s)
		}
		if got := r.through(id); got.State != run.Cancelled || got.Attempt != 2 {
			t.Errorf("%s in attempt %d", got.State, got.Attempt)
		}
	})
}

// TestTheRuleBasedEngineResumesToo interrupts it after each model turn of its own.
func TestTheRuleBasedEngineResumesToo(t *testing.T) {
	whole := newRig(t, byRules)
	plain := whole.ask(alice, question)
	plain.want(t, run.Completed, run.Success)
	for k := range plain.Usage.Calls {
		stopped := &stopping{Generator: rules.New(), at: k, stopped: make(chan struct{})}
		r := newRig(t, func(d *agent.Deps) { d.Generator, d.Rules = stopped, nil })
		id := r.start(alice, question)
		<-stopped.stopped
		r.restart()
		r.resume(alice, id)
		got := r.through(id)
		if got.State != run.Completed || !strings.Contains(got.Answer.Text, "650") || got.Attempt != 2 {
			t.Errorf("interrupted in turn %d: %s (%s): %s", k+1, got.State, got.Reason, got.Answer.Text)
		}
	}
}

// stopping is an engine that stands still in one of its turns, once.
type stopping struct {
	llm.Generator
	mu      sync.Mutex
	n, at   int
	stopped chan struct{}
}

func (s *stopping) Generate(ctx context.Context, req llm.Request, emit func(llm.Delta)) (llm.Response, error) {
	s.mu.Lock()
	hold := s.n == s.at
	s.n++
	s.mu.Unlock()
	if hold {
		close(s.stopped)
		<-ctx.Done()
		return llm.Response{}, ctx.Err()
	}
	return s.Generator.Generate(ctx, req, emit)
}
