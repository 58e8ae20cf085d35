package desk

import (
	"context"
	"slices"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/draft"
	"github.com/kaoju/kaoju/internal/export"
	"github.com/kaoju/kaoju/internal/run"
)

// ExportRun makes a document of the answer of one of the actor's own runs, as the actor may see it
// now. A run without an answer is problem.Conflict "no_answer", and one whose record was changed beside
// the product "record_changed".
func (d *Desk) ExportRun(ctx context.Context, actor access.Actor, id run.ID) (export.Document, error) {
	a, err := d.Run(ctx, actor, id)
	if err != nil {
		return export.Document{}, err
	}
	if a.Integrity.Changed() {
		return export.Document{}, changed()
	}
	r := a.Run
	if r.Answer.Text == "" && !a.Reduced {
		return export.Document{}, NoAnswer()
	}
	out := documentOf(r.ID, draft.TitleOf(r.Goal), r.Goal, a.Cited, r.Checks)
	out.Body, out.SavedAt, out.Reduced, out.Unconfirmed = r.Answer.Text, r.EndedAt, a.Reduced, r.NeedsConfirm
	warn(&out, r)
	return out, nil
}

// ExportDraft makes a document of a version of one of the actor's own drafts; 0 is the newest. What
// the run told of its answer holds for the draft that was made of it, and a draft is to be confirmed
// in any case. What was changed beside the product, the run or the version, is problem.Conflict
// "record_changed".
func (d *Desk) ExportDraft(ctx context.Context, actor access.Actor, id draft.ID, no int) (export.Document, error) {
	v, err := d.Draft(ctx, actor, id, no)
	if err != nil {
		return export.Document{}, err
	}
	if v.Integrity.Changed() {
		return export.Document{}, changed()
	}
	a, err := d.Run(ctx, actor, v.Run)
	if err != nil {
		return export.Document{}, err
	}
	out := documentOf(v.Run, v.Title, v.Goal, v.Sources, v.Checks)
	out.Body, out.Version, out.SavedAt, out.Reduced, out.Unconfirmed = v.Body, v.No, v.SavedAt, v.Reduced(), true
	warn(&out, a.Run)
	return out, nil
}

// warn puts into a document what its reader is to know of the answer.
func warn(out *export.Document, r *run.Run) {
	out.Insufficient, out.ByRules = r.Answer.Insufficient, slices.Contains(r.Notices, run.ByRules)
	for _, n := range r.Notices {
		if n != run.ByRules {
			out.Notices = append(out.Notices, n)
		}
	}
}

func documentOf(id run.ID, title, goal string, sources []Source, checks []citation.Check) export.Document {
	out := export.Document{Title: title, Chinese: export.IsChinese(goal), Run: string(id), Checks: slices.Clone(checks)}
	if title == "" {
		out.Title = string(id)
	}
	for _, s := range sources {
		out.Sources = append(out.Sources, exported(s, checks, out.Chinese))
	}
	return out
}

// exported is a source as a footnote tells of it: what the text leans on, each piece at its place;
// the passage as it was read where no piece of it was singled out.
func exported(s Source, checks []citation.Check, chinese bool) export.Source {
	if s.Withheld {
		return export.Source{Ref: s.Ref, Withheld: true}
	}
	out := export.Source{
		Ref: s.Ref, Title: s.Title, Key: string(s.Key), Version: s.Version, Truncated: s.Truncated(), Superseded: s.Now != access.StatusPublished,
	}
	for _, q := range s.Quotes(checks) {
		out.Quotes = append(out.Quotes, export.Quote{Text: q.Text, Place: corpus.InWords(q.Locator, chinese)})
	}
	if out.Quotes == nil {
		out.Quotes = []export.Quote{{Text: s.Excerpt, Place: corpus.InWords(s.Locator, chinese)}}
	}
	return out
}
