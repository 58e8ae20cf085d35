package agent_test

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/agent"
	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/event"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/llm/llmtest"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/run"
)

// puppet is a model whose turns a test gives one by one: a request waits until it is answered, or
// until its context ends.
type puppet struct {
	asked chan llm.Request
	turn  chan llmtest.Turn
}

func newPuppet() *puppet {
	return &puppet{asked: make(chan llm.Request, 1), turn: make(chan llmtest.Turn)}
}

func (p *puppet) Info() llm.Info { return llmtest.New().Info() }

func (p *puppet) Generate(ctx context.Context, req llm.Request, _ func(llm.Delta)) (llm.Response, error) {
	select {
	case p.asked <- req:
	case <-ctx.Done():
		return llm.Response{}, ctx.Err()
	}
	select {
	case turn := <-p.turn:
		return llmtest.New(turn).Generate(ctx, req, nil)
	case <-ctx.Done():
		return llm.Response{}, ctx.Err()
	}
}

// puppetRig is a rig whose model is a puppet.
func puppetRig(t *testing.T, change func(*agent.Deps)) (*rig, *puppet) {
	t.Helper()
	p := newPuppet()
	r := newRig(t, func(d *agent.Deps) {
		d.Generator, d.Rules = p, nil
		if change != nil {
			change(d)
		}
	})
	return r, p
}

// restart stops the agent, as the end of a process would, and starts another on the same folder.
func (r *rig) restart() {
	r.agent.Close()
	_, err := r.db.Journal().Interrupt(context.Background(), time.Now().Add(1000*time.Hour))
	check(r.t, err)
	r.agent = agent.New(r.deps)
	r.t.Cleanup(r.agent.Close)
}

func (r *rig) resume(user access.UserID, id run.ID) *run.Run {
	r.t.Helper()
	got, err := r.agent.Resume(context.Background(), access.Actor{Tenant: tenant, User: user}, id)
	check(r.t, err)
	return got
}

// revoke takes the right to read from alice, or gives it back.
func (r *rig) revoke() { check(r.t, grant(context.Background(), r.db)) }

func (r *rig) giveBack() { check(r.t, grant(context.Background(), r.db, access.User(alice))) }

// deny keeps a document from alice.
func (r *rig) deny(id corpus.DocumentID) {
	r.t.Helper()
	r.police(id, access.Policy{Deny: []access.Principal{access.User(alice)}})
}

// allow gives it back.
func (r *rig) allow(id corpus.DocumentID) {
	r.t.Helper()
	r.police(id, access.Policy{})
}

func (r *rig) police(id corpus.DocumentID, policy access.Policy) {
	r.t.Helper()
	check(r.t, manage(context.Background(), r.db, func(s access.Scope) error {
		_, err := r.db.Catalog().Edit(context.Background(), s, id, corpus.Change{Policy: &policy})
		return err
	}))
}

// course is a run over all its attempts, with everything that was stored about it.
type course struct {
	*run.Run
	evidence []citation.Evidence
	events   []event.Event
}

// course loads a run that has ended and checks what holds of every run: one closing event at the
// end of each attempt, attempts in order, numbers without gaps, limits kept over all of them.
func (r *rig) course(id run.ID) course {
	r.t.Helper()
	ctx := context.Background()
	got, evidence, err := r.db.Journal().Run(ctx, tenant, alice, id)
	check(r.t, err)
	events, err := r.db.Events().After(ctx, string(id), 0, 10000)
	check(r.t, err)
	attempt, open := 1, true
	for i, e := range events {
		if e.Sequence != int64(i+1) {
			r.t.Errorf("event %d has sequence %d", i+1, e.Sequence)
		}
		if e.Type == event.Resumed {
			if open {
				r.t.Errorf("attempt %d begins before the one before it is closed", e.Attempt)
			}
			attempt, open = attempt+1, true
		}
		if e.Attempt != attempt || !open {
			r.t.Errorf("event %d, %s, is of attempt %d; attempt %d is open: %v", i+1, e.Type, e.Attempt, attempt, open)
		}
		if e.Type.Closes() {
			open = false
		}
	}
	if open || attempt != got.Attempt {
		r.t.Errorf("the last attempt is %d, the run is in %d, still open: %v", attempt, got.Attempt, open)
	}
	if got.Use.Steps > got.Limits.Steps+got.Limits.Repairs || got.Use.ToolCalls > got.Limits.ToolCalls ||
		got.Use.SearchPages > got.Limits.SearchPages || got.Use.Documents > got.Limits.Documents {
		r.t.Errorf("limits %+v were exceeded: %+v", got.Limits, got.Use)
	}
	if n := len(r.entries(ledger.RunEnded, id)); n != got.Attempt {
		r.t.Errorf("%d ledger entries of ends in %d attempts", n, got.Attempt)
	}
	if _, err := ledger.Check(ctx, r.db.Ledger(), string(tenant)); err != nil {
		r.t.Errorf("ledger: %v", err)
	}
	r.held(got, evidence)
	r.replay(alice, id)
	return course{got, evidence, events}
}

