package httpapi

import (
	"context"
	"net/http"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/desk"
	"github.com/kaoju/kaoju/internal/httpapi/wire"
)

// synonyms registers the list of words and synonyms of a tenant.
func (s *server) synonyms() {
	handle(s, operation("get-synonyms", http.MethodGet, "/api/synonyms", "The tenant's words and synonyms", 0), s.getSynonyms)
	handle(s, operation("set-synonyms", http.MethodPut, "/api/synonyms", "Replace the tenant's words and synonyms", 0), s.setSynonyms)
}

func (s *server) getSynonyms(ctx context.Context, actor access.Actor, _ *nothing) (*object[api.Synonyms], error) {
	l, err := s.deps.Desk.Lexicon(ctx, actor)
	if err != nil {
		return nil, err
	}
	return synonymsObject(l), nil
}

func (s *server) setSynonyms(ctx context.Context, actor access.Actor, in *struct {
	IfMatch string `header:"If-Match"`
	Body    api.SetSynonyms
}) (*object[api.Synonyms], error) {
	l, err := s.deps.Desk.SetLexicon(ctx, actor, in.Body.Lines, lockOf(in.IfMatch))
	if err != nil {
		return nil, matched(in.IfMatch, err)
	}
	return synonymsObject(l), nil
}

func synonymsObject(l desk.Lexicon) *object[api.Synonyms] {
	return &object[api.Synonyms]{ETag: etag(l.LockVersion), Body: wire.Synonyms(l)}
}
