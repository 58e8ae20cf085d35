package agent

import (
	"context"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/event"
	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/run"
)

// answerer chooses who answers under a scope: the configured generator, or the rule-based engine for
// a tenant whose text must not go where that generator is.
func (a *Agent) answerer(scope access.Scope) llm.Generator {
	if scope.LocalOnly() && a.deps.Generator.Info().Remote && a.deps.Rules != nil {
		return a.deps.Rules
	}
	return a.deps.Generator
}

// notices are what a run tells of from its beginning.
func (a *Agent) notices(scope access.Scope) []string {
	if a.answerer(scope).Info() != a.deps.Generator.Info() {
		return []string{run.LocalOnly}
	}
	return nil
}

// place makes sure, before each model call, that what the call holds may go where the generator is.
// A tenant that became local-only has no model from then on: a run in which none took part yet goes
// on with the rule-based engine, as does one that asked for that; any other is refused.
func (w *worker) place(ctx context.Context) error {
	r, deps := w.run, w.agent.deps
	if r.Model.Engine == llm.Rules && deps.Rules != nil {
		w.generator = deps.Rules // as the run says of itself
	}
	if !w.generator.Info().Remote {
		return nil
	}
	if local, err := w.confined(ctx); err != nil || !local {
		return err
	}
	w.notice(run.LocalOnly)
	w.emit(event.Warning, map[string]any{"code": run.LocalOnly})
	if deps.Rules == nil || r.Usage.Calls > 0 && !r.RulesFallback {
		w.security("remote_model_refused", "")
		return over(run.PermissionDenied)
	}
	w.generator = deps.Rules
	r.Model = w.generator.Info()
	return nil
}

// confined reports whether the run's text may go to no model elsewhere at this moment, and records
// what changes the run's course.
func (w *worker) confined(ctx context.Context) (bool, error) {
	w.taped.places++
	local, err := w.localOnly(ctx)
	switch {
	case ctx.Err() != nil:
		return false, context.Cause(ctx)
	case problem.Is(err, problem.NotFound):
		w.tape(run.Recording{Judged: &run.Judged{Place: w.taped.places, Gone: true}})
		return false, over(run.PermissionDenied)
	case err != nil:
		return false, err
	}
	if local {
		w.tape(run.Recording{Judged: &run.Judged{Place: w.taped.places, Local: true}})
	}
	return local, nil
}

// localOnly asks the directory whether the tenant's text may go nowhere else, or, in a replay, what it
// said.
func (w *worker) localOnly(ctx context.Context) (local bool, err error) {
	if w.past != nil {
		return w.past.localOnly(w.taped.places)
	}
	err = w.agent.insist(ctx, func() error {
		scope, err := access.Resolve(ctx, w.agent.deps.Directory, w.actor, w.run.Scope.Request())
		local = scope.LocalOnly()
		return err
	})
	return local, err
}
