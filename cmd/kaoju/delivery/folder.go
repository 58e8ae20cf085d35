package delivery

import (
	"context"
	"io"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/approval"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/desk"
	"github.com/kaoju/kaoju/internal/httpapi/wire"
	"github.com/kaoju/kaoju/internal/ingest"
)

// Folder is a knowledge base in a data folder.
type Folder struct {
	Desk   *desk.Desk
	Intake *ingest.Intake
	Actor  access.Actor
	KB     access.KnowledgeBaseID
	// Publish is true where versions are published, and archived, without a proposal: the operator's word.
	Publish bool
}

// Documents implements Base.
func (f Folder) Documents(ctx context.Context, filter api.DocumentFilter) ([]api.Document, error) {
	var out []api.Document
	want := corpus.Filter{
		KnowledgeBase: f.KB, Source: filter.Source, Key: corpus.Key(filter.DocKey), Status: access.Status(filter.Status), Newest: true, Limit: 1000,
	}
	for {
		page, err := f.Desk.Documents(ctx, f.Actor, want, "")
		if err != nil {
			return nil, err
		}
		out = append(out, wire.Each(page.Items, wire.Document)...)
		if want.After = page.Next; want.After == "" {
			return out, nil
		}
	}
}

// Upload implements Base.
func (f Folder) Upload(ctx context.Context, up Upload, body io.Reader) (Receipt, error) {
	r, err := f.Intake.Upload(ctx, f.Actor, corpus.Upload{
		KnowledgeBase: f.KB, FileName: up.FileName, MediaType: up.MediaType, Key: corpus.Key(up.Key), Publish: up.Publish, Source: up.Source, Path: up.Place, SourceURI: up.URI, Adopt: up.Adopt,
	}, body)
	return Receipt{Document: string(r.Document), Version: r.Version, Job: r.Job, Unchanged: r.Unchanged, Held: r.Held, Published: r.Published}, err
}

// Job implements Base.
func (f Folder) Job(ctx context.Context, id string) (api.Job, error) {
	job, err := f.Desk.Job(ctx, f.Actor, id)
	if err != nil {
		return api.Job{}, err
	}
	return wire.Job(job), nil
}

// Archive implements Base.
func (f Folder) Archive(ctx context.Context, document string) (string, error) {
	proposing, err := f.proposing(ctx)
	if err != nil {
		return "", err
	}
	if proposing {
		p, err := f.Desk.ProposeArchiving(ctx, f.Actor, corpus.DocumentID(document))
		return string(p.ID), err
	}
	_, err = f.Desk.ArchiveDocument(ctx, f.Actor, corpus.DocumentID(document), 0)
	return "", err
}

// Waiting implements Base.
func (f Folder) Waiting(ctx context.Context) (map[string]string, error) {
	out := map[string]string{}
	if proposing, err := f.proposing(ctx); err != nil || !proposing {
		return out, err
	}
	for want := (approval.Filter{Kind: approval.Archive, Status: approval.Pending, Limit: 200}); ; {
		page, err := f.Desk.Proposals(ctx, f.Actor, want)
		if err != nil {
			return nil, err
		}
		for _, p := range page.Items {
			out[p.Document] = string(p.ID)
		}
		if want.After = page.Next; want.After == "" {
			return out, nil
		}
	}
}

// proposing reports whether archiving needs a proposal.
func (f Folder) proposing(ctx context.Context) (bool, error) {
	if f.Publish {
		return false, nil
	}
	base, err := f.Desk.Base(ctx, f.Actor, f.KB)
	return base.Publishing != access.Directly, err
}
