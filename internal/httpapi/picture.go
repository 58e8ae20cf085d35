package httpapi

import (
	"context"
	"net/http"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/httpapi/fragment"
	"github.com/kaoju/kaoju/internal/httpapi/page"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/sketch"
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

func (s *server) getDrawing(ctx context.Context, actor access.Actor, in *struct {
	DocumentPath
	Sheet     string `query:"sheet" maxLength:"1000" doc:"The name of the sheet, as the places on it say under shown. Without it, the first one."`
	Hidden    bool   `query:"hidden" doc:"The sheet is a block that stands nowhere. Only with its name."`
	NoneMatch string `header:"If-None-Match"`
}) (*stream, error) {
	var sheet *sketch.Sheet
	switch {
	case in.Sheet == "" && in.Hidden:
		return nil, refused([]problem.Field{{Pointer: "?sheet", Detail: "must name the block where hidden is true"}})
	case in.Sheet != "":
		sheet = &sketch.Sheet{Name: in.Sheet, Hidden: in.Hidden}
	}
	svg, err := s.deps.Desk.Sketch(ctx, actor, corpus.DocumentID(in.ID), sheet)
	if err != nil {
		return nil, err
	}
	return s.whole(svg, func(h http.Header) bool { return fragment.Drawing(h, svg, in.NoneMatch) }), nil
}
