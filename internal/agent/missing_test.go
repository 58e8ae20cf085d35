package agent_test

import (
	"context"
	"testing"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/llm/rules"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/run"
)

// A run that began with a model is not finished by rules where no model is set, as when a command
// resumes it beside a server; it stays as it was, and goes on where the model is.
func TestARunOfAModelIsNotResumedWithoutOne(t *testing.T) {
	r, p := puppetRig(t, nil)
	id := readTravel(r, p)
	with := r.deps
	r.deps.Generator, r.deps.Rules = rules.New(), nil
	r.restart()
	_, err := r.agent.Resume(context.Background(), access.Actor{Tenant: tenant, User: alice}, id)
	if !problem.Is(err, problem.Conflict) || problem.CodeOf(err) != "model_missing" {
		t.Fatalf("it is resumed: %v", err)
	}
	if got := r.through(id); got.State != run.Interrupted || got.Attempt != 1 || got.Model != p.Info() {
		t.Errorf("it is %s in attempt %d, of %+v", got.State, got.Attempt, got.Model)
	}
	r.deps = with
	r.restart()
	r.resume(alice, id)
	<-p.asked
	r.agent.Close()
}
