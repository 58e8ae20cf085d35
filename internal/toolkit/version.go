package toolkit

import (
	"context"
	"slices"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/tool"
)

// namedVersions bounds the versions that a hit names. A document with more names its newest.
const namedVersions = 20

// past is the access request for the content of versions that are not in force. It keeps what
// narrows the run, so that history never reaches further than the run does, but for the moment
// that it asks about.
func past(r access.Request) access.Request {
	r.View, r.AsOf = access.Content, time.Time{}
	return r
}

// name adds to hits the versions of their documents whose content the actor may read, newest
// first, in runs that may read history. Nobody but a knowledge administrator gets any: others
// have no use for ids that they can't read.
func (s *search) name(ctx context.Context, call tool.Call, hits []tool.Hit, shown []found) error {
	if !call.Session.Versions || s.catalog == nil || len(hits) == 0 {
		return nil
	}
	return access.Within(ctx, s.dir, call.Actor, past(call.Session.Request), func(scope access.Scope) error {
		if !scope.Has(access.KnowledgeAdmin) {
			return nil
		}
		known := map[string][]tool.Version{}
		for i, h := range hits {
			key := string(h.Passage.KnowledgeBase) + "\x00" + string(h.Passage.Key)
			list, ok := known[key]
			if !ok {
				var err error
				if list, err = s.versions(ctx, scope, h.Passage); err != nil {
					return err
				}
				known[key] = list
			}
			hits[i].Versions, shown[i].Versions = list, list
		}
		return nil
	})
}

// versions lists the versions of a passage's document that the scope admits, newest first.
func (s *search) versions(ctx context.Context, scope access.Scope, p corpus.Passage) ([]tool.Version, error) {
	page, err := s.catalog.Documents(ctx, scope, corpus.Filter{KnowledgeBase: p.KnowledgeBase, Key: p.Key, Limit: 200})
	if err != nil {
		return nil, wrap(err, "list the versions of a document")
	}
	out := make([]tool.Version, 0, len(page.Items))
	for _, d := range page.Items {
		out = append(out, tool.Version{Document: d.ID, Version: d.Version, Status: d.Status})
	}
	slices.SortFunc(out, func(a, b tool.Version) int { return b.Version - a.Version })
	return out[:min(len(out), namedVersions)], nil
}
