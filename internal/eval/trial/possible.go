package trial

import (
	"context"
	"strings"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/access/unscoped"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/eval"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/retrieval"
)

// possible looks whether the case can fail and can pass: that the documents it names are in the
// store, and that what it forbids is somewhere. A canary that is nowhere proves nothing.
func (y *try) possible(ctx context.Context) bool {
	fine := true
	expected := append([]eval.Target{}, y.c.Wants.Targets...)
	if y.c.Update == nil { // An update may make the version that is expected.
		for _, p := range y.c.Wants.Citations {
			if p.Target.Document != "" || p.Target.Key != "" {
				expected = append(expected, p.Target)
			}
		}
		for _, t := range expected {
			if !y.there(ctx, y.actor.Tenant, t) {
				y.everywhere("unknown_target", "%s is not in the store", t)
				fine = false
			}
		}
	}
	for _, t := range y.c.Forbid.Targets {
		if !y.anywhere(func(tenant access.TenantID) bool { return y.there(ctx, tenant, t) }) {
			y.everywhere("cannot_fail", "the forbidden document %s is in no tenant of the store", t)
			fine = false
		}
	}
	for _, s := range y.c.Forbid.Strings {
		if !y.anywhere(func(tenant access.TenantID) bool { return y.holds(ctx, tenant, s) }) {
			y.everywhere("cannot_fail", "no document of the store holds the forbidden %q", s)
			fine = false
		}
	}
	return fine
}

func (y *try) anywhere(has func(access.TenantID) bool) bool {
	for _, tenant := range y.tenants {
		if has(tenant) {
			return true
		}
	}
	return false
}

// there reports whether a tenant has the document that a target names, in any status.
func (t *trial) there(ctx context.Context, tenant access.TenantID, target eval.Target) bool {
	scope := unscoped.Scope(tenant)
	if target.Document != "" {
		_, err := t.Catalog.Document(ctx, scope, target.Document)
		return err == nil
	}
	f := corpus.Filter{Key: target.Key, Limit: 200}
	for {
		page, err := t.Catalog.Documents(ctx, scope, f)
		if err != nil {
			return false
		}
		for _, d := range page.Items {
			if target.Is(d.ID, d.Key, d.Version, true) {
				return true
			}
		}
		if f.After = page.Next; page.Next == "" {
			return false
		}
	}
}

// holds reports whether a passage of a tenant holds a text.
func (t *trial) holds(ctx context.Context, tenant access.TenantID, text string) bool {
	scope := unscoped.Scope(tenant)
	found, err := t.Finder.Search(ctx, scope, retrieval.Query{Text: text, Limit: retrieval.MaxLimit})
	if err != nil {
		return false
	}
	for _, h := range found.Hits {
		chunk, doc, err := t.Texts.Chunk(ctx, scope, h.Chunk)
		if err == nil && (strings.Contains(chunk.Full(), text) || strings.Contains(doc.Title, text)) {
			return true
		}
	}
	return false
}

// truth returns a version as it is in the store now, whoever may see it. It looks at the actor's
// tenant first, then at the others: what leaked may be another's.
func (y *try) truth(ctx context.Context, id corpus.DocumentID) (corpus.Document, error) {
	doc, err := y.Catalog.Document(ctx, unscoped.Scope(y.actor.Tenant), id)
	if !problem.Is(err, problem.NotFound) {
		return doc, err
	}
	for _, tenant := range y.tenants {
		if doc, other := y.Catalog.Document(ctx, unscoped.Scope(tenant), id); other == nil {
			return doc, nil
		}
	}
	return corpus.Document{}, err
}
