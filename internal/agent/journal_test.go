package agent_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/agent"
	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/llm/llmtest"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/run"
)

// moody is a journal that a test makes fail before it does its work. A nil hook lets it.
type moody struct {
	run.Journal
	claim, read, commit func(n int) error

	mu     sync.Mutex
	calls  map[string]int
	leases []time.Duration
}

func (m *moody) ask(what string, hook func(int) error) error {
	m.mu.Lock()
	if m.calls == nil {
		m.calls = map[string]int{}
	}
	m.calls[what]++
	n := m.calls[what]
	m.mu.Unlock()
	if hook == nil {
		return nil
	}
	return hook(n)
}

func (m *moody) Claim(ctx context.Context, id run.ID, lease time.Duration) (run.Lease, error) {
	if err := m.ask("claim", m.claim); err != nil {
		return run.Lease{}, err
	}
	m.mu.Lock()
	m.leases = append(m.leases, lease)
	m.mu.Unlock()
	return m.Journal.Claim(ctx, id, lease)
}

func (m *moody) Run(ctx context.Context, tenant access.TenantID, actor access.UserID, id run.ID) (*run.Run, []citation.Evidence, error) {
	if err := m.ask("read", m.read); err != nil {
		return nil, nil, err
	}
	return m.Journal.Run(ctx, tenant, actor, id)
}

func (m *moody) Commit(ctx context.Context, c run.Commit) error {
	if c.Run.State.Final() {
		if err := m.ask("commit", m.commit); err != nil {
			return err
		}
	}
	return m.Journal.Commit(ctx, c)
}

// pauses counts the waits for the journal without waiting.
type pauses struct {
	mu   sync.Mutex
	list []time.Duration
}

func (p *pauses) pause(ctx context.Context, d time.Duration) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.list = append(p.list, d)
	return ctx.Err()
}

func away(until int) func(int) error {
	return func(n int) error {
		if n > until {
			return nil
		}
		return problem.New(problem.Unavailable, "storage", "The disk is away.")
	}
}

// greet is a request that takes one model turn.
var greet = agent.Request{Goal: "你好"}

// journalRig makes a rig around a moody journal.
func journalRig(t *testing.T, m *moody, change func(*agent.Deps), turns ...llmtest.Turn) (*rig, *pauses) {
	t.Helper()
	p := &pauses{}
	r := newRig(t, func(d *agent.Deps) {
		m.Journal = d.Journal
		d.Journal, d.Pause = m, p.pause
		if change != nil {
			change(d)
		}
	}, turns...)
	return r, p
}

// final waits for the end of a run in the store itself.
func (r *rig) final(id run.ID) *run.Run {
	r.t.Helper()
	r.agent.Close()
	got, _, err := r.db.Journal().Run(context.Background(), tenant, alice, id)
	check(r.t, err)
	return got
}

func TestRunIsClaimedAgainWhileTheJournalIsAway(t *testing.T) {
	r, p := journalRig(t, &moody{claim: away(3)}, nil, says("您好，我是考据。"))
	r.ask(alice, greet).want(t, run.Completed, run.Success)
	want := []time.Duration{100 * time.Millisecond, 200 * time.Millisecond, 400 * time.Millisecond}
	if len(p.list) != len(want) || p.list[0] != want[0] || p.list[1] != want[1] || p.list[2] != want[2] {
		t.Errorf("the pauses were %v, want %v", p.list, want)
	}
}

func TestRunThatCannotBeTakenDoesNotStayQueued(t *testing.T) {
	for name, m := range map[string]*moody{
		"it can't be claimed":          {claim: away(1000)},
		"claiming fails for good":      {claim: func(int) error { return problem.New(problem.Internal, "broken", "The row is broken.") }},
		"it can be claimed, not read":  {read: away(1000)},
		"reading fails for good, once": {read: func(int) error { return problem.New(problem.Internal, "broken", "The row is broken.") }},
	} {
		t.Run(name, func(t *testing.T) {
			var tried int
			r, _ := journalRig(t, m, func(d *agent.Deps) { d.PerActor = 1 })
			id := r.start(alice, greet)
			ended := make(chan struct{})
			go func() { // the store tells of the end
				defer close(ended)
				for seen := int64(0); ; {
					events, err := r.db.Events().After(context.Background(), string(id), seen, 100)
					if err != nil || len(events) == 0 {
						if err = r.db.Events().Wait(t.Context(), string(id), seen); err != nil {
							return
						}
						continue
					}
					seen = events[len(events)-1].Sequence
					if events[len(events)-1].Type.Closes() {
						return
					}
				}
			}()
			<-ended
			if got := r.final(id); !got.State.Final() {
				t.Errorf("the run is %s", got.State)
			}
			for _, n := range m.calls {
				tried = max(tried, n)
			}
			if tried > 10 {
				t.Errorf("the journal was asked %d times", tried)
			}
			if len(r.script.Requests()) != 0 {
				t.Error("the model was asked")
			}
		})
	}
}

