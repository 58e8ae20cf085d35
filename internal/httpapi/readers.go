package httpapi

import (
	"context"
	"net/http"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/httpapi/wire"
)

// ViewAs is the parameter of lists that a tenant administrator can look at as somebody else.
type ViewAs struct {
	User string `query:"view_as" doc:"For tenant administrators: only what this user too may see. It never shows more, and is recorded in the ledger."`
}

// readers registers the operations that tell who may read a version, and why.
func (s *server) readers() {
	const all = "/api/documents/{id}/readers"
	handle(s, operation("list-readers", http.MethodGet, all, "Who may read a version, and through which grants; for tenant administrators who may see it", 0), s.listReaders)
	handle(s, operation("get-reader", http.MethodGet, all+"/{user}", "Why a person may read a version or not; everybody may ask it of themselves", 0), s.getReader)
}

func (s *server) listReaders(ctx context.Context, actor access.Actor, in *struct {
	DocumentPath
	Paging
}) (*answer[api.List[api.Reader]], error) {
	after, err := in.after()
	if err != nil {
		return nil, err
	}
	page, err := s.deps.Desk.Readers(ctx, actor, corpus.DocumentID(in.ID), access.UserID(after), in.size(maxPage))
	if err != nil {
		return nil, err
	}
	return &answer[api.List[api.Reader]]{api.List[api.Reader]{Items: wire.Each(page.Items, wire.Reader), NextCursor: onward(page.Next)}}, nil
}

func (s *server) getReader(ctx context.Context, actor access.Actor, in *struct {
	DocumentPath
	User string `path:"user"`
}) (*answer[api.Reader], error) {
	r, err := s.deps.Desk.Reader(ctx, actor, corpus.DocumentID(in.ID), access.UserID(in.User))
	if err != nil {
		return nil, err
	}
	return &answer[api.Reader]{wire.Reader(r)}, nil
}
