package httpapi

import (
	"context"
	"net/http"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/desk"
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
	return &object[api.Synonyms]{ETag: etag(l.LockVersion), Body: Synonyms(l)}
}

// Synonyms is a list as the interface writes it.
func Synonyms(l desk.Lexicon) api.Synonyms {
	out := api.Synonyms{Lines: l.Lines, Words: l.Words, Synonyms: l.Synonyms, Indexed: l.Indexed, LockVersion: l.LockVersion, UpdatedBy: string(l.UpdatedBy)}
	if !l.UpdatedAt.IsZero() {
		out.UpdatedAt = &l.UpdatedAt
	}
	return out
}