// last returns the data of the last event of a type.
func (c course) last(t *testing.T, kind event.Type) string {
	t.Helper()
	for i := len(c.events) - 1; i >= 0; i-- {
		if c.events[i].Type == kind {
			return string(c.events[i].Data)
		}
	}
	t.Fatalf("there is no %s", kind)
	return ""
}

// readTravel brings a run to the point where it has read the travel policy and asks what next.
func readTravel(r *rig, p *puppet) run.ID {
	r.t.Helper()
	id := r.start(alice, question)
	<-p.asked
	p.turn <- calls(llmtest.Search("上海住宿"))
	<-p.asked
	p.turn <- calls(llmtest.Read("doc-travel"))
	<-p.asked
	return id
}

// text is what a request tells beside the rules.
func text(req llm.Request) string {
	var b strings.Builder
	for _, m := range req.Messages[1:] {
		b.WriteString(m.Text)
		for _, c := range m.Calls {
			b.WriteString(c.Arguments)
		}
	}
	return b.String()
}

func TestAResumedRunGoesOnFromWhatItRead(t *testing.T) {
	r, p := puppetRig(t, nil)
	id := readTravel(r, p)
	r.restart()
	before := r.course(id)
	if before.State != run.Interrupted || before.Reason != run.ProcessGone {
		t.Fatalf("the run is %s (%s)", before.State, before.Reason)
	}
	if got := r.resume(alice, id); got.State != run.Queued || got.Attempt != 2 {
		t.Errorf("resumed as %s in attempt %d", got.State, got.Attempt)
	}
	req := <-p.asked
	if len(req.Messages) != 2 {
		t.Errorf("%d messages: earlier turns are part of the context", len(req.Messages))
	}
	for _, want := range []string{"上海住宿上限是多少", "[S1] doc_key=", "每晚 650 元", `"document_id":"doc-travel"`, `"refs":["S1"]`, `"documents":2`, `"searches":1`, `"steps":5`, `"tool_calls":6`} {
		if !strings.Contains(text(req), want) {
			t.Errorf("the context lacks %s:\n%s", want, text(req))
		}
	}
	p.turn <- says(cited)
	ended := r.through(id)
	if ended.State != run.Completed || ended.Attempt != 2 || len(ended.evidence) != 1 {
		t.Fatalf("%s in attempt %d with %d pieces of evidence", ended.State, ended.Attempt, len(ended.evidence))
	}
	if ended.Use.Steps != before.Use.Steps+1 || ended.Use.ToolCalls != 2 || ended.Usage.Calls != before.Usage.Calls+1 || ended.Use.Elapsed < before.Use.Elapsed {
		t.Errorf("use %+v after %+v, usage %+v", ended.Use, before.Use, ended.Usage)
	}
	if d := cmp.Diff(before.events, ended.events[:len(before.events)], cmp.Comparer(time.Time.Equal)); d != "" {
		t.Errorf("the events before changed: %s", d)
	}
	if data := ended.last(t, event.Resumed); !strings.Contains(data, `"scope_changed":false`) || !strings.Contains(data, `"sources_kept":1`) {
		t.Errorf("resumed: %s", data)
	}
	if n := len(r.entries(ledger.RunResumed, id)); n != 1 {
		t.Errorf("%d ledger entries of the resume", n)
	}
}

// wait2 waits for the end of an attempt and reads the whole course.
func (r *rig) through(id run.ID) course {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	check(r.t, r.agent.Await(ctx, access.Actor{Tenant: tenant, User: alice}, id))
	return r.course(id)
}

