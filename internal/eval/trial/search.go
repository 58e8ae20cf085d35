package trial

import (
	"context"
	"slices"
	"strings"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/access/unscoped"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/eval"
	"github.com/kaoju/kaoju/internal/retrieval"
)

// search searches as the person and judges the hits.
func (y *try) search(ctx context.Context, w eval.Wants) {
	found, err := y.Reader.Search(ctx, y.actor, access.Request{Bases: y.c.Bases, DocKey: y.c.DocKey},
		retrieval.Query{Text: y.c.Question, Limit: retrieval.MaxLimit})
	if err != nil {
		y.fault(eval.Retrieval, "search_failed", "the search failed: %s", said(err))
		return
	}
	if w.NoHits && len(found.Hits) > 0 {
		y.fault(eval.Retrieval, "hits", "there are %d hits where none was expected", len(found.Hits))
	}
	y.rank(found.Hits, w)
	y.versions(ctx, found.Hits, w)
	y.codes(ctx, found.Hits, w)
	y.leaks(found.Hits)
}

// rank computes the figures of the ranking and holds them against what the case asks for.
func (y *try) rank(hits []retrieval.Hit, w eval.Wants) {
	if len(w.Targets) == 0 {
		return
	}
	seen := map[corpus.DocumentID]bool{}
	open := slices.Clone(w.Targets)
	var relevant []bool
	for _, h := range hits {
		if seen[h.Document.ID] {
			continue
		}
		seen[h.Document.ID] = true
		i := slices.IndexFunc(open, func(t eval.Target) bool { return t.Is(h.Document.ID, h.Document.Key, h.Document.Version, false) })
		if relevant = append(relevant, i >= 0); i >= 0 {
			open = slices.Delete(open, i, i+1)
		}
	}
	r := eval.Rank(relevant, len(w.Targets), y.k)
	y.out.Ranking = &r
	switch {
	case !r.Hit:
		y.fault(eval.Retrieval, "not_found", "none of %s is among the first %d documents of %d", names(w.Targets), y.k, len(relevant))
	case w.Rank > 0 && r.First > w.Rank:
		y.fault(eval.Retrieval, "rank", "the first of %s stands at place %d, not at %d or before", names(w.Targets), r.First, w.Rank)
	}
	if r.Recall < w.Recall {
		y.fault(eval.Retrieval, "recall", "%.2f of %s was found, not %.2f; missing: %s", r.Recall, names(w.Targets), w.Recall, names(open))
	}
}

func names(targets []eval.Target) string {
	out := make([]string, len(targets))
	for i, t := range targets {
		out[i] = t.String()
	}
	return strings.Join(out, ", ")
}

// versions holds each hit against the store: it must be in force, and where the case names the
// version of a document that was found, it must be that one.
func (y *try) versions(ctx context.Context, hits []retrieval.Hit, w eval.Wants) {
	right := true
	seen := map[corpus.DocumentID]bool{}
	wrong := func(code, format string, args ...any) {
		right = false
		y.fault(eval.Retrieval, code, format, args...)
	}
	for _, h := range hits {
		if seen[h.Document.ID] {
			continue
		}
		seen[h.Document.ID] = true
		doc, err := y.truth(ctx, h.Document.ID)
		switch {
		case err != nil:
			wrong("no_such_document", "the hit %s is not in the store", h.Document.ID)
			continue
		case doc.Tenant != y.actor.Tenant:
			y.out.Leaks++
			wrong("other_tenant", "the hit %s belongs to another tenant", doc.ID)
		case doc.Status != access.StatusPublished:
			wrong("not_in_force", "the hit %s is version %d of %s, which is %s", doc.ID, doc.Version, doc.Key, doc.Status)
		case doc.Version != h.Document.Version || doc.Key != h.Document.Key:
			wrong("mislabelled", "the hit %s calls itself version %d of %s and is version %d of %s", doc.ID, h.Document.Version, h.Document.Key, doc.Version, doc.Key)
		}
		for _, t := range w.Targets {
			if t.Version > 0 && t.Key == doc.Key && t.Version != doc.Version {
				wrong("wrong_version", "%s was found in version %d", t, doc.Version)
			}
		}
	}
	if len(w.Targets) > 0 {
		y.out.Version = &right
	}
}

// codes looks for identifiers, letter by letter, in the passages that were found.
func (y *try) codes(ctx context.Context, hits []retrieval.Hit, w eval.Wants) {
	if len(w.Codes) == 0 {
		return
	}
	var text strings.Builder
	for _, h := range hits {
		text.WriteString(h.Snippet + "\n")
		if chunk, _, err := y.Texts.Chunk(ctx, unscoped.Scope(y.actor.Tenant), h.Chunk); err == nil {
			text.WriteString(chunk.Full() + "\n")
		}
	}
	for _, code := range w.Codes {
		if !strings.Contains(text.String(), code) {
			y.fault(eval.Retrieval, "code_not_found", "no hit holds %q", code)
		}
	}
}

// leaks looks for forbidden documents and texts in all that a search shows.
func (y *try) leaks(hits []retrieval.Hit) {
	for _, t := range y.c.Forbid.Targets {
		if slices.ContainsFunc(hits, func(h retrieval.Hit) bool { return t.Is(h.Document.ID, h.Document.Key, h.Document.Version, true) }) {
			y.out.Leaks++
			y.fault(eval.Retrieval, "forbidden_document", "the forbidden %s was found", t)
		}
	}
	for _, s := range y.c.Forbid.Strings {
		for _, h := range hits {
			shown := strings.Join(append([]string{h.Document.Title, string(h.Document.Key), h.Snippet}, h.HeadingPath...), "\n")
			if strings.Contains(shown, s) {
				y.out.Leaks++
				y.fault(eval.Retrieval, "forbidden_text", "a hit in %s shows the forbidden %q", h.Document.ID, s)
				break
			}
		}
	}
}
