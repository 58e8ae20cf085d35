package desk

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"strings"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/approval"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/revision"
)

// Summary is what a card says of a proposal before anything is opened: metadata, and counts of
// what differs. It is stored with the proposal and told in its run's events, and holds no text of
// any version.
type Summary struct {
	V int `json:"v"` // of this form: 1
	// From is the version in force when it was proposed; nil if there was none that the proposer
	// may read.
	From            *SummaryVersion `json:"from"`
	To              SummaryVersion  `json:"to"`
	SectionsAdded   int             `json:"sections_added"`
	SectionsRemoved int             `json:"sections_removed"`
	SectionsChanged int             `json:"sections_changed"`
	SectionsMoved   int             `json:"sections_moved"`
	LinesAdded      int             `json:"lines_added"`
	LinesRemoved    int             `json:"lines_removed"`
	NumbersChanged  int             `json:"numbers_changed"`
	PolicyDiffers   bool            `json:"policy_differs"`
}

// SummaryVersion names one version.
type SummaryVersion struct {
	DocumentID corpus.DocumentID `json:"document_id"`
	Version    int               `json:"version"`
	Checksum   corpus.Checksum   `json:"checksum"`
	Size       int64             `json:"size"`
}

func summaryVersion(d corpus.Document) SummaryVersion {
	return SummaryVersion{d.ID, d.Version, d.Checksum, d.Size}
}

// Proposal is one of the actor's own proposals as the actor may see it now. When Withheld, the
// version is no longer available to the actor, and nothing of it is told but its id.
type Proposal struct {
	approval.Proposal
	Summary  Summary
	Title    string
	Withheld bool
	// Comparison is what would change, or did; nil in lists, and where either version is not
	// there to be read.
	Comparison *Comparison
	// LockVersion is the document's now; 0 if it is withheld.
	LockVersion int
	// Call is the card of a proposal to call a tool.
	Call *CallCard
}

// Propose proposes to publish a version. It needs the role knowledge_admin and editor on the
// knowledge base, and a person: a service account finds nothing here.
func (d *Desk) Propose(ctx context.Context, actor access.Actor, id corpus.DocumentID) (Proposal, error) {
	return d.proposeOf(ctx, actor, id, approval.Publish, access.Editor)
}

// ProposeArchiving proposes to take the version in force out of force without another in its place. It
// needs what Propose needs, and manager; another version is problem.Conflict "not_published".
func (d *Desk) ProposeArchiving(ctx context.Context, actor access.Actor, id corpus.DocumentID) (Proposal, error) {
	return d.proposeOf(ctx, actor, id, approval.Archive, access.Manager)
}

func (d *Desk) proposeOf(ctx context.Context, actor access.Actor, id corpus.DocumentID, kind approval.Kind, least access.Level) (Proposal, error) {
	if actor.Service {
		return Proposal{}, problem.Missing()
	}
	wish := approval.Proposal{
		ID: approval.ID("prop_" + strings.ToLower(rand.Text())), Run: "run_" + strings.ToLower(rand.Text()), Kind: kind, Document: string(id),
	}
	var out Proposal
	err := d.within(ctx, actor, access.Request{View: access.Content}, func(scope access.Scope) error {
		doc, err := d.deps.Catalog.Document(ctx, scope, id)
		if err != nil {
			return err
		}
		if !scope.Has(access.KnowledgeAdmin) || scope.Level(doc.KnowledgeBase) < least {
			return problem.Missing()
		}
		summary := Summary{V: 1, To: summaryVersion(doc)} // What goes out of force is all there is to say.
		if kind == approval.Publish {
			if summary, err = d.summarise(ctx, scope, doc); err != nil {
				return err
			}
		}
		if wish.Summary, err = json.Marshal(summary); err != nil {
			return err
		}
		p, err := d.deps.Approvals.Propose(ctx, scope, wish)
		out = Proposal{Proposal: p, Summary: summary, Title: doc.Title, LockVersion: p.LockVersion}
		return err
	})
	if err != nil {
		return Proposal{}, err
	}
	return out, nil
}

// summarise counts what publishing a version would change. The counts hold at the epoch of the
// scope, and so does the proposal that is stored under it.
func (d *Desk) summarise(ctx context.Context, scope access.Scope, doc corpus.Document) (Summary, error) {
	out := Summary{V: 1, To: summaryVersion(doc)}
	page, err := d.deps.Catalog.Documents(ctx, scope, corpus.Filter{
		KnowledgeBase: doc.KnowledgeBase, Key: doc.Key, Status: access.StatusPublished, Limit: 1,
	})
	if err != nil {
		return out, err
	}
	var c Comparison
	if len(page.Items) > 0 {
		now := page.Items[0]
		version := summaryVersion(now)
		out.From = &version
		if c, err = d.compareVersions(ctx, scope, now, doc); err != nil {
			return out, err
		}
		out.PolicyDiffers = c.PolicyDiffers()
	} else {
		text, err := d.deps.Texts.Text(ctx, scope, doc.ID)
		if err != nil {
			return out, err
		}
		c.Difference = revision.Compare(corpus.Text{}, text)
	}
	n := c.Difference.Counts
	out.SectionsAdded, out.SectionsRemoved, out.SectionsChanged, out.SectionsMoved = n.SectionsAdded, n.SectionsRemoved, n.SectionsChanged, n.SectionsMoved
	out.LinesAdded, out.LinesRemoved, out.NumbersChanged = n.LinesAdded, n.LinesRemoved, n.Numbers
	return out, nil
}

