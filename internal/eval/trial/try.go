package trial

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/agent"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/eval"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/run"
)

// try is one attempt at one case.
type try struct {
	*trial
	c     eval.Case
	actor access.Actor
	n     int
	out   *eval.CaseResult
	run   run.ID // that the findings are about
}

// fault records that the case fell short in a group, if it belongs to that group.
func (y *try) fault(g eval.Group, code, format string, args ...any) {
	if !y.c.In(g) {
		return
	}
	for _, a := range args {
		y.name(a)
	}
	y.out.Findings = append(y.out.Findings, eval.Finding{
		Group: g, Code: code, Detail: fmt.Sprintf(format, args...), Try: y.n, Run: string(y.run),
	})
}

// name notes a document that a finding speaks of.
func (y *try) name(a any) {
	var t eval.Target
	switch a := a.(type) {
	case corpus.DocumentID:
		t.Document = a
	case corpus.Key:
		t.Key = a
	default:
		return
	}
	if !slices.Contains(y.out.Documents, t) {
		y.out.Documents = append(y.out.Documents, t)
	}
}

// everywhere records that the case fell short as a whole.
func (y *try) everywhere(code, format string, args ...any) {
	for _, g := range y.c.Groups {
		y.fault(g, code, format, args...)
	}
}

// broke records a fault of the product, or of the case, that kept it from being judged.
func (y *try) broke(what string, err error) {
	y.everywhere("broke", "%s: %s", what, said(err))
}

// said is the part of an error that people may see.
func said(err error) string {
	var p *problem.Error
	if errors.As(err, &p) {
		return p.Code + ": " + p.Detail
	}
	return err.Error()
}

// begin tries the case.
func (y *try) begin(ctx context.Context) {
	if y.c.Changes() && !y.o.Changes {
		y.everywhere("changes_documents", "the case changes documents and was not run here")
		return
	}
	if _, err := access.Resolve(ctx, y.Directory, y.actor, access.Request{}); err != nil {
		y.everywhere("no_such_user", "there is no active user %s in tenant %s", y.actor.User, y.actor.Tenant)
		return
	}
	if !y.possible(ctx) {
		return
	}
	switch {
	case y.c.Propose != nil:
		y.propose(ctx)
	case len(y.c.Calls) > 0:
		y.script(ctx)
	case y.c.Update != nil:
		y.update(ctx)
	default:
		y.question(ctx)
	}
}

// question searches and asks, and judges both.
func (y *try) question(ctx context.Context) {
	if y.c.In(eval.Retrieval) {
		y.search(ctx, y.c.Wants)
	}
	if !y.c.In(eval.Citation) && !y.c.In(eval.Traceability) && !y.c.In(eval.Tools) {
		return
	}
	if y.ask(ctx, y.Runner) {
		y.judge(ctx, y.c.Wants)
		y.trace(ctx)
	}
}

// ask runs the question of the case to its end.
func (y *try) ask(ctx context.Context, r Runner) bool {
	id, err := r.Start(ctx, y.actor, agent.Request{
		Goal: y.c.Question, Bases: y.c.Bases, DocKey: y.c.DocKey, Route: run.Route(y.c.Route),
	})
	if err != nil {
		y.broke("the question was not taken", err)
		return false
	}
	y.about(id)
	if err := r.Await(ctx, y.actor, id); err != nil {
		if ctx.Err() != nil {
			// The run must not go on when nobody waits for it.
			_, _ = r.Cancel(context.WithoutCancel(ctx), y.actor, id)
		}
		y.broke("the question was not run to its end", err)
		return false
	}
	return true
}

// about makes a run the one that findings are about.
func (y *try) about(id run.ID) {
	y.run = id
	y.out.Runs = append(y.out.Runs, string(id))
}
