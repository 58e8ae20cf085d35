package httpapi

import (
	"context"
	"net/http"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/desk"
	"github.com/kaoju/kaoju/internal/revision"
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
	return &answer[api.Diff]{wireDiff(c)}, nil
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

func wireDiff(c desk.Comparison) api.Diff {
	d := c.Difference
	out := api.Diff{
		From: wireSide(c.From), To: wireSide(c.To),
		Added: []api.DiffSection{}, Removed: []api.DiffSection{}, Changed: []api.DiffSection{}, Moved: []api.DiffSection{},
		Numbers: []api.DiffNumber{}, Counts: wireCounts(d.Counts), Truncated: d.Truncated,
	}
	for _, s := range d.Sections {
		switch section := wireSection(s); s.Kind {
		case revision.Added:
			out.Added = append(out.Added, section)
		case revision.Removed:
			out.Removed = append(out.Removed, section)
		case revision.Changed:
			out.Changed = append(out.Changed, section)
		case revision.Moved:
			out.Moved = append(out.Moved, section)
		}
		out.Numbers = append(out.Numbers, each(s.Numbers, wireNumber)...)
	}
	if c.From.Level >= access.Editor {
		differs := c.PolicyDiffers()
		out.PolicyDiffers = &differs
	}
	return out
}

func wireSide(d desk.Document) api.DiffSide {
	return api.DiffSide{DocumentID: string(d.ID), DocKey: string(d.Key), Version: d.Version, Status: string(d.Status), Title: d.Title}
}

func wireSection(s revision.Section) api.DiffSection {
	return api.DiffSection{
		HeadingPath: list(s.Path), FormerPath: s.Was, FromSpan: optionalSpan(s.From), ToSpan: optionalSpan(s.To), Moved: s.Moved,
		LinesAdded: s.LinesAdded, LinesRemoved: s.LinesRemoved, Lines: each(s.Lines, wireLine),
	}
}

// optionalSpan is a place that may not be there.
func optionalSpan(s corpus.Span) *api.Span {
	if s == (corpus.Span{}) {
		return nil
	}
	w := wireSpan(s)
	return &w
}

func wireLine(l revision.Line) api.DiffLine {
	return api.DiffLine{Op: string(l.Op), Text: l.Text, Span: wireSpan(l.Span)}
}

func wireNumber(n revision.Number) api.DiffNumber {
	unit := n.NewUnit
	if unit == "" {
		unit = n.OldUnit
	}
	return api.DiffNumber{
		HeadingPath: list(n.Section), Old: n.Old, New: n.New, Unit: unit, OldUnit: n.OldUnit, OldSentence: n.OldSentence, NewSentence: n.NewSentence,
	}
}

func wireCounts(c revision.Counts) api.DiffCounts {
	return api.DiffCounts{
		SectionsAdded: c.SectionsAdded, SectionsRemoved: c.SectionsRemoved, SectionsChanged: c.SectionsChanged, SectionsMoved: c.SectionsMoved,
		LinesAdded: c.LinesAdded, LinesRemoved: c.LinesRemoved, NumbersChanged: c.Numbers,
	}
}
