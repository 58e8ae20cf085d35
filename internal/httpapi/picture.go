package httpapi

import (
	"context"
	"net/http"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/httpapi/fragment"
	"github.com/kaoju/kaoju/internal/httpapi/page"
	"github.com/kaoju/kaoju/internal/problem"
)

func (s *server) getPage(ctx context.Context, actor access.Actor, in *page.Request) (*stream, error) {
	boxes, fields := page.Boxes(in.Boxes)
	if err := refused(fields); err != nil {
		return nil, err
	}
	number, ok := page.Number(in.File)
	if !ok {
		return nil, problem.Missing()
	}
	p, err := s.deps.Desk.Page(ctx, actor, corpus.DocumentID(in.ID), number, in.Width)
	if err != nil {
		return nil, err
	}
	tag := page.Tag(p.PNG, boxes)
	had := fragment.Has(in.NoneMatch, tag)
	if !had {
		if p, err = s.deps.Desk.MarkPage(ctx, p, boxes); err != nil {
			return nil, err
		}
	}
	return s.whole(p.PNG, func(h http.Header) bool { return page.Describe(h, tag, len(p.PNG), had) }), nil
}
