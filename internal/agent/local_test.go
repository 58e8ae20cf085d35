package agent_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/internal/agent"
	"github.com/kaoju/kaoju/internal/event"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/llm/llmtest"
	"github.com/kaoju/kaoju/internal/llm/rules"
	"github.com/kaoju/kaoju/internal/run"
)

// far is a script that counts as being elsewhere.
func far(name string, turns ...llmtest.Turn) *llmtest.Script {
	s := llmtest.New(turns...)
	s.Identity = llm.Info{Engine: llm.Model, Name: name, Host: name + ".example", Remote: true}
	return s
}

func (r *rig) localOnly(on bool) {
	r.t.Helper()
	check(r.t, r.db.Tenancy().SetLocalOnly(context.Background(), tenant, "carol", on))
}

// The sentences of a tenant whose text goes nowhere else are not sent to a verifier elsewhere; one on
// this machine is asked.
func TestAVerifierElsewhereIsNotAskedForALocalOnlyTenant(t *testing.T) {
	rules := checkedByRules(t)
	for _, local := range []bool{true, false} {
		verifier := far("judge", says(agrees))
		r, _ := verifying(t, func(d *agent.Deps) { d.Verifier = verifier })
		r.localOnly(local)
		got := r.ask(alice, question)
		got.want(t, run.Completed, run.Success)
		asked := len(verifier.Requests()) == 1
		if asked == local || slices.Contains(got.Notices, "local_only") != local || strings.HasPrefix(got.Checks[0].DecidedBy, "model:") == local {
			t.Errorf("local only %v: asked %v, notices %v, %+v", local, asked, got.Notices, got.Checks[0])
		}
		if local && got.Checks[0].Verdict != rules.Verdict {
			t.Errorf("%+v, want %+v", got.Checks[0], rules)
		}
	}
}

func TestAVerifierIsNotAskedBeyondTheTokens(t *testing.T) {
	spent := llmtest.New(calls(llmtest.Search("上海住宿")), calls(llmtest.Read("doc-travel")), llmtest.Turn{Text: told, Usage: llmtest.Tokens(6000, 10)})
	r, verifier := verifying(t, func(d *agent.Deps) { d.Generator, d.Limits.Tokens = spent, 5000 }, says(agrees))
	got := r.ask(alice, question)
	got.want(t, run.Completed, run.Success)
	if len(verifier.Requests()) != 0 || !strings.HasSuffix(got.Checks[0].DecidedBy, ", verifier failed") || !got.has(event.LimitReached) {
		t.Errorf("%d requests, %+v", len(verifier.Requests()), got.Checks)
	}
}

// A tenant that becomes local-only between two turns has no model from then on.
func TestATenantThatBecomesLocalOnlyMidRunSendsNothingMore(t *testing.T) {
	for _, fallback := range []bool{true, false} {
		var r *rig
		model := far("giant", calls(llmtest.Search("上海住宿")), llmtest.Turn{Answer: func(llm.Request) llmtest.Turn {
			r.localOnly(true)
			return calls(llmtest.Read("doc-travel"))
		}}, says(cited))
		r = newRig(t, func(d *agent.Deps) { d.Generator = model })
		req := question
		req.RulesFallback = fallback
		got := r.ask(alice, req)
		if n := len(model.Requests()); n != 2 {
			t.Errorf("%d requests went out", n)
		}
		if fallback {
			got.want(t, run.Completed, run.Success)
			if got.Model.Engine != llm.Rules || !slices.Contains(got.Notices, "local_only") {
				t.Errorf("%+v, %v", got.Model, got.Notices)
			}
			continue
		}
		got.want(t, run.Refused, run.PermissionDenied)
		if n := len(r.entries(ledger.Security, got.ID)); n != 1 {
			t.Errorf("%d security entries", n)
		}
	}
}

// What rules began for a local-only tenant, rules go on with: no model elsewhere ever took part.
func TestARunOfALocalOnlyTenantIsResumedByRules(t *testing.T) {
	stopped := &stopping{Generator: rules.New(), at: 1, stopped: make(chan struct{})}
	model := far("giant", says(cited))
	r := newRig(t, func(d *agent.Deps) { d.Generator, d.Rules = model, stopped })
	r.localOnly(true)
	id := r.start(alice, question)
	<-stopped.stopped
	r.deps.Rules = rules.New()
	r.restart()
	r.resume(alice, id)
	got := r.through(id)
	if got.State != run.Completed || got.Model.Engine != llm.Rules || len(model.Requests()) != 0 || len(r.entries(ledger.Security, id)) != 0 {
		t.Errorf("%s (%s) by %+v, %d requests", got.State, got.Reason, got.Model, len(model.Requests()))
	}
}

// A search that holds a passage is refused before it reaches the tool, and replayed as it was.
func TestASearchThatHoldsAPassageIsReplayed(t *testing.T) {
	passage := strings.Repeat("这一条政策说明流程中的一个步骤，请按顺序执行并留存记录。\n\n", 3)
	r := newRig(t, nil, calls(llmtest.Search("政策流程步骤")), calls(llmtest.Read("doc-long")), calls(llmtest.Search(passage)), says("结论：按顺序执行并留存记录。[S1]"))
	got := r.ask(alice, question)
	if len(got.Calls) != 3 || got.Calls[2].Code != "invalid_arguments" {
		t.Errorf("ended %s (%s), calls %+v", got.State, got.Reason, got.Calls)
	}
}