func TestEndOfARunIsStoredWhenTheJournalIsBack(t *testing.T) {
	r, _ := journalRig(t, &moody{commit: away(2)}, nil, says("您好，我是考据。"))
	r.ask(alice, greet).want(t, run.Completed, run.Success)
}

func TestPanicAtTheEndOfARunIsThatRunsFailure(t *testing.T) {
	var logged notebook
	m := &moody{commit: func(n int) error {
		if n == 1 {
			panic("index out of range")
		}
		return nil
	}}
	r, _ := journalRig(t, m, func(d *agent.Deps) { d.Log = logged.log() }, says("您好，我是考据。"), says("您好，我是考据。"))
	r.ask(alice, greet).want(t, run.Failed, run.InternalFault)
	if !strings.Contains(logged.String(), "index out of range") {
		t.Errorf("the log does not tell of the panic: %s", logged.String())
	}
	r.ask(alice, greet).want(t, run.Completed, run.Success)
}

func TestPanicOutsideTheLoopDoesNotKillTheProcess(t *testing.T) {
	once := func(n int) error {
		if n == 1 {
			panic("nil map")
		}
		return nil
	}
	always := func(int) error { panic("nil map") }
	for name, m := range map[string]*moody{"claiming": {claim: once}, "reading": {read: once}, "every end": {commit: always}} {
		t.Run(name, func(t *testing.T) {
			r, _ := journalRig(t, m, nil, says("您好"), says("您好"))
			id := r.start(alice, greet)
			r.final(id)
			if _, err := r.agent.Start(t.Context(), access.Actor{Tenant: tenant, User: alice}, greet); problem.CodeOf(err) != "stopping" {
				t.Errorf("a closed agent answers %v", err)
			}
		})
	}
}

func TestQueuedRunsHoldALongerLease(t *testing.T) {
	m := &moody{}
	r, _ := journalRig(t, m, func(d *agent.Deps) { d.Lease = 7 * time.Second }, says("您好"))
	r.ask(alice, greet).want(t, run.Completed, run.Success)
	if len(m.leases) != 1 || m.leases[0] < 30*time.Second {
		t.Errorf("the run was claimed for %v: renewed at a third, hundreds of queued runs would write all the time", m.leases)
	}
}

func TestActorWithTooManyRunsIsRefused(t *testing.T) {
	release := make(chan struct{})
	asked := make(chan struct{}, 4)
	hold := llmtest.Turn{Block: release, Text: "您好", Check: func(llm.Request) { asked <- struct{}{} }}
	r := newRig(t, func(d *agent.Deps) { d.Parallel, d.PerActor = 1, 2 }, hold, hold, hold, hold)
	first := r.start(alice, greet)
	<-asked
	second := r.start(alice, greet)
	_, err := r.agent.Start(t.Context(), access.Actor{Tenant: tenant, User: alice}, greet)
	if !problem.Is(err, problem.Exhausted) || problem.CodeOf(err) != "too_many_runs" {
		t.Fatalf("the third run: %v", err)
	}
	other := r.start(carol, greet)
	close(release)
	for _, id := range []run.ID{first, second} {
		r.wait(alice, id).want(t, run.Completed, run.Success)
	}
	r.wait(carol, other).want(t, run.Completed, run.Success)
	page, err := r.db.Journal().Runs(t.Context(), tenant, alice, run.Filter{Limit: 10})
	check(t, err)
	if len(page.Items) != 2 {
		t.Errorf("%d runs of the actor are stored, want 2: a refused one leaves nothing", len(page.Items))
	}
}