// Proposals lists the actor's own proposals, newest first; those of one kind, if the filter names it.
func (d *Desk) Proposals(ctx context.Context, actor access.Actor, f approval.Filter) (corpus.Page[Proposal], error) {
	switch f.Status {
	case "", approval.Pending, approval.Executed, approval.Archived, approval.Approved, approval.Cancelled, approval.Expired, approval.Conflict:
	default:
		return corpus.Page[Proposal]{}, invalid(problem.Field{Pointer: "?status", Detail: "must be pending, published, archived, approved, cancelled, expired or conflict"})
	}
	list, next, err := d.deps.Approvals.Proposals(ctx, actor.Tenant, actor.User, f)
	if err != nil {
		return corpus.Page[Proposal]{}, err
	}
	out := corpus.Page[Proposal]{Next: next}
	err = d.cards(ctx, actor, func(c cards) error {
		out.Items = nil
		for _, p := range list {
			card, err := c.of(ctx, p)
			if err != nil {
				return err
			}
			out.Items = append(out.Items, card)
		}
		return nil
	})
	if err != nil {
		return corpus.Page[Proposal]{}, err
	}
	return out, nil
}

// own returns one of the actor's own proposals; of another kind than the one named, if any is, there
// is none.
func (d *Desk) own(ctx context.Context, actor access.Actor, id approval.ID, kind approval.Kind) (approval.Proposal, error) {
	p, err := d.deps.Approvals.Proposal(ctx, actor.Tenant, actor.User, id)
	if err == nil && kind != "" && p.Kind != kind {
		err = problem.Missing()
	}
	return p, err
}

// Proposal returns one of the actor's own proposals with what would change.
func (d *Desk) Proposal(ctx context.Context, actor access.Actor, id approval.ID) (Proposal, error) {
	return d.ProposalOf(ctx, actor, id, "")
}

// ProposalOf is Proposal for one kind: there are no others then.
func (d *Desk) ProposalOf(ctx context.Context, actor access.Actor, id approval.ID, kind approval.Kind) (Proposal, error) {
	p, err := d.own(ctx, actor, id, kind)
	if err != nil {
		return Proposal{}, err
	}
	var out Proposal
	err = d.cards(ctx, actor, func(c cards) error {
		out, err = c.of(ctx, p)
		return err
	})
	if err != nil || out.Withheld || out.Summary.From == nil {
		return out, err
	}
	c, err := d.Compare(ctx, actor, out.Summary.From.DocumentID, corpus.DocumentID(p.Document))
	switch {
	case problem.Is(err, problem.NotFound): // The version before it is gone, or not for the actor.
	case err != nil:
		return Proposal{}, err
	default:
		out.Comparison = &c
	}
	return out, nil
}

// joined adds to a stored proposal what the actor may see of its document now.
func (d *Desk) joined(ctx context.Context, scope access.Scope, p approval.Proposal) (Proposal, error) {
	out := Proposal{Proposal: p}
	doc, err := d.deps.Catalog.Document(ctx, scope, corpus.DocumentID(p.Document))
	if problem.Is(err, problem.NotFound) {
		return withheld(p), nil
	}
	if err != nil {
		return Proposal{}, err
	}
	out.Title, out.LockVersion = doc.Title, doc.LockVersion
	if err := json.Unmarshal(p.Summary, &out.Summary); err != nil {
		return Proposal{}, problem.Wrap(err, problem.Internal, "broken_record", "The summary of proposal %s can't be read.", p.ID)
	}
	return out, nil
}

// Decide records the actor's decision on one of the actor's own proposals and has it carried out. The
// request names where the decision came from: a repetition of it gets the same answer.
func (d *Desk) Decide(ctx context.Context, actor access.Actor, id approval.ID, approved bool, request string) (Proposal, error) {
	return d.DecideOf(ctx, actor, id, "", approval.Decision{Approved: approved, Request: request})
}

// DecideOf is Decide for one kind: there are no others then. Choice and request are those of the
// decision; who and when are filled in.
func (d *Desk) DecideOf(ctx context.Context, actor access.Actor, id approval.ID, kind approval.Kind, choice approval.Decision) (Proposal, error) {
	if actor.Service {
		return Proposal{}, problem.Missing()
	}
	if kind != "" {
		if _, err := d.own(ctx, actor, id, kind); err != nil {
			return Proposal{}, err
		}
	}
	var settled approval.Proposal
	err := d.within(ctx, actor, access.Request{View: access.Content}, func(scope access.Scope) (err error) {
		settled, err = d.deps.Approvals.Decide(ctx, scope, id, approval.Decision{Approved: choice.Approved, Request: choice.Request})
		return err
	})
	if err != nil {
		return Proposal{}, err
	}
	return d.carried(ctx, actor, settled)
}
