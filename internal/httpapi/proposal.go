package httpapi

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/http"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/approval"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/desk"
	"github.com/kaoju/kaoju/internal/httpapi/wire"
	"github.com/kaoju/kaoju/internal/idempotency"
)

// versions registers what is done with versions beside looking at them: comparing, publishing by
// proposal and decision, archiving, reading history; and what is remembered of conversations.
func (s *server) versions() {
	s.proposals()
	s.tools()
	s.revisions()
	s.history()
	s.memories()
}

// proposals registers publishing in two requests, and approvals: the proposals of every kind.
func (s *server) proposals() {
	handle(s, operation("propose-publishing", http.MethodPost, "/api/documents/{id}/publish-proposals", "Propose to publish a version", http.StatusCreated), s.propose("propose", s.deps.Desk.Propose))
	handle(s, operation("propose-archiving", http.MethodPost, "/api/documents/{id}/archive-proposals", "Propose to take the published version out of force", http.StatusCreated), s.propose("propose-archiving", s.deps.Desk.ProposeArchiving))
	for _, name := range []struct {
		id, path, what string
		kind           approval.Kind
	}{
		{"proposal", "/api/publish-proposals", "proposals to publish", approval.Publish}, {"approval", "/api/approvals", "proposals of every kind", ""},
	} {
		d := docket{s, name.kind}
		handle(s, operation("list-"+name.id+"s", http.MethodGet, name.path, "The caller's own "+name.what+", newest first", 0), d.list)
		handle(s, operation("get-"+name.id, http.MethodGet, name.path+"/{id}", "One of them, with what would change", 0), d.get)
		handle(s, operation("decide-"+name.id, http.MethodPost, name.path+"/{id}/decisions", "Decide it, once", 0), d.decide)
	}
}

// docket is the proposals of one kind, or of all.
type docket struct {
	*server
	kind approval.Kind
}

// ProposalPath names a proposal in an address.
type ProposalPath struct {
	ID string `path:"id"`
}

// proposing is the request for a proposal about a version.
type proposing struct {
	DocumentPath
	Key string `header:"Idempotency-Key"`
}

func (s *server) propose(name string, make func(context.Context, access.Actor, corpus.DocumentID) (desk.Proposal, error)) func(context.Context, access.Actor, *proposing) (*answer[api.Proposal], error) {
	return func(ctx context.Context, actor access.Actor, in *proposing) (*answer[api.Proposal], error) {
		var made *desk.Proposal
		return once(ctx, s.keys, errandOf(actor, name, in.Key, in.ID), func(ctx context.Context) (idempotency.Receipt, error) {
			p, err := make(ctx, actor, corpus.DocumentID(in.ID))
			made = &p
			return idempotency.Receipt{ID: string(p.ID)}, err
		}, func(r idempotency.Receipt) (*answer[api.Proposal], error) {
			if made == nil {
				p, err := s.deps.Desk.Proposal(ctx, actor, approval.ID(r.ID))
				if err != nil {
					return nil, err
				}
				p.Comparison = nil // a proposal that was just made comes without it
				made = &p
			}
			return &answer[api.Proposal]{wire.Proposal(*made)}, nil
		})
	}
}

func (s docket) list(ctx context.Context, actor access.Actor, in *struct {
	Paging
	Status string `query:"status" doc:"pending, published, archived, approved, cancelled, expired or conflict."`
}) (*answer[api.List[api.Proposal]], error) {
	page, err := s.deps.Desk.Proposals(ctx, actor, approval.Filter{Kind: s.kind, Status: approval.Status(in.Status), Limit: in.size(maxPage), After: in.Cursor})
	if err != nil {
		return nil, err
	}
	return &answer[api.List[api.Proposal]]{api.List[api.Proposal]{Items: wire.Each(page.Items, wire.Proposal), NextCursor: next(page.Next)}}, nil
}

func (s docket) get(ctx context.Context, actor access.Actor, in *ProposalPath) (*answer[api.Proposal], error) {
	p, err := s.deps.Desk.ProposalOf(ctx, actor, approval.ID(in.ID), s.kind)
	if err != nil {
		return nil, err
	}
	return &answer[api.Proposal]{wire.Proposal(p)}, nil
}

// decide takes a decision. The store knows the request that carried it, so that a repetition with
// the same key gets the same answer also after a restart.
func (s docket) decide(ctx context.Context, actor access.Actor, in *struct {
	ProposalPath
	Key  string `header:"Idempotency-Key"`
	Body api.Decision
}) (*answer[api.Decided], error) {
	request := requestID(ctx)
	if in.Key != "" {
		sum := sha256.Sum256([]byte(in.Key))
		request = "key_" + hex.EncodeToString(sum[:16])
	}
	made := struct {
		ID       string
		Approved bool
	}{in.ID, in.Body.Approved}
	var decided *desk.Proposal
	decide := func(ctx context.Context) error {
		p, err := s.deps.Desk.DecideOf(ctx, actor, approval.ID(in.ID), s.kind, approval.Decision{Approved: in.Body.Approved, Request: request})
		decided = &p
		return err
	}
	return once(ctx, s.keys, errandOf(actor, "decide", in.Key, made), func(ctx context.Context) (idempotency.Receipt, error) {
		return idempotency.Receipt{ID: in.ID}, decide(ctx)
	}, func(idempotency.Receipt) (*answer[api.Decided], error) {
		// To repeat the answer takes the rights to decide; the store changes nothing again.
		if decided == nil {
			if err := decide(ctx); err != nil {
				return nil, err
			}
		}
		return &answer[api.Decided]{wire.Decided(*decided)}, nil
	})
}
