package agent_test

import (
	"context"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/agent"
	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/llm/llmtest"
	"github.com/kaoju/kaoju/internal/llm/rules"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/run"
)

// continued is a run that read, was interrupted while the model was asked, lost what it had read before
// it was resumed, read it again in its second attempt, and answered.
func continued(t *testing.T) func() agent.Past {
	t.Helper()
	r, p := puppetRig(t, nil)
	id := readTravel(r, p)
	r.restart()
	r.revoke()
	r.resume(alice, id)
	<-p.asked
	r.giveBack()
	for _, turn := range []llmtest.Turn{calls(llmtest.Search("上海住宿")), calls(llmtest.Read("doc-travel"))} {
		p.turn <- turn
		<-p.asked
	}
	p.turn <- says(strings.ReplaceAll(cited, "S1", "S2"))
	if got := r.through(id); got.State != run.Completed || got.Attempt != 2 {
		t.Fatalf("%s (%s) in attempt %d", got.State, got.Reason, got.Attempt)
	}
	return func() agent.Past { return r.past(alice, id) }
}

// of returns the recordings of an attempt.
func of(p *agent.Past, attempt int) (out []run.Recording) {
	for _, t := range p.Tape {
		if t.Attempt == attempt {
			out = append(out, t.Recording)
		}
	}
	return out
}

func TestAResumedRunIsReplayedAttemptByAttempt(t *testing.T) {
	past := continued(t)()
	second := of(&past, 2)
	from := second[0].Resumed
	if from == nil || strings.Join(from.Lost, " ") != "S1" || !from.Found || from.Use.Steps != 3 || from.Use.ToolCalls != 2 || from.Requests != 3 || from.Use.Elapsed != 0 {
		t.Fatalf("the second attempt went on from %+v", from)
	}
	if second[1].Began == nil {
		t.Errorf("then it began with %+v", second[1])
	}
	if d := replay(t, past); d != nil {
		t.Errorf("%v", d)
	}
}

func TestTheFirstDifferenceOfAResumedRunIsNamedWithItsAttempt(t *testing.T) {
	resumed := func(p *agent.Past) *run.Resumed { return of(p, 2)[0].Resumed }
	turn := func(p *agent.Past, attempt, n int) *run.Turn {
		for _, r := range of(p, attempt) {
			if r.Turn != nil {
				if n--; n == 0 {
					return r.Turn
				}
			}
		}
		return nil
	}
	without := func(p *agent.Past, gone func(run.Recorded) bool) {
		var kept []run.Recorded
		for _, r := range p.Tape {
			if !gone(r) {
				kept = append(kept, r)
			}
		}
		p.Tape = kept
	}
	tests := map[string]struct {
		change func(*agent.Past)
		what   string
	}{
		"another call in the first attempt": {func(p *agent.Past) { turn(p, 1, 1).Response.Message.Calls[0].Arguments = `{"query":"x"}` }, "attempt 1: tool call 1"},
		"an answer in the first attempt":    {func(p *agent.Past) { turn(p, 1, 2).Response.Message = llm.Message{Text: cited} }, "attempt 1: recorded calls of tools that were not made"},
		"another prompt of the second":      {func(p *agent.Past) { turn(p, 2, 1).Hash = "x" }, "attempt 2: prompt 1"},
		"another source that was lost":      {func(p *agent.Past) { resumed(p).Lost = nil }, "attempt 2: prompt 1"},
		"other hits that were lost":         {func(p *agent.Past) { resumed(p).Lost, resumed(p).Found = nil, false }, "attempt 2: prompt 1"},
		"more steps than there were":        {func(p *agent.Past) { resumed(p).Use.Steps += 2 }, "use before attempt 2"},
		"fewer searches than there were":    {func(p *agent.Past) { resumed(p).Use.SearchPages = 0 }, "use before attempt 2"},
		"other notices":                     {func(p *agent.Past) { resumed(p).Notices = []string{"local_only"} }, "notices before attempt 2"},
		"a call that is missing": {func(p *agent.Past) {
			without(p, func(r run.Recorded) bool {
				return r.Attempt == 1 && r.Tool != nil && r.Tool.Outcome.Spec.Name == "read_document"
			})
		}, "use before attempt 2"},
		"another answer":       {func(p *agent.Past) { p.Run.Answer.Text += "。" }, "answer"},
		"other limits used":    {func(p *agent.Past) { p.Run.Use.Documents++ }, "use"},
		"another hash":         {func(p *agent.Past) { p.Run.TapeHash = "x" }, "recording_hash"},
		"another first record": {func(p *agent.Past) { p.Tape[0].Hash = "x" }, "attempt 1: recording_hash"},
	}
	read := continued(t)
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			past := read()
			tt.change(&past)
			if d := replay(t, past); d == nil || d.What != tt.what {
				t.Errorf("the first difference is %v, want one of %s", d, tt.what)
			}
		})
	}
}

func TestARunWhoseResumeWasNotRecordedSaysSo(t *testing.T) {
	past := continued(t)()
	for i := range past.Tape {
		past.Tape[i].Resumed = nil
	}
	_, err := agent.Replay(context.Background(), past)
	if problem.CodeOf(err) != "not_replayable" || !strings.Contains(err.Error(), "it was resumed before") {
		t.Errorf("got %v", err)
	}
}

// Attempts that ended before their first step are gone through as well.
func TestAttemptsThatNeverBeganAreReplayed(t *testing.T) {
	r, p := puppetRig(t, func(d *agent.Deps) { d.Parallel = 1 })
	r.start(carol, agent.Request{Goal: "你好"}) // it takes the only slot
	<-p.asked
	id := r.start(alice, question)
	r.restart()
	if got := r.course(id); got.State != run.Interrupted || got.Use.Steps != 0 {
		t.Fatalf("%s after %+v", got.State, got.Use)
	}
	r.start(carol, agent.Request{Goal: "你好"})
	<-p.asked
	r.resume(alice, id)
	r.restart()
	busy := r.start(carol, agent.Request{Goal: "你好"})
	<-p.asked
	r.resume(alice, id)
	_, err := r.agent.Cancel(t.Context(), access.Actor{Tenant: tenant, User: alice}, id)
	check(t, err)
	if got := r.through(id); got.State != run.Cancelled || got.Attempt != 3 || len(of(&agent.Past{Tape: r.past(alice, id).Tape}, 1)) != 0 {
		t.Errorf("%s in attempt %d", got.State, got.Attempt)
	}
	p.turn <- says("您好，我是考据。")
	r.wait(carol, busy).want(t, run.Completed, run.Success)
}

// What the run said of itself from its beginning is what its replay begins with.
func TestARunOfALocalOnlyTenantIsReplayed(t *testing.T) {
	r := newRig(t, func(d *agent.Deps) { d.Generator, d.Rules = far("giant", says(cited)), rules.New() })
	r.localOnly(true)
	got := r.ask(alice, question)
	past := r.past(alice, got.ID)
	if began := past.Tape[0].Began; began == nil || strings.Join(began.Notices, " ") != "local_only" {
		t.Errorf("it began with %+v", past.Tape[0])
	}
	past.Tape[0].Began.Notices = nil
	if d := replay(t, past); d == nil || d.What != "notices" {
		t.Errorf("without them: %v", d)
	}
}
