package httpapi

import (
	"context"
	"net/http"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/httpapi/wire"
	"github.com/kaoju/kaoju/internal/idempotency"
	"github.com/kaoju/kaoju/internal/retrieval"
)

// deepest bounds how far into the hits a search can be paged.
const deepest = 1000

// search registers the search.
func (s *server) search() {
	handle(s, operation("search", http.MethodPost, "/api/search", "Find passages", 0), s.find)
}

// searchCursor is the place of the next page, bound to the search that it belongs to.
type searchCursor struct {
	Offset int    `json:"o"`
	Search string `json:"s"`
}

func (s *server) find(ctx context.Context, actor access.Actor, in *struct{ Body api.SearchRequest }) (*answer[api.SearchResult], error) {
	q := in.Body
	from, to, fields := days(q.UpdatedFrom, q.UpdatedTo, "/updated_from", "/updated_to")
	past, wrong := s.asOf(q.AsOf)
	fields = append(fields, wrong...)
	if err := refused(fields); err != nil {
		return nil, err
	}
	limit, cursor := q.Limit, q.Cursor
	if limit == 0 {
		limit = 10
	}
	q.Limit, q.Cursor = 0, ""
	digest, err := idempotency.Digest(q)
	if err != nil {
		return nil, err
	}
	var at searchCursor
	if cursor != "" {
		if err := unseal(cursor, &at); err != nil {
			return nil, err
		}
		if at.Search != digest[:16] || at.Offset < 0 || at.Offset > deepest {
			return nil, badCursor()
		}
	}
	result, err := s.deps.Desk.Search(ctx, actor,
		access.Request{Bases: baseIDs(q.KnowledgeBaseIDs), DocKey: q.DocKey, UpdatedFrom: from, UpdatedTo: to, AsOf: past, ViewAs: access.UserID(q.ViewAs)},
		retrieval.Query{Text: q.Query, Limit: min(limit, maxHits), Offset: at.Offset})
	if err != nil {
		return nil, err
	}
	out := wire.SearchResult(result)
	if end := at.Offset + len(result.Hits); result.More && end <= deepest {
		out.NextCursor = seal(searchCursor{end, digest[:16]})
	}
	return &answer[api.SearchResult]{out}, nil
}
