package delivery

import (
	"context"
	"errors"
	"io"

	"github.com/kaoju/kaoju/api"
)

// Server is a knowledge base on a server.
type Server struct {
	Client *api.Client
	KB     string
}

// Documents implements Base.
func (s Server) Documents(ctx context.Context, f api.DocumentFilter) ([]api.Document, error) {
	var out []api.Document
	for p := (api.Page{Limit: 200}); ; {
		list, err := s.Client.Documents(ctx, s.KB, f, p)
		if err != nil {
			return nil, err
		}
		out = append(out, list.Items...)
		if list.NextCursor == nil {
			return out, nil
		}
		p.Cursor = *list.NextCursor
	}
}

// Upload implements Base.
func (s Server) Upload(ctx context.Context, up Upload, body io.Reader) (Receipt, error) {
	answer, err := s.Client.Upload(ctx, s.KB, api.NewDocument{
		Body: body, FileName: up.FileName, MediaType: up.MediaType, DocKey: up.Key, Publish: up.Publish, Source: up.Source, SourcePath: up.Place, SourceURI: up.URI, Adopt: up.Adopt,
	})
	var held *api.Problem
	if errors.As(err, &held) && held.Code == "proposal_required" {
		return Receipt{Document: held.DocumentID, Version: held.Version, Job: held.JobID, Held: true, Unchanged: held.JobID == ""}, nil
	}
	if err != nil {
		return Receipt{}, err
	}
	out := Receipt{Document: answer.DocumentID, Version: answer.Version, Unchanged: answer.Unchanged, Published: answer.Published}
	if answer.JobID != nil {
		out.Job = *answer.JobID
	}
	return out, nil
}

// Job implements Base.
func (s Server) Job(ctx context.Context, id string) (api.Job, error) { return s.Client.Job(ctx, id) }

// Archive implements Base.
func (s Server) Archive(ctx context.Context, document string) (string, error) {
	proposing, err := s.proposing(ctx)
	if err != nil {
		return "", err
	}
	if proposing {
		p, err := s.Client.ProposeArchiving(ctx, document, "")
		return p.ProposalID, err
	}
	_, err = s.Client.ArchiveDocument(ctx, document, "")
	return "", err
}

// Waiting implements Base.
func (s Server) Waiting(ctx context.Context) (map[string]string, error) {
	out := map[string]string{}
	if proposing, err := s.proposing(ctx); err != nil || !proposing {
		return out, err
	}
	for p := (api.Page{Limit: 200}); ; {
		list, err := s.Client.Approvals(ctx, "pending", p)
		if err != nil {
			return nil, err
		}
		for _, one := range list.Items {
			if one.Kind == "archive" {
				out[one.DocumentID] = one.ProposalID
			}
		}
		if list.NextCursor == nil {
			return out, nil
		}
		p.Cursor = *list.NextCursor
	}
}

// proposing reports whether archiving needs a proposal.
func (s Server) proposing(ctx context.Context) (bool, error) {
	kb, err := s.Client.KnowledgeBase(ctx, s.KB)
	return kb.Publishing != "direct", err
}