func TestWhatWasRevokedMeanwhileIsDroppedAndNotNamed(t *testing.T) {
	for name, take := range map[string]func(*rig){
		"the grant is revoked":   func(r *rig) { r.revoke() },
		"the document is denied": func(r *rig) { r.deny("doc-travel") },
		"the document is deleted": func(r *rig) {
			check(r.t, manage(context.Background(), r.db, func(s access.Scope) error { return r.db.Catalog().Delete(context.Background(), s, "doc-travel") }))
		},
	} {
		t.Run(name, func(t *testing.T) {
			r, p := puppetRig(t, nil)
			id := readTravel(r, p)
			r.restart()
			n := len(r.course(id).events)
			take(r)
			r.resume(alice, id)
			req := <-p.asked
			for _, hidden := range []string{"650 元", "差旅", "doc-travel", "travel.md", "S1"} {
				if strings.Contains(text(req), hidden) {
					t.Errorf("the context tells %q:\n%s", hidden, text(req))
				}
			}
			p.turn <- says("INSUFFICIENT_EVIDENCE\n当前资料不足以确认\n- 住宿标准")
			got := r.through(id)
			if got.State != run.InsufficientEvidence {
				t.Errorf("ended %s (%s)", got.State, got.Reason)
			}
			var told []string
			for _, e := range got.events[n:] {
				if e.Type == event.SourceWithheld || e.Type == event.Warning {
					told = append(told, string(e.Data))
				}
				if strings.Contains(string(e.Data), "travel") || strings.Contains(string(e.Data), "650 元") {
					t.Errorf("%s names the document: %s", e.Type, e.Data)
				}
			}
			if d := cmp.Diff([]string{`{"reason":"scope_changed","ref":"S1"}`, `{"code":"scope_changed"}`}, told); d != "" {
				t.Error(d)
			}
			if got.Use.Documents != 1 || got.Use.SearchPages != 1 || got.Use.ToolCalls != 2 {
				t.Errorf("what was used is not carried over: %+v", got.Use)
			}
		})
	}
}

func TestAKeptSourceMayBeReadOnceMoreAfterAResume(t *testing.T) {
	r, p := puppetRig(t, nil)
	id := readTravel(r, p)
	once := r.past(alice, id).Run.Use
	for attempt := 2; attempt <= 3; attempt++ {
		r.restart()
		r.resume(alice, id)
		<-p.asked
		p.turn <- calls(llmtest.Read("doc-travel"))
		req := <-p.asked
		result := req.Messages[len(req.Messages)-1]
		if result.Role != llm.Tool || !strings.Contains(result.Text, `"ref":"S1"`) || !strings.Contains(result.Text, "每晚 650 元") {
			t.Fatalf("attempt %d: the source is read as %s", attempt, result.Text)
		}
		past := r.past(alice, id)
		if use := past.Run.Use; use.Text != attempt*once.Text || use.Documents != 1 || use.ToolCalls != attempt+1 || len(past.Evidence) != 1 {
			t.Errorf("attempt %d: %d pieces of evidence, use %+v after %+v", attempt, len(past.Evidence), use, once)
		}
	}
	p.turn <- calls(llmtest.Read("doc-travel"))
	if got := r.through(id); got.Reason != run.NoProgress || got.Attempt != 3 {
		t.Errorf("reading it twice in an attempt ended %s (%s) in attempt %d", got.State, got.Reason, got.Attempt)
	}
}

func TestReadingAgainAfterAResumeOpensNoAllowance(t *testing.T) {
	var whole int
	r, p := puppetRig(t, nil)
	id := readTravel(r, p)
	whole = r.past(alice, id).Run.Use.Text
	r.agent.Close()
	r, p = puppetRig(t, func(d *agent.Deps) { d.Limits.TextUnits = whole })
	id = readTravel(r, p)
	r.restart()
	r.resume(alice, id)
	<-p.asked
	p.turn <- calls(llmtest.Read("doc-travel"))
	if got := r.through(id); got.Reason != run.LimitDocumentText || got.Use.Text != whole {
		t.Errorf("ended %s (%s) after %d of %d units", got.State, got.Reason, got.Use.Text, whole)
	}
}

func TestADroppedSourceStaysDroppedAndItsNumberIsNotReused(t *testing.T) {
	r, p := puppetRig(t, nil)
	id := readTravel(r, p)
	r.restart()
	r.revoke()
	r.resume(alice, id)
	<-p.asked
	r.restart()
	r.giveBack()
	r.resume(alice, id)
	req := <-p.asked
	if strings.Contains(text(req), "650 元") || strings.Contains(text(req), "S1") {
		t.Errorf("a dropped source came back:\n%s", text(req))
	}
	p.turn <- calls(llmtest.Search("上海住宿")) // the same search again: its results are in no context
	<-p.asked
	p.turn <- calls(llmtest.Read("doc-travel"))
	<-p.asked
	p.turn <- says(strings.ReplaceAll(cited, "S1", "S2"))
	got := r.through(id)
	if got.State != run.Completed || got.Attempt != 3 || len(got.evidence) != 2 || got.evidence[1].Ref != "S2" {
		t.Fatalf("%s (%s) in attempt %d with %d pieces of evidence", got.State, got.Reason, got.Attempt, len(got.evidence))
	}
	if got.Use.SearchPages != 2 || got.Use.Documents != 1 || got.Use.ToolCalls != 4 {
		t.Errorf("use %+v", got.Use)
	}
}

