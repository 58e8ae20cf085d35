package desk

import (
	"context"
	"encoding/json"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/action"
	"github.com/kaoju/kaoju/internal/approval"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/tool"
)

// Actions proposes calls of declared tools and carries out approved ones. *action.Engine is the one.
type Actions interface {
	Tools(ctx context.Context, actor access.Actor) ([]action.Listed, error)
	Propose(ctx context.Context, actor access.Actor, w action.Wish) (approval.Proposal, error)
	Carry(ctx context.Context, k approval.Task) (approval.Task, error)
}

// CallCard is what a card says of a call beside its summary. Arguments are nil where they are not
// shown: of a sensitive read nothing but the document's id and version and the knowledge base's name
// is, before it was approved.
type CallCard struct {
	Summary   action.Summary
	BaseName  string
	Arguments json.RawMessage
}

// Tools lists the tools whose call the actor may propose.
func (d *Desk) Tools(ctx context.Context, actor access.Actor) ([]action.Listed, error) {
	if d.deps.Actions == nil {
		return nil, nil
	}
	return d.deps.Actions.Tools(ctx, actor)
}

// ProposeCall proposes to call a declared tool. A call that needs no decision has been carried out.
func (d *Desk) ProposeCall(ctx context.Context, actor access.Actor, w action.Wish) (Proposal, error) {
	if d.deps.Actions == nil {
		return Proposal{}, problem.New(problem.Denied, string(tool.NotAllowed), "This tool is not available here.")
	}
	p, err := d.deps.Actions.Propose(ctx, actor, w)
	if err != nil {
		return Proposal{}, err
	}
	return d.carried(ctx, actor, p)
}

// carried has an approved call carried out, where nobody has done so yet, and returns the proposal
// as the actor may see it now.
func (d *Desk) carried(ctx context.Context, actor access.Actor, p approval.Proposal) (Proposal, error) {
	if k := p.Task; k != nil && k.Status == approval.Queued && d.deps.Actions != nil {
		due := *k
		due.Proposal = p
		after, err := d.deps.Actions.Carry(ctx, due)
		if err == nil {
			after.Proposal = approval.Proposal{}
			p.Task = &after
		} // else the task stays queued or running, is shown so, and is taken up again by the timer
	}
	var out Proposal
	err := d.cards(ctx, actor, func(c cards) (err error) {
		out, err = c.of(ctx, p)
		return err
	})
	if problem.Is(err, problem.NotFound) {
		// The actor was suspended right after; what was decided stands.
		return withheld(p), nil
	}
	return out, err
}

// cards shows proposals under the rights of one moment. A version that a call was about stays
// readable as the sources of runs do, also after it was archived; a version to be published is a
// draft, which takes more.
type cards struct {
	desk           *Desk
	content, cited access.Scope
	bases          map[access.KnowledgeBaseID]string
}

func (d *Desk) cards(ctx context.Context, actor access.Actor, fn func(cards) error) error {
	return d.within(ctx, actor, access.Request{View: access.Content}, func(content access.Scope) error {
		return d.within(ctx, actor, access.Request{View: access.Cited}, func(cited access.Scope) error {
			return fn(cards{d, content, cited, map[access.KnowledgeBaseID]string{}})
		})
	})
}

func (c cards) of(ctx context.Context, p approval.Proposal) (Proposal, error) {
	if p.Kind != approval.CallTool {
		return c.desk.joined(ctx, c.content, p)
	}
	doc, err := c.desk.deps.Catalog.Document(ctx, c.cited, corpus.DocumentID(p.Document))
	if problem.Is(err, problem.NotFound) {
		return withheld(p), nil
	}
	if err != nil {
		return Proposal{}, err
	}
	out := Proposal{Proposal: p, LockVersion: doc.LockVersion, Call: &CallCard{}}
	if err := json.Unmarshal(p.Summary, &out.Call.Summary); err != nil {
		return Proposal{}, problem.Wrap(err, problem.Internal, "broken_record", "The summary of proposal %s can't be read.", p.ID)
	}
	if out.Call.BaseName, err = c.baseName(ctx, p.KnowledgeBase); err != nil {
		return Proposal{}, err
	}
	if p.Call.Sensitivity == string(tool.SensitiveRead) && p.Status != approval.Approved {
		out.DocKey = ""
		return out, nil
	}
	out.Title, out.Call.Arguments = doc.Title, p.Call.Args
	return out, nil
}

func (c cards) baseName(ctx context.Context, id access.KnowledgeBaseID) (string, error) {
	if name, ok := c.bases[id]; ok {
		return name, nil
	}
	kb, err := c.desk.deps.Bases.Base(ctx, c.cited, id)
	if err != nil {
		return "", err
	}
	c.bases[id] = kb.Name
	return kb.Name, nil
}

// withheld is a proposal whose document is no longer available to the actor: ids, status and times.
func withheld(p approval.Proposal) Proposal {
	out := Proposal{Proposal: p, Withheld: true}
	out.DocKey, out.KnowledgeBase, out.Version, out.FromVersion, out.KeyState, out.Proposal.Summary = "", "", 0, 0, "", nil
	if p.Task != nil {
		k := *p.Task
		k.Result = nil
		out.Task = &k
	}
	return out
}

// Task is an approved call as the actor may see it now.
type Task struct {
	approval.Task
	Card Proposal
}

// Task returns what an approved call became, to the one who proposed it, or to the one whom the task
// is for as long as they may read its document.
func (d *Desk) Task(ctx context.Context, actor access.Actor, id approval.TaskID) (Task, error) {
	if d.deps.Tasks == nil {
		return Task{}, problem.Missing()
	}
	k, err := d.deps.Tasks.Task(ctx, actor.Tenant, actor.User, id)
	if err != nil {
		return Task{}, err
	}
	out := Task{Task: k}
	err = d.cards(ctx, actor, func(c cards) (err error) {
		out.Card, err = c.of(ctx, k.Proposal)
		return err
	})
	if err != nil {
		return Task{}, err
	}
	if out.Card.Withheld {
		if actor.User != k.Proposal.Proposer {
			return Task{}, problem.Missing()
		}
		out.Result = nil
	}
	return out, nil
}
