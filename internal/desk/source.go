package desk

import (
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/preview"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/revision"
	"github.com/kaoju/kaoju/internal/run"
)

// Opened is one passage exactly as a run read it, with what has become of it.
type Opened struct {
	Run      run.ID
	Evidence citation.Evidence
	Cited    bool
	Current  Current
	// Integrity says whether the passage is what was read, as far as the ledger tells.
	Integrity run.Integrity
}

// Difference says what has become of a passage in the version that is published now.
type Difference string

// The differences.
const (
	Unchanged Difference = "unchanged"
	Changed   Difference = "changed"
	Removed   Difference = "removed"
)

// Current is what has become of a cited version. Document, Version and Change are those of the
// published version of the same key, and empty if the actor can read none.
type Current struct {
	Status   access.Status // of the cited version, now
	Document corpus.DocumentID
	Version  int
	Change   Difference
	// Span is where the passage stands in the published version; the zero span where it does not.
	Span corpus.Span
	// Lines and Numbers hold what the passage's own sentences lost and got in their place.
	Lines   []revision.Line
	Numbers []revision.Number
}

// Source opens a passage of one of the actor's own runs, also after its version was archived, as
// long as the document may still be read.
func (d *Desk) Source(ctx context.Context, actor access.Actor, id run.ID, ref string) (Opened, error) {
	r, evidence, err := d.deps.Journal.Run(ctx, actor.Tenant, actor.User, id)
	if err != nil {
		return Opened{}, err
	}
	var found *citation.Evidence
	for i := range evidence {
		if evidence[i].Ref == ref {
			found = &evidence[i]
		}
	}
	if found == nil {
		return Opened{}, problem.Missing()
	}
	out := Opened{Run: id, Evidence: *found, Cited: r.Cited(ref)}
	err = d.within(ctx, actor, access.Request{View: citedView(*found)}, func(scope access.Scope) error {
		doc, err := d.deps.Catalog.Document(ctx, scope, found.Document)
		if err != nil {
			return err
		}
		out.Current.Status = doc.Status
		held, err := d.rights(scope.Viewing(access.Cited)).integrity(ctx, r, evidence)
		if err != nil {
			return err
		}
		out.Integrity = held.Of(*found, out.Cited)
		return d.compare(ctx, scope, *found, &out.Current)
	})
	if err != nil {
		return Opened{}, err
	}
	return out, nil
}

// Excerpt shows a passage of one of the actor's own runs as it reads in its document: exactly what was read, as safe HTML,
// under the rights of Source. Where the text of its version no longer says so at its place, it is shown as text alone.
// One that was changed beside the product is "record_changed": a rendered passage says nothing of that.
func (d *Desk) Excerpt(ctx context.Context, actor access.Actor, id run.ID, ref string) (string, error) {
	r, evidence, err := d.deps.Journal.Run(ctx, actor.Tenant, actor.User, id)
	if err != nil {
		return "", err
	}
	i := slices.IndexFunc(evidence, func(e citation.Evidence) bool { return e.Ref == ref })
	if i < 0 {
		return "", problem.Missing()
	}
	var out string
	e := evidence[i]
	err = d.within(ctx, actor, access.Request{View: citedView(e)}, func(scope access.Scope) error {
		// What was lost is not told from what was changed, before the right is seen to be there.
		if _, err := d.deps.Catalog.Document(ctx, scope, e.Document); err != nil {
			return err
		}
		held, err := d.rights(scope.Viewing(access.Cited)).integrity(ctx, r, evidence)
		if err != nil {
			return err
		}
		if held.Of(e, r.Cited(ref)).Changed() {
			return changed()
		}
		stretch, err := d.deps.Texts.Stretch(ctx, scope, e.Document, e.Span)
		if err != nil {
			return err
		}
		if runes := []rune(stretch.Text); !within(stretch.Span, e.Span) || string(runes[e.Span.Start-stretch.Span.Start:e.Span.End-stretch.Span.Start]) != e.Excerpt {
			end := e.Span.Start + utf8.RuneCountInString(e.Excerpt)
			stretch = corpus.Stretch{Text: e.Excerpt, Span: corpus.Span{Start: e.Span.Start, End: end}, Total: end}
		}
		out = preview.Excerpt(stretch, corpus.Span{Start: e.Span.Start, End: e.Span.Start + utf8.RuneCountInString(e.Excerpt)})
		// Rendering takes time: the right must still be there when the text leaves.
		_, err = d.deps.Catalog.Document(ctx, scope, e.Document)
		return err
	})
	if err != nil {
		return "", err
	}
	return out, nil
}