func TestOnlyTheActorResumesAnInterruptedRunOnce(t *testing.T) {
	r, p := puppetRig(t, nil)
	id := readTravel(r, p)
	_, err := r.agent.Resume(t.Context(), access.Actor{Tenant: tenant, User: alice}, id)
	if !problem.Is(err, problem.Conflict) || problem.CodeOf(err) != "not_resumable" {
		t.Errorf("a running run: %v", err)
	}
	r.restart()
	for _, other := range []access.Actor{{Tenant: tenant, User: carol}, {Tenant: "globex", User: alice}} {
		_, foreign := r.agent.Resume(t.Context(), other, id)
		_, unknown := r.agent.Resume(t.Context(), other, "run_unknown")
		if !problem.Is(foreign, problem.NotFound) || foreign.Error() != unknown.Error() {
			t.Errorf("%s: %v, unknown: %v", other.User, foreign, unknown)
		}
	}
	var won, refused atomic.Int32
	var wg sync.WaitGroup
	for range 6 {
		wg.Go(func() {
			switch _, err := r.agent.Resume(context.Background(), access.Actor{Tenant: tenant, User: alice}, id); {
			case err == nil:
				won.Add(1)
			case problem.CodeOf(err) == "not_resumable":
				refused.Add(1)
			}
		})
	}
	wg.Wait()
	if won.Load() != 1 || refused.Load() != 5 {
		t.Errorf("%d resumes won, %d were refused", won.Load(), refused.Load())
	}
	<-p.asked
	p.turn <- says(cited)
	if got := r.through(id); got.State != run.Completed || got.Attempt != 2 {
		t.Errorf("%s in attempt %d", got.State, got.Attempt)
	}
	_, err = r.agent.Resume(t.Context(), access.Actor{Tenant: tenant, User: alice}, id)
	if problem.CodeOf(err) != "not_resumable" {
		t.Errorf("a completed run: %v", err)
	}
}

func TestASuspendedActorResumesNothing(t *testing.T) {
	r, p := puppetRig(t, nil)
	id := readTravel(r, p)
	r.restart()
	check(t, r.db.Admin().PutUser(t.Context(), tenant, "system", access.Identity{User: alice, Suspended: true}))
	if _, err := r.agent.Resume(t.Context(), access.Actor{Tenant: tenant, User: alice}, id); !problem.Is(err, problem.NotFound) {
		t.Errorf("got %v", err)
	}
	if got := r.course(id); got.State != run.Interrupted || got.Attempt != 1 {
		t.Errorf("the run is %s in attempt %d", got.State, got.Attempt)
	}
}

func TestARunThatWaitsForAPersonGoesOnWaiting(t *testing.T) {
	r, _ := puppetRig(t, nil)
	ctx := t.Context()
	w := &run.Run{ID: "run_waits", Tenant: tenant, Actor: alice, Kind: run.ForPublish, State: run.Queued, Attempt: 1, CreatedAt: time.Now()}
	check(t, r.db.Journal().Create(ctx, w, nil))
	l, err := r.db.Journal().Claim(ctx, w.ID, time.Minute)
	check(t, err)
	for _, s := range []run.State{run.Running, run.Waiting} {
		w.State = s
		check(t, r.db.Journal().Commit(ctx, run.Commit{Lease: l, Run: w}))
	}
	got := r.resume(alice, w.ID)
	events, err := r.db.Events().After(ctx, string(w.ID), 0, 10)
	check(t, err)
	if got.State != run.Waiting || got.Attempt != 1 || len(events) != 0 {
		t.Errorf("%s in attempt %d with %d events", got.State, got.Attempt, len(events))
	}
}

