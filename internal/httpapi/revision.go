package httpapi

import (
	"context"
	"net/http"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/httpapi/wire"
)

// revisions registers comparing versions, and taking one out of force.
func (s *server) revisions() {
	handle(s, operation("compare-versions", http.MethodGet, "/api/documents/{id}/diff", "What changed from this version to another", 0), s.compare)
	handle(s, operation("archive-document", http.MethodPost, "/api/documents/{id}/archive", "Take a published version out of force", 0), s.archive)
}

func (s *server) compare(ctx context.Context, actor access.Actor, in *struct {
	DocumentPath
	To string `query:"to" required:"true" minLength:"1" doc:"Another version of the same document."`
}) (*answer[api.Diff], error) {
	c, err := s.deps.Desk.Compare(ctx, actor, corpus.DocumentID(in.ID), corpus.DocumentID(in.To))
	if err != nil {
		return nil, err
	}
	return &answer[api.Diff]{wire.Diff(c)}, nil
}

func (s *server) archive(ctx context.Context, actor access.Actor, in *struct {
	DocumentPath
	IfMatch string `header:"If-Match"`
}) (*object[api.Document], error) {
	d, err := s.deps.Desk.ArchiveDocument(ctx, actor, corpus.DocumentID(in.ID), lockOf(in.IfMatch))
	if err != nil {
		return nil, matched(in.IfMatch, err)
	}
	return documentObject(d), nil
}