// within reports whether a span holds another.
func within(whole, part corpus.Span) bool {
	return part.Start >= whole.Start && part.Start <= part.End && part.End <= whole.End
}

// compare finds the published version of a passage's document and what it says in its place.
func (d *Desk) compare(ctx context.Context, scope access.Scope, e citation.Evidence, c *Current) error {
	page, err := d.deps.Catalog.Documents(ctx, scope, corpus.Filter{
		KnowledgeBase: e.KnowledgeBase, Key: e.Key, Status: access.StatusPublished, Limit: 1,
	})
	if err != nil {
		return err
	}
	*c = Current{Status: c.Status}
	if len(page.Items) == 0 {
		return nil
	}
	now := page.Items[0]
	c.Document, c.Version, c.Change, c.Span = now.ID, now.Version, Unchanged, e.Span
	if now.ID == e.Document {
		return nil
	}
	from, err := d.deps.Texts.Text(ctx, scope, e.Document)
	if err != nil {
		return err
	}
	to, err := d.deps.Texts.Text(ctx, scope, now.ID)
	if err != nil {
		return err
	}
	c.become(from, to, e)
	return nil
}

// become compares a passage with the published text. Where its place in its own version cannot be
// told, only whether its words stand in the other one is.
func (c *Current) become(from, to corpus.Text, e citation.Evidence) {
	span, ok := placeOf(from.Text, e)
	if !ok {
		c.Change, c.Span = compareText(e.Excerpt, to.Text), corpus.Span{}
		return
	}
	p := revision.ComparePassage(from, to, span)
	c.Change, c.Span, c.Lines, c.Numbers = Difference(p.Change), p.To, p.Lines, p.Numbers
	if c.Change == Removed && len(dense(e.Excerpt)) >= telling && compareText(e.Excerpt, to.Text) == Unchanged {
		// The words stand there, cut up in another way.
		c.Change, c.Lines, c.Numbers = Unchanged, nil, nil
	}
}

// telling is the number of code points from which a text is not met elsewhere by chance.
const telling = 20

// placeOf returns where a passage stands in the text of its own version: where it was read, if the
// text still says so there, or else where it stands once.
func placeOf(text string, e citation.Evidence) (corpus.Span, bool) {
	runes := []rune(text)
	if s := e.Span; s.Start >= 0 && s.Start < s.End && s.End <= len(runes) && string(runes[s.Start:s.End]) == e.Excerpt {
		return s, true
	}
	before, _, ok := strings.Cut(text, e.Excerpt)
	if !ok || e.Excerpt == "" || strings.Count(text, e.Excerpt) != 1 {
		return corpus.Span{}, false
	}
	start := utf8.RuneCountInString(before)
	return corpus.Span{Start: start, End: start + utf8.RuneCountInString(e.Excerpt)}, true
}

// shingle is the number of code points whose sequence is looked for in the newer text.
const shingle = 6

// compareText says whether an excerpt stands word for word in a text (white space aside), whether
// at least a fifth of it does, or less: then the passage is no longer there.
func compareText(excerpt, text string) Difference {
	old, now := dense(excerpt), string(dense(text))
	if strings.Contains(now, string(old)) {
		return Unchanged
	}
	if len(old) <= shingle {
		return Removed
	}
	have := map[string]bool{}
	runes := []rune(now)
	for i := 0; i+shingle <= len(runes); i++ {
		have[string(runes[i:i+shingle])] = true
	}
	kept := 0
	for i := 0; i+shingle <= len(old); i++ {
		if have[string(old[i:i+shingle])] {
			kept++
		}
	}
	if kept*5 >= len(old)-shingle+1 {
		return Changed
	}
	return Removed
}

// dense returns a text without its white space.
func dense(s string) []rune {
	out := make([]rune, 0, len(s))
	for _, r := range s {
		if !unicode.IsSpace(r) {
			out = append(out, r)
		}
	}
	return out
}