func TestLimitsHoldOverAllAttempts(t *testing.T) {
	r, p := puppetRig(t, func(d *agent.Deps) { d.Limits.Steps = 3 })
	id := r.start(alice, question)
	for range 2 {
		<-p.asked
		r.restart()
		r.resume(alice, id)
	}
	<-p.asked
	p.turn <- calls(llmtest.Search("上海住宿"))
	got := r.through(id)
	if got.Reason != run.LimitSteps || got.Use.Steps != 3 || got.Usage.Calls != 3 || got.Usage.CallsWithUsage != 0 {
		t.Errorf("ended %s after %+v, usage %+v: three requests were made over three attempts", got.Reason, got.Use, got.Usage)
	}
}

func TestTheTimeOfAllAttemptsCounts(t *testing.T) {
	now := time.Now()
	var mu sync.Mutex
	clock := func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		return now
	}
	r, p := puppetRig(t, func(d *agent.Deps) { d.Clock, d.Limits.Total = clock, time.Hour })
	id := r.start(alice, question)
	<-p.asked
	mu.Lock()
	now = now.Add(2 * time.Hour)
	mu.Unlock()
	r.restart()
	r.resume(alice, id)
	if got := r.through(id); got.Reason != run.LimitTime || got.Use.Elapsed < 2*time.Hour {
		t.Errorf("ended %s after %v", got.Reason, got.Use.Elapsed)
	}
}

func TestACrashInTheMiddleOfAToolOpensNoAllowance(t *testing.T) {
	r, p := puppetRig(t, func(d *agent.Deps) { d.Limits.ToolCalls = 2 })
	inside, hold := make(chan struct{}), make(chan struct{})
	r.search.during = func() { close(inside); <-hold }
	id := r.start(alice, question)
	<-p.asked
	p.turn <- calls(llmtest.Search("上海住宿"))
	<-inside
	stored, _, err := r.db.Journal().Run(t.Context(), tenant, alice, id)
	check(t, err)
	if stored.Use.ToolCalls != 1 || stored.Usage.CallsWithUsage != 0 || !strings.Contains(stored.Checkpoint, `"next":"call"`) || !strings.Contains(stored.Checkpoint, `"tool":"search_knowledge"`) {
		t.Errorf("while the tool runs the journal holds %+v, checkpoint %s", stored.Use, stored.Checkpoint)
	}
	_, err = r.db.Journal().Interrupt(t.Context(), time.Now().Add(time.Hour))
	check(t, err)
	r.search.during = nil
	close(hold)
	r.restart()
	r.resume(alice, id)
	<-p.asked
	p.turn <- calls(llmtest.Search("上海住宿"), llmtest.Read("doc-travel"))
	got := r.through(id)
	if got.Reason != run.LimitToolCalls || got.Use.ToolCalls != 2 || got.Use.SearchPages != 1 {
		t.Errorf("ended %s after %+v", got.Reason, got.Use)
	}
	if data := got.last(t, event.Resumed); !strings.Contains(data, `"unfinished_calls":1`) {
		t.Errorf("resumed: %s", data)
	}
}

func TestCancellingARunThatWasJustResumedEndsIt(t *testing.T) {
	r, p := puppetRig(t, func(d *agent.Deps) { d.Parallel = 1 })
	id := readTravel(r, p)
	r.restart()
	other := r.start(carol, agent.Request{Goal: "你好"}) // it takes the only slot
	<-p.asked
	r.resume(alice, id)
	got, err := r.agent.Cancel(t.Context(), access.Actor{Tenant: tenant, User: alice}, id)
	check(t, err)
	if got.State != run.Cancelled {
		t.Errorf("a queued attempt is %s", got.State)
	}
	if c := r.through(id); c.State != run.Cancelled || c.Attempt != 2 {
		t.Errorf("%s in attempt %d", c.State, c.Attempt)
	}
	p.turn <- says("您好，我是考据。")
	r.wait(carol, other).want(t, run.Completed, run.Success)
	if _, err := r.agent.Resume(t.Context(), access.Actor{Tenant: tenant, User: alice}, id); problem.CodeOf(err) != "not_resumable" {
		t.Errorf("a cancelled run: %v", err)
	}
}

func TestAnEnglishRunIsToldThatItContinuesInEnglish(t *testing.T) {
	r, p := puppetRig(t, nil)
	id := r.start(alice, agent.Request{Goal: "What is the lodging limit in 650?"})
	<-p.asked
	r.restart()
	r.resume(alice, id)
	if req := <-p.asked; !strings.Contains(req.Messages[0].Text, "This run continues from earlier work") {
		t.Errorf("system prompt: %s", req.Messages[0].Text)
	}
	r.agent.Close()
}
