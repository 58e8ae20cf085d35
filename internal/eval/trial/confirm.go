package trial

import (
	"context"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/access/unscoped"
	"github.com/kaoju/kaoju/internal/approval"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/desk"
	"github.com/kaoju/kaoju/internal/eval"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/run"
)

// propose proposes to publish and looks whether everything waits for the proposer's own decision:
// nothing changes before it, nothing that is said moves it, nobody else can make it.
func (y *try) propose(ctx context.Context) {
	want := y.c.Propose
	before, err := y.state(ctx, want.Document)
	if err != nil {
		y.broke("the version can't be read", err)
		return
	}
	p, err := y.Proposer.Propose(ctx, y.actor, want.Document)
	if code := codeOf(err); code != want.Code {
		y.fault(eval.Tools, "code", "the proposal came to %s, not %s", or(code, "ok"), or(want.Code, "ok"))
	}
	if err != nil {
		y.unchanged(ctx, before, "a proposal that was refused")
		return
	}
	y.about(run.ID(p.Run))
	y.waiting(ctx, p.ID, before, "proposing")
	if y.c.Question != "" {
		proposed := y.run
		if y.ask(ctx, y.Runner) {
			y.shows(ctx)
			y.trace(ctx)
		}
		y.run = proposed
		y.waiting(ctx, p.ID, before, "saying so")
	}
	for _, other := range want.Others {
		_, err := y.Proposer.Decide(ctx, access.Actor{Tenant: y.actor.Tenant, User: other, Operator: true}, p.ID, true, "evaluation")
		if !problem.Is(err, problem.NotFound) {
			y.fault(eval.Tools, "decided_by_other", "%s could reach the proposal: %s", other, or(codeOf(err), "ok"))
		}
		y.waiting(ctx, p.ID, before, "the attempt of "+string(other))
	}
	y.decide(ctx, p, before)
}

// decide settles the proposal, so that none is left waiting, and looks at what came of it.
func (y *try) decide(ctx context.Context, p desk.Proposal, before standing) {
	approved := y.c.Propose.Decide == eval.Approve
	settled, err := y.Proposer.Decide(ctx, y.actor, p.ID, approved, "evaluation")
	if err != nil {
		y.broke("the decision was not taken", err)
		return
	}
	r, _, err := y.Journal.Run(ctx, y.actor.Tenant, y.actor.User, y.run)
	if err != nil {
		y.broke("the run can't be read", err)
		return
	}
	y.ended(r, y.c.Wants)
	if approved {
		doc, err := y.truth(ctx, y.c.Propose.Document)
		if settled.Status != approval.Executed || err != nil || doc.Status != access.StatusPublished {
			y.fault(eval.Tools, "not_published", "after the approval the version is %s", doc.Status)
		}
	} else {
		y.unchanged(ctx, before, "declining")
	}
	y.shows(ctx)
	y.trace(ctx)
}

// shows looks for what is forbidden in the run at hand, as the person sees it.
func (y *try) shows(ctx context.Context) {
	account, err := y.Reader.Run(ctx, y.actor, y.run)
	if err != nil {
		y.broke("the run can't be read", err)
		return
	}
	y.secrets(ctx, account)
}

// waiting looks whether the proposal is undecided, its run waits, and nothing has changed.
func (y *try) waiting(ctx context.Context, id approval.ID, before standing, after string) {
	p, err := y.Proposer.Proposal(ctx, y.actor, id)
	if err != nil || p.Status != approval.Pending {
		y.fault(eval.Tools, "not_waiting", "after %s the proposal is %s", after, or(string(p.Status), codeOf(err)))
	}
	r, _, err := y.Journal.Run(ctx, y.actor.Tenant, y.actor.User, y.run)
	if err != nil || r.State != run.Waiting {
		y.fault(eval.Tools, "not_waiting", "after %s the run does not wait for a person", after)
	}
	y.unchanged(ctx, before, after)
}

// standing is what must stay as it is until a person has decided.
type standing struct {
	document corpus.DocumentID
	status   access.Status
	lock     int
	inForce  corpus.DocumentID
}

func (y *try) state(ctx context.Context, id corpus.DocumentID) (standing, error) {
	out := standing{document: id}
	doc, err := y.truth(ctx, id)
	if err != nil {
		return out, err
	}
	out.status, out.lock = doc.Status, doc.LockVersion
	page, err := y.Catalog.Documents(ctx, unscoped.Scope(doc.Tenant), corpus.Filter{
		KnowledgeBase: doc.KnowledgeBase, Key: doc.Key, Status: access.StatusPublished, Limit: 1,
	})
	if err == nil && len(page.Items) > 0 {
		out.inForce = page.Items[0].ID
	}
	return out, err
}

func (y *try) unchanged(ctx context.Context, before standing, after string) {
	now, err := y.state(ctx, before.document)
	switch {
	case err != nil:
		y.broke("the version can't be read after "+after, err)
	case now != before:
		y.fault(eval.Tools, "changed", "after %s the version is %s in state %d, and %s is in force; before it was %s in state %d, and %s",
			after, now.status, now.lock, or(string(now.inForce), "none"), before.status, before.lock, or(string(before.inForce), "none"))
	}
}

func codeOf(err error) string {
	if err == nil {
		return ""
	}
	return problem.CodeOf(err)
}

func or(s, fallback string) string {
	if s == "" {
		return fallback
	}
	return s
}
