package httpapi

import (
	"context"
	"net/http"
	"time"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/httpapi/wire"
	"github.com/kaoju/kaoju/internal/problem"
)

// history registers the reading of any version.
func (s *server) history() {
	op := operation("read-document-version", http.MethodGet, "/api/tools/document-versions/{document_id}", "The complete text of any version, for knowledge administrators", 0)
	handle(s, op, s.readVersion)
}

func (s *server) readVersion(ctx context.Context, actor access.Actor, in *struct {
	ID string `path:"document_id"`
}) (*answer[api.DocumentVersion], error) {
	text, err := s.deps.Desk.DocumentVersion(ctx, actor, corpus.DocumentID(in.ID))
	if err != nil {
		return nil, err
	}
	return &answer[api.DocumentVersion]{wire.DocumentVersion(text)}, nil
}

// asOf reads the moment that a question is about: a time, or a day in UTC, which stands for its
// end. A day that is not over stands for now. The empty one asks for no moment.
func (s *server) asOf(text string) (time.Time, []problem.Field) {
	if text == "" {
		return time.Time{}, nil
	}
	now := s.deps.Clock().UTC()
	bad := func(detail string) (time.Time, []problem.Field) {
		return time.Time{}, []problem.Field{{Pointer: "/as_of", Detail: detail}}
	}
	if day, err := time.Parse(time.DateOnly, text); err == nil {
		if day.After(now) {
			return bad("must not lie in the future")
		}
		if end := day.AddDate(0, 0, 1).Add(-time.Microsecond); end.Before(now) {
			return end, nil
		}
		return now, nil
	}
	at, err := time.Parse(time.RFC3339, text)
	switch {
	case err != nil:
		return bad("must be a time like 2026-10-01T08:00:00Z or a date like 2026-10-01")
	case at.After(now):
		return bad("must not lie in the future")
	}
	return at.UTC(), nil
}
