package desk

import (
	"context"
	"slices"

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

// EvaluatedCase is a case of a result. Withheld says that it was asked in the name of another person,
// or speaks of a document that the reader may not see now: its question, the details of what was found
// and its runs are then not told, nor whether what was not found was there.
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
	err = d.within(ctx, actor, access.Request{View: access.Content}, func(scope access.Scope) error {
		out.Cases = nil
		rights := d.rights(scope)
		for _, c := range r.Cases {
			open := c.As == actor.User
			if open {
				if open, err = rights.named(ctx, c.Documents); err != nil {
					return err
				}
			}
			out.Cases = append(out.Cases, evaluated(c, open))
		}
		return nil
	})
	return out, err
}

// named reports whether the actor may see all documents that a case speaks of now, whatever the rights
// were when it was run. Documents that are not known are not seen.
func (r *rights) named(ctx context.Context, documents []eval.Target) (bool, error) {
	for _, t := range documents {
		seen, err := r.target(ctx, t)
		if err != nil || !seen {
			return false, err
		}
	}
	return documents != nil, nil
}

// target reports whether the actor may see a document that a case names.
func (r *rights) target(ctx context.Context, t eval.Target) (bool, error) {
	if t.Document != "" {
		lost, err := r.lost(ctx, t.Document)
		return !lost, err
	}
	f := corpus.Filter{Key: t.Key, Limit: 200}
	for {
		page, err := r.desk.deps.Catalog.Documents(ctx, r.scope, f)
		if err != nil {
			return false, err
		}
		for _, doc := range page.Items {
			if t.Is(doc.ID, doc.Key, doc.Version, true) {
				return true, nil
			}
		}
		if f.After = page.Next; page.Next == "" {
			return false, nil
		}
	}
}

// unfound are the codes that tell apart what the store held when a document was not found.
var unfound = []string{"unknown_target", "cannot_fail", "no_such_document", "other_tenant"}

func evaluated(c eval.CaseResult, open bool) EvaluatedCase {
	if open {
		return EvaluatedCase{CaseResult: c}
	}
	findings := make([]eval.Finding, len(c.Findings))
	for i, f := range c.Findings {
		findings[i] = eval.Finding{Group: f.Group, Code: f.Code, Try: f.Try}
		if slices.Contains(unfound, f.Code) {
			findings[i].Code = "not_found"
			if f.Group == eval.Citation {
				findings[i].Code = "not_cited"
			}
		}
	}
	c.Question, c.Runs, c.Findings, c.Documents = "", nil, findings, nil
	return EvaluatedCase{CaseResult: c, Withheld: true}
}
