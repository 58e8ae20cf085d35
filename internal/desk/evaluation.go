package desk

import (
	"context"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/eval"
)

// Evaluation is a kept result as its reader may see it. Its Cases stand here with what was withheld
// from each.
type Evaluation struct {
	eval.Result
	Cases []EvaluatedCase
}

// EvaluatedCase is a case of a result. Withheld says that it was asked in the name of another person:
// its question, the details of what was found and its runs are then not told, since they may speak of
// documents that the reader may not see.
type EvaluatedCase struct {
	eval.CaseResult
	Withheld bool
}

// Evaluations lists the kept results of the tenant, newest first, without their cases. It needs
// tenant_admin, as does Evaluation.
func (d *Desk) Evaluations(ctx context.Context, actor access.Actor, f eval.Filter) (corpus.Page[eval.Result], error) {
	if err := d.administers(ctx, actor); err != nil {
		return corpus.Page[eval.Result]{}, err
	}
	list, next, err := d.deps.Results.Results(ctx, actor.Tenant, f)
	return corpus.Page[eval.Result]{Items: list, Next: next}, err
}

// Evaluation returns a kept result.
func (d *Desk) Evaluation(ctx context.Context, actor access.Actor, id string) (Evaluation, error) {
	if err := d.administers(ctx, actor); err != nil {
		return Evaluation{}, err
	}
	r, err := d.deps.Results.Result(ctx, actor.Tenant, id)
	if err != nil {
		return Evaluation{}, err
	}
	out := Evaluation{Result: r}
	for _, c := range r.Cases {
		out.Cases = append(out.Cases, evaluated(c, c.As == actor.User))
	}
	return out, nil
}

func evaluated(c eval.CaseResult, own bool) EvaluatedCase {
	if own {
		return EvaluatedCase{CaseResult: c}
	}
	findings := make([]eval.Finding, len(c.Findings))
	for i, f := range c.Findings {
		findings[i] = eval.Finding{Group: f.Group, Code: f.Code, Try: f.Try}
	}
	c.Question, c.Runs, c.Findings = "", nil, findings
	return EvaluatedCase{CaseResult: c, Withheld: true}
}
