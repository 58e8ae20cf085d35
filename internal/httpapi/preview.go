package httpapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/httpapi/fragment"
	"github.com/kaoju/kaoju/internal/preview"
)

func (s *server) getPreview(ctx context.Context, actor access.Actor, in *struct {
	DocumentPath
	From      int    `query:"from" minimum:"0" doc:"The first code point of the normalised text that is wanted."`
	To        int    `query:"to" minimum:"0" doc:"The end of the stretch that is wanted; as far as a page goes if it is not given."`
	Anchor    string `query:"anchor" doc:"The id of a place to begin near to, instead of from and to."`
	NoneMatch string `header:"If-None-Match"`
}) (*stream, error) {
	f, err := s.deps.Desk.Preview(ctx, actor, corpus.DocumentID(in.ID), preview.Window{From: in.From, To: in.To}, in.Anchor)
	if err != nil {
		return nil, err
	}
	return s.whole([]byte(f.HTML), func(h http.Header) bool { return fragment.Describe(h, in.ID, f, in.NoneMatch) }), nil
}

// whole is a body that is at hand. Its headers are described before it is sent, and whether the client has it already.
func (s *server) whole(body []byte, describe func(http.Header) (had bool)) *stream {
	return &stream{func(hc huma.Context) {
		_, w := humago.Unwrap(hc)
		if describe(w.Header()) {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		w.WriteHeader(http.StatusOK)
		out := newSender(w, s.deps.Pace.Write)
		defer out.settle()
		if _, err := out.Write(body); err != nil {
			s.deps.Log.WarnContext(hc.Context(), "answer not sent whole", "request_id", requestID(hc.Context()), "error", err)
			panic(http.ErrAbortHandler)
		}
	}}
}
