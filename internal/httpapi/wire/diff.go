package wire

import (
	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/desk"
	"github.com/kaoju/kaoju/internal/revision"
)

// Diff is what changed between two versions.
func Diff(c desk.Comparison) api.Diff {
	d := c.Difference
	out := api.Diff{
		From: Side(c.From), To: Side(c.To),
		Added: []api.DiffSection{}, Removed: []api.DiffSection{}, Changed: []api.DiffSection{}, Moved: []api.DiffSection{},
		Numbers: []api.DiffNumber{}, Counts: Counts(d.Counts), Truncated: d.Truncated,
	}
	for _, s := range d.Sections {
		switch section := Section(s); s.Kind {
		case revision.Added:
			out.Added = append(out.Added, section)
		case revision.Removed:
			out.Removed = append(out.Removed, section)
		case revision.Changed:
			out.Changed = append(out.Changed, section)
		case revision.Moved:
			out.Moved = append(out.Moved, section)
		}
		out.Numbers = append(out.Numbers, Each(s.Numbers, Number)...)
	}
	if c.From.Level >= access.Editor {
		differs := c.PolicyDiffers()
		out.PolicyDiffers = &differs
	}
	return out
}

// Side is one of two compared versions.
func Side(d desk.Document) api.DiffSide {
	return api.DiffSide{DocumentID: string(d.ID), DocKey: string(d.Key), Version: d.Version, Status: string(d.Status), Title: d.Title}
}

// Section is a section that differs.
func Section(s revision.Section) api.DiffSection {
	return api.DiffSection{
		HeadingPath: List(s.Path), FormerPath: s.Was, FromSpan: optionalSpan(s.From), ToSpan: optionalSpan(s.To), Moved: s.Moved,
		LinesAdded: s.LinesAdded, LinesRemoved: s.LinesRemoved, Lines: Each(s.Lines, Line),
	}
}

// optionalSpan is a place that may not be there.
func optionalSpan(s corpus.Span) *api.Span {
	if s == (corpus.Span{}) {
		return nil
	}
	w := Span(s)
	return &w
}

// Line is a line of a difference.
func Line(l revision.Line) api.DiffLine {
	return api.DiffLine{Op: string(l.Op), Text: l.Text, Span: Span(l.Span)}
}

// Number is a number that changed.
func Number(n revision.Number) api.DiffNumber {
	unit := n.NewUnit
	if unit == "" {
		unit = n.OldUnit
	}
	return api.DiffNumber{
		HeadingPath: List(n.Section), Old: n.Old, New: n.New, Unit: unit, OldUnit: n.OldUnit, OldSentence: n.OldSentence, NewSentence: n.NewSentence,
	}
}

// Counts are the sizes of a difference.
func Counts(c revision.Counts) api.DiffCounts {
	return api.DiffCounts{
		SectionsAdded: c.SectionsAdded, SectionsRemoved: c.SectionsRemoved, SectionsChanged: c.SectionsChanged, SectionsMoved: c.SectionsMoved,
		LinesAdded: c.LinesAdded, LinesRemoved: c.LinesRemoved, NumbersChanged: c.Numbers,
	}
}
