package httpapi

import (
	"context"
	"net/http"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/desk"
	"github.com/kaoju/kaoju/internal/httpapi/wire"
	"github.com/kaoju/kaoju/internal/idempotency"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/run"
)

func (s *server) feedback() {
	handle(s, operation("give-feedback", http.MethodPost, "/api/feedback", "Say what an answer or a sentence of it is worth", http.StatusCreated), s.giveFeedback)
	handle(s, operation("list-feedback", http.MethodGet, "/api/feedback", "What the caller said, oldest first", 0), s.listFeedback)
}

// giveFeedback shows to a repetition what is kept by then, which a later request may have changed.
func (s *server) giveFeedback(ctx context.Context, actor access.Actor, in *struct {
	Key  string `header:"Idempotency-Key"`
	Body api.NewFeedback
}) (*answer[api.Feedback], error) {
	if in.Body.RunID == "" {
		return nil, refused([]problem.Field{{Pointer: "/run_id", Detail: "must not be empty"}})
	}
	wish := desk.Mark{Run: run.ID(in.Body.RunID), Sentence: in.Body.Sentence, Opinion: desk.Opinion(in.Body.Verdict), Note: in.Body.Note}
	var made *desk.MarkView
	mark := func(ctx context.Context) error {
		v, err := s.deps.Desk.Mark(ctx, actor, wish)
		made = &v
		return err
	}
	return once(ctx, s.keys, errandOf(actor, "give-feedback", in.Key, in.Body), func(ctx context.Context) (idempotency.Receipt, error) {
		return idempotency.Receipt{ID: in.Body.RunID}, mark(ctx)
	}, func(r idempotency.Receipt) (*answer[api.Feedback], error) {
		if made == nil {
			v, err := s.deps.Desk.MarkOf(ctx, actor, run.ID(r.ID), wish.Sentence)
			if err != nil {
				return nil, err
			}
			made = &v
		}
		return &answer[api.Feedback]{wire.Feedback(*made)}, nil
	})
}

func (s *server) listFeedback(ctx context.Context, actor access.Actor, in *struct {
	Paging
	Run string `query:"run_id" doc:"Of one run; of all if it is not given."`
}) (*answer[api.List[api.Feedback]], error) {
	page, err := s.deps.Desk.Marks(ctx, actor, desk.MarkFilter{Run: run.ID(in.Run), Limit: in.size(maxPage), After: in.Cursor})
	if err != nil {
		return nil, err
	}
	return &answer[api.List[api.Feedback]]{api.List[api.Feedback]{Items: wire.Each(page.Items, wire.Feedback), NextCursor: next(page.Next)}}, nil
}
